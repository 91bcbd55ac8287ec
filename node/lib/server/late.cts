import { describedError } from '../errors/errors.cjs';
import type { Unsent, Writer, Written } from './writer.cjs';

/** An entity that was never open. */
const NONE = 0;

/**
 * The writer of a run whose agent has returned, so that the agent cannot catch errors: they are reported instead, and what would
 * be opened is closed.
 */
export class LateWriter implements Writer {
  readonly isRunning = false;
  readonly #writer: Writer;
  readonly #tell: (error: unknown) => void;

  constructor(writer: Writer, tell: (error: unknown) => void) {
    this.#writer = writer;
    this.#tell = tell;
  }

  write(entity: number, delta: string): void {
    this.#late(() => this.#writer.write(entity, delta));
  }

  send(event: unknown, tag?: string): void {
    this.#late(() => this.#writer.send(event, tag));
  }

  sendText(event: string, tag?: string): void {
    this.#late(() => this.#writer.sendText(event, tag));
  }

  show(event: string, isUpdate: boolean, known: string | undefined, tag?: string): string | undefined {
    this.#late(() => void this.#writer.show(event, isUpdate, known, tag));
    return known;
  }

  open(event: Written, tag?: string): number {
    this.#late(() => void this.#writer.open(event, tag));
    return NONE;
  }

  openReasoning(id: string, tag?: string): number {
    this.#late(() => void this.#writer.openReasoning(id, tag));
    return NONE;
  }

  endRun(ending: string, about: number, unsent?: Unsent): void {
    this.#late(() => this.#writer.endRun(ending, about, unsent));
  }

  addUsage(): void {
    this.refuse();
  }

  /** Does nothing: all is closed. */
  end(): void {}

  endAs(): void {}

  endFailed(): void {}

  /** The same of what core would not refuse: it is lost. */
  refuse(): void {
    this.#tell(describedError('sequence_broken', 'the run has ended'));
  }

  #late(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#tell(error);
    }
  }
}

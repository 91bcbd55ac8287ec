import { errorFrom } from './errors.cjs';
import { type TakeStrings, writeLiteral } from './generated/writers.cjs';
import { isPlain } from './json.cjs';
import { Ask, type Carry, type Feed, STRINGS } from './native.cjs';
import type { Warning } from './options.cjs';
import { FAILED, LENGTH, SHORT, STATUS, WARNED } from './tape.cjs';

/** Marks for 256 changes, which native code hands over in parts of at most that many: see `ROOM` in `changes.rs`. */
const MARKS = 2 + 256 * 5;

const NO_MARKS = new Uint32Array(2);

/** A native engine, with the marks that it fills and the warnings that it gives. */
export class Engine {
  /** The warnings so far, if there is no `onWarning` to take them. */
  readonly warnings: Warning[] = [];
  /** What was handed over last. */
  marks = new Uint32Array(MARKS);
  readonly #feed: Feed;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #take: TakeStrings;
  /** What goes with the event that is being taken. */
  #extra: Carry | boolean | undefined;
  /** What came of it. */
  #answer: string | undefined;

  /** @throws AGUIError what `feed` describes, if it is text */
  constructor(feed: Feed | string, onWarning?: (warning: Warning) => void) {
    if (typeof feed === 'string') throw errorFrom(feed);
    this.#feed = feed;
    this.#onWarning = onWarning;
    this.#take = (place, one, two, three) => {
      // Native code would not see halves of surrogate pairs.
      if (!isWellFormed(one) || !isWellFormed(two) || !isWellFormed(three)) return undefined;
      this.#answer = feed(STRINGS + place, this.marks, this.#extra, one, two, three);
      return undefined;
    };
  }

  /** Runs the engine on a chunk of a stream, and returns the text that the marks point into. */
  feed(chunk: Uint8Array, extra?: Carry): string {
    return this.run(chunk instanceof Uint8Array ? chunk : bytesOf(chunk), extra);
  }

  /** Runs the engine on an event. Where that is no literal, `write` makes text of it. */
  event(event: any, extra?: Carry | boolean, write: (event: any) => string | undefined = JSON.stringify): string {
    this.#extra = extra;
    this.#answer = undefined;
    const text = isPlain(event) ? writeLiteral(event, this.#take) : undefined;
    return this.#answer === undefined ? this.run(text ?? write(event) ?? 'null', extra) : this.#whole(this.#answer);
  }

  /** Runs the engine. What is made of the text goes to `finish`. */
  run(input: Uint8Array | string | Ask, extra?: Carry | boolean): string {
    // Memory that another thread may write to is not read in place.
    return this.#whole(this.#feed(input, this.marks, extra) ?? this.#feed(bytesOf(input), this.marks, extra)!);
  }

  /** What was handed over, if the marks were too few with larger ones. */
  #whole(text: string): string {
    if (this.marks[STATUS]! & SHORT) {
      this.marks = new Uint32Array(2 * this.marks[LENGTH]! + 2);
      return this.#feed(Ask.Again, this.marks)!;
    }
    return text;
  }

  /**
   * Passes on what came of a run, after its warnings.
   *
   * @throws AGUIError if the engine has failed; `partial` has what came before
   */
  finish<T>(made: T[]): T[] {
    const status = this.marks[STATUS]!;
    if (status & WARNED) this.#warn(JSON.parse(this.ask(Ask.Warnings)));
    if (status & FAILED) throw errorFrom(this.ask(Ask.Error), made);
    return made;
  }

  /** Tells, before `finish`, that a patch of the state did not apply. */
  unpatched(failure: string): void {
    const refusal = this.#feed(Ask.Unpatched, NO_MARKS, failure);
    if (refusal) throw errorFrom(refusal);
    this.marks[STATUS]! |= WARNED;
  }

  /** The answer to a question, as JSON text. */
  ask(question: Ask): string {
    return this.#feed(question, NO_MARKS)!;
  }

  /** Where a stream can be resumed. */
  resumePoint(): { lastEventId: string; retry: number | null } {
    return JSON.parse(this.ask(Ask.Resume));
  }

  #warn(warnings: Warning[]): void {
    if (this.#onWarning) for (const warning of warnings) this.#onWarning(warning);
    else this.warnings.push(...warnings);
  }
}

function isWellFormed(text: string | undefined): boolean {
  return text === undefined || (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** The bytes of another kind of view, copied, or of an array buffer. */
function bytesOf(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError('feed expects a Uint8Array');
}

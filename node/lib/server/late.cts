import { describedError } from '../errors/errors.cjs';
import type { Writer } from './writer.cjs';

/** An entity that was never open. */
const NONE = 0;

/** See `lateWriter`. */
export interface LateWriter extends Writer {
  /** Tells of what core would not refuse that it is lost. */
  refuse(): void;
}

/**
 * The writer of a run whose agent has returned, so that the agent cannot catch errors: they are told instead, and what would be opened is
 * closed.
 */
export function lateWriter(writer: Writer, tell: (error: unknown) => void): LateWriter {
  const late = (write: () => unknown): void => {
    try {
      write();
    } catch (error) {
      tell(error);
    }
  };
  const refuse = () => tell(describedError('sequence_broken', 'the run has ended'));
  // All is closed.
  const closed = () => undefined;
  return {
    isRunning: false,
    write: (entity, delta) => late(() => writer.write(entity, delta)),
    send: (event, tag) => late(() => writer.send(event, tag)),
    sendText: (event, tag) => late(() => writer.sendText(event, tag)),
    show: (event, isUpdate, known, tag) => (late(() => writer.show(event, isUpdate, known, tag)), known),
    open: (event, tag) => (late(() => writer.open(event, tag)), NONE),
    openReasoning: (id, tag) => (late(() => writer.openReasoning(id, tag)), NONE),
    end: closed,
    endAs: closed,
    endFailed: closed,
    endRun: (ending, about, unsent) => late(() => writer.endRun(ending, about, unsent)),
    addUsage: refuse,
    refuse,
  };
}

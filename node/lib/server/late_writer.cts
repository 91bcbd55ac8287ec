import { describedError } from '../errors/errors.cjs';
import type { Writer } from './writer.cjs';

/** An entity that was never open. */
const NONE = 0;

/** See `lateWriter`. */
export interface LateWriter extends Writer {
  /** Reports that a write is lost which core would not refuse. */
  refuse(): void;
}

/**
 * Makes the writer of a run whose agent has returned. The agent cannot catch errors any more, so they are reported. An entity that
 * is opened counts as closed.
 */
export function lateWriter(writer: Writer, report: (error: unknown) => void): LateWriter {
  const late = (write: () => unknown): void => {
    try {
      write();
    } catch (error) {
      report(error);
    }
  };
  const refuse = () => report(describedError('sequence_broken', 'the run has ended'));
  // All entities are closed.
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

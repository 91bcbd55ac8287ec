import type { NativeOperation, NativeReply } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { expect } from '../options/kinds.cjs';
import type { Log, LogHint, LogKey, LogOperation, LogReply } from './log.cjs';
import { workOf } from './work.cjs';

/** An engine as this package calls it: with handles, and with keys and hints as JSON text. */
export interface Engine {
  run(operation: NativeOperation): Promise<NativeReply>;
  /** Watches a log. If hints arrive only after a while, `begun` is called then: what was appended before had none. */
  listen(key: string, callback: (hint: string) => void, begun?: () => void): () => void;
}

/** An engine of this package. */
export abstract class NativeLog implements Engine, Log {
  /** @internal */
  abstract run(operation: NativeOperation): Promise<NativeReply>;

  /** @internal */
  abstract listen(key: string, callback: (hint: string) => void, begun?: () => void): () => void;

  /** See `Log`. */
  async execute(operation: LogOperation): Promise<LogReply> {
    const reply = await this.run(native().LogOperation.fromJson(JSON.stringify(operation)));
    return JSON.parse(reply.toJson()) as LogReply;
  }

  /**
   * Starts no more runs of this log in this process, and resolves when those that go on have ended: each has the time of the option
   * `drain`, and ends with RUN_ERROR `producer_lost` after it. Connections that read end a second later: their clients resume at
   * another process. For the shutdown of a process; the option `signal` does it for one server.
   */
  drain(): Promise<void> {
    return workOf(this).drain();
  }

  /** See `Log`. */
  watch(key: LogKey, callback: (hint: LogHint) => void): () => void {
    return this.listen(JSON.stringify({ thread: key.thread, run: key.run }), (hint) => callback(JSON.parse(hint) as LogHint));
  }
}

/** An engine that the application has written. */
class ForeignLog implements Engine {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  async run(operation: NativeOperation): Promise<NativeReply> {
    const reply = await this.#log.execute(JSON.parse(operation.toJson()) as LogOperation);
    return native().LogReply.fromJson(JSON.stringify(reply));
  }

  listen(key: string, callback: (hint: string) => void): () => void {
    const unwatch = this.#log.watch(JSON.parse(key) as LogKey, (hint) => callback(JSON.stringify(hint)));
    expect('callback', 'the result of watch', unwatch);
    return unwatch;
  }
}

/** Returns the engine of a log. */
export function engineOf(log: Log): Engine {
  return log instanceof NativeLog ? log : new ForeignLog(log);
}

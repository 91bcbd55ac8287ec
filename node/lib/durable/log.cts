// The interface of engines: others can implement it.

/**
 * The key of a log: the hash of its scope and thread, and the hash of its run.
 *
 * @example
 * ```ts
 * import { type LogKey, MemoryLog } from 'ag-ui-native/durable';
 *
 * const key: LogKey = { thread: 't1', run: 'r1' };
 * const unwatch = new MemoryLog().watch(key, () => {});
 * unwatch();
 * ```
 */
export interface LogKey {
  thread: string;
  run: string;
}

/**
 * An operation of a log: an object with the member `operation`. The page "An engine of your own" describes each.
 *
 * @example
 * ```ts
 * import type { LogOperation } from 'ag-ui-native/durable';
 *
 * const operation: LogOperation = { operation: 'info', key: { thread: 't1', run: 'r1' } };
 * ```
 */
export type LogOperation = { readonly operation: string } & Readonly<Record<string, any>>;

/**
 * The reply to an operation: an object with the member `reply`.
 *
 * @example
 * ```ts
 * import type { LogReply } from 'ag-ui-native/durable';
 *
 * const reply: LogReply = { reply: 'unknown' };
 * ```
 */
export type LogReply = { readonly reply: string } & Readonly<Record<string, any>>;

/**
 * News of a log: frames were appended, or a cancel was requested.
 *
 * @example
 * ```ts
 * import { type LogHint, MemoryLog } from 'ag-ui-native/durable';
 *
 * const show = (hint: LogHint) => console.log(hint.hint);
 * const unwatch = new MemoryLog().watch({ thread: 't1', run: 'r1' }, show);
 * unwatch();
 * ```
 */
export type LogHint = { readonly hint: 'appended'; readonly next: number } | { readonly hint: 'cancelled' };

/**
 * An engine that keeps the logs of runs.
 *
 * @example
 * ```ts
 * import { type Log, MemoryLog } from 'ag-ui-native/durable';
 * import { nodeHandler } from 'ag-ui-native/server';
 *
 * const log: Log = new MemoryLog();
 * const handler = nodeHandler((run) => run.write('Hello!'), { log, authorize: 'public' });
 * ```
 */
export interface Log {
  /** Executes an operation as one step. A promise that is rejected means that there is no reply: the operation may have been executed. */
  execute(operation: LogOperation): Promise<LogReply>;
  /**
   * Calls `callback` with hints of a log. Hints may be lost, late or repeated: an engine that has none returns a function that does
   * nothing. The returned function ends this.
   */
  watch(key: LogKey, callback: (hint: LogHint) => void): () => void;
}

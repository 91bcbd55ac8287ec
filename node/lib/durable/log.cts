// The interface of engines: others can implement it.

/** The key of a log: the hash of its scope and thread, and the hash of its run. */
export interface LogKey {
  thread: string;
  run: string;
}

/** An operation of a log: an object with the member `operation`. The page "An engine of your own" describes each. */
export type LogOperation = { readonly operation: string } & Readonly<Record<string, any>>;

/** The reply to an operation: an object with the member `reply`. */
export type LogReply = { readonly reply: string } & Readonly<Record<string, any>>;

/** News of a log: frames were appended, or a cancel was requested. */
export type LogHint = { readonly hint: 'appended'; readonly next: number } | { readonly hint: 'cancelled' };

/** An engine that keeps the logs of runs. */
export interface Log {
  /** Executes an operation as one step. A promise that is rejected means that there is no reply: the operation may have been executed. */
  execute(operation: LogOperation): Promise<LogReply>;
  /**
   * Calls `callback` with hints of a log. Hints may be lost, late or repeated: an engine that has none returns a function that does
   * nothing. The returned function ends this.
   */
  watch(key: LogKey, callback: (hint: LogHint) => void): () => void;
}

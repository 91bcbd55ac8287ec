import { errorFrom } from '../errors/errors.cjs';
import type { NativeOperation, NativeReply, NativeSqliteStore } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { expect } from '../options/kinds.cjs';
import { NativeLog } from './engine.cjs';

/** An operation that waits for its reply. */
interface Waiting {
  resolve: (reply: NativeReply) => void;
  reject: (error: Error) => void;
}

/** The longest pause of a timer. */
const LONG = 2 ** 31 - 1;

/**
 * Keeps the logs of runs in a file of SQLite, for the processes of this machine. They outlive the processes.
 *
 * @example
 * ```ts
 * import { mkdtempSync, rmSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { deleteThread, SQLiteLog } from 'ag-ui-native/durable';
 *
 * const folder = mkdtempSync(join(tmpdir(), 'runs-'));
 * const log = new SQLiteLog(join(folder, 'runs.db'));
 * await deleteThread(log, 'user-7', 't1');
 * log.close();
 * rmSync(folder, { recursive: true });
 * ```
 */
export class SQLiteLog extends NativeLog {
  readonly #store: NativeSqliteStore;
  readonly #waiting = new Map<number, Waiting>();
  readonly #watching = new Map<number, (hint: string) => void>();
  #last = 0;
  /** Keeps the process alive while operations wait for their replies, and only then. */
  #alive: ReturnType<typeof setInterval> | undefined;

  /** Opens the file, or makes it. */
  constructor(path: string) {
    super();
    expect('text', 'path', path);
    const [waiting, watching] = [this.#waiting, this.#watching];
    this.#store = opened(
      () =>
        new (native().SqliteLogStore)(
          path,
          ({ number, reply, text }) => this.#settle(waiting.get(number), number, reply, text),
          ({ number, text }) => watching.get(number)?.(text!),
        ),
    );
  }

  #settle(waiting: Waiting | undefined, number: number, reply: NativeReply | undefined, reason: string | undefined): void {
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) {
      clearInterval(this.#alive);
      this.#alive = undefined;
    }
    if (reply) waiting?.resolve(reply);
    else waiting?.reject(new Error(reason));
  }

  /** The number of the next operation or watch. */
  #number(): number {
    do this.#last = (this.#last + 1) % 2 ** 32;
    while (this.#waiting.has(this.#last) || this.#watching.has(this.#last));
    return this.#last;
  }

  /** @internal */
  run(operation: NativeOperation): Promise<NativeReply> {
    return new Promise((resolve, reject) => {
      const number = this.#number();
      this.#waiting.set(number, { resolve, reject });
      this.#alive ??= setInterval(() => undefined, LONG);
      this.#store.execute(number, operation);
    });
  }

  /** @internal */
  listen(key: string, callback: (hint: string) => void): () => void {
    const number = this.#number();
    this.#watching.set(number, callback);
    const watch = opened(() => this.#store.watch(number, key));
    return () => {
      this.#watching.delete(number);
      watch.close();
    };
  }

  /** Finishes all operations, and closes the file. */
  close(): void {
    this.#store.close();
  }
}

function opened<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const { message } = error as Error;
    throw message.startsWith('{') ? errorFrom(message) : error;
  }
}

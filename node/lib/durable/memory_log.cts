import type { NativeMemoryStore, NativeOperation, NativeReply } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { kind, settled, type Table } from '../options/option_reader.cjs';
import { NativeLog } from './engine.cjs';
import { Watchers } from './watchers.cjs';

/**
 * The limits of a `MemoryLog`. Logs and threads without an active run make room before their time is over.
 *
 * @example
 * ```ts
 * import { MemoryLog, type MemoryLogOptions } from 'ag-ui-native/durable';
 *
 * const options: MemoryLogOptions = { maxLogs: 1000, maxBytes: 64 * 1024 * 1024 };
 * const log = new MemoryLog(options);
 * ```
 */
export interface MemoryLogOptions {
  /** The largest number of logs. The default is 10,000. */
  maxLogs?: number | undefined;
  /** The largest number of threads. The default is 10,000. */
  maxThreads?: number | undefined;
  /** The largest sum of the bytes of events and snapshots. The default is 256 MiB. */
  maxBytes?: number | undefined;
}

const readers: Table<MemoryLogOptions> = { maxLogs: kind('count'), maxThreads: kind('count'), maxBytes: kind('count') };

/**
 * Keeps the logs of runs in the memory of this process.
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { fetchHandler } from 'ag-ui-native/server';
 *
 * const log = new MemoryLog();
 * const handler = fetchHandler((run) => run.write('Hello!'), { log, authorize: 'public' });
 * await log.drain();
 * ```
 */
export class MemoryLog extends NativeLog {
  readonly #store: NativeMemoryStore;
  readonly #watchers = new Watchers();

  constructor(options: MemoryLogOptions = {}) {
    super();
    const { maxLogs, maxThreads, maxBytes } = settled(readers, options);
    this.#store = new (native().MemoryLogStore)(maxLogs, maxThreads, maxBytes);
  }

  /** @internal */
  async run(operation: NativeOperation): Promise<NativeReply> {
    const { reply, hints } = this.#store.execute(performance.now(), operation);
    if (hints.length > 0 && !this.#watchers.isEmpty) queueMicrotask(() => this.#tell(hints));
    return reply;
  }

  #tell(hints: string[]): void {
    for (let at = 0; at < hints.length; at += 2) this.#watchers.call(hints[at]!, hints[at + 1]!);
  }

  /** @internal */
  listen(key: string, callback: (hint: string) => void): () => void {
    this.#watchers.add(key, callback);
    return () => void this.#watchers.remove(key, callback);
  }
}

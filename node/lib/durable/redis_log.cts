import { SUBSCRIBE_PAUSE } from '../generated/border.cjs';
import type { NativeOperation, NativeRedisKeyspace, NativeReply } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { kind, settled, type Table } from '../options/option_reader.cjs';
import { after } from '../runtime/timers.cjs';
import { NativeLog } from './engine.cjs';
import { clientOf, type Connection, connectionOf, type RedisClient, subscriberOf } from './redis_clients.cjs';
import { Watchers } from './watchers.cjs';

/**
 * The options of a `RedisLog`.
 *
 * @example
 * ```ts
 * import { RedisLog, type RedisLogOptions } from 'ag-ui-native/durable';
 *
 * const options: RedisLogOptions = { prefix: 'shop:', onWarning: console.warn };
 * const log = new RedisLog('redis://127.0.0.1:6379/0', options);
 * log.close();
 * ```
 */
export interface RedisLogOptions {
  /** The first characters of every key. The default is `agui:`. */
  prefix?: string | undefined;
  /** Called once with a text if the server evicts keys (`maxmemory-policy`): it would delete runs. */
  onWarning?: ((warning: string) => void) | undefined;
}

const readers: Table<RedisLogOptions> = { prefix: kind('text'), onWarning: kind('callback') };

/**
 * Keeps the logs of runs in Redis 6.2 or newer. It is given a client of the package `redis` (connected) or `ioredis`, a function that
 * makes one, or a URL. Hints arrive on a second connection, which it makes by `duplicate`.
 *
 * @example
 * ```ts
 * import { RedisLog } from 'ag-ui-native/durable';
 * import { fetchHandler } from 'ag-ui-native/server';
 *
 * const log = new RedisLog('redis://127.0.0.1:6379/0', { prefix: 'shop:' });
 * const handler = fetchHandler((run) => run.write('Hello!'), { log, authorize: 'public' });
 * log.close();
 * ```
 */
export class RedisLog extends NativeLog {
  readonly #keyspace: NativeRedisKeyspace;
  readonly #watchers = new Watchers();
  /** The subscription of each channel that is watched. */
  readonly #subscribed = new Map<string, Promise<void>>();
  readonly #make: () => unknown;
  readonly #isOwn: boolean;
  readonly #onWarning: RedisLogOptions['onWarning'];
  #client: unknown;
  #connection: Connection | undefined;
  #subscriber: Connection | undefined;

  constructor(client: RedisClient | string | (() => RedisClient), options: RedisLogOptions = {}) {
    super();
    const { prefix = 'agui:', onWarning } = settled(readers, options);
    this.#onWarning = onWarning;
    this.#keyspace = new (native().RedisLogKeyspace)(prefix);
    this.#isOwn = typeof client === 'string';
    this.#make = typeof client === 'string' ? () => clientOf(client) : isFactory(client) ? client : () => client;
    // A wrong client is an error here, and not in the first run.
    if (typeof client !== 'string' && !isFactory(client)) this.#connect();
  }

  #connect(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    this.#client = this.#make();
    return (this.#connection = connectionOf(this.#client, this.#isOwn));
  }

  /** @internal */
  async run(operation: NativeOperation): Promise<NativeReply> {
    const connection = this.#connect();
    const running = this.#keyspace.begin(operation);
    let step = running.start();
    while (step.command) step = running.reply(await replyTo(connection, step.command));
    if (step.warning !== undefined) this.#onWarning?.(step.warning);
    if (step.reply) return step.reply;
    throw new Error(step.text);
  }

  /** @internal */
  listen(key: string, callback: (hint: string) => void, begun?: () => void): () => void {
    this.#connect();
    const channel = this.#keyspace.channel(key);
    const subscriber = (this.#subscriber ??= subscriberOf(this.#client, (from, message) => this.#hear(from, message)));
    if (this.#watchers.add(channel, callback)) this.#subscribed.set(channel, this.#subscribe(subscriber, channel));
    if (begun) void this.#subscribed.get(channel)?.then(begun);
    return () => {
      if (!this.#watchers.remove(channel, callback)) return;
      this.#subscribed.delete(channel);
      void attempt(() => subscriber.unsubscribe(channel));
    };
  }

  /** Resolves when hints arrive, or when there is no need for them any more. */
  async #subscribe(subscriber: Connection, channel: string): Promise<void> {
    while (this.#subscriber === subscriber && this.#watchers.has(channel)) {
      if (await attempt(() => subscriber.subscribe(channel))) return;
      await new Promise<void>((resolve) => after(SUBSCRIBE_PAUSE, resolve)?.unref?.());
    }
  }

  #hear(channel: string, message: string): void {
    const hint = this.#keyspace.hint(message);
    if (hint !== null) this.#watchers.call(channel, hint);
  }

  /** Closes the connections that this object has made. */
  close(): void {
    this.#subscriber?.close();
    if (this.#isOwn) this.#connection?.close();
    this.#subscriber = this.#connection = undefined;
  }
}

const isFactory = (client: unknown): client is () => RedisClient => typeof client === 'function' && !('sendCommand' in client);

/** Sends a command. Returns the reply as JSON text, an error as `{"error": message}`. */
async function replyTo(connection: Connection, command: string[]): Promise<string> {
  try {
    return JSON.stringify(plain(await connection.send(command), 0)) ?? 'null';
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : '' });
  }
}

/** A client may give texts as bytes. */
function plain(reply: unknown, depth: number): unknown {
  if (reply instanceof Uint8Array) return Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString();
  if (typeof reply === 'bigint') return Number(reply);
  if (Array.isArray(reply) && depth < DEEPEST) return reply.map((item) => plain(item, depth + 1));
  return typeof reply === 'object' && reply !== null ? { error: '' } : reply;
}

/** Replies of the scripts are lists of lists. */
const DEEPEST = 8;

/** Returns true if the work has succeeded. */
async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

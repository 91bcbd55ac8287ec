import { wrongKind } from '../options/kinds.cjs';

/**
 * A client of the package `redis` or `ioredis`, or of a cluster.
 *
 * @example
 * ```ts
 * import { type RedisClient, RedisLog } from 'ag-ui-native/durable';
 *
 * // A client of redis or ioredis.
 * const logOf = (client: RedisClient) => new RedisLog(client);
 * ```
 */
export type RedisClient = object;

/** The calls that the engine needs of a client. */
export interface Connection {
  /** Sends a command; its fourth word is a key. */
  send(command: string[]): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

type Loose = Record<string, any>;

/** Returns the calls of a client. `isOwn` says that this package has made it, so that it must keep no process alive. */
export function connectionOf(client: unknown, isOwn: boolean): Connection {
  const given = client as Loose;
  if (isIoredis(client)) return ioredis(given, isOwn);
  if (isNodeRedis(client)) return nodeRedis(given, isOwn);
  throw wrongKind('client', 'a client of the package redis or ioredis, its URL, or a function that makes a client', client);
}

/** Returns a second connection, for hints. */
export function subscriberOf(client: unknown, hear: (channel: string, message: string) => void): Connection {
  const given = client as Loose;
  if (isIoredis(client)) {
    const own = given['duplicate']() as Loose;
    own['on']('message', hear);
    return ioredis(own, true);
  }
  return nodeRedis(given['duplicate']() as Loose, true, hear);
}

/** Makes a client of a URL, with the package that is installed. */
export function clientOf(url: string): unknown {
  const ioredis = installed('ioredis');
  if (ioredis !== undefined) return new (ioredis['Redis'] as new (url: string) => unknown)(url);
  const redis = installed('redis');
  if (redis !== undefined) return (redis['createClient'] as (options: object) => unknown)({ url });
  throw new Error('RedisLog needs the package ioredis or redis: npm install ioredis');
}

function installed(name: 'ioredis' | 'redis'): Loose | undefined {
  try {
    return name === 'ioredis' ? require('ioredis') : require('redis');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

const has = (client: unknown, ...names: string[]): boolean => {
  const given = client as Loose | null;
  return (typeof given === 'object' || typeof given === 'function') && given !== null && names.every((name) => typeof given[name] === 'function');
};

const isIoredis = (client: unknown): boolean => has(client, 'call', 'duplicate', 'disconnect');
const isNodeRedis = (client: unknown): boolean => has(client, 'sendCommand', 'duplicate', 'connect');

function ioredis(client: Loose, isOwn: boolean): Connection {
  const send = ([name, ...words]: string[]) => client['call'](name, ...words) as Promise<unknown>;
  if (isOwn) quiet(client);
  const hold = (isHeld: boolean) => client['stream']?.[isHeld ? 'ref' : 'unref']?.();
  const held = heldWhile(send, hold);
  if (isOwn) client['on']('connect', () => hold(held.isHeld()));
  return {
    send: isOwn ? held.send : send,
    subscribe: (channel) => client['subscribe'](channel) as Promise<unknown>,
    unsubscribe: (channel) => client['unsubscribe'](channel) as Promise<unknown>,
    close: () => client['disconnect'](),
  };
}

function nodeRedis(client: Loose, isOwn: boolean, hear?: (channel: string, message: string) => void): Connection {
  const isCluster = 'getSlotMaster' in client || 'slots' in client;
  const send = (command: string[]) => (isCluster ? client['sendCommand'](command[3], false, command) : client['sendCommand'](command)) as Promise<unknown>;
  const hold = (isHeld: boolean) => client[isHeld ? 'ref' : 'unref']?.();
  const held = heldWhile(send, hold);
  let connecting: Promise<unknown> | undefined;
  const connect = () =>
    (connecting ??= (client['connect']() as Promise<unknown>).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    }));
  if (isOwn) {
    quiet(client);
    client['on']('connect', () => hold(held.isHeld()));
    // Commands wait for the connection.
    connect().catch(() => undefined);
  }
  const heard = (message: string, channel: string) => hear?.(channel, message);
  return {
    send: isOwn ? held.send : send,
    async subscribe(channel) {
      // Subscriptions of a cluster do not wait by themselves.
      if (isOwn && isCluster) await connect();
      await client['subscribe'](channel, heard);
    },
    unsubscribe: (channel) => client['unsubscribe'](channel, heard) as Promise<unknown>,
    close: () => void (client['destroy'] ?? client['disconnect']).call(client),
  };
}

type Send = (command: string[]) => Promise<unknown>;

/** Has a connection keep the process alive while commands have no reply, and only then. */
function heldWhile(send: Send, hold: (isHeld: boolean) => void): { send: Send; isHeld(): boolean } {
  let count = 0;
  return {
    async send(command) {
      if (count++ === 0) hold(true);
      try {
        return await send(command);
      } finally {
        if (--count === 0) hold(false);
      }
    },
    isHeld: () => count > 0,
  };
}

/** An error without a listener would end the process. The failed commands report it. */
function quiet(client: Loose): void {
  client['on']('error', () => undefined);
}

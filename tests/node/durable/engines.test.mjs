// The replies of every engine: the suite that all of them pass.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fixture as read, require } from '../packages.mjs';
import { checkEngine, keyOf, operation, run } from './engine_suite.mjs';
import { startRedis } from './redis_server.mjs';

const { MemoryLog, RedisLog, SQLiteLog } = require('ag-ui-native/durable');
const { Redis } = require('ioredis');
const { createClient } = require('redis');
const { checkLog } = require('ag-ui-native/testing');

/** A log of the application's own: it forwards to another by the JSON forms. */
class ForwardingLog {
  #log = new MemoryLog();

  async execute(operation) {
    return structuredClone(await this.#log.execute(structuredClone(operation)));
  }

  watch(key, callback) {
    return this.#log.watch({ ...key }, (hint) => callback({ ...hint }));
  }
}

const files = mkdtempSync(join(tmpdir(), 'agui-sqlite-'));
let redis;
const clients = {};
before(async () => {
  redis = await startRedis();
  clients.redis = createClient({ url: redis.url });
  await clients.redis.connect();
  clients.bytes = createClient({ url: redis.url, RESP: 3 });
  await clients.bytes.connect();
  clients.ioredis = new Redis(redis.url);
});
after(async () => {
  await clients.redis?.close();
  await clients.bytes?.close();
  clients.ioredis?.disconnect();
  await redis?.stop();
  rmSync(files, { recursive: true, force: true });
});

const engines = {
  memory: () => new MemoryLog(),
  sqlite: () => new SQLiteLog(join(files, 'runs.db')),
  'a log of the application': () => new ForwardingLog(),
  redis: () => new RedisLog(clients.redis),
  'redis with RESP 3': () => new RedisLog(clients.bytes, { prefix: 'three:' }),
  ioredis: () => new RedisLog(() => clients.ioredis, { prefix: 'io:' }),
  'redis by its URL': () => new RedisLog(redis.url, { prefix: 'url:' }),
};

for (const [engine, make] of Object.entries(engines)) checkEngine(engine, make);

test('an engine that differs does not pass', async () => {
  const appended = { reply: 'appended' };
  const created = { reply: 'created' };
  const differences = [
    ['gap', appended, 'a repeated append changes nothing'],
    ['fenced', appended, 'only the last lease writes'],
    ['busy', created, 'a log is created once'],
    ['stale', created, 'a run that follows another one than the last is stale'],
    ['tooBig', appended, 'a log has room for its end'],
  ];
  const checks = differences.map(([reply, other, named]) => {
    const log = new MemoryLog();
    const odd = {
      async execute(operation) {
        const given = await log.execute(operation);
        return given.reply === reply ? other : given;
      },
    };
    return assert.rejects(checkLog(odd), ({ code, message }) => code === 'ERR_ASSERTION' && message.includes(`"${named}"`));
  });
  await Promise.all(checks);
  await assert.rejects(checkLog({ execute: () => Promise.reject(new Error('down')) }), /^Error: down$/);
});

test('wrong operations and clients are clear errors', async () => {
  await assert.rejects(new MemoryLog().execute({ operation: 'none' }), /operation: unknown variant `none`/);
  await assert.rejects(new MemoryLog().execute({ operation: 'info' }), /missing field `key`/);
  assert.throws(() => new RedisLog({}), /client: expected a client of the package redis or ioredis/);
  assert.throws(() => new MemoryLog({ maxLogs: -1 }), { code: 'wrong_type', path: '/maxLogs' });
  assert.throws(() => new RedisLog('redis://localhost', { key: '' }), { code: 'unknown_field' });
});

/** Watches with a callback that throws and with another one, and prints what happens. */
const THROWS = `
import { operation, keyOf } from ${JSON.stringify(new URL('./engine_suite.mjs', import.meta.url))};
import { require } from ${JSON.stringify(new URL('../packages.mjs', import.meta.url))};
const { MemoryLog, RedisLog, SQLiteLog } = require('ag-ui-native/durable');
const [engine, place] = process.argv.slice(1);
const log = engine === 'memory' ? new MemoryLog() : engine === 'sqlite' ? new SQLiteLog(place) : new RedisLog(place, { prefix: 'throws:' });
const caught = [];
process.on('uncaughtException', (error) => caught.push(error.message));
log.watch(keyOf('throws', 't', 'r'), () => { throw new Error('a callback'); });
const told = new Promise((resolve) => log.watch(keyOf('throws', 't', 'r'), resolve));
await log.execute(operation('throws', 'create', { key: 't/r' }));
// The subscription may begin after the first append.
for (let first = 1, isTold = false; !isTold; first++) {
  console.assert((await log.execute(operation('throws', 'append', { key: 't/r', first, frames: ['a'] }))).reply === 'appended');
  isTold = await Promise.race([told.then(() => true), new Promise((resolve) => setTimeout(resolve, 20, false))]);
}
console.log([...new Set(caught)].join());
log.close?.();
`;

test('a callback that throws disturbs nobody', async (t) => {
  for (const [engine, place] of [['memory', ''], ['sqlite', join(files, 'throws.db')], ['redis', redis.url]])
    await t.test(engine, async () => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', THROWS, engine, place], { timeout: 60_000 });
      assert.deepEqual([stdout, stderr], ['a callback\n', '']);
    });
});

test('a subscription that fails is made again', async () => {
  let attempts = 0;
  await new Promise((resolve) => {
    const second = {
      call() {},
      disconnect() {},
      duplicate() {},
      on() {},
      async subscribe() {
        if (++attempts === 1) throw new Error('no connection');
        resolve();
      },
    };
    new RedisLog({ ...second, duplicate: () => second }).watch(keyOf('', 't', 'r'), () => undefined);
    // The engine's own timer keeps no process alive.
    setTimeout(() => undefined, 3000);
  });
  assert.equal(attempts, 2);
});

test('a file of another program is refused, and a closed log has no replies', async () => {
  const file = join(files, 'other');
  writeFileSync(file, 'no database'.repeat(500));
  assert.throws(() => new SQLiteLog(file), { code: 'log_unreadable' });
  assert.throws(() => new SQLiteLog(7), /path: expected a string, got a number/);
  const log = new SQLiteLog(join(files, 'closed.db'));
  log.close();
  await assert.rejects(log.execute(operation('', 'info', {})), Error);
});

test('a Redis that does not answer has no reply', async () => {
  const log = new RedisLog({ sendCommand: () => Promise.reject(new Error('no connection')), duplicate() {}, connect() {} });
  await assert.rejects(log.execute(operation('', 'info', {})), /log_unavailable/);
  for (const odd of [undefined, null, 7, 'text', true, {}, [[[[[[[[[[[1]]]]]]]]]]], new Uint8Array(3), 7n, () => 1]) {
    const odder = new RedisLog({ sendCommand: async () => odd, duplicate() {}, connect() {} });
    await assert.rejects(odder.execute(operation('', 'info', {})), /log_unavailable/);
  }
});

test('a Redis that evicts is warned of once', async () => {
  for (const [policy, count] of [['allkeys-lru', 1], ['noeviction', 0]]) {
    const own = await startRedis('--maxmemory-policy', policy, '--maxmemory', '100mb');
    const warnings = [];
    const log = new RedisLog(own.url, { onWarning: (warning) => warnings.push(warning) });
    for (const run of ['a', 'b']) assert.equal((await log.execute(operation('evicts', 'create', { key: `${run}/${run}` }))).reply, 'created');
    log.close();
    await own.stop();
    assert.equal(warnings.length, count);
    for (const warning of warnings) assert.match(warning, /allkeys-lru; set noeviction/);
  }
});

test('logs of format 1 in Redis are read, newer ones are refused and left as they are', async () => {
  const [kept, own] = [read('format-1.redis'), await startRedis()];
  const client = new Redis(own.url);
  try {
    for (const [key, dumped] of Object.entries(kept.keys)) await client.restore(key, 0, Buffer.from(dumped, 'base64'));
    const log = new RedisLog(client);
    await run(log, 'kept', kept.steps);
    const keys = await client.keys('agui:*');
    for (const key of keys) if ((await client.type(key)) === 'hash') await client.hset(key, 'format', '2');
    const before = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
    for (const [name, members] of kept.steps) await assert.rejects(log.execute(operation('kept', name, members)), /log_unreadable.*format 2.*reads format 1/);
    assert.deepEqual(await client.keys('agui:*'), keys);
    assert.deepEqual(await Promise.all(keys.map((key) => client.dumpBuffer(key))), before);
    log.close();
  } finally {
    client.disconnect();
    await own.stop();
  }
});

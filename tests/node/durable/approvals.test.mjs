// Interrupts that wait in a thread: their answers are checked by the log, in whatever process they arrive.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { require } from '../packages.mjs';
import { open } from '../websocket_client.mjs';
import { startRedis } from './redis_server.mjs';
import { eventOf, framesOf, inputOf, post, serve, typesOf } from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

/** The input of a run that answers these interrupts. */
const asks = (runId, ...answers) => inputOf('t', runId, { resume: answers.map((interruptId) => ({ interruptId, status: 'resolved', payload: { approved: true } })) });

/** Asks, and then says which interrupts were answered. */
async function approval(run) {
  if (run.runId === 'fails') throw new Error('no');
  if (run.resume.length === 0) return run.interrupt({ id: `i-${run.runId}`, reason: 'tool_call' });
  for (const { interruptId } of run.resume) await run.write(`answered ${interruptId}`);
}

const waiting = async (url) => (await (await fetch(`${url}?thread=t`)).json()).interrupts.map(({ id }) => id);

async function refused(url, input) {
  const response = await post(url, input);
  return [response.status, (await response.json()).code];
}

/** A run asks at the first server, and is answered at the second one, once. */
async function checkApproval(one, other) {
  const asked = framesOf(await (await post(one, asks('asks'))).text()).map(eventOf);
  assert.equal(asked.at(-1).outcome.type, 'interrupt');
  assert.deepEqual(await waiting(other), ['i-asks']);
  assert.deepEqual(await refused(other, asks('none')), [422, 'sequence_broken']);
  assert.deepEqual(await refused(other, asks('foreign', 'i-other')), [422, 'sequence_broken']);
  assert.deepEqual(await refused(other, asks('more', 'i-asks', 'i-other')), [422, 'unknown_interrupt']);
  assert.match(await (await post(other, asks('answers', 'i-asks'))).text(), /answered i-asks/);
  assert.deepEqual(await waiting(one), []);
  for (const url of [one, other]) {
    assert.deepEqual(await refused(url, asks('second', 'i-asks')), [422, 'unknown_interrupt']);
    // The requests of runs that have begun join them, whatever waits now.
    for (const input of [asks('asks'), asks('answers', 'i-asks')]) {
      assert.equal(typesOf(await (await post(url, input)).text()).at(-1), 'RUN_FINISHED');
    }
  }
}

async function startWorker(context, engine, place) {
  const worker = fork(new URL('worker.mjs', import.meta.url), [engine, place, '1000']);
  context.after(() => worker.kill('SIGKILL'));
  const [port] = await once(worker, 'message');
  return `http://127.0.0.1:${port}/agent`;
}

test('SQLiteLog: an interrupt of one process is answered in another', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'agui-approvals-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const place = join(folder, 'runs.db');
  await checkApproval(await startWorker(context, 'SQLiteLog', place), await startWorker(context, 'SQLiteLog', place));
});

test('RedisLog: an interrupt of one process is answered in another', async (context) => {
  const redis = await startRedis();
  context.after(() => redis.stop());
  await checkApproval(await startWorker(context, 'RedisLog', redis.url), await startWorker(context, 'RedisLog', redis.url));
});

/** Serves a handler of fetch by node:http. */
function byFetch(handler) {
  return async (request, response) => {
    const { method, headers } = request;
    const body = method === 'POST' ? request : undefined;
    const answer = await handler(new Request(`http://${headers.host}${request.url}`, { method, headers, body, duplex: 'half' }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  };
}

test('every entrance checks answers', async (context) => {
  const options = () => ({ log: new MemoryLog(), authorize: 'public' });
  const same = options();
  await checkApproval(await serve(context, nodeHandler(approval, same)), await serve(context, byFetch(fetchHandler(approval, same))));
  const other = options();
  await checkApproval(await serve(context, byFetch(fetchHandler(approval, other))), await serve(context, nodeHandler(approval, other)));
});

test('a WebSocket checks answers', async (context) => {
  const handler = nodeHandler(approval, { log: new MemoryLog(), authorize: 'public' });
  const server = createServer(handler).on('upgrade', (...request) => void handler.upgrade(...request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const converse = async (input) => {
    const { socket, messages, closed } = open(`127.0.0.1:${server.address().port}`);
    await once(socket, 'open');
    socket.send(JSON.stringify(input));
    return [await closed, messages.length > 0];
  };
  assert.deepEqual(await converse(asks('asks')), [[1000, ''], true]);
  assert.deepEqual(await converse(asks('none')), [[1008, 'sequence_broken'], false]);
  assert.deepEqual(await converse(asks('answers', 'i-asks')), [[1000, ''], true]);
  assert.deepEqual(await converse(asks('second', 'i-asks')), [[1008, 'unknown_interrupt /resume/0/interruptId'], false]);
});

test('interrupts wait on while the runs that answer them fail', async (context) => {
  const url = await serve(context, nodeHandler(approval, { log: new MemoryLog(), authorize: 'public', onError() {} }));
  await (await post(url, asks('asks'))).text();
  for (const run of ['fails', 'answers']) {
    assert.deepEqual(await waiting(url), ['i-asks']);
    await (await post(url, asks(run, 'i-asks'))).text();
  }
  assert.deepEqual(await waiting(url), []);
});

test('the function of an application takes the place of the thread', async (context) => {
  const url = await serve(context, nodeHandler(approval, { log: new MemoryLog(), authorize: 'public', pendingInterrupts: () => [] }));
  for (const input of [asks('asks'), asks('next'), asks('stale', 'i-stale')]) assert.equal((await post(url, input)).status, 200);
});

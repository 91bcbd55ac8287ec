// Clients of servers with a log, whose connections a proxy cuts: see also resuming.test.mjs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { require } from '../packages.mjs';
import { ended, gate, proxy, serve, speaker } from './servers.mjs';

const { HttpAgent } = require('ag-ui-native/client');
const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const quick = { first: 1, longest: 5, attempts: 50 };

for (const protobuf of [false, true]) {
  test(`a run that is cut several times comes whole: ${protobuf ? 'binary' : 'text'}`, async (context) => {
    const agent = speaker();
    const url = await serve(context, nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' }));
    // The head of an answer has some 400 bytes.
    for (const lengths of [[600], [550, 620, 700], [500, 1, 1, 800]]) {
      const count = agent.runs;
      const client = new HttpAgent(await proxy(context, url, [...lengths]), { protobuf, reconnect: quick });
      const result = await client.ask('speak');
      assert.deepEqual([result.text, client.state, agent.runs], ['one two', { done: true }, count + 1]);
    }
  });
}

test('a run that its client leaves is cancelled at the server', async (context) => {
  const { open: cancel, opened: cancelled } = gate();
  const agent = speaker((run) => new Promise((resolve) => run.signal.addEventListener('abort', () => (cancel(), resolve()))));
  const url = await serve(context, nodeHandler(agent, { log: new MemoryLog(), authorize: 'public', onError: () => undefined }));
  for await (const event of new HttpAgent(url).run()) if (event.type === 'TEXT_MESSAGE_CONTENT') break;
  await cancelled;
});

for (const how of ['run', 'stream', 'askStream']) {
  test(`a run whose stream is detached goes on at the server: ${how}`, async (context) => {
    const { open, opened } = gate();
    const url = await serve(context, nodeHandler(speaker(() => opened), { log: new MemoryLog(), authorize: 'public' }));
    const client = new HttpAgent(url, { threadId: 't' });
    const failures = [];
    client.subscribe({ onRunFailed: ({ error }) => void failures.push(error) });
    const stream = how === 'askStream' ? client.askStream('speak') : client[how]();
    for (let isSaid = false; !isSaid; ) {
      const { value } = await stream.next();
      isSaid = value === 'one' || value.type === 'TEXT_MESSAGE_CONTENT' || value.kind === 'text_appended';
    }
    const waiting = stream.next();
    await stream.detach();
    assert.deepEqual([await waiting, stream.result.outcome, stream.result.text], [{ done: true, value: undefined }, 'aborted', 'one']);
    assert.deepEqual([client.isRunning, client.messages.at(-1).content, failures], [false, 'one', []]);
    await stream.detach();
    open();
    const thread = await ended(url, 't');
    assert.equal(thread.messages.at(-1).content, 'one two');
  });
}

test('a stream that is detached before its first item requests no run', async (context) => {
  const agent = speaker();
  const url = await serve(context, nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' }));
  const stream = new HttpAgent(url).run();
  await stream.detach();
  assert.deepEqual([await stream.next(), stream.result, agent.runs], [{ done: true, value: undefined }, undefined, 0]);
});

test('a server without a log ends a run whose stream is detached', async (context) => {
  const { open: cancel, opened: cancelled } = gate();
  const agent = speaker((run) => new Promise((resolve) => run.signal.addEventListener('abort', () => (cancel(), resolve()))));
  const url = await serve(context, nodeHandler(agent, { onError: () => undefined }));
  const stream = new HttpAgent(url).run();
  while ((await stream.next()).value.type !== 'TEXT_MESSAGE_CONTENT');
  await stream.detach();
  await cancelled;
});

test('a run whose answer is lost before its head is looked for', async (context) => {
  for (const lost of [0, 10]) {
    const agent = speaker();
    const url = await serve(context, nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' }));
    const lengths = [lost, 0];
    const client = new HttpAgent(await proxy(context, url, lengths), { reconnect: quick });
    const { text, result } = await client.ask('speak');
    // One execution, although the request and the first search were lost.
    assert.deepEqual([text, result.outcome, agent.runs, lengths], ['one two', 'success', 1, []]);
  }
});

test('a server that keeps no run gets one request only, and the first failure counts', async (context) => {
  const agent = speaker();
  const url = await serve(context, nodeHandler(agent, { onError: () => undefined }));
  const requests = [];
  const fetched = (address, init) => (requests.push(init.method), fetch(address, init));
  const cut = await proxy(context, url, [0]);
  await assert.rejects(new HttpAgent(cut, { reconnect: quick, fetch: fetched }).runAgent(), { code: 'connection_lost' });
  assert.deepEqual([requests, agent.runs], [['POST', 'GET'], 1]);
  // A search that reaches nobody ends, too.
  const lengths = [0, 0, 0, 0];
  await assert.rejects(new HttpAgent(await proxy(context, url, lengths), { reconnect: { first: 1, attempts: 3 } }).runAgent(), { code: 'connection_lost' });
  assert.deepEqual(lengths, []);
  const off = [0, 0];
  await assert.rejects(new HttpAgent(await proxy(context, url, off), { reconnect: false }).runAgent(), { code: 'connection_lost' });
  assert.deepEqual(off, [0]);
});

test('a server that is not there fails the run at once: nothing has begun', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  let requests = 0;
  const fetched = (...about) => (requests++, fetch(...about));
  await assert.rejects(new HttpAgent(`http://127.0.0.1:${port}/`, { fetch: fetched }).runAgent(), { code: 'connection_failed' });
  assert.equal(requests, 1);
});

test('an event that is longer than the limit ends a run, a long one does not', async (context) => {
  const long = 'x'.repeat(17 << 20);
  const url = await serve(context, nodeHandler((run) => run.textMessage().write(long), { log: new MemoryLog({ maxBytes: 1 << 27 }), authorize: 'public', logBytes: 1 << 26, limits: { eventBytes: 1 << 26 } }));
  await assert.rejects(new HttpAgent(url).ask('speak'), { code: 'limit_exceeded', limit: 'eventBytes' });
  await assert.rejects(new HttpAgent(url, { limits: { eventBytes: 1000 } }).ask('speak'), { code: 'limit_exceeded', limit: 'eventBytes' });
  const { text } = await new HttpAgent(url, { limits: { eventBytes: 1 << 26 } }).ask('speak');
  assert.equal(text.length, long.length);
});

// Clients of servers with a log, whose connections a proxy cuts: see also resuming.test.mjs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import test from 'node:test';
import { require } from '../packages.mjs';
import { ended, gate, serve, speaker } from './servers.mjs';

const { HttpAgent } = require('ag-ui-native/client');
const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

/** A proxy whose next connections pass on this number of bytes of the answers each, and are then cut. Returns its address. */
async function proxy(context, url, lengths) {
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    let left = lengths.shift() ?? Infinity;
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes) => {
      client.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) upstream.destroy(), client.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => (sockets.forEach((socket) => socket.destroy()), server.close()));
  return `http://127.0.0.1:${server.address().port}/agent`;
}

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

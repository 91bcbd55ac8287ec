// Agents against servers: ours, over sockets and without, and one that is made with @ag-ui/encoder.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import test from 'node:test';
import { require } from '../packages.mjs';
import { listen, until } from '../servers.mjs';

const { HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { EventEncoder } = require('@ag-ui/encoder');
const { WebSocket, WebSocketServer } = require('ws');

async function poet(run) {
  run.state.verses = (run.state.verses ?? 0) + 1;
  const message = run.textMessage();
  for (const word of ['Roses ', 'are ', 'grün.']) await message.write(word);
  message.end();
  return { lines: 1 };
}

/** Ways to reach an agent of the server: each has a function that makes a client, and one that closes the server. */
const ways = {
  'a socket': async (agent, options) => {
    const { url, close } = await listen(nodeHandler(agent));
    return { client: new HttpAgent(url, options), close };
  },
  'a function as `fetch`': async (agent, options) => {
    const handle = fetchHandler(agent);
    return { client: new HttpAgent('http://localhost/agent', { ...options, fetch: (url, init) => handle(new Request(url, init)) }), close() {} };
  },
  'the same process': async (agent, options) => ({ client: new LocalAgent(agent, options), close() {} }),
};

for (const [way, reach] of Object.entries(ways)) {
  for (const protobuf of [false, true]) {
    test(`${way}, ${protobuf ? 'binary' : 'text'}`, async () => {
      const { client, close } = await reach(poet, { protobuf, state: { verses: 1 } });
      const result = await client.runAgent();
      assert.deepEqual([result.text, result.result, client.state], ['Roses are grün.', { lines: 1 }, { verses: 2 }]);
      const types = [];
      for await (const { type } of client.run()) types.push(type);
      assert.deepEqual([types[0], types.at(-1), client.state], ['RUN_STARTED', 'RUN_FINISHED', { verses: 3 }]);
      close();
    });
  }

  test(`${way}: who leaves stops the agent`, async () => {
    let aborted = false;
    let written = 0;
    const endless = async (run) => {
      run.signal.addEventListener('abort', () => (aborted = true));
      const message = run.textMessage();
      for (;;) {
        await message.write('x'.repeat(10_000));
        written++;
      }
    };
    const { client, close } = await reach(endless);
    let read = 0;
    for await (const _ of client.run()) if (++read > 10) break;
    await until(() => aborted, 'the agent goes on');
    assert.ok(written < 3000, `${written} pieces of 10 KB`);
    close();
  });

  test(`${way}: an agent that fails is a result`, async () => {
    const { client, close } = await reach(() => {
      throw new Error('secret');
    });
    const result = await client.runAgent();
    assert.deepEqual([result.outcome, result.error.code], ['error', 'agent_failed']);
    close();
  });
}

test('approval of a tool, from the first request to the last', async () => {
  const { approve } = require('ag-ui-native/client');
  const agent = async (run) => {
    const [answer] = run.resume;
    if (answer) return void (await run.write(answer.payload.approved ? 'Deleted.' : 'Kept.'));
    const call = run.toolCall('delete', { path: 'x' });
    run.interrupt({ id: 'i', reason: 'tool_call', toolCallId: call.id });
  };
  const client = new LocalAgent(agent);
  const asked = await client.ask('Delete x');
  assert.equal(asked.result.outcome, 'interrupt');
  const resume = client.buildResume({ [asked.result.interrupts[0].id]: approve() });
  assert.equal((await client.runAgent({ resume })).text, 'Deleted.');
});

const run = { threadId: 't', runId: 'r' };
const events = [
  { type: 'RUN_STARTED', ...run },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Grüße, ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: '😀' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1, 2.5, null] } },
  { type: 'RUN_FINISHED', ...run },
];

for (const protobuf of [false, true]) {
  test(`a server with @ag-ui/encoder, ${protobuf ? 'binary' : 'text'}`, async () => {
    const types = [];
    const { url, close } = await listen((request, response) => {
      const encoder = new EventEncoder({ accept: request.headers.accept });
      types.push(encoder.getContentType());
      response.writeHead(200, { 'content-type': encoder.getContentType() });
      for (const event of events) response.write(encoder.encodeBinary(event));
      response.end();
    }, createServer);
    const agent = new HttpAgent(url, { protobuf });
    const result = await agent.runAgent();
    assert.deepEqual([result.text, agent.state], ['Grüße, 😀', { a: [1, 2.5, null] }]);
    assert.deepEqual(types, [protobuf ? 'application/vnd.ag-ui.event+proto' : 'text/event-stream']);
    close();
  });
}

/** A server of WebSockets that plays a run on each connection. */
async function sockets(play) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const seen = { inputs: [], closed: 0, headers: [] };
  server.on('connection', (socket, request) => {
    seen.headers.push(request.headers);
    socket.on('close', () => seen.closed++);
    socket.once('message', (data) => {
      seen.inputs.push(JSON.parse(data.toString()));
      play(socket);
    });
  });
  await new Promise((resolve) => server.on('listening', resolve));
  return { url: `ws://127.0.0.1:${server.address().port}/`, seen, close: () => (server.clients.forEach((client) => client.terminate()), server.close()) };
}

for (const protobuf of [false, true]) {
  test(`a WebSocket, ${protobuf ? 'binary' : 'text'}`, async () => {
    const encoder = new EventEncoder();
    const { url, seen, close } = await sockets((socket) => {
      // It does not close: that is for the client, when the run has ended.
      for (const event of events) socket.send(protobuf ? encoder.encodeProtobuf(event).subarray(4) : JSON.stringify(event, null, 1));
    });
    for (const way of ['runAgent', 'run', 'middleware']) {
      const agent = new WebSocketAgent(url, { WebSocket, socketOptions: { headers: { 'x-token': 'a' } } });
      if (way === 'middleware') agent.use((input, next) => next(input));
      if (way === 'run') for await (const _ of agent.run());
      else await agent.runAgent();
      assert.deepEqual([agent.messages[0].content, agent.state], ['Grüße, 😀', { a: [1, 2.5, null] }], way);
    }
    await until(() => seen.closed === 3);
    assert.equal(seen.inputs[0].protocolVersion, '1.1');
    assert.equal(seen.headers[0]['x-token'], 'a');
    close();
  });
}

test('what becomes of WebSockets that fail', async () => {
  const send = (...list) => (socket) => list.forEach((event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)));
  // The client answers a ping behind all that it has received.
  const received = (socket, then) => socket.once('pong', then).ping();
  const cases = [
    ['stream_truncated', (socket) => (send(...events.slice(0, 2))(socket), socket.close())],
    ['stream_truncated', (socket) => socket.close()],
    ['connection_lost', (socket) => (send(events[0])(socket), received(socket, () => socket._socket.resetAndDestroy()))],
    ['connection_lost', (socket) => (send(events[0])(socket), received(socket, () => socket.terminate()))],
    ['invalid_json', send(events[0], '{oh')],
    ['sequence_broken', send(events[4])],
    ['timed_out', send(events[0])],
    ['limit_exceeded', send({ ...events[0], rawEvent: 'x'.repeat(2000) })],
  ];
  for (const [code, play] of cases) {
    const { url, seen, close } = await sockets(play);
    const agent = new WebSocketAgent(url, { WebSocket, timeouts: { idle: 1000 }, limits: { eventBytes: 1000 } });
    const found = await agent.runAgent().then(() => 'success', (error) => error.code);
    assert.equal(found, code);
    await until(() => seen.closed === 1, `${code}: the connection stays`);
    close();
  }
  await assert.rejects(new WebSocketAgent('ws://127.0.0.1:9/', { WebSocket }).runAgent(), { code: 'connection_failed' });
  assert.throws(() => new WebSocketAgent('no address', { WebSocket }), { code: 'wrong_type', path: '/url' });
});

test('nothing is taken behind a message that cannot be framed', async () => {
  const tail = [{ ...events[2], delta: 'x'.repeat(5000) }, { ...events[2], delta: 'tail' }, ...events.slice(3)];
  const { url, seen, close } = await sockets((socket) => [...events.slice(0, 2), ...tail].forEach((event) => socket.send(JSON.stringify(event))));
  const agent = new WebSocketAgent(url, { WebSocket, limits: { eventBytes: 2000 } });
  await assert.rejects(agent.runAgent(), { code: 'limit_exceeded' });
  assert.equal(agent.messages[0].content, 'Grüße, ');
  await until(() => seen.closed === 1);
  close();
});

test('messages of a WebSocket are of one kind', async () => {
  const encoder = new EventEncoder();
  const kinds = [(event) => JSON.stringify(event), (event) => encoder.encodeProtobuf(event).subarray(4)];
  for (const [first, other] of [kinds, [...kinds].reverse()]) {
    const { url, seen, close } = await sockets((socket) => events.forEach((event, at) => socket.send((at < 2 ? first : other)(event))));
    await assert.rejects(new WebSocketAgent(url, { WebSocket }).runAgent(), { code: 'wrong_content_type' });
    await until(() => seen.closed === 1);
    close();
  }
});

test('who leaves closes the WebSocket', async () => {
  const { url, seen, close } = await sockets((socket) => events.slice(0, 2).forEach((event) => socket.send(JSON.stringify(event))));
  const agent = new WebSocketAgent(url, { WebSocket });
  for await (const _ of agent.run()) break;
  await until(() => seen.closed === 1);
  const ending = agent.runAgent();
  await until(() => seen.inputs.length === 2);
  agent.abortRun();
  assert.equal((await ending).outcome, 'aborted');
  await until(() => seen.closed === 2);
  close();
});

test('messages of a WebSocket are not compressed, unless the application wants it; one that is too long is refused as it comes', async () => {
  const { WebSocketServer } = require('ws');
  const offered = [];
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: true });
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    offered.push(request.headers['sec-websocket-extensions']);
    socket.on('error', () => undefined).once('message', () => {
      socket.send(JSON.stringify(events[0]));
      socket.send(JSON.stringify({ ...events[1], delta: 'x'.repeat(40 << 20) }));
    });
  });
  const url = `ws://127.0.0.1:${server.address().port}/`;
  for (const socketOptions of [undefined, { perMessageDeflate: true }]) {
    const agent = new WebSocketAgent(url, { WebSocket, socketOptions });
    await assert.rejects(agent.runAgent(), { code: 'limit_exceeded', limit: 'eventBytes' });
  }
  for (const socket of server.clients) socket.terminate();
  server.close();
  assert.equal(offered[0], undefined);
  assert.match(offered[1], /permessage-deflate/);
});

// Runs with a log over WebSockets: stored and read as over HTTP.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'node:test';
import { require } from '../packages.mjs';
import { until } from '../servers.mjs';
import { eventOf, open } from '../websocket_client.mjs';
import * as http from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

/** Serves HTTP and WebSockets. Returns the address of both. */
async function serve(context, agent, options = {}) {
  const handler = nodeHandler(agent, { log: new MemoryLog(), authorize: 'public', ...options });
  const server = createServer(handler).on('upgrade', (...request) => void handler.upgrade(...request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = [];
  server.on('connection', (socket) => sockets.push(socket));
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${server.address().port}`;
}

async function ask(address, input, headers = {}) {
  const opened = open(address, headers);
  await once(opened.socket, 'open');
  opened.socket.send(JSON.stringify(input));
  return opened;
}

const WHOLE = ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'STATE_SNAPSHOT', 'RUN_FINISHED'];
const typesOf = (messages) => messages.map((message) => eventOf(message).type);

for (const accept of ['text/event-stream', 'application/vnd.ag-ui.event+proto']) {
  test(`the messages are the events of the run: ${accept}`, async (context) => {
    const agent = http.speaker();
    const address = await serve(context, agent);
    for (let times = 0; times < 2; times++) {
      const { messages, closed } = await ask(address, http.inputOf('t', 'r'), { accept });
      assert.deepEqual(await closed, [1000, '']);
      assert.deepEqual(typesOf(messages), WHOLE);
    }
    assert.equal(agent.runs, 1);
    const url = `http://${address}/agent`;
    assert.equal((await fetch(http.runUrl(url, 't', 'r'))).status, 200);
  });
}

test('a run goes on without its WebSocket, and is joined over HTTP', async (context) => {
  const { open: go, opened } = http.gate();
  const address = await serve(context, http.speaker(() => opened));
  const { socket, messages } = await ask(address, http.inputOf('t', 'r'), { 'ag-ui-resume': '1' });
  await until(() => messages.length === 3);
  socket.terminate();
  const joined = await fetch(http.runUrl(`http://${address}/agent`, 't', 'r'));
  go();
  assert.equal(http.typesOf(await joined.text()).at(-1), 'RUN_FINISHED');
});

test('a refusal closes the WebSocket', async (context) => {
  const { open: go, opened } = http.gate();
  const address = await serve(context, http.speaker(() => opened), { authorize: (request) => request.headers['x-user'] ?? null });
  const as = { 'x-user': 'ada' };
  const first = await ask(address, http.inputOf('t', 'r'), as);
  await until(() => first.messages.length === 3);
  const closedBy = async (input, headers) => (await ask(address, input, headers)).closed;
  assert.deepEqual(await closedBy(http.inputOf('t', 'r'), {}), [1008, 'run_unknown']);
  assert.deepEqual(await closedBy(http.inputOf('t', 'q'), as), [1008, 'thread_busy']);
  assert.deepEqual(await closedBy(http.inputOf('t', 'r', { state: { other: 1 } }), as), [1008, 'run_conflict']);
  go();
  assert.deepEqual(await first.closed, [1000, '']);
});

test('silence is filled by pings, and a client that answers none is given up', async (context) => {
  const address = await serve(context, (run) => once(run.signal, 'abort'), { heartbeat: 30, onDisconnect: 'continue' });
  const { socket } = await ask(address, http.inputOf('t', 'r'));
  for (let pings = 0; pings < 8; pings++) await once(socket, 'ping');
  const deaf = open(address, {}, [], '/', { autoPong: false });
  await once(deaf.socket, 'open');
  deaf.socket.send(JSON.stringify(http.inputOf('deaf', 'r')));
  assert.equal((await deaf.closed)[0], 1006);
});

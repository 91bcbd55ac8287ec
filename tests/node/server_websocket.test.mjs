// One table for all servers of WebSockets, over real connections; what Node's own options do there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fixture, require } from './packages.mjs';
import { input, listen, until } from './servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { decode } = require('ag-ui-native/proto');
const { verifyEvents } = require('ag-ui-native/stream');
const { WebSocketAgent } = require('ag-ui-native/client');
const { WebSocket } = require('ws');

/** The agents that the table names, and what became of them. */
function agents() {
  const seen = { fate: '' };
  const hello = async (run) => {
    const message = run.textMessage();
    await message.write('Hello');
    message.end();
    return 'done';
  };
  const wait = async (run) => {
    await run.write('Hello');
    try {
      await pause(3_600_000, undefined, { signal: run.signal });
    } finally {
      seen.fate = 'cancelled';
    }
  };
  const fail = async (run) => {
    run.textMessage().write('Hello');
    throw new Error('no such thing');
  };
  const ask = async (run) => void (await run.interrupt({ id: 'i', reason: 'confirmation' }));
  return { seen, answer: hello, wait, fail, ask };
}

/** The options of a case as Node has them. */
function optionsOf({ time_limit, body_timeout, pending_interrupts, binary_by_wildcard, limits, cors } = {}) {
  const milliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1000);
  return {
    timeLimit: milliseconds(time_limit),
    bodyTimeout: milliseconds(body_timeout),
    wildcards: binary_by_wildcard,
    pendingInterrupts: pending_interrupts && (() => pending_interrupts),
    limits: limits && { inputBytes: limits.input_bytes, inputValues: limits.input_values },
    cors,
    onError: () => undefined,
  };
}

/** A server of WebSockets, and of nothing else. */
async function serve(agent, options) {
  const handler = nodeHandler(agent, options);
  const runs = [];
  const server = await listen(handler);
  server.server.on('upgrade', (...request) => runs.push(handler.upgrade(...request)));
  return { ...server, handler, runs, address: `127.0.0.1:${server.port}` };
}

/** A WebSocket; `messages` are those that have come, and `closed` how it was closed. */
function open(address, headers = {}, protocols = []) {
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace('<host>', address)]);
  const socket = new WebSocket(`ws://${address}/`, protocols, { headers: Object.fromEntries(own), perMessageDeflate: false });
  const messages = [];
  socket.on('message', (data, isBinary) => messages.push(isBinary ? data : String(data)));
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)]);
  return { socket, messages, closed };
}

const eventOf = (message) => (typeof message === 'string' ? JSON.parse(message) : decode(message));

function say(socket, { text, binary, raw }) {
  if (raw !== undefined) socket._socket.write(Buffer.from(raw, 'hex'));
  else socket.send(text ?? Buffer.from(binary, 'hex'));
}

async function carryOut({ headers, protocols, send, client, expect }, address, seen) {
  const { socket, messages, closed } = open(address, headers, protocols);
  if (expect.status) {
    const [, response] = await once(socket, 'unexpected-response');
    const body = [];
    for await (const piece of response) body.push(piece);
    assert.deepEqual([response.statusCode, JSON.parse(Buffer.concat(body)).code], [expect.status, expect.code]);
    return;
  }
  await once(socket, 'open');
  assert.equal(socket.protocol, expect.protocol ?? '');
  assert.equal(socket.extensions, '');
  for (const message of send) say(socket, message);
  if (client === 'close' || client === 'cut') {
    await until(() => messages.length > 0);
    if (client === 'close') socket.close();
    else socket.on('error', () => undefined)._socket.resetAndDestroy();
  } else if (client === 'close at once') {
    socket.close();
    await closed;
  } else {
    check(messages, await closed, expect);
  }
  if (expect.agent) await until(() => seen.fate === expect.agent);
}

function check(messages, closed, expect) {
  assert.deepEqual(closed.slice(0, expect.close.length), expect.close);
  assert.ok(messages.every((message) => (typeof message === 'string') === (expect.kind === 'text')));
  assert.equal(messages.length > 0, expect.kind !== undefined);
  if (expect.end === undefined) return;
  const events = messages.map(eventOf);
  verifyEvents(events, { profile: 'strict' });
  assert.deepEqual(events.at(-1), expect.end);
}

for (const entry of fixture('websocket_cases')) {
  test(entry.name, async () => {
    const { seen, ...all } = agents();
    const { address, runs, close } = await serve(all[entry.agent], optionsOf(entry.options));
    try {
      await carryOut(entry, address, seen);
      await Promise.all(runs);
    } finally {
      close();
    }
  });
}

test('a server that shuts down goes away, behind the end of its runs', async () => {
  const shutdown = new AbortController();
  const { wait } = agents();
  const { address, close } = await serve(wait, { signal: shutdown.signal });
  try {
    for (const begun of [false, true]) {
      const { socket, messages, closed } = open(address);
      await once(socket, 'open');
      socket.send(JSON.stringify(input));
      if (!begun) await until(() => messages.some((message) => message.includes('Hello')));
      shutdown.abort();
      assert.deepEqual(await closed, [1001, '']);
      assert.deepEqual(eventOf(messages.at(-1)).outcome, { type: 'cancelled' });
    }
  } finally {
    close();
  }
});

test('in silence it pings', async () => {
  const { wait } = agents();
  const { address, close } = await serve(wait, { heartbeat: 5 });
  try {
    const { socket, messages } = open(address);
    const pinged = once(socket, 'ping');
    await once(socket, 'open');
    socket.send(JSON.stringify(input));
    await pinged;
    await until(() => messages.length === 4);
    socket.terminate();
  } finally {
    close();
  }
});

test('a slow client slows the agent', { timeout: 60_000 }, async () => {
  let written = 0;
  const piece = 'x'.repeat(65_536);
  const { address, close } = await serve(async (run) => {
    const message = run.textMessage();
    for (let count = 0; count < 1000; count++, written += piece.length) await message.write(piece);
  });
  try {
    const { socket, messages, closed } = open(address);
    await once(socket, 'open');
    socket.pause();
    socket.send(JSON.stringify(input));
    for (let before = -1; before !== written || written === 0; await pause(300)) before = written;
    assert.ok(written < 1000 * piece.length);
    socket.resume();
    assert.deepEqual(await closed, [1000, '']);
    assert.equal(eventOf(messages.at(-1)).type, 'RUN_FINISHED');
  } finally {
    close();
  }
});

test('what is no request for a WebSocket is refused', async () => {
  const { answer } = agents();
  const { port, close } = await serve(answer);
  try {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    const received = [];
    for await (const piece of socket) received.push(piece);
    assert.match(Buffer.concat(received).toString(), /^HTTP\/1\.1 400 /);
  } finally {
    close();
  }
});

test('the application hears why it cannot be answered', async () => {
  const errors = [];
  const { answer } = agents();
  const options = { onError: (error) => errors.push(error), pendingInterrupts: () => Promise.reject(new Error('no database')) };
  const { address, close } = await serve(answer, options);
  try {
    const { socket, closed } = open(address);
    await once(socket, 'open');
    socket.send(JSON.stringify(input));
    assert.deepEqual(await closed, [1011, 'internal']);
    assert.deepEqual(errors.map(({ message }) => message), ['no database']);
  } finally {
    close();
  }
});

test('an agent of ours hears why it is refused', async () => {
  const { answer } = agents();
  const { address, close } = await serve(answer, { limits: { inputValues: 1 } });
  try {
    const agent = new WebSocketAgent(`ws://${address}/`, { WebSocket });
    await assert.rejects(agent.ask('Hello?'), (error) => error.code === 'http_error' && error.message.includes('1009') && error.message.includes('limit_exceeded input_values'));
  } finally {
    close();
  }
});

// One table for all servers of WebSockets, over real connections; what Node's own options do there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fixture, require } from '../packages.mjs';
import { input, listen, until } from '../servers.mjs';
import { agents, optionsOf } from '../websocket_agents.mjs';
import { carryOut, eventOf, open } from '../websocket_client.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { WebSocketAgent } = require('ag-ui-native/client');
const { WebSocket } = require('ws');

/** A server of WebSockets, and of nothing else. */
async function serve(agent, options) {
  const handler = nodeHandler(agent, options);
  const runs = [];
  const server = await listen(handler);
  server.server.on('upgrade', (...request) => runs.push(handler.upgrade(...request)));
  return { ...server, handler, runs, address: `127.0.0.1:${server.port}` };
}

/** Resolves when a server has no connection any more. */
const noConnection = (server) =>
  until(() => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count === 0)))), 'a connection is held');

for (const entry of fixture('websocket_cases')) {
  test(entry.name, async () => {
    const { seen, ...all } = agents();
    const { address, runs, close } = await serve(all[entry.agent], optionsOf(entry.options));
    try {
      await carryOut(entry, address, () => seen.fate);
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
    const { socket, messages, closed } = open(address);
    await once(socket, 'open');
    socket.send(JSON.stringify(input));
    await until(() => messages.some((message) => message.includes('Hello')));
    shutdown.abort();
    assert.deepEqual(await closed, [1001, '']);
    assert.deepEqual(eventOf(messages.at(-1)).outcome, { type: 'cancelled' });
  } finally {
    close();
  }
});

test('a server that shuts down leaves who has not asked yet', async () => {
  const shutdown = new AbortController();
  const { wait } = agents();
  const { address, close } = await serve(wait, { signal: shutdown.signal });
  try {
    for (const begun of [false, true]) {
      const { socket, closed } = open(address);
      await once(socket, 'open');
      if (!begun) shutdown.abort();
      assert.deepEqual(await closed, [1001, '']);
    }
  } finally {
    close();
  }
});

test('behind much that was sent it pings again', async () => {
  const much = 'x'.repeat(8_000_000);
  const { address, close } = await serve(async (run) => {
    await run.write(much);
    await once(run.signal, 'abort');
  }, { heartbeat: 5 });
  try {
    const { socket, messages } = open(address);
    await once(socket, 'open');
    socket.send(JSON.stringify(input));
    await until(() => messages.some((message) => message.length > much.length));
    for (let times = 0; times < 3; times++) await once(socket, 'ping');
    socket.terminate();
  } finally {
    close();
  }
});

test('who is refused is let go, though it stays', async () => {
  const { answer } = agents();
  const { server, port, close } = await serve(answer);
  try {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('GET / HTTP/1.1\r\nhost: x\r\norigin: https://b.example\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n');
    await once(server, 'upgrade');
    socket.on('error', () => undefined).resume();
    await noConnection(server);
    socket.destroy();
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

for (const stop of ['time limit', 'shutdown']) {
  test(`a client that reads nothing holds no agent: ${stop}`, { timeout: 60_000 }, async () => {
    let written = 0;
    let isOver = false;
    const flood = async (run) => {
      const message = run.textMessage();
      try {
        for (;;) {
          await message.write('x'.repeat(65_536));
          written++;
        }
      } finally {
        isOver = true;
      }
    };
    const shutdown = new AbortController();
    const { address, server, runs, close } = await serve(flood, { signal: shutdown.signal, timeLimit: stop === 'time limit' ? 200 : undefined });
    try {
      const { socket, closed } = await unread(address);
      await until(() => written > 0);
      if (stop === 'shutdown') shutdown.abort();
      await until(() => isOver, 'the agent is held');
      await Promise.all(runs);
      await noConnection(server);
      socket.resume();
      // The end of its run is lost: the connection was cut.
      assert.equal((await closed)[0], 1006);
    } finally {
      close();
    }
  });
}

test('a client that reads nothing holds no agent behind the end of its run', { timeout: 60_000 }, async () => {
  let isDone = false;
  const agent = async (run) => {
    run.write('x'.repeat(12_000_000));
    await run.finish();
    isDone = true;
  };
  const shutdown = new AbortController();
  const { address, server, runs, close } = await serve(agent, { signal: shutdown.signal });
  try {
    const { socket, closed } = await unread(address);
    await until(() => isDone, 'the agent is held');
    shutdown.abort();
    await Promise.all(runs);
    await noConnection(server);
    socket.resume();
    assert.equal((await closed)[0], 1006);
  } finally {
    close();
  }
});

/** Asks for a run, and reads nothing of it. */
async function unread(address) {
  const opened = open(address);
  await once(opened.socket, 'open');
  opened.socket.pause();
  opened.socket.on('error', () => undefined).send(JSON.stringify(input));
  return opened;
}

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

test('hosts that refuse the protocol\'s close codes get other codes', async (t) => {
  let socket;
  const closed = [];
  class Socket {
    readyState = 1;
    bufferedAmount = 0;
    send() {}
    close(code = 1000) {
      if (code !== 1000 && (code < 3000 || code > 4999)) throw new DOMException('no such code', 'InvalidAccessError');
      closed.push(code);
      this.onclose();
    }
  }
  globalThis.Deno = { upgradeWebSocket: () => ({ socket: (socket = new Socket()), response: new Response() }) };
  t.after(() => delete globalThis.Deno);
  const shutdown = new AbortController();
  const handler = fetchHandler(() => undefined, { signal: shutdown.signal });
  const opened = async () => {
    await handler(new Request('http://localhost/', { headers: { upgrade: 'websocket' } }));
    return socket;
  };
  (await opened()).onmessage({ data: '{' });
  (await opened()).onmessage({ data: new ArrayBuffer(1) });
  (await opened()).onmessage({ data: JSON.stringify(input) });
  await opened();
  await until(() => closed.length === 3);
  shutdown.abort();
  assert.deepEqual(closed.sort(), [1000, 4001, 4003, 4007]);
});

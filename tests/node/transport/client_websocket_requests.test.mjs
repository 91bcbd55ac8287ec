// Requests over a WebSocket and their results: one table of scripts for the clients of all languages, over real connections.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { WebSocketAgent } = require('ag-ui-native/client');
const { WebSocket } = require('ws');

const RUN = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hello' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];

/** A frame of a server (RFC 6455, 5.2), which is short. */
const frameOf = (opcode, content) => Buffer.concat([Buffer.from([0x80 | opcode, content.length]), content]);

function closing([code, reason]) {
  const content = Buffer.from(`--${reason}`);
  content.writeUInt16BE(code);
  return frameOf(8, content);
}

/** Answers one connection as a script says. */
async function answer(socket, script, asked) {
  socket.on('error', () => undefined);
  let head = '';
  while (!head.includes('\r\n\r\n')) head += String((await once(socket, 'data'))[0]);
  asked.push(head.split(' ')[1]);
  if (script === 'nothing') return;
  if (script.status !== undefined) {
    const headers = Object.entries({ ...script.headers, 'content-length': Buffer.byteLength(script.body) }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${script.status} x\r\n${headers.join('')}\r\n${script.body}`);
    return;
  }
  const key = /sec-websocket-key: *(\S+)/i.exec(head)[1];
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(`HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`);
  await once(socket, 'data');
  if (script === 'cut') socket.resetAndDestroy();
  else if (script === 'run') for (const event of RUN) socket.write(frameOf(1, Buffer.from(JSON.stringify(event))));
  else if (script.close) socket.write(closing(script.close));
}

const milliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1000);

for (const { name, answers, retry, connect, firstByte, expect } of fixture('websocket_requests')) {
  test(name, { timeout: 30_000 }, async () => {
    const asked = [];
    const sockets = new Set();
    const server = createServer((socket) => {
      sockets.add(socket);
      void answer(socket, answers[asked.length], asked);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new WebSocketAgent(`ws://127.0.0.1:${server.address().port}/`, {
      WebSocket,
      threadId: 't',
      timeouts: { connect: milliseconds(connect), firstByte: milliseconds(firstByte) },
      retry: retry && { attempts: retry, first: 1 },
    });
    let found;
    try {
      found = { text: (await agent.runAgent({ runId: 'r' })).text };
    } catch (error) {
      const limit = error.limit?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      found = { code: error.code, status: error.status, payload: error.payload, limit };
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
    found.asked = asked;
    assert.deepEqual(Object.fromEntries(Object.keys(expect).map((member) => [member, found[member]])), expect);
  });
}

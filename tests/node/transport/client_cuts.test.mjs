// Answers that are cut off after each byte: the error is the same in every language.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { fixture, require } from '../packages.mjs';

const { Agent, AGUIConnectionError, HttpAgent, WebSocketAgent } = require('ag-ui-native/client');

const { WebSocket } = require('ws');

const { run, ended, ways, sockets } = fixture('cuts');
const bytes = Buffer.from(run);

// Behind `Connection: close`, undici takes chunks that break off for an answer that has ended.
const heads = { length: 'Content-Length: 9000\r\n', chunked: 'Transfer-Encoding: chunked\r\n', close: 'Connection: close\r\n' };

for (const [way, head] of Object.entries(heads)) {
  test(`${way}: a run that is cut behind each of its bytes`, { timeout: 120_000 }, async () => {
    let cut = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => {
        const body = bytes.subarray(0, cut);
        const chunked = way === 'chunked' && cut > 0 ? [`${cut.toString(16)}\r\n`, body, '\r\n'] : [body];
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${head}\r\n`);
        for (const piece of chunked) socket.write(piece);
        socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const said = [];
    for (; cut <= bytes.length; cut++) {
      const agent = new HttpAgent({ url: `http://127.0.0.1:${server.address().port}/`, reconnect: false });
      said.push(await agent.runAgent().then(({ outcome }) => outcome, ({ code }) => code));
    }
    server.close();
    assert.deepEqual(said, [...Array(ended).fill(ways[way]), ...Array(bytes.length + 1 - ended).fill('success')]);
  });
}

/** Returns the number of readable bytes of a compressed run that is cut off. */
const unzipped = (piece) => gunzipSync(piece, { finishFlush: constants.Z_SYNC_FLUSH }).length;

for (const [way, head] of Object.entries(heads)) {
  test(`${way}: a compressed run that is cut behind each of its bytes`, { timeout: 120_000 }, async () => {
    const zipped = gzipSync(bytes);
    let cut = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => {
        const body = zipped.subarray(0, cut);
        const chunked = way === 'chunked' && cut > 0 ? [`${cut.toString(16)}\r\n`, body, '\r\n'] : [body];
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n${head}\r\n`);
        for (const piece of chunked) socket.write(piece);
        socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [said, expected] = [[], []];
    for (; cut <= zipped.length; cut++) {
      const agent = new HttpAgent({ url: `http://127.0.0.1:${server.address().port}/`, reconnect: false });
      said.push(await agent.runAgent().then(({ outcome }) => outcome, ({ code }) => code));
      const isWhole = cut > 0 && unzipped(zipped.subarray(0, cut)) >= ended;
      // If the connection breaks, `fetch` drops the received bytes that it has not decoded yet.
      expected.push(isWhole && said[cut] !== ways[way] ? 'success' : ways[way]);
      assert.ok(way !== 'close' || said[cut] === (isWhole ? 'success' : ways[way]), `${cut}`);
    }
    server.close();
    assert.deepEqual(said, expected);
  });
}

/** A text frame of a server's; 0x01 has others follow. */
const frame = (text, first = 0x81) => Buffer.concat([Buffer.from([first, text.length]), Buffer.from(text)]);

for (const { name, messages, half, code, expect } of sockets) {
  test(`a socket that is closed before it is read: ${name}`, { timeout: 30_000 }, async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', (head) => {
        const key = /sec-websocket-key: (.*)\r\n/i.exec(String(head))[1];
        const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        socket.write(`HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
        for (const message of messages) socket.write(frame(message));
        if (half !== undefined) socket.write(frame(half, 0x01));
        if (code !== null) socket.write(Buffer.from([0x88, 2, code >> 8, code & 255]));
        socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new WebSocketAgent(`ws://127.0.0.1:${server.address().port}/`, { WebSocket });
    assert.equal(await agent.runAgent().then(({ outcome }) => outcome, (error) => error.code), expect);
    server.close();
  });
}

const lost = new AGUIConnectionError('gone', { code: 'connection_lost' });
const late = new AGUIConnectionError('late', { code: 'timed_out' });

for (const [last, reason, code] of [
  ['{"type":"CUSTOM"', lost, 'connection_lost'],
  ['{"type":"CUSTOM"}', lost, 'missing_field'],
  ['{"type":"CUSTOM"', late, 'timed_out'],
  ['{"type":"CUSTOM"}', late, 'timed_out'],
]) {
  for (const subscribers of [[], [{ onEvent() {} }]]) {
    test(`${reason.code} behind ${last}, ${subscribers.length} subscribers: ${code}`, async () => {
      const agent = new Agent(
        async function* () {
          yield Buffer.from('data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n');
          yield Buffer.from(`data: ${last}\n`);
          throw reason;
        },
        { profile: 'strict', threadId: 't' },
      );
      for (const subscriber of subscribers) agent.subscribe(subscriber);
      await assert.rejects(agent.runAgent({ runId: 'r' }), { code });
    });
  }
}

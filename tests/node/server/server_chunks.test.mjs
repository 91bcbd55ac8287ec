// The chunks of HTTP around a stream, with different layers between the handler and the connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import * as https from 'node:https';
import { connect } from 'node:net';
import test from 'node:test';
import { createGzip, gunzipSync } from 'node:zlib';
import { require } from '../packages.mjs';
import { asking, listen, post } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');

const sizes = [1, 15, 16, 255, 256, 4_095, 4_096, 70_000, 300_000];
const handler = nodeHandler(async (run) => {
  const message = run.textMessage();
  for (const size of sizes) await message.write('é'.repeat(size));
  message.end();
  await new Promise(setImmediate);
  return run.runId;
});
const bodyOf = (runId) => asking.body.replace('"runId":"r"', `"runId":"${runId}"`);

function judge(bytes, runId) {
  const decoder = new EventDecoder({ profile: 'strict' });
  const events = [...decoder.feed(bytes), ...decoder.close()];
  assert.deepEqual(events.filter(({ delta }) => delta).map(({ delta }) => delta.length), sizes);
  assert.equal(events.at(-1).result, runId);
}

test('many runs over one connection', async () => {
  const { port, close } = await listen(handler);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set();
  const ask = async (runId) => {
    const outgoing = request({ port, host: '127.0.0.1', agent, ...asking });
    outgoing.end(bodyOf(runId));
    const [response] = await once(outgoing, 'response');
    sockets.add(response.socket);
    judge(Buffer.concat(await response.toArray()), runId);
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask));
  assert.equal(sockets.size, 1);
  agent.destroy();
  close();
});

test('over TLS', async () => {
  const ciphers = 'PSK-AES128-GCM-SHA256';
  const secret = { psk: Buffer.alloc(16, 7), identity: 'test' };
  const options = { ciphers, maxVersion: 'TLSv1.2', pskCallback: () => secret.psk };
  const { port, close } = await listen(handler, (listener) => https.createServer(options, listener));
  const client = { ciphers, maxVersion: 'TLSv1.2', pskCallback: () => secret, checkServerIdentity: () => undefined };
  const outgoing = https.request({ port, host: '127.0.0.1', agent: false, ...client, ...asking });
  outgoing.end(asking.body);
  const [response] = await once(outgoing, 'response');
  judge(Buffer.concat(await response.toArray()), 'r');
  close();
});

/** The bodies of the answers that came on a connection, one behind the other. */
function bodies(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    at = bytes.indexOf('\r\n\r\n', at) + 4;
    const pieces = [];
    for (let length; length !== 0; ) {
      const line = bytes.indexOf('\r\n', at);
      length = parseInt(bytes.subarray(at, line).toString('latin1'), 16);
      assert.ok(length >= 0);
      pieces.push(bytes.subarray(line + 2, line + 2 + length));
      at = line + 4 + length;
      assert.equal(bytes.subarray(at - 2, at).toString('latin1'), '\r\n');
    }
    found.push(Buffer.concat(pieces));
  }
  return found;
}

test('runs that are asked for before the ones before have ended', async () => {
  const { port, close } = await listen(handler);
  const socket = connect(port, '127.0.0.1');
  const ids = ['a', 'b', 'c'];
  const requests = ids.map((id, at) => `${post(bodyOf(id), at === 2 ? ['Connection: close'] : []).join('\r\n')}\r\n\r\n${bodyOf(id)}`);
  socket.write(requests.join(''));
  const answers = bodies(Buffer.concat(await socket.toArray()));
  assert.equal(answers.length, 3);
  answers.forEach((answer, at) => judge(answer, ids[at]));
  close();
});

test('a client of HTTP/1.0 gets no chunks', async () => {
  const { port, close } = await listen(handler);
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST / HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${asking.body.length}\r\n\r\n${asking.body}`);
  const bytes = Buffer.concat(await socket.toArray());
  assert.doesNotMatch(bytes.toString(), /transfer-encoding/i);
  judge(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4), 'r');
  close();
});

test('a wrapper of the response sees all that is written', async () => {
  const ways = {
    own(response, seen) {
      const { write } = response;
      response.write = (chunk) => (seen.push(chunk), write.call(response, chunk));
    },
    inherited(response, seen) {
      const heir = Object.create(Object.getPrototypeOf(response));
      heir.write = function (chunk) {
        seen.push(chunk);
        return Object.getPrototypeOf(heir).write.call(this, chunk);
      };
      Object.setPrototypeOf(response, heir);
    },
  };
  for (const [name, watch] of Object.entries(ways)) {
    const seen = [];
    const { url, close } = await listen((request, response) => (watch(response, seen), handler(request, response)));
    const response = await fetch(url, asking);
    judge(Buffer.from(await response.arrayBuffer()), 'r');
    judge(Buffer.concat(seen), 'r', name);
    close();
  }
});

test('a wrapper of the response changes what is written', async () => {
  const { port, close } = await listen((request, response) => {
    const gzip = createGzip();
    const write = response.write.bind(response);
    const end = response.end.bind(response);
    response.setHeader('content-encoding', 'gzip');
    response.write = (chunk) => gzip.write(chunk);
    response.end = () => gzip.end();
    gzip.on('data', (chunk) => write(chunk)).on('end', () => end()).on('drain', () => response.emit('drain'));
    return handler(request, response);
  });
  const outgoing = request({ port, host: '127.0.0.1', agent: false, ...asking });
  outgoing.end(asking.body);
  const [response] = await once(outgoing, 'response');
  judge(gunzipSync(Buffer.concat(await response.toArray())), 'r');
  close();
});

test('a client that reads slowly gets everything, in order', async () => {
  const count = 300;
  const flood = nodeHandler(async (run) => {
    const message = run.textMessage();
    for (let at = 0; at < count; at++) await message.write(String(at).padEnd(50_000));
  });
  const { port, close } = await listen(flood, createServer);
  const outgoing = request({ port, host: '127.0.0.1', agent: false, ...asking });
  outgoing.end(asking.body);
  const [response] = await once(outgoing, 'response');
  const decoder = new EventDecoder({ profile: 'strict' });
  let next = 0;
  for await (const chunk of response) {
    for (const { delta } of decoder.feed(chunk)) if (delta) assert.equal(Number(delta), next++);
    if (next % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  decoder.close();
  assert.equal(next, count);
  close();
});

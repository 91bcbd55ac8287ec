// Carries out a case of tests/fixtures/server/websocket_cases.json with any server.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { require } from './packages.mjs';
import { until } from './servers.mjs';

const { decode } = require('ag-ui-native/proto');
const { verifyEvents } = require('ag-ui-native/stream');
const { WebSocket } = require('ws');

/** A WebSocket; `messages` are the received messages, and `closed` has the code and the reason of its end. */
export function open(address, headers = {}, protocols = [], path = '/', options = {}) {
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace('<host>', address)]);
  const socket = new WebSocket(`ws://${address}${path}`, protocols, { headers: Object.fromEntries(own), perMessageDeflate: false, ...options });
  const messages = [];
  socket.on('message', (data, isBinary) => messages.push(isBinary ? data : String(data)));
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)]);
  return { socket, messages, closed };
}

export const eventOf = (message) => (typeof message === 'string' ? JSON.parse(message) : decode(message));

function say(socket, { text, binary, raw }) {
  if (raw !== undefined) socket._socket.write(Buffer.from(raw, 'hex'));
  else socket.send(text ?? Buffer.from(binary, 'hex'));
}

/** Carries out a case, and checks the result; `fate` returns how the agent ended. */
export async function carryOut({ headers, protocols, send, client, expect }, address, fate, path) {
  const { socket, messages, closed } = open(address, headers, protocols, path);
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
  if (expect.agent) await until(async () => (await fate()) === expect.agent);
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

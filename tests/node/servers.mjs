// Servers and clients for tests: over a socket, and without one.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { require } from './packages.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');

export const input = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'Hi' }] };
export const asking = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };

/** Ways to serve an agent. Each returns functions that send a request and close the server. */
export const ways = {
  async socket(agent, options) {
    const { url, close } = await listen(nodeHandler(agent, options));
    return { ask: (init = {}) => fetch(url, { ...asking, ...init }), close };
  },
  async fetch(agent, options) {
    const handler = fetchHandler(agent, options);
    return { ask: (init = {}) => handler(new Request('http://localhost/', { ...asking, ...init })), close() {} };
  },
};

/** Serves with a listener of node:http, at a port or a path. */
export async function listen(listener, create = createServer, place = { port: 0, host: '127.0.0.1' }) {
  const server = create(listener);
  server.listen(place);
  await once(server, 'listening');
  const { port } = server.address();
  const close = () => (server.closeAllConnections?.(), server.close());
  return { server, port, url: `http://127.0.0.1:${port}`, close };
}

/** A connection on which a request has been sent, and its answer as it comes. */
export async function rawRequest(port, head, body = '') {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const client = { socket, text: '' };
  socket.setEncoding('latin1').on('data', (chunk) => (client.text += chunk)).on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return client;
}

export const post = (body = asking.body, more = []) => ['POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...more];

/** The events of a response. */
export async function eventsOf(response) {
  const decoder = new EventDecoder({ profile: 'strict', contentType: response.headers.get('content-type') });
  const events = [];
  for await (const chunk of response.body) events.push(...decoder.feed(chunk));
  return [...events, ...decoder.close()];
}

/** Resolves when `holds` returns true. After half a minute it fails, and names what did not happen. */
export async function until(holds, what = 'nothing happened') {
  for (const start = Date.now(); !(await holds()); await new Promise((resolve) => setTimeout(resolve, 2))) {
    if (Date.now() - start > 30_000) throw new Error(what);
  }
}

// Servers with a log, and the requests of their clients.

import { createServer } from 'node:http';
import { once } from 'node:events';
import * as net from 'node:net';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Serves a handler on a free port. Returns its address. */
export async function serve(context, handler) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/agent`;
}

export const inputOf = (threadId, runId, more = {}) => ({ threadId, runId, state: {}, messages: [], tools: [], context: [], forwardedProps: {}, ...more });

export const post = (url, input, headers = {}, more = {}) => fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(input), ...more });

export const runUrl = (url, threadId, runId, after) => `${url}?thread=${encodeURIComponent(threadId)}&run=${encodeURIComponent(runId)}${after === undefined ? '' : `&after=${after}`}`;

export const cancel = (url, threadId, runId) => fetch(`${url}?thread=${threadId}&cancel=${runId}`, { method: 'POST', headers: JSON_TYPE });

export const readThread = async (url, threadId) => (await fetch(`${url}?thread=${encodeURIComponent(threadId)}`)).json();

/** Waits until no run of a thread is active. Returns the thread. */
export async function ended(url, threadId) {
  for (;;) {
    const thread = await readThread(url, threadId);
    if (thread.activeRunId === undefined) return thread;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The frames of a stream: texts that end with an empty line, without comments. */
export const framesOf = (text) => text.split(/(?<=\n\n)/).filter((frame) => !frame.startsWith(':'));

export const eventOf = (frame) => JSON.parse(/^data: (.*)$/m.exec(frame)[1]);
export const idOf = (frame) => /^id: (.*)$/m.exec(frame)?.[1];
export const typesOf = (text) => framesOf(text).map((frame) => eventOf(frame).type);

/** Reads a response until it has this number of frames, and closes the connection. Returns the bytes. */
export async function readFrames(response, count) {
  const reader = response.body.getReader();
  let text = '';
  while (framesOf(text).filter((frame) => frame.endsWith('\n\n')).length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  return text;
}

/** A gate that agents wait at. */
export function gate() {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { open, opened };
}

/** An agent that writes two parts of a message, with a gate between them. */
export function speaker(waits) {
  const agent = async (run) => {
    agent.runs++;
    const message = run.textMessage();
    await message.write('one');
    await waits?.(run);
    await message.write(' two');
    message.end();
    run.state = { ...run.state, done: true };
    return 'said';
  };
  agent.runs = 0;
  return agent;
}

/** A proxy whose next connections pass on this number of bytes of the answers each, and are then cut. Returns its address. */
export async function proxy(context, url, lengths) {
  const sockets = new Set();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(new URL(url).port), '127.0.0.1');
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

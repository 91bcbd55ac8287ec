// The handlers as docs/server/hosts.md mounts them: under Express, Fastify and http2, over sockets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, eventsOf, input, listen, until } from '../servers.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');
const { assertEvents } = require('ag-ui-native/testing');
const express = require('express');
const fastify = require('fastify');

const gone = [];
/** Answers with the text of the request; a run with the id `waits` waits until its client has left. */
const handler = nodeHandler(async (run) => {
  const message = run.textMessage();
  await message.write(run.messages[0].content);
  if (run.runId === 'waits') {
    await once(run.signal, 'abort');
    gone.push(run.threadId);
  }
  return run.input.forwardedProps ?? null;
});

const servers = {
  async express() {
    const app = express().all('/agent', handler);
    const { url, close } = await listen(app);
    return { url, close };
  },
  async 'express behind express.json()'() {
    const app = express().use(express.json()).all('/agent', handler);
    const { url, close } = await listen(app);
    return { url, close };
  },
  async 'a router of express'() {
    const app = express().use('/', express.Router().post('/agent', handler));
    const { url, close } = await listen(app);
    return { url, close };
  },
  async fastify() {
    const app = fastify({ forceCloseConnections: true });
    app.all('/agent', (request, reply) => {
      reply.hijack();
      handler(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
  },
};

const events = (content, result) => ['RUN_STARTED', 'TEXT_MESSAGE_START', { delta: content }, 'TEXT_MESSAGE_END', { type: 'RUN_FINISHED', result }];

for (const [name, serve] of Object.entries(servers)) {
  test(name, async () => {
    const { url, close } = await serve();
    const ask = (body, more = {}) => fetch(`${url}/agent`, { ...asking, body: JSON.stringify({ ...input, ...body }), ...more });
    const answers = await Promise.all([1, 2, 3, 4].map((forwardedProps) => ask({ forwardedProps })));
    for (const [at, answer] of answers.entries()) {
      assert.equal(answer.headers.get('content-type'), 'text/event-stream');
      assertEvents(await eventsOf(answer), events('Hi', at + 1));
    }
    const binary = await ask({ forwardedProps: 'b' }, { headers: { ...asking.headers, accept: AGUI_MEDIA_TYPE } });
    assertEvents(await eventsOf(binary), events('Hi', 'b'));
    const refused = await ask({ messages: 5 });
    assert.deepEqual([refused.status, (await refused.json()).path], [400, '/messages']);
    const leave = new AbortController();
    const endless = await ask({ threadId: name, runId: 'waits' }, { signal: leave.signal });
    await endless.body.getReader().read();
    leave.abort();
    await until(() => gone.includes(name), 'the agent does not hear that its client has gone');
    await close();
  });
}

test('http2: a client that reads slowly holds its own stream up alone', async () => {
  let written = 0;
  const flood = nodeHandler(async (run) => {
    const message = run.textMessage();
    if (run.runId === 'quick') return;
    for (; written < 400; written++) await message.write('x'.repeat(20_000));
  });
  const { port, server } = await listen(flood, createHttp2Server);
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  const ask = (runId) => {
    const stream = client.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' });
    stream.end(JSON.stringify({ ...input, runId }));
    return stream.setEncoding('utf8');
  };
  const textOf = async (stream) => (await stream.toArray()).join('');
  const slow = ask('slow');
  await once(slow, 'response');
  let before;
  await until(async () => (before = written, await new Promise((resolve) => setTimeout(resolve, 50)), before === written && written > 0));
  assert.ok(written < 400, 'the agent is not held up');
  assert.match(await textOf(ask('quick')), /RUN_FINISHED/);
  const text = await textOf(slow);
  assert.deepEqual([text.match(/TEXT_MESSAGE_CONTENT/g).length, /RUN_FINISHED/.test(text)], [400, true]);
  client.close();
  server.close();
});

// Deno prints a warning where it is read.
test('in Deno the signal of a request is left alone', async () => {
  const request = new Request('http://localhost/', asking);
  Object.defineProperty(request, 'signal', { get: () => assert.fail('the signal is read') });
  globalThis.Deno = {};
  try {
    assertEvents(await eventsOf(await fetchHandler(() => 'done')(request)), ['RUN_STARTED', { type: 'RUN_FINISHED', result: 'done' }]);
  } finally {
    delete globalThis.Deno;
  }
});

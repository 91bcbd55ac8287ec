// Runs whose connection is lost: the client reads on. The server of the tests has the log of one run, and breaks its answers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'node:test';
import { failure, require } from '../packages.mjs';

const { AGUIValidationError, HttpAgent } = require('ag-ui-native/client');
const { EventEncoder } = require('ag-ui-native/encoder');

const incarnation = 'BwcHBwcHBwcHBwcHBwcHBw';
const run = { threadId: 't', runId: 'r' };
const events = [
  { type: 'RUN_STARTED', ...run },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Grüße ' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '😀' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', ...run },
];
const text = { contentType: 'text/event-stream', frame: (event, number) => Buffer.from(`id: ${incarnation}-${number}\ndata: ${JSON.stringify(event)}\n\n`) };
const encoder = new EventEncoder({ accept: 'application/vnd.ag-ui.event+proto' });
const binary = { contentType: encoder.getContentType(), frame: (event) => Buffer.from(encoder.encodeBinary(event)) };

/** Ends an answer in order, within its body. */
const ended = (response) => response.end();
/** Breaks the connection. */
const broken = (response) => response.socket.destroySoon();
/** Leaves the connection open, without a byte. */
const hung = () => undefined;

/**
 * A server with the log of one run. `answers` are the answers to the requests for events, one after the other: the number of bytes of the body and how it ends, or
 * a status with headers; then they are whole.
 */
async function serve(t, { answers = [], format = text, heartbeat = '1', location } = {}) {
  const seen = [];
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const address = new URL(request.url, 'http://localhost');
    seen.push({ method, url: request.url, headers });
    server.emit('asked');
    request.resume();
    if (address.searchParams.has('cancel')) return response.writeHead(202).end();
    const { status = 200, more = {}, bytes = Infinity, how = ended } = answers.shift() ?? {};
    if (status !== 200) return response.writeHead(status, more).end();
    const after = Number(headers['last-event-id']?.split('-').at(-1) ?? 0);
    const body = Buffer.concat(events.map((event, at) => format.frame(event, at + 1)).slice(after));
    response.writeHead(200, {
      'content-type': format.contentType,
      'ag-ui-run': 'r',
      'ag-ui-cursor': `${incarnation}-${after}`,
      'content-location': location ?? '/agent?thread=t&run=r',
      ...(heartbeat && { 'ag-ui-heartbeat': heartbeat }),
      ...more,
    });
    response.flushHeaders();
    const part = body.subarray(0, bytes);
    if (part.length === 0) return how(response);
    response.write(part, () => (bytes >= body.length ? response.end() : how(response)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => (server.closeAllConnections(), server.close()));
  const asked = async (count) => {
    while (seen.length < count) await once(server, 'asked');
    return seen[count - 1];
  };
  return { url: `http://127.0.0.1:${server.address().port}/agent`, seen, asked, server };
}

const quick = { first: 1, longest: 5 };

for (const [name, format] of Object.entries({ text, binary })) {
  test(`a run that is cut at any byte comes whole: ${name}`, async (t) => {
    const length = Buffer.concat(events.map(format.frame)).length;
    const answers = [];
    const { url, seen } = await serve(t, { answers, format });
    for (let bytes = 0; bytes < length; bytes++) {
      answers.push({ bytes, how: bytes % 2 ? ended : broken });
      const types = [];
      const agent = new HttpAgent(url, { protobuf: format === binary, reconnect: quick });
      for await (const event of agent.run({ runId: 'r' })) types.push(event.type);
      assert.deepEqual(types, events.map(({ type }) => type), `${bytes}`);
      assert.equal(agent.messages.at(-1).content, 'Grüße 😀');
    }
    assert.equal(seen.length, 2 * length, 'each run has two requests, and none is cancelled');
  });
}

test('the requests: the headers are asked for anew, and the place is behind the last whole event', async (t) => {
  const frames = events.map(text.frame);
  const { url, seen } = await serve(t, { answers: [{ bytes: frames[0].length + frames[1].length + 3, how: broken }, { bytes: frames[2].length }] });
  let tokens = 0;
  const agent = new HttpAgent(url, { headers: () => ({ authorization: `Bearer ${++tokens}`, accept: 'text/html' }), reconnect: quick });
  assert.equal((await agent.runAgent()).text, 'Grüße 😀');
  const requests = seen.map(({ method, url, headers }) => [method, url, headers.authorization, headers.accept, headers['last-event-id'], headers['ag-ui-resume']]);
  assert.deepEqual(requests, [
    ['POST', '/agent', 'Bearer 1', 'text/event-stream', undefined, '1'],
    ['GET', '/agent?thread=t&run=r', 'Bearer 2', 'text/event-stream', `${incarnation}-2`, '1'],
    ['GET', '/agent?thread=t&run=r', 'Bearer 3', 'text/event-stream', `${incarnation}-3`, '1'],
  ]);
});

test('the authorization of the address goes along', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 5 }] });
  const agent = new HttpAgent(url.replace('//', '//user:pw@'), { reconnect: quick });
  assert.equal((await agent.runAgent()).text, 'Grüße 😀');
  assert.deepEqual(seen.map(({ headers }) => headers.authorization), [1, 2].map(() => `Basic ${btoa('user:pw')}`));
});

test('a connection that hangs is given up, also before the head of an answer', async (t) => {
  const { url, seen, server } = await serve(t, { answers: [{ bytes: 200, how: hung }], heartbeat: '0.05' });
  const [answer] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => (seen.length === 1 ? seen.push({}) : answer(request, response)));
  const agent = new HttpAgent(url, { reconnect: quick });
  assert.equal((await agent.runAgent()).text, 'Grüße 😀');
  assert.equal(seen.length, 3);
});

test('a server that refuses for now is asked again after its pause', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 200 }, { status: 503, more: { 'retry-after': '1' } }] });
  const begun = performance.now();
  assert.equal((await new HttpAgent(url, { reconnect: quick }).runAgent()).text, 'Grüße 😀');
  assert.ok(performance.now() - begun > 990);
  assert.equal(seen.length, 3);
});

for (const [status, code] of [[410, 'sequence_gap'], [401, 'connection_lost'], [302, 'connection_lost']]) {
  test(`the status ${status} ends the run with ${code}`, async (t) => {
    const { url, seen } = await serve(t, { answers: [{ bytes: 200 }, { status, more: { location: '/' } }] });
    await assert.rejects(new HttpAgent(url, { reconnect: quick }).runAgent(), { code });
    assert.equal(seen.length, 2, 'nothing is cancelled');
  });
}

test('behind the end of the log there is nothing', async (t) => {
  const { url } = await serve(t, { answers: [{ bytes: 200 }, { status: 204 }] });
  await assert.rejects(new HttpAgent(url, { reconnect: quick }).runAgent(), { code: 'stream_truncated' });
});

test('a server that is gone for good ends the run after the attempts', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 200 }, ...Array(9).fill({ bytes: 0, how: broken })] });
  await assert.rejects(new HttpAgent(url, { reconnect: { ...quick, attempts: 3 } }).runAgent(), { code: 'connection_lost' });
  assert.equal(seen.length, 4);
});

test('a run that is left is cancelled', async (t) => {
  const { url, asked } = await serve(t, { answers: [{ bytes: 300, how: hung }], heartbeat: '' });
  for await (const event of new HttpAgent(url, { headers: { authorization: 'Bearer 1' } }).run()) if (event.type === 'TEXT_MESSAGE_START') break;
  const { method, url: address, headers } = await asked(2);
  assert.deepEqual([method, address, headers['content-type'], headers.authorization], ['POST', '/agent?thread=t&cancel=r', 'application/json', 'Bearer 1']);
});

test('a run that is detached goes on, and one that has ended is not cancelled', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 300, how: hung }], heartbeat: '' });
  const agent = new HttpAgent(url);
  for await (const event of agent.run()) if (event.type === 'TEXT_MESSAGE_START') await agent.detachActiveRun();
  for await (const event of new HttpAgent(url).run()) if (event.type === 'RUN_FINISHED') break;
  await new HttpAgent(url).runAgent();
  assert.deepEqual(seen.map(({ url }) => url), ['/agent', '/agent', '/agent']);
});

test('an abort ends a pause at once, and cancels the run', async (t) => {
  const { url, asked } = await serve(t, { answers: [{ bytes: 300 }, { status: 503, more: { 'retry-after': '3600' } }] });
  const agent = new HttpAgent(url);
  const running = agent.runAgent();
  await asked(2);
  setImmediate(() => agent.abortRun());
  await running;
  assert.equal((await asked(3)).url, '/agent?thread=t&cancel=r');
});

test('a cancel without an answer throws nothing', async (t) => {
  const { url, server, seen } = await serve(t, { answers: [{ bytes: 300, how: hung }], heartbeat: '' });
  for await (const event of new HttpAgent(url).run()) {
    if (event.type !== 'TEXT_MESSAGE_START') continue;
    server.close();
    server.closeAllConnections();
    break;
  }
  assert.equal(seen.length, 1);
});

test('reconnect: false', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 200, how: broken }, { bytes: 300, how: hung }] });
  await assert.rejects(new HttpAgent(url, { reconnect: false }).runAgent(), { code: 'connection_lost' });
  for await (const event of new HttpAgent(url, { reconnect: false }).run()) if (event.type === 'TEXT_MESSAGE_START') break;
  assert.deepEqual(seen.map(({ headers }) => headers['ag-ui-resume']), [undefined, undefined]);
});

test('an address on another origin is not asked', async (t) => {
  const { url, seen } = await serve(t, { answers: [{ bytes: 200 }], location: 'http://other.test/agent?run=r' });
  await assert.rejects(new HttpAgent(url).runAgent(), { code: 'stream_truncated' });
  assert.equal(seen.length, 1);
});

test('the option is checked', () => {
  for (const reconnect of [false, {}, { attempts: 1, first: 0, longest: 1, jitter: 0 }, null, undefined]) new HttpAgent('http://localhost/', { reconnect });
  const wrong = { '/reconnect': [true, 5, [], 'no'], '/reconnect/attempts': [{ attempts: 0 }], '/reconnect/jitter': [{ jitter: 2 }], '/reconnect/last': [{ last: 1 }] };
  for (const [path, values] of Object.entries(wrong)) {
    for (const reconnect of values) {
      const error = failure(() => new HttpAgent('http://localhost/', { reconnect }));
      assert.ok(error instanceof AGUIValidationError);
      assert.equal(error.path, path);
    }
  }
});

// Limits on the runs and the readers of a scope, and the longest duration of a run.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { require } from '../packages.mjs';
import { cancel, eventOf, framesOf, gate, inputOf, post, readFrames, runUrl, serve, speaker, typesOf } from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

const open = { authorize: 'public' };
const user = { authorize: (request) => request.headers.user };
const RESUMES = { 'ag-ui-resume': '1' };

/** The status, the limit and the pause of a refusal. */
async function limitOf(response) {
  const { code, limit } = await response.json();
  assert.equal(code, 'limit_exceeded');
  return [response.status, limit, response.headers.get('retry-after')];
}

/** Asks until the answer has this status. Connections that were cut are noticed a little later. */
async function until(ask, status) {
  for (;;) {
    const response = await ask();
    if (response.status === status) return response;
    await response.text();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a scope has a limit of active runs', async (context) => {
  const { open: go, opened } = gate();
  const url = await serve(context, nodeHandler(speaker(() => opened), { ...user, log: new MemoryLog(), maxActiveRuns: 1 }));
  const ada = { user: 'ada', ...RESUMES };
  await readFrames(await post(url, inputOf('t', 'r'), ada), 3);
  assert.deepEqual(await limitOf(await post(url, inputOf('other', 'q'), ada)), [429, 'max_active_runs', '1']);
  // A run that exists is read, and other scopes have runs of their own.
  const joined = await post(url, inputOf('t', 'r'), ada);
  const other = await post(url, inputOf('t', 'r'), { user: 'bob' });
  assert.deepEqual([joined.status, other.status], [200, 200]);
  go();
  for (const response of [joined, other]) assert.equal(typesOf(await response.text()).at(-1), 'RUN_FINISHED');
  assert.equal(typesOf(await (await post(url, inputOf('other', 'q'), ada)).text()).at(-1), 'RUN_FINISHED');
});

test('a run that fails or is cancelled counts no longer', async (context) => {
  const agent = async (run) => {
    await run.textMessage().write('one');
    if (run.input.runId === 'raises') throw new Error('it fails');
    if (run.input.runId === 'stops') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), maxActiveRuns: 1, onError: () => undefined }));
  assert.equal(typesOf(await (await post(url, inputOf('t', 'raises'))).text()).at(-1), 'RUN_ERROR');
  const stops = await post(url, inputOf('t', 'stops'));
  await cancel(url, 't', 'stops');
  assert.equal(typesOf(await stops.text()).at(-1), 'RUN_FINISHED');
  assert.equal((await post(url, inputOf('t', 'last'))).status, 200);
});

for (const [name, handle] of [['node', nodeHandler], ['fetch', fetchHandler]]) {
  test(`${name}: a scope has a limit of readers`, async (context) => {
    const { open: go, opened } = gate();
    const agent = speaker(() => opened);
    const handler = handle(agent, { ...open, log: new MemoryLog(), maxReaders: 2 });
    const url = await serve(context, name === 'node' ? handler : (request, response) => void forward(handler, request, response));
    await readFrames(await post(url, inputOf('t', 'r'), RESUMES), 3);
    const readers = [];
    // The place of the connection that was cut is free.
    for (let count = 0; count < 2; count++) readers.push(await until(() => fetch(runUrl(url, 't', 'r')), 200));
    assert.deepEqual(await limitOf(await fetch(runUrl(url, 't', 'r'))), [429, 'max_readers', '1']);
    // A run that could not be read does not begin.
    assert.deepEqual(await limitOf(await post(url, inputOf('other', 'q'))), [429, 'max_readers', '1']);
    assert.equal(agent.runs, 1);
    go();
    for (const reader of readers) await reader.text();
    for (let count = 0; count < 3; count++) {
      assert.equal((await until(() => fetch(runUrl(url, 't', 'unknown')), 404)).status, 404);
      assert.equal(typesOf(await (await until(() => fetch(runUrl(url, 't', 'r')), 200)).text()).at(-1), 'RUN_FINISHED');
    }
  });
}

/** Answers a request of Node by a handler of `fetch`. */
async function forward(handler, request, response) {
  const body = request.method === 'POST' ? request : undefined;
  const cut = new AbortController();
  response.on('close', () => cut.abort());
  const { headers, method } = request;
  const answer = await handler(new Request(`http://${headers.host}${request.url}`, { method, headers, body, duplex: 'half', signal: cut.signal }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) for await (const piece of answer.body) response.write(piece);
  response.end();
}

test('all handlers of a log count together', async (context) => {
  const { open: go, opened } = gate();
  const log = new MemoryLog();
  const one = await serve(context, nodeHandler(speaker(() => opened), { ...open, log, maxActiveRuns: 1 }));
  const other = await serve(context, nodeHandler(speaker(), { ...open, log, maxActiveRuns: 1 }));
  const begun = await post(one, inputOf('t', 'r'));
  assert.deepEqual(await limitOf(await post(other, inputOf('other', 'q'))), [429, 'max_active_runs', '1']);
  go();
  await begun.text();
});

test('a run has a longest duration', async (context) => {
  const errors = [];
  const aborted = gate();
  const agent = async (run) => {
    await run.textMessage().write('one');
    run.signal.addEventListener('abort', () => aborted.open(run.signal.reason));
    await aborted.opened;
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), maxAge: 300, onError: (error) => errors.push(error) }));
  const last = framesOf(await (await post(url, inputOf('t', 'r'))).text()).map(eventOf).at(-1);
  assert.deepEqual([last.type, last.code], ['RUN_ERROR', 'limit_exceeded']);
  assert.match(last.message, /log_age/);
  assert.equal((await aborted.opened).code, 'limit_exceeded');
  assert.equal(errors.length, 1);
  assert.equal((await (await fetch(`${url}?thread=t`)).json()).activeRunId, undefined);
});

test('a server that shuts down starts no more runs', async (context) => {
  const { open: go, opened } = gate();
  const shutdown = new AbortController();
  const url = await serve(context, nodeHandler(speaker(() => opened), { ...open, log: new MemoryLog(), signal: shutdown.signal }));
  const begun = await post(url, inputOf('t', 'r'), RESUMES);
  shutdown.abort();
  const refused = await post(url, inputOf('other', 'q'));
  assert.deepEqual([refused.status, (await refused.json()).code, refused.headers.get('retry-after')], [503, 'server_draining', '1']);
  const joined = await post(url, inputOf('t', 'r'));
  go();
  for (const response of [begun, joined]) assert.equal(typesOf(await response.text()).at(-1), 'RUN_FINISHED');
});

test('limits of a wrong kind are refused', () => {
  for (const [name, value] of Object.entries({ maxActiveRuns: 0, maxReaders: 1.5, maxAge: -1, drain: '10' })) {
    assert.throws(() => nodeHandler(speaker(), { ...open, log: new MemoryLog(), [name]: value }), { code: 'wrong_type', path: `/${name}` });
  }
});

test('a client that reads nothing counts until its connection ends after its time', async (context) => {
  const { open: go, opened } = gate();
  const agent = async (run) => {
    const message = run.textMessage();
    // More than the buffers of a connection take.
    for (let part = 0; part < 140; part++) await message.write('x'.repeat(100_000));
    await opened;
    message.end();
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), maxReaders: 1, maxConnection: 500 }));
  const socket = connect(new URL(url).port, '127.0.0.1');
  const body = JSON.stringify(inputOf('t', 'r'));
  socket.write(`POST /agent HTTP/1.1\r\nhost: x\r\nag-ui-resume: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'readable');
  const other = await until(() => fetch(runUrl(url, 't', 'r')), 200);
  await other.body.cancel();
  go();
  socket.destroy();
});

// Threads of a server with a log: branches that are stale, requests of older versions, threads that are deleted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { require } from '../packages.mjs';
import { eventOf, framesOf, gate, idOf, inputOf, post, readThread, runUrl, serve, speaker, typesOf } from './servers.mjs';

const { deleteThread, MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const open = { authorize: 'public', onError: () => undefined };

test('a request that follows another run than the last is stale', async (context) => {
  const url = await serve(context, nodeHandler(speaker(), { ...open, log: new MemoryLog() }));
  const follows = (runId, parentRunId) => inputOf('t', runId, { parentRunId });
  // Before the first run of a thread there is none to follow.
  for (const input of [follows('a', 'unknown'), inputOf('t', 'b'), follows('c', 'b')]) {
    assert.equal(typesOf(await (await post(url, input)).text()).at(-1), 'RUN_FINISHED');
  }
  const stale = await post(url, follows('d', 'b'));
  const { code, lastRunId } = await stale.json();
  assert.deepEqual([stale.status, code, lastRunId], [409, 'thread_stale', 'c']);
  // A run that exists is joined, whatever came after it. Without a parent, the messages of the request count.
  assert.equal((await post(url, follows('c', 'b'))).status, 200);
  const other = inputOf('t', 'd', { messages: [{ id: 'u', role: 'user', content: 'Other' }] });
  await (await post(url, other)).text();
  assert.deepEqual((await readThread(url, 't')).messages.map(({ content }) => content), ['Other', 'one two']);
});

test('a request of an older version joins that of the newest', async (context) => {
  const source = { type: 'data', value: 'AAAA', mimeType: 'image/png' };
  const withPicture = (part) => inputOf('t', 'r', { messages: [{ id: 'u', role: 'user', content: [part] }] });
  const now = withPicture({ type: 'image', source });
  const old = withPicture({ type: 'binary', mimeType: 'image/png', data: 'AAAA' });
  for (const [first, second] of [[now, old], [old, now]]) {
    const url = await serve(context, nodeHandler(speaker(), { ...open, log: new MemoryLog() }));
    const whole = framesOf(await (await post(url, first)).text());
    const joined = await post(url, second, { 'last-event-id': idOf(whole[0]) });
    assert.equal(await joined.text(), whole.slice(1).join(''));
    const [asked] = (await readThread(url, 't')).messages;
    assert.deepEqual(asked.content, [{ type: 'image', source }]);
  }
});

test('a thread is deleted, that of another scope stays', async (context) => {
  const log = new MemoryLog();
  const url = await serve(context, nodeHandler(speaker(), { log, authorize: (request) => request.headers.user }));
  const as = (user) => ({ user });
  for (const user of ['ada', 'bob']) await (await post(url, inputOf('t', 'r'), as(user))).text();
  const read = async (user) => (await fetch(runUrl(url, 't', 'r'), { headers: as(user) })).status;
  for (let count = 0; count < 2; count++) {
    await deleteThread(log, 'ada', 't');
    assert.deepEqual(await (await fetch(`${url}?thread=t`, { headers: as('ada') })).json(), { threadId: 't', version: 0 });
    assert.deepEqual([await read('ada'), await read('bob')], [404, 200]);
  }
  assert.equal(typesOf(await (await post(url, inputOf('t', 'r'), as('ada'))).text()).at(-1), 'RUN_FINISHED');
});

test('a thread is deleted with its active run', async (context) => {
  const log = new MemoryLog();
  const aborted = gate();
  const agent = async (run) => {
    run.signal.addEventListener('abort', () => aborted.open(run.signal.reason));
    await run.textMessage().write('one');
    await aborted.opened;
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log, lease: 600 }));
  const response = await post(url, inputOf('t', 'r'));
  await deleteThread(log, '', 't');
  assert.equal((await aborted.opened).code, 'log_failed');
  assert.equal((await fetch(runUrl(url, 't', 'r'))).status, 404);
  await response.body.cancel();
});

test('a thread that cannot be deleted', async () => {
  await assert.rejects(deleteThread(new MemoryLog(), '', 't'.repeat(257)), { code: 'limit_exceeded', message: /threadId/ });
  await assert.rejects(deleteThread({ execute: () => Promise.reject(new Error('down')), watch: () => () => undefined }, '', 't'), /^Error: down$/);
  await assert.rejects(deleteThread(new MemoryLog(), 7, 't'), /scope: expected a string/);
  await assert.rejects(deleteThread(undefined, '', 't'), /log: expected an object/);
});

test('an answer is used up by a run that the log ends', async (context) => {
  let begun = 0;
  const agent = async (run) => {
    if (run.resume.length === 0) return run.interrupt({ id: 'i', reason: 'tool_call' });
    begun++;
    await once(run.signal, 'abort');
  };
  const log = new MemoryLog();
  const url = await serve(context, nodeHandler(agent, { ...open, log }));
  const hurried = await serve(context, nodeHandler(agent, { ...open, log, maxAge: 300 }));
  const answers = (runId) => inputOf('t', runId, { resume: [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }] });
  await (await post(url, inputOf('t', 'asks'))).text();
  const ended = framesOf(await (await post(hurried, answers('answers'))).text()).map(eventOf);
  assert.equal(ended.at(-1).code, 'limit_exceeded');
  assert.deepEqual((await readThread(url, 't')).interrupts, []);
  const again = await post(url, answers('again'));
  assert.deepEqual([again.status, (await again.json()).code], [422, 'unknown_interrupt']);
  assert.equal((await post(url, answers('answers'))).status, 200);
  assert.deepEqual([(await post(url, inputOf('t', 'next'))).status, begun], [200, 1]);
});

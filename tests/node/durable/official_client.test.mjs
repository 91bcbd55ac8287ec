// The stop button of @ag-ui/client, which closes its connection and says nothing: see "Stop buttons" on the page of durable runs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { ended, readThread, serve, speaker } from './servers.mjs';

const { HttpAgent } = require('@ag-ui/client');
const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

/** An agent whose first run goes on until it is cancelled, and a client that has stopped that. Returns the next run. */
async function stopped(context, options) {
  const reasons = [];
  const first = (run) => run.runId === 'stopped' && new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(reasons.push(run.signal.reason.message))));
  const url = await serve(context, nodeHandler(speaker(first), { log: new MemoryLog(), authorize: 'public', onError: () => undefined, ...options }));
  const agent = new HttpAgent({ url, threadId: 't' });
  await agent.runAgent({ runId: 'stopped' }, { onTextMessageContentEvent: () => agent.abortRun() }).catch(() => undefined);
  return { url, reasons, next: () => new HttpAgent({ url, threadId: 't' }).runAgent({ runId: 'next' }) };
}

test('a thread whose run was stopped is busy for the grace time', async (context) => {
  const { url, reasons, next } = await stopped(context, { grace: 2000 });
  assert.equal((await readThread(url, 't')).activeRunId, 'stopped');
  await assert.rejects(next(), ({ status, message }) => status === 409 || /409/.test(message));
  await ended(url, 't');
  assert.deepEqual(reasons, ['No client reads the run.']);
  assert.equal((await next()).result, 'said');
});

test('with a short grace time a user goes on soon', async (context) => {
  const { url, next } = await stopped(context, { grace: 50 });
  await ended(url, 't');
  assert.equal((await next()).result, 'said');
});

test('the next run cancels the one that was stopped, if it may', async (context) => {
  const { reasons, next } = await stopped(context, { grace: 60_000, onBusy: 'interrupt' });
  assert.equal((await next()).result, 'said');
  assert.deepEqual(reasons, ['The run was cancelled.']);
});

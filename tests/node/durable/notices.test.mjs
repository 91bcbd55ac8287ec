// What a server with a log tells its application by `onLog`.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { require } from '../packages.mjs';
import { cancel, eventOf, framesOf, gate, idOf, inputOf, post, readFrames, runUrl, serve, speaker, typesOf } from './servers.mjs';

const { MemoryLog, SQLiteLog } = require('ag-ui-native/durable');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

const run = { scope: '', threadId: 't', runId: 'r' };

/** A handler whose notices are kept. */
function told(agent, options = {}) {
  const notices = [];
  const log = options.log ?? new MemoryLog();
  return { notices, handler: nodeHandler(agent, { authorize: 'public', onLog: (...notice) => notices.push(notice), ...options, log }) };
}

test('a run is opened, joined, resumed and ended', async (context) => {
  const { notices, handler } = told(speaker());
  const url = await serve(context, handler);
  const whole = framesOf(await (await post(url, inputOf('t', 'r'))).text());
  await (await fetch(runUrl(url, 't', 'r'))).text();
  await (await fetch(runUrl(url, 't', 'r', idOf(whole[1])))).text();
  assert.deepEqual(notices, [
    ['opened', run],
    ['ended', { ...run, number: whole.length }],
    ['joined', { ...run, number: 0, resumed: false }],
    ['joined', { ...run, number: 2, resumed: true }],
  ]);
  assert.doesNotMatch(JSON.stringify(notices), /one| two/);
});

test('a run is cancelled, and requests are refused', async (context) => {
  const { notices, handler } = told(speaker((run) => new Promise((resolve) => run.signal.addEventListener('abort', resolve))));
  const url = await serve(context, handler);
  await readFrames(await post(url, inputOf('t', 'r'), { 'ag-ui-resume': '1' }), 3);
  assert.equal((await post(url, inputOf('t', 'q'))).status, 409);
  assert.equal((await cancel(url, 't', 'r')).status, 202);
  assert.equal(typesOf(await (await fetch(runUrl(url, 't', 'r'))).text()).at(-1), 'RUN_FINISHED');
  assert.equal((await fetch(runUrl(url, 't', 'unknown'))).status, 404);
  const found = notices.map(([name, { reason, code, runId }]) => [name, reason ?? code, runId].join(' ').trim());
  assert.deepEqual(found.sort(), ['cancelled cancelled r', 'ended  r', 'joined  r', 'opened  r', 'refused run_unknown unknown', 'refused thread_busy q']);
});

test('an engine that fails is told', async (context) => {
  const failing = { execute: () => Promise.reject(new Error('down')), watch: () => () => undefined };
  const { notices, handler } = told(speaker(), { log: failing, onError: () => undefined });
  const url = await serve(context, handler);
  assert.equal((await post(url, inputOf('t', 'r'))).status, 503);
  assert.equal((await fetch(runUrl(url, 't', 'r'))).status, 503);
  assert.deepEqual(notices, Array(2).fill(['unavailable', { ...run, code: 'log_unavailable' }]));
});

test('a function that throws changes nothing', async (context) => {
  const errors = [];
  const { handler } = told(speaker(), {
    onLog: () => {
      throw new Error('the metrics are down');
    },
    onError: ({ message }) => errors.push(message),
  });
  const url = await serve(context, handler);
  assert.equal(typesOf(await (await post(url, inputOf('t', 'r'))).text()).at(-1), 'RUN_FINISHED');
  assert.deepEqual(errors, ['the metrics are down', 'the metrics are down']);
});

for (const [act, end] of Object.entries({ 'opens a run': 'success', 'cancels the run': 'cancelled', 'ends the server': 'producer_lost', 'drains the log': 'producer_lost', 'closes the log': 'log_unavailable' })) {
  test(`a function calls back into its server: it ${act}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agui-notices-'));
    const [log, shutdown, asked] = [new SQLiteLog(join(folder, 'runs.db')), new AbortController(), []];
    const { open, opened } = gate();
    // Without a connection nothing keeps the process alive.
    const alive = setInterval(() => undefined, 1000);
    const ask = (query, body) => asked.push(handler(new Request(`http://here/agent${query}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })));
    const acts = {
      'opens a run': () => ask('', inputOf('other', 'inner')),
      'cancels the run': () => ask('?thread=t&cancel=r', {}),
      'ends the server': () => shutdown.abort(),
      'drains the log': () => void log.drain(),
      'closes the log': () => log.close(),
    };
    const onLog = (name, { runId }) => {
      if (name === 'opened' && runId === 'inner') open();
      if (name !== 'opened' || runId !== 'r') return;
      acts[act]();
      throw new Error('behind it');
    };
    const waits = (run) => Promise.race([opened, new Promise((resolve) => run.signal.addEventListener('abort', resolve))]);
    const options = { log, authorize: 'public', onLog, signal: shutdown.signal, drain: 200, lease: 1000, onError: () => undefined };
    const handler = fetchHandler(speaker(waits), options);
    ask('', inputOf('t', 'r'));
    const answers = [];
    for (const answer of asked) answers.push(await answer);
    const text = await answers[0].text();
    const { code, outcome } = act === 'closes the log' ? JSON.parse(text) : eventOf(framesOf(text).at(-1));
    assert.equal(code ?? outcome?.type ?? 'success', end);
    assert.deepEqual(answers.slice(1).map(({ ok }) => ok), Array(answers.length - 1).fill(true));
    clearInterval(alive);
    log.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

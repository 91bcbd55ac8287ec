// Processes with a log that end by SIGTERM while clients read: their runs end, and the clients go on elsewhere.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { require } from '../packages.mjs';
import { cancel, eventOf, framesOf, gate, idOf, inputOf, post, readFrames, runUrl, serve, speaker, typesOf } from './servers.mjs';

const { MemoryLog, SQLiteLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const folder = mkdtempSync(join(tmpdir(), 'agui-endings-'));
const file = join(folder, 'runs.db');
after(() => rmSync(folder, { recursive: true, force: true }));

const RESUMES = { 'ag-ui-resume': '1' };
const DRAIN = 500;
/** What processes need besides under load. */
const SLOW = 10_000;

/** A process whose leases are longer than the test: what its clients hear, it has said. */
async function start(context, how, drain = DRAIN) {
  const worker = fork(new URL('worker.mjs', import.meta.url), ['SQLiteLog', file, '60000', String(drain), how]);
  context.after(() => worker.kill('SIGKILL'));
  const [port] = await once(worker, 'message');
  const stop = () => (worker.kill('SIGTERM'), performance.now());
  const ended = async () => {
    if (worker.exitCode === null) await once(worker, 'exit');
    assert.equal(worker.exitCode, 0);
  };
  return { url: `http://127.0.0.1:${port}/agent`, stop, ended };
}

function serveHere(context, agent = speaker()) {
  const log = new SQLiteLog(file);
  context.after(() => log.close());
  return serve(context, nodeHandler(agent, { log, authorize: 'public' }));
}

for (const how of ['signal', 'drain']) {
  test(`a client that reads does not keep a process from ending: ${how}`, async (context) => {
    const { url, stop, ended } = await start(context, how);
    const here = await serveHere(context);
    const thread = `own ${how}`;
    const response = await post(url, inputOf(thread, 'r'), RESUMES);
    const at = stop();
    const frames = framesOf(await response.text());
    assert.equal(eventOf(frames.at(-1)).code, 'producer_lost');
    await ended();
    const took = performance.now() - at;
    assert.ok(took < DRAIN + SLOW, `${took} ms`);
    assert.equal(await (await fetch(runUrl(here, thread, 'r', idOf(frames[0])))).text(), frames.slice(1).join(''));
    assert.equal(typesOf(await (await post(here, inputOf(thread, 'q'))).text()).at(-1), 'RUN_FINISHED', 'the thread is free');
  });

  test(`a run of another process is read on elsewhere: ${how}`, async (context) => {
    const { url, stop, ended } = await start(context, how);
    const here = await serveHere(context, speaker((run) => new Promise((resolve) => run.signal.addEventListener('abort', resolve))));
    const thread = `foreign ${how}`;
    await readFrames(await post(here, inputOf(thread, 'r'), RESUMES), 3);
    const response = await fetch(runUrl(url, thread, 'r'));
    const at = stop();
    const joined = await response.text();
    await ended();
    const took = performance.now() - at;
    assert.ok(took < DRAIN + 1000 + SLOW, `${took} ms`);
    assert.ok(!typesOf(joined).includes('RUN_ERROR'), 'the run goes on, so the client resumes');
    const elsewhere = await fetch(runUrl(here, thread, 'r'));
    assert.equal((await cancel(here, encodeURIComponent(thread), 'r')).status, 202);
    assert.equal(typesOf(await elsewhere.text()).at(-1), 'RUN_FINISHED');
  });
}

test('a log is drained by its application', async (context) => {
  const log = new MemoryLog();
  const { open, opened } = gate();
  const url = await serve(context, nodeHandler(speaker(() => opened), { log, authorize: 'public' }));
  const begun = await post(url, inputOf('t', 'r'), RESUMES);
  const drained = log.drain();
  const refused = await post(url, inputOf('other', 'q'));
  assert.deepEqual([refused.status, (await refused.json()).code, refused.headers.get('retry-after')], [503, 'server_draining', '1']);
  open();
  await drained;
  assert.equal(typesOf(await begun.text()).at(-1), 'RUN_FINISHED');
  await log.drain();
  assert.equal((await post(url, inputOf('other', 'q'))).status, 503, 'runs do not begin behind it, either');
});

test('a server that ends leaves others of its log alone', async (context) => {
  const log = new MemoryLog();
  const shutdown = new AbortController();
  const options = { log, authorize: 'public' };
  const ending = await serve(context, nodeHandler(speaker(), { ...options, signal: shutdown.signal }));
  const sibling = await serve(context, nodeHandler(speaker(), options));
  shutdown.abort();
  assert.equal((await post(ending, inputOf('t', 'r'))).status, 503);
  assert.equal(typesOf(await (await post(sibling, inputOf('t', 'r'))).text()).at(-1), 'RUN_FINISHED');
});

test('a run that was asked for when its server began to end, ends in time', async (context) => {
  const shutdown = new AbortController();
  // The engine answers the request for the run when the shutdown has begun.
  class Late extends MemoryLog {
    async run(operation) {
      shutdown.abort();
      return super.run(operation);
    }
  }
  const never = speaker(() => new Promise(() => undefined));
  const url = await serve(context, nodeHandler(never, { log: new Late(), authorize: 'public', signal: shutdown.signal, drain: 50, onError: () => undefined }));
  assert.equal(framesOf(await (await post(url, inputOf('t', 'r'))).text()).map(eventOf).at(-1).code, 'producer_lost');
});

// Several processes on one Redis, and on one file of SQLite.

import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { require } from '../packages.mjs';
import { startRedis } from './redis_server.mjs';
import { cancel, eventOf, framesOf, inputOf, post, readFrames, runUrl, serve, speaker } from './servers.mjs';

const durable = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const folder = mkdtempSync(join(tmpdir(), 'agui-sqlite-'));
let redis;
before(async () => (redis = await startRedis()));
after(async () => {
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The logs of each engine: its place for a new one. */
const engines = { RedisLog: () => redis.url, SQLiteLog: () => join(folder, 'runs.db') };

const LEASE = 1000;

async function startWorker(context, engine, lease = LEASE, ...options) {
  const worker = fork(new URL('worker.mjs', import.meta.url), [engine, engines[engine](), String(lease), ...options.map(String)]);
  context.after(() => worker.kill('SIGKILL'));
  const [port] = await once(worker, 'message');
  return { worker, url: `http://127.0.0.1:${port}/agent` };
}

/** A server of this process on the same logs. */
function serveHere(context, engine, agent = speaker()) {
  const log = new durable[engine](engines[engine]());
  context.after(() => log.close());
  return serve(context, nodeHandler(agent, { log, authorize: 'public', lease: LEASE }));
}

for (const engine of Object.keys(engines)) {
  test(`${engine}: a run whose process was killed ends for its readers, and its thread is free`, async (context) => {
    const { worker, url } = await startWorker(context, engine);
    const here = await serveHere(context, engine);
    const begun = framesOf(await readFrames(await post(url, inputOf('killed', 'r'), { 'ag-ui-resume': '1' }), 3));
    const elsewhere = await fetch(runUrl(here, 'killed', 'r'));
    assert.equal((await post(here, inputOf('killed', 'q'))).status, 409);
    worker.kill('SIGKILL');
    const killedAt = performance.now();
    const events = framesOf(await elsewhere.text()).map(eventOf);
    assert.ok(performance.now() - killedAt < LEASE + 5000);
    assert.equal(begun.length, 3);
    assert.deepEqual(events.map(({ type }) => type), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'RUN_ERROR']);
    assert.equal(events.at(-1).code, 'producer_lost');
    const next = await post(here, inputOf('killed', 'q'));
    assert.equal(framesOf(await next.text()).map(eventOf).at(-1).type, 'RUN_FINISHED');
  });

  test(`${engine}: a process that stands still past its lease is fenced: one end`, async (context) => {
    const { worker, url } = await startWorker(context, engine);
    const here = await serveHere(context, engine);
    await readFrames(await post(url, inputOf('stopped', 'r'), { 'ag-ui-resume': '1' }), 3);
    worker.kill('SIGSTOP');
    const reading = await fetch(runUrl(here, 'stopped', 'r'));
    const whole = await reading.text();
    worker.kill('SIGCONT');
    assert.equal((await cancel(url, 'stopped', 'r')).status, 202);
    const again = framesOf(await (await fetch(runUrl(url, 'stopped', 'r'))).text()).map(eventOf);
    assert.equal(framesOf(whole).map(eventOf).at(-1).code, 'producer_lost');
    assert.equal(again.filter(({ type }) => type === 'RUN_ERROR' || type === 'RUN_FINISHED').length, 1);
  });

  test(`${engine}: a cancel at one process reaches the run of another`, async (context) => {
    const { url } = await startWorker(context, engine);
    const here = await serveHere(context, engine);
    const response = await post(url, inputOf('cancelled', 'r'));
    const elsewhere = await fetch(runUrl(here, 'cancelled', 'r'));
    const at = performance.now();
    assert.equal((await cancel(here, 'cancelled', 'r')).status, 202);
    for (const reader of [response, elsewhere]) {
      const events = framesOf(await reader.text()).map(eventOf);
      assert.equal(events.at(-1).outcome.type, 'cancelled');
    }
    assert.ok(performance.now() - at < LEASE + 5000);
  });

  test(`${engine}: the same request at two servers runs the agent once`, async (context) => {
    const agent = speaker();
    const urls = [await serveHere(context, engine, agent), await serveHere(context, engine, agent)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => post(urls[index % 2], inputOf('twice', 'r'))));
    const ends = await Promise.all(answers.map(async (answer) => framesOf(await answer.text()).map(eventOf).at(-1).type));
    assert.equal(agent.runs, 1);
    assert.deepEqual([...new Set(ends)], ['RUN_FINISHED']);
  });

  test(`${engine}: a process that shuts down ends the runs that go on, long before the end of their leases`, async (context) => {
    const { worker, url } = await startWorker(context, engine, 30_000, 500);
    const here = await serveHere(context, engine);
    await readFrames(await post(url, inputOf('drained', 'r'), { 'ag-ui-resume': '1' }), 3);
    const reading = await fetch(runUrl(here, 'drained', 'r'));
    worker.kill('SIGTERM');
    const toldAt = performance.now();
    assert.equal(framesOf(await reading.text()).map(eventOf).at(-1).code, 'producer_lost');
    const took = performance.now() - toldAt;
    assert.ok(took < 10_000, `the time to drain, and what processes need under load: ${took} ms`);
    if (worker.exitCode === null) await once(worker, 'exit');
    assert.equal(worker.exitCode, 0);
    const next = await post(here, inputOf('drained', 'q'));
    assert.equal(framesOf(await next.text()).map(eventOf).at(-1).type, 'RUN_FINISHED');
  });

  test(`${engine}: a run has time to end when its process shuts down`, async (context) => {
    const { worker, url } = await startWorker(context, engine, 30_000, 30_000);
    const here = await serveHere(context, engine);
    const response = await post(url, inputOf('brief', 'brief'), { 'ag-ui-resume': '1' });
    worker.kill('SIGTERM');
    const events = framesOf(await response.text()).map(eventOf);
    assert.equal(events.at(-1).type, 'RUN_FINISHED');
    assert.equal(framesOf(await (await fetch(runUrl(here, 'brief', 'brief'))).text()).map(eventOf).at(-1).type, 'RUN_FINISHED');
    if (worker.exitCode === null) await once(worker, 'exit');
    assert.equal(worker.exitCode, 0);
  });

  test(`${engine} keeps no process alive`, async () => {
    const program = `
      const { require } = await import(${JSON.stringify(new URL('../packages.mjs', import.meta.url).href)});
      const { ${engine} } = require('ag-ui-native/durable');
      const log = new ${engine}(${JSON.stringify(engines[engine]())});
      const key = { thread: 't', run: 'r' };
      log.watch(key, () => undefined);
      console.log((await log.execute({ operation: 'info', key })).reply);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (piece) => (said += piece));
    const [code] = await once(child, 'close'); // Behind 'exit' more of its text may come.
    assert.deepEqual([code, said], [0, 'unknown\n']);
  });
}

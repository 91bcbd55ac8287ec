// The stream that fetchHandler answers with, in the hands of others; servers in threads; and what many requests leave behind.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { folder, require } from '../packages.mjs';
import { asking, eventsOf, input, until } from '../servers.mjs';

const { fetchHandler } = require('ag-ui-native/server');
const { assertEvents } = require('ag-ui-native/testing');

const turn = () => new Promise(setImmediate);
const COUNT = 50;
const all = ['RUN_STARTED', 'TEXT_MESSAGE_START', ...new Array(COUNT).fill('TEXT_MESSAGE_CONTENT'), 'TEXT_MESSAGE_END', 'RUN_FINISHED'];

/** Asks an agent that writes more than may be ahead of its reader; `seen` records the progress of the agent. */
async function answered() {
  const seen = { written: 0, reason: undefined, isDone: false };
  const handler = fetchHandler(async (run) => {
    run.signal.addEventListener('abort', () => (seen.reason = run.signal.reason));
    try {
      const message = run.textMessage();
      for (; seen.written < COUNT; seen.written++) await message.write('x'.repeat(5_000));
    } finally {
      seen.isDone = true;
    }
  });
  return { response: await handler(new Request('http://localhost/', asking)), seen };
}

test('tee: both readers get everything, and one may go', async () => {
  const { response } = await answered();
  const copy = response.clone();
  for (const events of await Promise.all([eventsOf(response), eventsOf(copy)])) assertEvents(events, all);
  const second = await answered();
  const [left, right] = second.response.body.tee();
  const cancelled = left.cancel('enough');
  assertEvents(await eventsOf(new Response(right, { headers: second.response.headers })), all);
  assert.equal(second.seen.reason, undefined);
  await cancelled;
});

test('tee: when both have gone, so has the client', async () => {
  const { response, seen } = await answered();
  const [left, right] = response.body.tee();
  await Promise.all([left.cancel('a'), right.cancel('b')]);
  await until(() => seen.isDone);
  assert.deepEqual(seen.reason, ['a', 'b']);
});

test('a reader that hands over to another', async () => {
  const { response } = await answered();
  const chunks = [];
  for (let isDone = false; !isDone; ) {
    const reader = response.body.getReader();
    const { done, value } = await reader.read();
    reader.releaseLock();
    isDone = done;
    if (!done) chunks.push(value);
  }
  assertEvents(await eventsOf(new Response(new Blob(chunks), { headers: response.headers })), all);
});

test('cancelled after any number of reads', async () => {
  for (let reads = 0; reads <= COUNT + 6; reads++) {
    const { response, seen } = await answered();
    const reader = response.body.getReader();
    let isOver = false;
    for (let at = 0; at < reads && !isOver; at++) isOver = (await reader.read()).done;
    await reader.cancel(`after ${reads}`);
    await until(() => seen.isDone, `after ${reads} reads the agent waits`);
    if (seen.written < COUNT) assert.equal(seen.reason, `after ${reads}`);
    if (isOver) assert.equal(seen.reason, undefined);
  }
});

test('cancelled in the turn in which it begins, ends or fails', async () => {
  for (const agent of [() => {}, turn, () => Promise.reject(new Error('x')), (run) => run.finish(), async (run) => { await turn(); run.cancel() }]) {
    for (let turns = 0; turns < 4; turns++) {
      const response = await fetchHandler(agent)(new Request('http://localhost/', asking));
      for (let at = 0; at < turns; at++) await turn();
      await response.body.cancel();
      await turn();
    }
  }
});

/** A server in a thread, which sends its port. */
const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { createServer } = require('node:http');
  const { nodeHandler } = require(workerData);
  const server = createServer(nodeHandler(async (run) => {
    const message = run.textMessage();
    for (let at = 0; at < 20 || run.runId === 'endless'; at++) {
      await message.write('x'.repeat(1_000));
      if (at % 5 === 4) await new Promise(setImmediate);
    }
    return run.threadId;
  }));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function thread() {
  const worker = new Worker(SERVER, { eval: true, workerData: require.resolve('ag-ui-native/server') });
  const [port] = await once(worker, 'message');
  const ask = (more) => fetch(`http://127.0.0.1:${port}`, { ...asking, body: JSON.stringify({ ...input, ...more }) });
  return { worker, ask };
}

test('servers in threads, which are terminated while they stream', async () => {
  const threads = await Promise.all([thread(), thread(), thread()]);
  const answers = await Promise.all(threads.flatMap(({ ask }, at) => Array.from({ length: 5 }, () => ask({ threadId: `t${at}` }))));
  const ends = await Promise.all(answers.map(async (answer) => (await eventsOf(answer)).at(-1).result));
  assert.deepEqual(ends, ['t0', 't1', 't2'].flatMap((id) => Array(5).fill(id)));
  const [gone, ...others] = threads;
  const readers = await Promise.all(Array.from({ length: 5 }, async () => (await gone.ask({ runId: 'endless' })).body.getReader()));
  await Promise.all(readers.map((reader) => reader.read()));
  const broken = readers.map(async (reader) => {
    while (!(await reader.read()).done);
  });
  // The rejections are handled before they occur.
  const settled = Promise.allSettled(broken);
  await gone.worker.terminate();
  for (const { status } of await settled) assert.equal(status, 'rejected');
  for (const { ask, worker } of others) {
    assert.equal((await eventsOf(await ask({ threadId: 'still' }))).at(-1).result, 'still');
    await worker.terminate();
  }
});

test('five thousand requests leave nothing behind', () => {
  const script = `
    const { connect } = require('node:net');
    const { createServer } = require('node:http');
    const { once } = require('node:events');
    const { nodeHandler } = require('ag-ui-native/server');
    const body = ${JSON.stringify(asking.body)};
    const request = 'POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body;
    const agent = async (run) => {
      const message = run.textMessage();
      for (let n = 0; n < 5; n++) await message.write('é'.repeat(200));
      run.state.list = [n = 1];
      run.toolCall('f', { a: 1 }).result('x');
    };
    let n;
    (async () => {
      const server = createServer(nodeHandler(agent, { signal: new AbortController().signal, timeLimit: 60_000 }));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect(server.address().port, '127.0.0.1');
      let tail = '';
      let answered;
      socket.setEncoding('latin1').on('data', (text) => {
        tail = (tail + text).slice(-5);
        if (tail === '0\\r\\n\\r\\n') answered();
      });
      const series = [];
      for (let round = 0; round < 40; round++) {
        for (let at = 0; at < 500; at++) {
          const done = new Promise((resolve) => (answered = resolve));
          socket.write(request);
          await done;
        }
        for (let turn = 0; turn < 3; turn++) { gc(); await new Promise(setImmediate); }
        const { heapUsed, rss } = process.memoryUsage();
        series.push({ heapUsed, rss });
        // V8 lets its heap grow in steps: it is flat once five rounds have added nothing. A leak of each request would be there
        // 2,500 times.
        const [before, after] = [series.slice(-8, -5), series.slice(-3)];
        const grown = (name) => Math.min(...after.map((one) => one[name])) - Math.max(...before.map((one) => one[name]));
        if (round >= 9 && grown('heapUsed') < 250_000 && grown('rss') < 1_000_000) process.exit(0);
      }
      console.error(series);
      process.exit(1);
    })();
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

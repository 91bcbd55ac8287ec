// Agents that ignore their signal: the run ends for its caller all the same, and its memory is freed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, require } from '../packages.mjs';
import { asking, eventsOf, listen, post, until, ways } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { assertEvents, runAgent } = require('ag-ui-native/testing');

const never = () => new Promise(() => undefined);
const began = ['RUN_STARTED', 'TEXT_MESSAGE_START', { delta: 'began' }, 'TEXT_MESSAGE_END'];

/** Writes, and then never returns. */
async function deaf(run) {
  await run.textMessage().write('began');
  await never();
}

test('runAgent answers although the agent ignores its signal', async () => {
  const stop = new AbortController();
  const stopped = (run) => {
    setImmediate(() => stop.abort());
    return deaf(run);
  };
  const cancelled = await runAgent(stopped, {}, { signal: stop.signal });
  assertEvents(cancelled.events, [...began, { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }]);
  assert.deepEqual([cancelled.outcome, cancelled.messages.at(-1).content], ['cancelled', 'began']);
  const late = await runAgent(deaf, {}, { timeLimit: 10 });
  assertEvents(late.events, [...began, { type: 'RUN_ERROR', code: 'run_timeout' }]);
});

for (const [way, serve] of Object.entries(ways)) {
  test(`${way}: the answer of an agent that ignores its signal ends`, async () => {
    const { ask, close } = await serve(deaf, { timeLimit: 10 });
    assertEvents(await eventsOf(await ask()), [...began, { code: 'run_timeout' }]);
    close();
  });
}

test('the handler is done with a client that has gone', async () => {
  let done = 0;
  const handler = nodeHandler(deaf);
  const { url, close } = await listen((...both) => void handler(...both).then(() => done++));
  const leave = new AbortController();
  await fetch(url, { ...asking, signal: leave.signal });
  leave.abort();
  await until(() => done === 1, 'it waits for the agent');
  close();
});

test('what agents that ignore their signals leave behind', () => {
  const script = `
    const { createServer, request } = require('node:http');
    const { once } = require('node:events');
    const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
    const headers = { 'content-type': 'application/json' };
    const turn = () => new Promise(setImmediate);
    // The test keeps every agent alive, and the server's shutdown signal outlives all runs.
    const kept = [];
    const agent = async (run) => {
      await run.textMessage().write('x');
      await new Promise((resolve) => kept.push(resolve));
    };
    const forgotten = () => new Promise(() => undefined);
    const left = [];
    const see = (name, object) => left.push({ name, ref: new WeakRef(object) });
    (async () => {
      const options = { signal: new AbortController().signal, timeLimit: 1_000_000, onError: () => undefined };
      const handler = nodeHandler(agent, options);
      const deaf = fetchHandler((run) => (see('run', run), forgotten()), options);
      const server = createServer((request, response) => {
        see('request', request);
        see('response', response);
        handler(request, response);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      for (let at = 0; at < 20; at++) {
        const asked = request({ port: server.address().port, method: 'POST', headers, agent: false }).on('error', () => undefined);
        asked.end(body);
        const [response] = await once(asked, 'response');
        response.on('error', () => undefined);
        await once(response, 'data');
        asked.destroy();
        const answer = await deaf(new Request('http://localhost/', { method: 'POST', headers, body }));
        await answer.body.cancel();
      }
      for (let round = 0; round < 100; round++) {
        for (let at = 0; at < 5; at++) await new Promise((resolve) => setTimeout(resolve, 2));
        gc();
        if (kept.length === 20 && left.filter(({ ref }) => ref.deref()).length <= 3) process.exit(0);
      }
      console.error(left.filter(({ ref }) => ref.deref()).map(({ name }) => name));
      process.exit(1);
    })();
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('an agent that has ended its run and works on', async () => {
  let work, cleaned;
  const going = new Promise((resolve) => (work = resolve));
  const handler = nodeHandler(async (run) => {
    run.textMessage().write('all');
    run.finish(5);
    assert.throws(() => run.custom('late', 1), { rule: 'V02' });
    await going;
    cleaned = [run.isRunning, run.signal.aborted];
  });
  const { port, close } = await listen(handler);
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  await once(socket, 'connect');
  const request = `${post().join('\r\n')}\r\n\r\n${asking.body}`;
  socket.write(request);
  // The last chunk is there while the agent works, and the connection takes the next request.
  await until(() => text.endsWith('0\r\n\r\n'), 'the answer has no end');
  assert.match(text, /"type":"RUN_FINISHED"[^\n]*"result":5[^\n]*\n\n\r\n0\r\n\r\n$/);
  assert.equal(cleaned, undefined);
  socket.write(request);
  await until(() => text.match(/\r\n0\r\n\r\n/g).length === 2, 'the connection is not free');
  socket.destroy();
  work();
  await until(() => cleaned);
  assert.deepEqual(cleaned, [false, false]);
  close();
});

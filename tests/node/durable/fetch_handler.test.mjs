// Runs with a log behind fetchHandler.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { require } from '../packages.mjs';
import { eventOf, framesOf, gate, idOf, inputOf, JSON_TYPE, readFrames, runUrl, speaker, typesOf } from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { fetchHandler } = require('ag-ui-native/server');

const URL_OF_AGENT = 'http://localhost/agent';
const posted = (input, headers = {}) => new Request(URL_OF_AGENT, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(input) });
const read = (after) => new Request(runUrl(URL_OF_AGENT, 't', 'r', after));

test('a run is read, cut, resumed, joined and cancelled', async () => {
  const { open: go, opened } = gate();
  const agent = speaker(() => opened);
  const handle = fetchHandler(agent, { log: new MemoryLog(), authorize: 'public' });
  const first = await handle(posted(inputOf('t', 'r'), { 'ag-ui-resume': '1' }));
  assert.equal(first.headers.get('content-location'), '?thread=t&run=r');
  const begun = framesOf(await readFrames(first, 3));
  const live = await handle(read(idOf(begun.at(-1))));
  const joined = await handle(read());
  assert.match(joined.headers.get('ag-ui-prefix'), /^\d+;through=3$/);
  assert.equal((await handle(new Request(`${URL_OF_AGENT}/threads/t`))).status, 200);
  go();
  const rest = framesOf(await live.text());
  const whole = await (await handle(read(idOf(begun[0]).replace(/1$/, '0')))).text();
  assert.deepEqual([...begun, ...rest], framesOf(whole));
  assert.equal(typesOf(await joined.text()).at(-1), 'RUN_FINISHED');
  assert.equal((await handle(read(idOf(rest.at(-1))))).status, 204);
  assert.equal(agent.runs, 1);
});

test('a cancel ends the run', async () => {
  const handle = fetchHandler((run) => once(run.signal, 'abort'), { log: new MemoryLog(), authorize: 'public' });
  const response = await handle(posted(inputOf('t', 'r')));
  const cancelled = await handle(new Request(`${URL_OF_AGENT}/threads/t/runs/r/cancel`, { method: 'POST', headers: JSON_TYPE }));
  assert.equal(cancelled.status, 202);
  assert.equal(framesOf(await response.text()).map(eventOf).at(-1).outcome.type, 'cancelled');
});

test('a request that is aborted ends its reader', async () => {
  const watching = { now: 0 };
  const memory = new MemoryLog();
  const log = {
    execute: (operation) => memory.execute(operation),
    watch(...about) {
      const unwatch = memory.watch(...about);
      watching.now++;
      return () => {
        watching.now--;
        unwatch();
      };
    },
  };
  const { open: go, opened } = gate();
  const handle = fetchHandler(speaker(() => opened), { log, authorize: 'public', onDisconnect: 'continue' });
  const first = await handle(posted(inputOf('t', 'r')));
  const aborting = new AbortController();
  const second = await handle(new Request(runUrl(URL_OF_AGENT, 't', 'r'), { signal: aborting.signal }));
  assert.equal(watching.now, 3);
  aborting.abort();
  assert.equal(watching.now, 2);
  await second.body.cancel();
  go();
  await first.text();
  while (watching.now > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('authorize gets the request', async () => {
  const requests = [];
  const handle = fetchHandler(speaker(), { log: new MemoryLog(), authorize: (request) => (requests.push(request), null) });
  const request = read();
  assert.equal((await handle(request)).status, 404);
  assert.equal(requests[0], request);
});


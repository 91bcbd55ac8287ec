// When a comment is due: one table for all servers. The clock is the script's.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from './packages.mjs';

const { fetchHandler } = require('ag-ui-native/server');

const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
const COMMENT = ': \n\n';
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Timers and a clock in milliseconds that go on when the test says so. */
function given(t) {
  const clock = { now: 0, timers: new Set() };
  t.mock.method(performance, 'now', () => clock.now);
  t.mock.method(globalThis, 'setTimeout', (work, duration) => {
    const timer = { at: clock.now + duration, work, unref() {} };
    clock.timers.add(timer);
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer) => clock.timers.delete(timer));
  clock.goOn = async (to) => {
    clock.now = to;
    for (const timer of [...clock.timers].filter(({ at }) => at <= to)) {
      clock.timers.delete(timer);
      timer.work();
    }
    for (let turns = 0; turns < 4; turns++) await turn();
  };
  return clock;
}

for (const { name, pause, writes = [], behind = [], end, binary, until, comments } of fixture('server_silence')) {
  test(name, async (t) => {
    const clock = given(t);
    let run;
    let finish;
    const agent = (given) => ((run = given), new Promise((resolve) => (finish = resolve)));
    const headers = { 'content-type': 'application/json', ...(binary && { accept: 'application/vnd.ag-ui.event+proto' }) };
    const response = await fetchHandler(agent, { heartbeat: pause * 1000 })(new Request('http://localhost/', { method: 'POST', headers, body }));
    const reader = response.body.getReader();
    const filled = [];
    let isReading = false;
    let second = 0;
    // One read at a time: whoever reads no more is behind.
    const read = () => {
      if (isReading || (second >= behind[0] && second < behind[1])) return;
      isReading = true;
      void reader.read().then(({ done, value }) => {
        isReading = done;
        if (!done && Buffer.from(value).toString('latin1').includes(COMMENT)) filled.push(second);
        if (!done) read();
      });
    };
    read();
    await turn();
    for (second = 1; second <= until; second++) {
      if (second === end) finish();
      if (writes.includes(second)) run.custom('c', 1);
      // Of much that is written, the first is taken by who has asked for it already.
      if (second === behind[0]) {
        for (let at = 0; at < 3; at++) {
          run.custom('c', 'x'.repeat(20_000));
          await turn();
        }
      }
      read();
      await turn();
      await clock.goOn(second * 1000);
    }
    finish();
    assert.deepEqual(filled, comments);
    await reader.cancel();
  });
}

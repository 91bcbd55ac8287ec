// When a comment is due: one table for all servers. The clock is the script's.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { fetchHandler } = require('ag-ui-native/server');

const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
const COMMENT = ': \n\n';
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Timers and a clock in milliseconds that the test moves forward. */
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

/** A response of the function of requests, and its reader. */
async function answer({ pause, binary }, agent) {
  const headers = { 'content-type': 'application/json', ...(binary && { accept: 'application/vnd.ag-ui.event+proto' }) };
  const response = await fetchHandler(agent, { heartbeat: pause * 1000 })(new Request('http://localhost/', { method: 'POST', headers, body }));
  const reader = response.body.getReader();
  const seen = { comments: [], pings: [] };
  let isReading = false;
  // One read at a time: a reader that does not read again is behind.
  const read = (second) => {
    seen.second = second;
    if (isReading) return;
    isReading = true;
    void reader.read().then(({ done, value }) => {
      isReading = done;
      if (!done && Buffer.from(value).toString('latin1').includes(COMMENT)) seen.comments.push(seen.second);
      if (!done && !seen.isBehind) read(seen.second);
    });
  };
  return { seen, read, leave: () => reader.cancel() };
}

/** A WebSocket as Bun has them. */
async function converse({ pause, binary }, agent) {
  const handler = fetchHandler(agent, { heartbeat: pause * 1000 });
  const seen = { comments: [], pings: [] };
  const socket = {
    send: () => (seen.isBehind ? -1 : 1),
    ping: () => seen.pings.push(seen.second),
    close: () => handler.websocket.close(socket),
    terminate() {
      seen.givenUp = seen.second;
      handler.websocket.close(socket);
    },
  };
  const upgrade = (request, { data }) => ((socket.data = data), handler.websocket.open(socket), true);
  const headers = { upgrade: 'websocket', ...(binary && { 'sec-websocket-protocol': 'vnd.ag-ui.event+proto' }) };
  await handler(new Request('http://localhost/', { headers }), { upgrade });
  handler.websocket.message(socket, body);
  const read = (second) => {
    seen.second = second;
    if (!seen.isBehind) handler.websocket.drain(socket);
  };
  return { seen, read, hear: () => handler.websocket.pong(socket), leave: () => handler.websocket.close(socket) };
}

for (const script of fixture('server_heartbeat_rule')) {
  const { name, websocket, writes = [], heard = [], behind = [], end, until, comments, pings = [], given_up } = script;
  test(name, async (t) => {
    const clock = given(t);
    let run;
    let finish;
    const agent = (given) => ((run = given), new Promise((resolve) => (finish = resolve)));
    const { seen, read, hear, leave } = await (websocket ? converse : answer)(script, agent);
    read(0);
    for (let turns = 0; turns < 4; turns++) await turn();
    for (let second = 1; second <= until && seen.givenUp === undefined; second++) {
      seen.isBehind = second >= behind[0] && second < behind[1];
      if (second === end) finish();
      if (heard.includes(second)) hear();
      if (writes.includes(second)) run.custom('c', 1);
      // The first of several writes goes to the read that is already pending.
      if (second === behind[0]) {
        for (let at = 0; at < 3; at++) {
          run.custom('c', 'x'.repeat(20_000));
          await turn();
        }
      }
      if (!seen.isBehind) read(second);
      await turn();
      seen.second = second;
      await clock.goOn(second * 1000);
    }
    finish();
    assert.deepEqual([seen.comments, seen.pings, seen.givenUp], [comments, pings, given_up]);
    await leave();
  });
}

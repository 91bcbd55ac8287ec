// Agents amid which anything may hang, throw, or end the run, by seeds: each run ends, and its agent is free then.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { randomness } from '../random_agent.mjs';
import { call, finished, frames, never, pause, started, text } from '../scripted_agent.mjs';

const { Agent } = require('ag-ui-native/client');

const callbacks = ['onRunInitialized', 'onRunFailed', 'onRunFinalized', 'onEvent', 'onTextMessageContentEvent', 'onRunFinishedEvent', 'onNewMessage', 'onMessagesChanged', 'onNewToolCall'];
const outcomes = new Set(['success', 'aborted']);

/** An agent of a seed, and a way to run it to its end. */
function chaotic(seed) {
  const random = randomness(seed);
  const chance = (percent) => random(100) < percent;
  const anything = async () => {
    const number = random(100);
    if (number < 2) await never;
    if (number < 5) throw [new Error('mine'), undefined, null, 'text'][random(4)];
    if (number < 7) await agent.detachActiveRun();
    if (number < 9) agent.abortRun();
    if (number < 20) await pause(random(4));
    if (number < 22) await agent.ask('within').catch(() => undefined);
    if (number < 24) agent.addMessage({ id: `x${random(1000)}`, role: 'user', content: 'x' });
  };
  let asked = 0;
  async function* transport() {
    const at = asked++;
    const said = [...text(`m${at}`, 'a', 'b'), ...(chance(10) ? [] : [finished])];
    try {
      for (const piece of frames(started, ...(at < 2 && chance(50) ? [...call(`c${at}`, 'look'), ...call(`d${at}`, 'look'), finished] : said))) {
        if (chance(20)) await pause(random(4));
        if (chance(1)) await never;
        if (chance(1)) throw new Error('transport');
        yield piece;
      }
      if (chance(10)) await never;
    } finally {
      if (chance(10)) throw new Error('finally');
    }
  }
  const subscriber = Object.fromEntries(callbacks.filter(() => chance(30)).map((name) => [name, anything]));
  async function* middleware(input, next) {
    await anything();
    for await (const event of next(input)) {
      if (chance(5)) await anything();
      yield event;
    }
  }
  const timeouts = { idle: 200, ...(chance(50) && { total: 100 }) };
  const agent = new Agent(transport, { timeouts, middleware: chance(30) ? [middleware] : [], subscribers: [subscriber], tools: [{ name: 'look', execute: anything }] });
  const controller = new AbortController();
  const way = ['runAgent', 'run', 'stream', 'askStream'][random(4)];
  let stream;
  async function run() {
    if (way === 'runAgent') return agent.runAgent({ signal: controller.signal });
    stream = way === 'askStream' ? agent.askStream('Hi', { signal: controller.signal }) : agent[way]({ signal: controller.signal });
    let left = chance(30) ? random(8) : Infinity;
    for await (const _ of stream) if (left-- === 0) break;
    return stream.result ?? stream.reply?.result;
  }
  const leave = [() => agent.abortRun(), () => controller.abort(), () => agent.detachActiveRun(), () => stream?.return(), () => undefined][random(5)];
  return { agent, run, leave, after: random(40) };
}

test('runs end, whatever happens', { timeout: 60_000 }, async () => {
  const unhandled = [];
  const note = (error) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const seen = new Set();
  const live = async (seed) => {
    const { agent, run, leave, after } = chaotic(seed);
    const timers = [setTimeout(leave, after), setTimeout(() => agent.abortRun(), 150), setTimeout(() => agent.abortRun(), 250)];
    const result = await run().catch(() => undefined);
    timers.forEach(clearTimeout);
    assert.equal(agent.isRunning, false, `seed ${seed}`);
    if (result) assert.ok(outcomes.has(result.outcome), `seed ${seed}: ${result.outcome}`);
    seen.add(result?.outcome);
  };
  for (let seed = 0; seed < 300; seed += 30) await Promise.all(Array.from({ length: 30 }, (_, at) => live(seed + at)));
  // On a busy machine all may have been left before their end: what runs alone gets there.
  for (let seed = 300; seen.size < 3 && seed < 600; seed++) await live(seed);
  await pause(10); // A rejection would come in a later turn.
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  assert.deepEqual(seen, new Set(['success', 'aborted', undefined]));
});

// Coalesced events have the same result as the original events, in the same order.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { Random } from '../../differential/random.mjs';
import { require } from '../packages.mjs';

const { applyEvents, verifyEvents } = require('ag-ui-native/stream');
const { Coalescer, coalesceEvents } = require('ag-ui-native/server');

const DELTAS = { TEXT_MESSAGE_CONTENT: 'messageId', TOOL_CALL_ARGS: 'toolCallId', REASONING_MESSAGE_CONTENT: 'messageId' };

function aRun(chance) {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm' },
    { type: 'TEXT_MESSAGE_START', messageId: 'n' },
    { type: 'TOOL_CALL_START', toolCallId: 'm', toolCallName: 'f' },
    { type: 'REASONING_START', messageId: 'q' },
    { type: 'REASONING_MESSAGE_START', messageId: 'q', role: 'reasoning' },
  ];
  for (let at = 0; at < 40; at++) {
    const kind = chance.below(10) < 4 ? chance.one([...Object.keys(DELTAS), 'CUSTOM']) : events.at(-1).type;
    if (!(kind in DELTAS)) {
      events.push({ type: 'CUSTOM', name: 'n', value: at });
      continue;
    }
    const id = { TEXT_MESSAGE_CONTENT: chance.one(['m', 'n']), TOOL_CALL_ARGS: 'm', REASONING_MESSAGE_CONTENT: 'q' }[kind];
    const event = { type: kind, [DELTAS[kind]]: id, delta: chance.one(['', 'a', 'long', 'é']) };
    if (chance.below(5) === 0) event.metadata = { [chance.one(['x', 'y'])]: chance.below(3) };
    if (chance.below(10) === 0) Object.assign(event, chance.one([{ timestamp: 1 }, { rawEvent: { a: 1 } }]));
    events.push(event);
  }
  return events;
}

const reduced = (events) => {
  const { messages, state } = applyEvents(events);
  return JSON.stringify([messages, state]);
};

for (let seed = 0; seed < 100; seed++) {
  test(`what is coalesced comes to the same, seed ${seed}`, () => {
    const chance = new Random(seed + 1);
    const events = aRun(chance);
    const maxDelay = chance.one([0, 10, 1000, Infinity]);
    const coalescer = new Coalescer({ maxBytes: chance.one([0, 3, 1000]), maxDelay });
    const out = [];
    let now = 0;
    for (const event of events) {
      now += chance.one([0, 4, 20]);
      if (coalescer.deadline <= now) out.push(...coalescer.flush(coalescer.deadline));
      out.push(...coalescer.push(event, now));
    }
    out.push(...coalescer.flush(now));
    assert.deepEqual(coalescer.flush(), []);
    assert.equal(coalescer.deadline, undefined);
    assert.equal(reduced(out), reduced(events));
    verifyEvents(out);
    const others = (events) => events.filter(({ type }) => !(type in DELTAS));
    assert.deepEqual(others(out), others(events));
    assert.ok(others(out).every((event) => events.includes(event)));
    if (maxDelay === 0) assert.ok(out.every((event, at) => event === events[at]) && out.length === events.length);
  });
}

const text = (delta, more = {}) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta, ...more });

test('the first goes out at once and the rest together', () => {
  const coalescer = new Coalescer({ maxBytes: 100, maxDelay: 1000 });
  const [first, second] = [text('a'), text('b', { metadata: { x: 1 }, timestamp: 1 })];
  assert.equal(coalescer.push(first, 1000)[0], first);
  assert.deepEqual(coalescer.push(second, 1250), []);
  assert.equal(coalescer.deadline, 2000);
  assert.deepEqual(coalescer.push(text('c', { metadata: { y: 2 } }), 1500), []);
  assert.deepEqual(coalescer.flush(2000), [{ ...text('bc'), metadata: { x: 1, y: 2 } }]);
  coalescer.push(second, 2500);
  const other = { type: 'CUSTOM', name: 'n', value: 1n };
  const out = coalescer.push(other, 2500);
  assert.ok(out.length === 2 && out[0] === second && out[1] === other);
});

test('what is no delta is refused and the rest waits on', () => {
  const coalescer = new Coalescer({ maxDelay: Infinity });
  const waiting = text('b');
  coalescer.push(text('a'));
  coalescer.push(waiting);
  assert.throws(() => coalescer.push(text(1)), { name: 'AGUIValidationError', path: '/delta' });
  assert.throws(() => coalescer.push(null), TypeError);
  assert.throws(() => coalescer.push(text('a'), 'now'), TypeError);
  assert.equal(coalescer.flush()[0], waiting);
  for (const wrong of [{ maxDelay: -1 }, { maxDelay: NaN }, { maxBytes: -1 }, { maxBytes: 'x' }, null]) {
    assert.throws(() => new Coalescer(wrong), TypeError);
  }
});

test('deltas of an iterator go out together, in time', async () => {
  let goOn;
  const going = new Promise((resolve) => (goOn = resolve));
  async function* events() {
    for (const delta of 'abc') yield text(delta);
    await going;
    yield text('d');
  }
  const out = [];
  for await (const { delta } of coalesceEvents(events(), { maxDelay: 5 })) {
    out.push(delta);
    // Sent by the clock: the agent waits for us.
    if (out.join('') === 'abc') goOn();
  }
  assert.equal(out.join(''), 'abcd');
});

test('what waits goes out before an exception', async () => {
  for (const make of [async function* () { yield* 'abc'; throw new Error('mine'); }, function* () { yield* 'abc'; throw new Error('mine'); }]) {
    const events = make();
    const mapped = { [Symbol.asyncIterator]: () => ({ next: async () => { const { value, done } = await events.next(); return { done, value: done ? value : text(value) }; } }) };
    const out = [];
    await assert.rejects(async () => {
      for await (const { delta } of coalesceEvents(mapped, { maxDelay: 60_000 })) out.push(delta);
    }, /mine/);
    assert.deepEqual(out, ['a', 'bc']);
  }
});

test('the agent is closed with its reader, and no timer stays', async () => {
  const log = [];
  async function* events() {
    try {
      for (;;) yield text('a');
    } finally {
      await sleep(1);
      log.push('closed');
    }
  }
  for await (const _ of coalesceEvents(events(), { maxDelay: 60_000, maxBytes: 3 })) if (log.push('event') === 3) break;
  assert.deepEqual(log, ['event', 'event', 'event', 'closed']);
  await assert.rejects(async () => { for await (const _ of coalesceEvents(5)); }, TypeError);
  const listed = [];
  for await (const { delta } of coalesceEvents([text('a'), text('b'), text('c')], { maxDelay: 60_000 })) listed.push(delta);
  assert.deepEqual(listed, ['a', 'bc']);
});

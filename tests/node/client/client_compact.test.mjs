// Core decides some things by numbers instead of events, or later than the events come: compaction, verification of snapshots, and
// expansion of chunks that replace each other. The results are the same as with the events.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../differential/random.mjs';
import { require } from '../packages.mjs';

const ours = require('ag-ui-native/operators');
const official = require('@ag-ui/client');
const { ChunkExpander, compactEvents, EventVerifier } = require('ag-ui-native/stream');
const rxjs = require('rxjs');

const plain = (value) => JSON.parse(JSON.stringify(value));
/** If a call sets limits, even to the defaults, core reads every event. */
const WHOLE = { profile: 'relay', limits: {} };

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const chunk = (messageId, more = {}) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId, delta: 'x', ...more });
const text = (part, messageId, more = {}) => ({ type: `TEXT_MESSAGE_${part}`, messageId, ...more });
const call = (part, toolCallId, more = {}) => ({ type: `TOOL_CALL_${part}`, toolCallId, ...more });

/** Streams whose events alternate and which end in the order of their starts, with other events between them. */
function takingTurns(random) {
  const open = [];
  const events = [started];
  let names = 0;
  const begin = () => {
    const id = `an id that is rather long ${names++}`;
    const isCall = random.chance(0.4);
    open.push(isCall ? [call, 'ARGS', id] : [text, 'CONTENT', id]);
    events.push(isCall ? call('START', id, { toolCallName: 'f' }) : text('START', id, { role: 'assistant' }));
  };
  const end = () => {
    const [make, , id] = open.shift();
    events.push(make('END', id));
  };
  for (let count = 0; count < 60; count++) {
    if (random.chance(0.15)) begin();
    else if (random.chance(0.1) && open.length > 0) end();
    else if (random.chance(0.1)) events.push({ type: 'CUSTOM', name: `n${count}`, value: count });
    else if (open.length > 0) {
      const [make, part, id] = random.one(open);
      events.push(make(part, id, { delta: `${count} `, ...(random.chance(0.1) && { metadata: { [`k${count % 3}`]: count } }) }));
    }
  }
  while (open.length > 0) end();
  return [...events, finished];
}

test('streams that take turns', () => {
  let moved = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const events = takingTurns(new Random(seed));
    const found = plain(ours.compactEvents(events));
    assert.deepEqual(found, plain(official.compactEvents(events)), `seed ${seed}`);
    assert.deepEqual(found, plain(compactEvents(events, WHOLE)), `seed ${seed}`);
    assert.deepEqual(plain(ours.compactEvents(found)), found);
    if (found.length < events.length - 10) moved++;
  }
  assert.ok(moved > 200, String(moved));
});

const message = (id, more = {}) => ({ id, role: 'assistant', content: 'x', ...more });
const tool = (id) => ({ id, type: 'function', function: { name: 'f', arguments: '' } });
const ids = ['a', 'b', 'c', ''];

/** Every kind of event that compaction handles, with few ids. */
const kinds = [
  (random) => text('START', random.one(ids), { role: random.one(['user', 'assistant']), ...(random.chance(0.2) && { name: 'n' }) }),
  (random) => text('CONTENT', random.one(ids), { delta: 'd' }),
  (random) => text('CONTENT', random.one(ids), { delta: 'e' }),
  (random) => text('END', random.one(ids)),
  (random) => call('START', random.one(ids), { toolCallName: random.one(['f', 'g']), ...(random.chance(0.5) && { parentMessageId: random.one(ids) }) }),
  (random) => call('ARGS', random.one(ids), { delta: '{' }),
  (random) => call('END', random.one(ids)),
  (random) => ({ type: 'TOOL_CALL_RESULT', messageId: random.one(ids), toolCallId: random.one(ids), content: 'r' }),
  (random) => ({ type: 'ACTIVITY_SNAPSHOT', messageId: random.one(ids), activityType: 'p', content: {}, ...(random.chance(0.5) && { replace: random.chance(0.5) }) }),
  (random) => ({ type: 'ACTIVITY_DELTA', messageId: random.one(ids), activityType: 'p', patch: [] }),
  (random) => ({ type: 'REASONING_MESSAGE_START', messageId: random.one(ids), role: 'reasoning' }),
  (random) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId: random.one(ids), delta: 'r' }),
  (random) => ({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: random.one(ids), encryptedValue: 'x' }),
  (random) => ({ type: 'MESSAGES_SNAPSHOT', messages: random.list(3, () => message(random.one(ids), { toolCalls: random.list(2, () => tool(random.one(ids))) })) }),
  () => ({ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }),
  () => ({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 2 }] }),
  () => ({ type: 'CUSTOM', name: 'n', value: null }),
  (random) => ({ ...started, ...(random.chance(0.5) && { input: { ...started, type: undefined, messages: [message(random.one(ids))], state: {}, tools: [], context: [], forwardedProps: {} } }) }),
  () => finished,
  (random) => chunk(random.one(ids)),
];
const carried = [['metadata', { k: 1 }], ['metadata', { j: 2 }], ['timestamp', 5], ['rawEvent', {}], ['subagentRunId', 's'], ['subagentRunId', 't']];

function anything(random) {
  const makers = random.chance(0.5) ? kinds.slice(0, -1) : kinds;
  return Array.from({ length: random.one([3, 10, 30]) }, () => {
    const event = plain(random.one(makers)(random));
    if (random.chance(0.2)) event[random.one(carried)[0]] = undefined;
    if (random.chance(0.3)) {
      const [key, value] = random.one(carried);
      if (key !== 'subagentRunId' || !/^(RUN|MESSAGES)/.test(event.type)) event[key] = value;
    }
    return event;
  });
}

test('whatever compaction looks at', () => {
  for (let seed = 1; seed <= 4_000; seed++) {
    const events = anything(new Random(seed));
    const before = plain(events);
    assert.deepEqual(plain(ours.compactEvents(events)), plain(compactEvents(before, WHOLE)), `seed ${seed}`);
    assert.deepEqual(plain(events), before);
  }
});

test('what stays is the same object, and what is joined has no more than it needs', () => {
  const events = [started, text('START', 'm'), text('CONTENT', 'm', { delta: 'a', timestamp: 1 }), text('END', 'm'), finished];
  const found = ours.compactEvents(events);
  assert.deepEqual([0, 1, 3, 4].filter((at) => found[at] !== events[at]), []);
  assert.deepEqual(found[2], text('CONTENT', 'm', { delta: 'a' }));
  const alone = [started, { type: 'CUSTOM', name: 'n', value: 1 }];
  assert.deepEqual(ours.compactEvents(alone), alone);
  assert.notEqual(ours.compactEvents(alone), alone);
  assert.deepEqual(ours.compactEvents([]), []);
});

test('what compaction does not look at may be anything, or not be there', () => {
  const run = (...between) => [{ type: 'RUN_STARTED', input: {} }, { type: 'CUSTOM' }, text('START', 'm', { timestamp: 'noon' }), text('CONTENT', 'm', { delta: 'a' }), text('CONTENT', 'm', { delta: 'b' }), text('END', 'm'), ...between, { type: 'RUN_ERROR' }];
  assert.deepEqual(ours.compactEvents(run()), official.compactEvents(run()));
  // Of chunks it depends on more what may move; snapshots are made.
  const turns = [chunk('n'), text('START', 'a'), text('START', 'b'), text('CONTENT', 'a', { delta: 'a' }), text('CONTENT', 'b', { delta: 'b' }), text('END', 'b'), text('END', 'a')];
  const states = [{ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }, { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/a' }] }];
  const found = ours.compactEvents(run(...turns, ...states));
  assert.deepEqual(found.at(-2), { type: 'STATE_SNAPSHOT', snapshot: {} });
  assert.deepEqual(found.filter(({ messageId }) => messageId === 'm').length, 3);
});

test('an event that compaction cannot read is named by its place, even one that is folded', () => {
  const odd = [started, text('START', 'm'), text('CONTENT', 'm', { delta: 'a' }), { type: 'TEXT_MESSAGE_CONTENT', delta: 'b' }];
  assert.throws(() => ours.compactEvents(odd), { code: 'missing_field', eventIndex: 3 });
  const states = [started, { type: 'STATE_SNAPSHOT', snapshot: {} }, finished, started, { type: 'STATE_SNAPSHOT', snapshot: {} }, { type: 'STATE_DELTA', delta: 5 }];
  assert.throws(() => ours.compactEvents(states), { name: 'AGUIValidationError', eventIndex: 5 });
});

test('deltas of a state that do not apply are told', () => {
  const delta = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/none' }] };
  const warnings = [];
  const found = compactEvents([started, { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }, delta], { onWarning: (warning) => warnings.push(warning) });
  assert.deepEqual(found.at(-1), { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } });
  assert.deepEqual(warnings.map(({ eventIndex }) => eventIndex), [2]);
});

/** Returns how the stream of a stage ends: the number of events that passed, and the rule and place of the failure. */
function ended(operator, events) {
  const found = { count: 0 };
  rxjs.from(events).pipe(operator).subscribe({
    next: () => found.count++,
    error: ({ rule, eventIndex, message }) => Object.assign(found, { rule, eventIndex, message }),
  });
  return found;
}

function verified(events) {
  const verifier = new EventVerifier({ profile: 'relay' });
  for (let count = 0; count < events.length; count++) {
    try {
      verifier.check(events[count]);
    } catch ({ rule, eventIndex, message }) {
      return { count, rule, eventIndex, message };
    }
  }
  return { count: events.length };
}

/** Runs with snapshots, of which some have tags. */
function seeded(random) {
  const tag = () => (random.chance(0.15) ? { subagentRunId: random.one(['s', 't']) } : {});
  const names = ['a', 'b', 'c', 'd'];
  const roles = [(id) => message(id, { toolCalls: random.list(2, () => tool(random.one(names))) }), (id) => ({ id, role: 'user', content: 'x' }), (id) => ({ id, role: 'reasoning', content: 'x' }), (id) => ({ id, role: 'activity', activityType: 'p', content: {} })];
  const snapshot = () => ({ type: 'MESSAGES_SNAPSHOT', messages: random.list(4, () => ({ ...random.one(roles)(random.one(names)), ...tag() })) });
  const made = [
    snapshot,
    snapshot,
    () => ({ type: 'TOOL_CALL_RESULT', messageId: random.one(names), toolCallId: random.one(names), content: 'r', ...tag() }),
    () => ({ type: 'ACTIVITY_SNAPSHOT', messageId: random.one(names), activityType: 'p', content: {}, ...tag() }),
    () => ({ type: 'ACTIVITY_DELTA', messageId: random.one(names), activityType: 'p', patch: [], ...tag() }),
    () => ({ type: 'REASONING_ENCRYPTED_VALUE', subtype: random.one(['message', 'tool-call']), entityId: random.one(names), encryptedValue: 'x', ...tag() }),
    () => call('START', random.one(names), { toolCallName: 'f', ...(random.chance(0.5) && { parentMessageId: random.one(names) }), ...tag() }),
    () => text('START', random.one(names), { role: 'assistant', ...tag() }),
    () => ({ type: 'CUSTOM', name: 'n', value: 1, ...tag() }),
  ];
  const run = () => [{ ...started, ...(random.chance(0.3) && { input: { threadId: 't', runId: 'r', messages: snapshot().messages, state: {}, tools: [], context: [], forwardedProps: {} } }) }, ...Array.from({ length: 8 }, () => random.one(made)())];
  return [...run(), { type: 'RUN_ERROR', message: 'x' }, ...run()];
}

test('messages of snapshots are read when their owner is asked for', () => {
  const rules = new Set();
  for (let seed = 1; seed <= 4_000; seed++) {
    const events = seeded(new Random(seed));
    const found = ended(ours.verifyEvents(), events);
    assert.deepEqual(found, verified(events), `seed ${seed}`);
    assert.equal(ended(official.verifyEvents(), events).count, found.count, `seed ${seed}`);
    rules.add(found.rule);
  }
  for (const rule of ['V14', 'V17', 'V18']) assert.ok(rules.has(rule), rule);
});

test('many messages, some changed behind the back', () => {
  const snapshots = Array.from({ length: 30 }, (_, at) => ({ type: 'MESSAGES_SNAPSHOT', messages: Array.from({ length: 1_000 }, (_, index) => message(`m${at}-${index}`)) }));
  const asks = { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'x', subagentRunId: 's' };
  const claims = text('START', 'm3-500', { subagentRunId: 's' });
  for (const events of [[started, ...snapshots, claims], [started, ...snapshots, asks, claims]]) {
    const stream = new rxjs.Subject();
    let failure;
    stream.pipe(ours.verifyEvents()).subscribe({ error: (error) => { failure = error; } });
    for (const event of structuredClone(events)) {
      stream.next(event);
      if (event.messages) for (const one of event.messages) one.id = 'changed';
    }
    assert.deepEqual([failure?.rule, failure?.eventIndex], ['V14', events.length - 1]);
  }
});

test('what is no message is refused at once', () => {
  for (const odd of [null, 5, { role: 'user', content: 'x' }, message('a', { subagentRunId: null }), message('a', { toolCalls: [{}] }), message('a', { toolCalls: 5 })]) {
    const { count, eventIndex } = ended(ours.verifyEvents(), [started, { type: 'MESSAGES_SNAPSHOT', messages: [message('b'), odd] }]);
    assert.deepEqual([count, eventIndex], [1, 1], JSON.stringify(odd));
  }
});

function expanded(events) {
  const expander = new ChunkExpander({ profile: 'relay' });
  const out = [];
  for (let at = 0; at < events.length; at++) {
    try {
      out.push(...expander.push(events[at]));
    } catch ({ rule, eventIndex }) {
      return { out, rule, eventIndex };
    }
  }
  return { out };
}

test('chunks that take the place of others', () => {
  const names = ['a', 'b', 'c'];
  const makers = [
    (random) => chunk(random.one(names), { ...(random.chance(0.3) && { role: random.one(['user', 'assistant']) }), ...(random.chance(0.2) && { timestamp: 1 }), ...(random.chance(0.2) && { metadata: { k: 1 } }), ...(random.chance(0.1) && { delta: undefined }) }),
    (random) => chunk(random.one(names)),
    (random) => chunk(random.one(names)),
    (random) => ({ type: 'TOOL_CALL_CHUNK', toolCallId: random.one(names), toolCallName: 'f', delta: '{', ...(random.chance(0.3) && { parentMessageId: random.one(names) }) }),
    () => ({ type: 'TEXT_MESSAGE_CHUNK', delta: 'y' }),
    (random) => chunk(random.one(names), { subagentRunId: 's' }),
    () => ({ type: 'CUSTOM', name: 'n', value: 1 }),
    () => ({ type: 'RAW', event: 1 }),
  ];
  let failures = 0;
  for (let seed = 1; seed <= 4_000; seed++) {
    const random = new Random(seed);
    const few = random.chance(0.5) ? makers.slice(0, 3) : makers;
    const events = Array.from({ length: 20 }, () => {
      const event = random.one(few)(random);
      if ('delta' in event && event.delta === undefined) delete event.delta;
      return event;
    });
    const out = [];
    const found = {};
    rxjs.from(events).pipe(ours.transformChunks()).subscribe({ next: (event) => out.push(event), error: ({ rule, eventIndex }) => Object.assign(found, { rule, eventIndex }) });
    assert.deepEqual(plain({ out, ...found }), plain(expanded(events)), `seed ${seed}`);
    failures += found.rule ? 1 : 0;
  }
  assert.ok(failures > 200, String(failures));
});

test('before the first chunk nothing is asked of core, and what is refused is the same', () => {
  const addon = require('./dist/native/native.cjs').native();
  const { createStage } = addon;
  const made = [];
  addon.createStage = (...what) => (made.push(what[0]), createStage(...what));
  try {
    const passing = [started, text('START', 'm', { subagentRunId: 's' }), { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' }, { type: 'NEW' }, finished];
    assert.deepEqual(ended(ours.transformChunks(), passing), { count: passing.length });
    assert.deepEqual(made, []);
    const odd = [{ subagentRunId: 5 }, { subagentRunId: '\ud800' }, { type: 'SUBAGENT_FINISHED', subagentRunId: undefined }, { type: 'TEXT_MESSAGE_CHUNK', messageId: undefined, delta: 'x' }];
    for (const members of odd) {
      const events = [...passing, { ...text('END', 'm'), ...members }];
      const { count, eventIndex, message: said } = ended(ours.transformChunks(), events);
      assert.deepEqual([count, eventIndex], [passing.length, passing.length], said);
    }
    assert.deepEqual(made, odd.map(() => 'expand'));
  } finally {
    addon.createStage = createStage;
  }
});

test('snapshots that come again, and change from the middle on', () => {
  const of = (...ids) => ({ type: 'MESSAGES_SNAPSHOT', messages: ids.map((id) => message(id, { toolCalls: [tool(`${id}1`), tool(`${id}2`)] })) });
  for (const asked of [text('START', 'b', { subagentRunId: 's' }), call('START', 'd2', { toolCallName: 'f', subagentRunId: 's' })]) {
    for (const snapshots of [[of('a', 'b', 'c', 'd')], [of('a', 'x'), of('a', 'b', 'd')], [of('a', 'b', 'c'), of('b'), of('a', 'd')]]) {
      const events = [started, ...snapshots, ...snapshots, asked];
      const found = ended(ours.verifyEvents(), events);
      assert.deepEqual(found, verified(events));
      assert.deepEqual([found.rule, found.eventIndex], ['V14', events.length - 1]);
    }
  }
});

test('streams far apart are joined, and the result shares no object', () => {
  const metadata = { k: 1 };
  const calls = Array.from({ length: 3_000 }, (_, at) => call('END', `c${at}`));
  const events = [started, text('START', 'm'), text('CONTENT', 'm', { delta: 'a', metadata }), ...calls, text('CONTENT', 'm', { delta: 'b' }), text('CONTENT', 'm', { delta: 'c' }), text('END', 'm'), finished];
  const joined = ours.compactEvents(events).filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT');
  assert.deepEqual(joined, [text('CONTENT', 'm', { delta: 'abc', metadata })]);
  assert.notEqual(joined[0].metadata, metadata);
});

test('an event that has another\'s members is read for itself', () => {
  const start = text('START', 'm', { role: 'assistant' });
  const custom = { type: 'CUSTOM', name: 'n', value: { a: 1 } };
  const kept = (event) => compactEvents([started, start, custom, event, finished])[3];
  assert.deepEqual(kept(text('START', 'm2', { role: 'user' })), text('START', 'm2', { role: 'user' }));
  for (const [odd, code] of [[text('START', 'm2', { role: 5 }), 'wrong_type'], [text('START', 5, { role: 'assistant' }), 'wrong_type'], [text('START', '\ud800', { role: 'assistant' }), 'lone_surrogate']]) {
    assert.throws(() => kept(odd), { eventIndex: 3 }, code);
  }
  assert.deepEqual(kept({ type: 'TEXT_MESSAGE_START', messageId: 'm2', new: 'x' }), text('START', 'm2'));
  assert.deepEqual(kept(text('START', 'm2', { role: 'wizard' })), text('START', 'm2'));
  assert.deepEqual(kept({ ...custom, value: null }), { ...custom, value: null });
});

// `defaultApplyEvents` of `/client` beside that of @ag-ui/client: the same reports, the same callbacks in the same order, and the
// same effect of values that subscribers return.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ruleOf } from '../../differential/rules.mjs';
import { streamOf } from '../../differential/streams.mjs';
import { fixture, require } from '../packages.mjs';

const ours = require('ag-ui-native/operators');
const official = require('@ag-ui/client');
const rxjs = require('rxjs');
console.warn = console.error = () => {};

const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Applies the events. Returns the reports, the calls of subscribers, and the messages and state of the agent at the end. */
async function applied(client, { events, messages = [], state = {}, pendingInterrupts = [] }, subscribers = () => []) {
  const told = [];
  const agent = plain({ messages, state, pendingInterrupts });
  const input = { threadId: 't', runId: 'r', messages: agent.messages, state: agent.state, tools: [], context: [] };
  const source = new rxjs.Subject();
  const made = client.defaultApplyEvents(input, source, agent, subscribers((...what) => told.push(plain(what))));
  assert.ok(made instanceof rxjs.Observable);
  let ended;
  made.subscribe({
    next(report) {
      told.push(['report', ...Object.keys(report).sort()]);
      Object.assign(agent, report);
    },
    error: (error) => { ended = error.rule ?? ruleOf(error); },
    complete: () => { ended = 'complete'; },
  });
  for (const event of plain(events)) {
    if (ended) break;
    told.push(['sent', event.type]);
    source.next(event);
    await settled();
  }
  source.complete();
  await settled();
  return { told, ended, messages: plain(agent.messages), state: plain(agent.state), pendingInterrupts: plain(agent.pendingInterrupts) };
}

async function compare(stream, subscribers, what) {
  const expected = await applied(official, stream, subscribers);
  assert.deepEqual(await applied(ours, stream, subscribers), expected, what);
  return expected;
}

const types = Object.values(official.EventType);
const callbackOf = (type) => `on${type.split('_').map((word) => word[0] + word.slice(1).toLowerCase()).join('')}Event`;

/** A subscriber that records all notifications. The reference never has partial arguments. */
const noting = (tell) => {
  const note = (name) => ({ event, agent, input, partialToolCallArgs: _, ...rest }) => {
    assert.ok(agent && input);
    tell(name, event?.type, rest);
  };
  const names = ['onEvent', 'onNewMessage', 'onNewToolCall', ...types.filter((type) => !type.endsWith('_CHUNK')).map(callbackOf)];
  return [Object.fromEntries(names.map((name) => [name, note(name)]))];
};

/** Cases in which the reference is wrong, or shares objects: `tests/differential` compares them. */
const departs = new Set(fixture('stream-exceptions').filter(({ section }) => section === 'apply').map(({ name }) => name));

test('the recorded cases', async () => {
  const { cases } = fixture('stream-cases');
  const names = cases.filter(({ section, schema, quirk }) => section === 'apply' && schema === undefined && quirk === undefined);
  assert.ok(names.length > 80);
  for (const { name, input } of names) {
    if (departs.has(name)) continue;
    await compare(input, undefined, name);
    await compare(input, noting, name);
  }
});

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const opened = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const piece = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' };
const closed = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
const call = (toolCallId) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'look' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"a":' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '1}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const run = [
  started, opened, piece, piece, closed, ...call('c'), ...call('d'), { type: 'TOOL_CALL_RESULT', toolCallId: 'c', messageId: 'n', content: 'found' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }, { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 2 }] },
  { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/none' }] }, { type: 'CUSTOM', name: 'n', value: 1 }, finished,
];

test('a run with one who is told of all', async () => {
  const { told } = await compare({ events: run }, noting);
  assert.ok(told.some(([name, , { pendingToolCallIds } = {}]) => name === 'onRunFinishedEvent' && pendingToolCallIds[0] === 'd'));
});

test('what a conversation does not depend on may be anything, or not be there', async () => {
  const message = [{ ...opened, timestamp: 'noon' }, { ...piece, rawEvent: 5, timestamp: {} }, { ...closed, timestamp: [] }];
  const input = { messages: [{ id: 'u', role: 'user', content: 'Hi' }], tools: 5, context: 7 };
  const begun = [{}, { runId: 'r' }, { threadId: null, runId: 5, protocolVersion: [], parentRunId: {}, usage: 7 }, { input }, { input: {} }, { input: 5 }];
  const between = [{ type: 'CUSTOM' }, { type: 'RAW' }, { type: 'STEP_STARTED' }, { type: 'REASONING_START' }, { type: 'SUBAGENT_STARTED', name: 5 }, { type: 'NEW', a: 1 }];
  const ended = [{ type: 'RUN_FINISHED' }, { type: 'RUN_FINISHED', threadId: 5, usage: 7, outcome: { type: 'interrupt', interrupts: [{ id: 'i' }, { id: 'j', reason: 5, expiresAt: [], metadata: 7 }] } }, { type: 'RUN_ERROR' }];
  for (const more of begun) {
    for (const end of ended) {
      const { ended } = await compare({ events: [{ type: 'RUN_STARTED', ...more }, ...between, ...message, end] }, undefined, JSON.stringify([more, end]));
      assert.equal(ended, 'complete');
    }
  }
  for (const lost of ['toolCallId', 'toolCallName', 'delta']) {
    const events = call('c').map(({ [lost]: _, ...event }) => event);
    const read = async () => {
      for await (const _ of ours.defaultApplyEvents({ messages: [], state: {} }, events, { messages: [] }, []));
    };
    await assert.rejects(read, { code: 'missing_field', path: `/${lost}` });
  }
});

test('what subscribers replace and stop', async () => {
  const system = { id: 's', role: 'system', content: 'be kind' };
  for (const type of types.filter((type) => run.some((event) => event.type === type))) {
    const callback = callbackOf(type);
    for (const answer of [
      () => ({ stopPropagation: true }),
      ({ messages }) => ({ messages: [...messages, system] }),
      ({ messages }) => ({ messages: messages.slice(1), state: { replaced: true }, stopPropagation: true }),
      () => ({ state: { replaced: true } }),
      () => { throw new Error('of a subscriber'); },
      async () => ({ state: 5 }),
    ]) {
      // The reference adds to the message that was there before, and so loses the delta.
      const names = /CONTENT|ARGS|_END/.test(type) && `${answer}`.includes('system') ? ['onEvent'] : [callback, 'onEvent'];
      for (const name of names) {
        const once = () => {
          let isDone = false;
          return (params) => {
            if (isDone || params.event.type !== type) return undefined;
            isDone = true;
            return answer(params);
          };
        };
        await compare({ events: run, messages: [{ id: 'u', role: 'user', content: 'hi' }], state: { a: 0 } }, (tell) => [{ [name]: once() }, ...noting(tell)], `${name} of ${type}, ${answer}`);
      }
    }
  }
});

test('events that come in one go are applied one after the other, all before one that fails', async () => {
  const source = new rxjs.Subject();
  const agent = { messages: [], pendingInterrupts: [] };
  const reports = [];
  let failure;
  ours.defaultApplyEvents({ messages: [], state: {} }, source, agent, [{ onEvent: () => settled() }]).subscribe({
    next: ({ messages }) => reports.push(messages?.[0]?.content),
    error: (error) => { failure = error; },
  });
  [started, opened, piece, piece].forEach((event) => source.next(event));
  assert.equal(reports.length, 0);
  source.next({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'x' });
  while (!failure) await settled();
  assert.deepEqual([failure.rule, ...reports], ['A01', '', 'x', 'xx']);
  assert.ok(!source.observed);
});

test('arguments as they arrive', async () => {
  const seen = [];
  const subscriber = { onToolCallArgsEvent: ({ partialToolCallArgs }) => void seen.push(plain(partialToolCallArgs)) };
  await applied(ours, { events: [started, ...call('c')] }, () => [subscriber]);
  assert.deepEqual(seen, [{}, {}]);
  seen.length = 0;
  const pieces = ['{"a":"x', 'y","b":2', '}'].map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta }));
  await applied(ours, { events: [started, call('c')[0], ...pieces] }, () => [subscriber]);
  assert.deepEqual(seen, [{}, { a: 'x' }, { a: 'xy' }]);
});

test('random streams', async () => {
  let count = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const { kind, events, ...stream } = streamOf(seed);
    if (kind !== 'valid' || JSON.stringify(events).match(/_CHUNK|THINKING|PATCH|_DELTA|"binary"|null/)) continue;
    count++;
    await compare({ ...stream, events }, noting, `seed ${seed}`);
  }
  assert.ok(count > 3, `${count}`);
});

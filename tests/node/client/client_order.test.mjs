// The results of runs, the order of the callbacks of subscribers, and data that a run must not change.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { call, finished, frames, hello, pause, scripted, started, text } from '../scripted_agent.mjs';

const { Agent } = require('ag-ui-native/client');

const calling = frames(started, ...call('c', 'look'), ...call('d', 'look'), finished);
const done = frames(started, ...text('z', 'Done'), finished);
const look = { name: 'look', execute: (_, { toolCall }) => `seen by ${toolCall.id}` };

/** A subscriber that logs its callbacks. */
function listener(log, name, wait) {
  const told = (what) => async () => {
    if (wait) await pause(5);
    log.push(`${name} ${what}`);
  };
  return {
    onRunInitialized: told('initialized'),
    onRunFinalized: told('finalized'),
    onMessagesChanged: told('changed'),
    onNewMessage: async ({ message }) => told(`${message.role} ${message.toolCallId ?? message.content ?? ''}`)(),
  };
}

test('answers of tools are told in order, to all', async () => {
  const expected = ['initialized', 'changed', 'finalized', 'tool c', 'changed', 'tool d', 'changed', 'initialized', 'changed', 'assistant Done', 'finalized'];
  for (const wait of [false, true]) {
    const log = [];
    const agent = scripted([calling, done], { tools: [look], subscribers: [listener(log, 'agent', wait)] });
    await agent.runAgent({}, listener(log, 'run', wait));
    const heard = (name) => log.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length + 1));
    // The number of changes of messages within a run is not tested here.
    const once = (lines) => lines.filter((line, at) => line !== lines[at - 1]);
    assert.deepEqual(once(heard('agent')), expected);
    assert.deepEqual(heard('run'), heard('agent'));
  }
});

test('a subscriber that throws at an answer fails the run', async () => {
  const agent = scripted([calling, done], { tools: [look] });
  const refusing = { onNewMessage: ({ message }) => { if (message.role === 'tool') throw new RangeError('mine'); } };
  await assert.rejects(agent.runAgent({}, refusing), RangeError);
  assert.deepEqual(agent.messages.map(({ role }) => role), ['assistant', 'assistant', 'tool']);
  assert.equal(agent.isRunning, false);
});

test('an agent runs until the whole call is over', async () => {
  const seen = [];
  const agent = scripted([calling, done]);
  const note = (where) => void seen.push([where, agent.isRunning]);
  agent.tool({ name: 'look', execute: () => note('tool') });
  await agent.runAgent({}, { onRunInitialized: () => note('initialized'), onRunFinalized: () => note('finalized') });
  assert.deepEqual(seen, ['initialized', 'finalized', 'tool', 'tool', 'initialized', 'finalized'].map((where) => [where, true]));
  assert.equal(agent.isRunning, false);
});

test('what could not be asked has not been said', async () => {
  const refusals = [];
  const ask = async (agent, ...given) => {
    for (const way of ['ask', 'askStream']) {
      const asked = way === 'ask' ? agent.ask(...given) : agent.askStream(...given).next();
      await asked.then(() => refusals.push('none'), ({ code, rule, name }) => refusals.push(rule ?? code ?? name));
    }
  };
  const busy = scripted([calling, done]);
  busy.tool({ name: 'look', execute: () => ask(busy, 'Hi') });
  await busy.runAgent({}, { onRunFinalized: () => ask(busy, 'Hi') });
  assert.deepEqual(new Set(refusals.splice(0)), new Set(['agent_busy']));
  assert.deepEqual(busy.messages.map(({ role }) => role), ['assistant', 'assistant', 'tool', 'tool', 'assistant']);

  const waiting = scripted([hello]);
  waiting.pendingInterrupts = [{ id: 'i', reason: 'r' }];
  await ask(waiting, 'Hi');
  assert.deepEqual(refusals.splice(0), ['L01', 'L01']);
  await ask(scripted([hello]), 'Hi', { tools: 5 });
  assert.deepEqual(refusals.splice(0), ['wrong_type', 'wrong_type']);
  const strange = scripted([hello]);
  await ask(strange, 5);
  assert.ok(refusals.splice(0).every((refusal) => refusal !== 'none'));
  assert.deepEqual([waiting.messages, strange.messages], [[], []]);

  const once = scripted([hello]);
  await Promise.allSettled([once.ask('1'), once.ask('2')]);
  assert.deepEqual(once.messages.map(({ content }) => content), ['1', 'Hello']);
});

test('what is said is told before the run, and may be answered by edits', async () => {
  const inputs = [];
  const agent = new Agent(({ input }) => (inputs.push(input), hello), { messages: [{ id: 'o', role: 'user', content: 'Old' }] });
  const log = [];
  const subscriber = {
    onRunInitialized: () => void log.push('initialized'),
    async onNewMessage({ message, agent }) {
      await pause(2);
      log.push(`${message.role} ${message.content}`);
      if (message.role === 'user') agent.setMessages(agent.messages.map((one) => ({ ...one, content: one.content.toUpperCase() })));
    },
  };
  const { messages, result } = await agent.ask('New', {}, subscriber);
  assert.deepEqual(log, ['user New', 'initialized', 'assistant Hello']);
  assert.deepEqual(inputs[0].messages.map(({ content }) => content), ['OLD', 'NEW']);
  assert.deepEqual(agent.messages.map(({ content }) => content), ['OLD', 'NEW', 'Hello']);
  assert.deepEqual(messages, result.newMessages);
  assert.deepEqual(messages.map(({ role }) => role), ['assistant']);
});

test('an end that a subscriber stops is an end all the same', async () => {
  const ends = [
    [{ type: 'RUN_ERROR', message: 'broken', code: 'c' }, { outcome: 'error', error: { message: 'broken', code: 'c' } }],
    [{ ...finished, result: 5 }, { outcome: 'success', result: 5 }],
    [{ ...finished, outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] } }, { outcome: 'interrupt' }],
  ];
  for (const [end, expected] of ends) {
    const own = end.type === 'RUN_ERROR' ? 'onRunErrorEvent' : 'onRunFinishedEvent';
    for (const callback of ['onEvent', own]) {
      const subscriber = { [callback]: ({ event }) => ({ stopPropagation: event.type === end.type }) };
      const agent = scripted([frames(started, end)]);
      const result = await agent.runAgent({}, subscriber);
      const { outcome, error, result: returned } = result;
      // As in the official client: if `onEvent` stops the end of a run, the result of the run is not reported.
      const { result: kept, ...rest } = expected;
      const told = callback === 'onEvent' || kept === undefined ? rest : expected;
      assert.deepEqual(JSON.parse(JSON.stringify({ outcome, error, result: returned })), told, callback);
      assert.deepEqual(agent.pendingInterrupts, []);
    }
  }
});

test('middleware that passes all on changes nothing', async () => {
  const late = (error) => async function* () {
    yield* hello;
    throw error;
  };
  const amid = async function* () {
    yield* hello.slice(0, 3);
    throw new RangeError('mine');
  };
  for (const transport of [late(new RangeError('mine')), late(undefined), amid, () => hello.slice(0, 3), () => hello]) {
    const ends = [];
    for (const middleware of [[], [(input, next) => next(input)], [async function* (input, next) { yield* next(input); }]]) {
      const agent = new Agent(transport, { middleware });
      const error = await agent.runAgent().then(({ outcome }) => outcome, (thrown) => thrown.code ?? thrown.message);
      ends.push([error, agent.messages.map(({ content }) => content)]);
    }
    assert.deepEqual(ends.slice(1), [ends[0], ends[0]]);
  }
});

test('middleware that fails behind the end has failed', async () => {
  const failing = async function* (input, next) {
    yield* next(input);
    throw new RangeError('mine');
  };
  await assert.rejects(scripted([hello], { middleware: [failing] }).runAgent(), RangeError);
});

test('errors of the application are not written upon', async () => {
  const error = Object.assign(new RangeError('mine'), { code: 'own' });
  const agent = new Agent(() => {
    throw error;
  });
  const thrown = await agent.runAgent().catch((caught) => caught);
  assert.equal(thrown, error);
  assert.deepEqual(Object.keys(error), ['code']);
  const events = agent.run();
  await assert.rejects(events.next(), (caught) => caught === error);
  assert.equal(events.result.outcome, 'failed');
  const cut = await scripted([hello.slice(0, 3)]).runAgent().catch((caught) => caught);
  assert.deepEqual([cut.code, cut.run.outcome, cut.run.text], ['stream_truncated', 'failed', 'Hel']);
});

test('a function for debugging that fails is reported', async () => {
  const errors = [];
  const agent = scripted([hello], { debug: () => { throw new RangeError('mine'); }, onError: (error) => errors.push(error) });
  assert.equal((await agent.runAgent()).outcome, 'success');
  assert.ok(errors.length > 0 && errors.every((error) => error instanceof RangeError));
});

// Calls of an agent that write, and the events that they send.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { failure, fixture, require } from '../packages.mjs';

const { assertEvents, runAgent, scriptedAgent } = require('ag-ui-native/testing');
const { fetchHandler } = require('ag-ui-native/server');

/** Runs an agent whose ids are numbers. */
function ran(agent, input, options) {
  let count = 0;
  const id = () => String(++count);
  const ids = { threadId: id, runId: id, messageId: id, toolCallId: id, stepId: id };
  return runAgent(agent, input, { ids, ...options });
}

/** The events between RUN_STARTED and the end. */
const written = async (agent, input, options) => (await ran(agent, input, options)).events.slice(1, -1);

test('the natural program', async () => {
  async function agent(run) {
    const message = run.textMessage();
    for (const delta of ['Hello, ', run.messages[0].content, '!']) await message.write(delta);
    message.end();
  }
  const { events, messages, outcome } = await ran(agent, { messages: [{ id: 'u', role: 'user', content: 'Ada' }] });
  assert.deepEqual(events, [
    { type: 'RUN_STARTED', threadId: 'thread', runId: 'run', protocolVersion: '1.1' },
    { type: 'TEXT_MESSAGE_START', messageId: '1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: '1', delta: 'Hello, ' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: '1', delta: 'Ada' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: '1', delta: '!' },
    { type: 'TEXT_MESSAGE_END', messageId: '1' },
    { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run' },
  ]);
  assert.equal(messages[1].content, 'Hello, Ada!');
  assert.equal(outcome, 'success');
});

const parts = [{ type: 'text', text: 'a part' }];
const toolText = fixture('tool_text');
const interrupt = { id: 'i', reason: 'confirmation', message: 'Sure?' };

/** Calls of an agent, and the events between the start and the end of the run. */
const cases = {
  'a message with everything': [
    (run) => run.textMessage({ id: 'm', role: 'system', name: 'n', metadata: { a: 1 } }).end(),
    [
      { type: 'TEXT_MESSAGE_START', metadata: { a: 1 }, messageId: 'm', role: 'system', name: 'n' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    ],
  ],
  'a whole message': [(run) => run.write('Hi'), ['TEXT_MESSAGE_START', { messageId: '1', delta: 'Hi' }, 'TEXT_MESSAGE_END']],
  reasoning: [
    (run) => {
      const reasoning = run.reasoning();
      reasoning.write('Hm');
      reasoning.encryptedValue('secret');
      reasoning.end();
    },
    [
      { type: 'REASONING_START', messageId: '1' },
      { type: 'REASONING_MESSAGE_START', messageId: '1', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: '1', delta: 'Hm' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: '1', encryptedValue: 'secret' },
      { type: 'REASONING_MESSAGE_END', messageId: '1' },
      { type: 'REASONING_END', messageId: '1' },
    ],
  ],
  'a call in pieces': [
    (run) => {
      const call = run.toolCall('look', undefined, { parentMessageId: 'p', metadata: { a: 1 } });
      call.write('{"at":');
      call.write('1}');
      call.result('seen', { messageId: 'r' });
    },
    [
      { type: 'TOOL_CALL_START', metadata: { a: 1 }, toolCallId: '1', toolCallName: 'look', parentMessageId: 'p' },
      { type: 'TOOL_CALL_ARGS', toolCallId: '1', delta: '{"at":' },
      { type: 'TOOL_CALL_ARGS', toolCallId: '1', delta: '1}' },
      { type: 'TOOL_CALL_END', toolCallId: '1' },
      { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: '1', content: 'seen', role: 'tool' },
    ],
  ],
  'a whole call': [
    (run) => {
      const call = run.toolCall('look', { at: [1, 'é'] }, { id: 'c' });
      call.encryptedValue('secret', 'p.t');
      call.result(parts);
      run.toolResult('of another run', 'late');
    },
    [
      { type: 'TOOL_CALL_START', toolCallId: 'c' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"at":[1,"é"]}' },
      'TOOL_CALL_END',
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c', encryptedValueType: 'p.t' },
      { type: 'TOOL_CALL_RESULT', messageId: '1', content: parts },
      { type: 'TOOL_CALL_RESULT', messageId: '2', toolCallId: 'of another run', content: 'late' },
    ],
  ],
  'a call with the text of an object, or scalars, for arguments': [
    (run) => {
      for (const [value] of toolText.arguments) run.toolCall('f', value);
      for (const value of toolText.refused) {
        const error = failure(() => run.toolCall('f', value));
        assert.deepEqual([error.code, error.path], ['wrong_type', '/arguments']);
        assert.match(error.message, /an object, or as the text of one/);
      }
      for (const none of [undefined, null]) run.toolCall('g', none, { id: `c-${none}` }).end();
    },
    [
      ...toolText.arguments.flatMap(([, delta]) => ['TOOL_CALL_START', { type: 'TOOL_CALL_ARGS', delta }, 'TOOL_CALL_END']),
      ...['c-undefined', 'c-null'].flatMap((toolCallId) => [{ type: 'TOOL_CALL_START', toolCallId }, { type: 'TOOL_CALL_END', toolCallId }]),
    ],
  ],
  'results of tools are text, parts, or any other value as JSON': [
    (run) => {
      for (const [value] of toolText.results) run.toolCall('f', {}).result(value);
      run.toolResult('c', { late: true });
      assert.throws(() => run.toolResult('c', undefined), { name: 'TypeError', message: /content: expected a JSON value, got undefined/ });
      assert.throws(() => run.toolResult('c', [{ type: 'text', text: 5 }]), { path: '/content/0/text' });
    },
    [
      ...toolText.results.flatMap(([, content]) => ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', { type: 'TOOL_CALL_RESULT', content }]),
      { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '{"late":true}' },
    ],
  ],
  steps: [
    (run) => {
      const step = run.step('look');
      run.step('leap');
      step.end();
      step.end();
    },
    [
      { type: 'STEP_STARTED', stepName: 'look' },
      { type: 'STEP_STARTED', stepName: 'leap' },
      { type: 'STEP_FINISHED', stepName: 'look' },
      { type: 'STEP_FINISHED', stepName: 'leap' },
    ],
  ],
  subagents: [
    (run) => {
      const outer = run.subagent('outer', { description: 'd', parentToolCallId: 'c', parentMessageId: 'm' });
      const inner = outer.subagent('inner', { id: 'in' });
      inner.write('deep');
      inner.custom('c', 1);
      outer.finish({ a: 1 });
      run.subagent('other').fail('no', { code: 'c' });
    },
    [
      { type: 'SUBAGENT_STARTED', subagentRunId: '1', name: 'outer', description: 'd', parentToolCallId: 'c', parentMessageId: 'm' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 'in', name: 'inner', parentSubagentRunId: '1' },
      { type: 'TEXT_MESSAGE_START', subagentRunId: 'in' },
      { type: 'TEXT_MESSAGE_CONTENT', subagentRunId: 'in', delta: 'deep' },
      { type: 'TEXT_MESSAGE_END', subagentRunId: 'in' },
      { type: 'CUSTOM', subagentRunId: 'in', name: 'c', value: 1 },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 'in', result: undefined },
      { type: 'SUBAGENT_FINISHED', subagentRunId: '1', result: { a: 1 } },
      { type: 'SUBAGENT_STARTED', name: 'other' },
      { type: 'SUBAGENT_ERROR', message: 'no', code: 'c' },
    ],
  ],
  'agents as subagents': [
    async (run) => {
      assert.equal(await run.subagent('one').run((sub) => (sub.write('x'), 5)), 5);
      const thrown = new Error('password');
      await assert.rejects(
        run.subagent('two').run((sub) => {
          sub.textMessage();
          throw thrown;
        }),
        (error) => error === thrown,
      );
    },
    [
      { type: 'SUBAGENT_STARTED', name: 'one' },
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      { type: 'SUBAGENT_FINISHED', result: 5 },
      { type: 'SUBAGENT_STARTED', name: 'two' },
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_END',
      { type: 'SUBAGENT_ERROR', code: 'agent_failed', message: 'the agent failed; see the server\'s log' },
    ],
  ],
  activities: [
    (run) => {
      run.activity('other', { at: 1 }, { id: 'o', replace: false }).update({ at: 2 });
      const activity = run.activity('search', { found: [] });
      activity.patch([{ op: 'add', path: '/found/-', value: 1 }]);
      const content = { found: [1, 2] };
      activity.update(content);
      content.found.push(3);
      activity.update(content);
      activity.update(content);
      assert.equal(failure(() => activity.patch([{ op: 'remove', path: '/nothing' }])).code, 'patch_target_missing');
      activity.snapshot({ found: 'all' });
    },
    [
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'o', activityType: 'other', content: { at: 1 }, replace: false },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'o', activityType: 'other', content: { at: 2 }, replace: undefined },
      { type: 'ACTIVITY_SNAPSHOT', messageId: '1', activityType: 'search', content: { found: [] } },
      { type: 'ACTIVITY_DELTA', messageId: '1', activityType: 'search', patch: [{ op: 'add', path: '/found/-', value: 1 }] },
      { type: 'ACTIVITY_DELTA', patch: [{ op: 'add', path: '/found/1', value: 2 }] },
      { type: 'ACTIVITY_DELTA', patch: [{ op: 'add', path: '/found/2', value: 3 }] },
      { type: 'ACTIVITY_SNAPSHOT', messageId: '1', content: { found: 'all' } },
    ],
  ],
  'whatever else there is': [
    (run) => {
      run.custom('c', { a: null });
      run.raw({ b: [] }, 'theirs');
      run.messagesSnapshot([{ id: 'u', role: 'user', content: 'Hi' }]);
      run.event({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'chunk' });
      run.subagent('s').event({ type: 'CUSTOM', name: 'own', value: 1, timestamp: 5 });
    },
    [
      { type: 'CUSTOM', name: 'c', value: { a: null } },
      { type: 'RAW', event: { b: [] }, source: 'theirs' },
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'u', role: 'user', content: 'Hi' }] },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'chunk' },
      'SUBAGENT_STARTED',
      { type: 'CUSTOM', subagentRunId: '1', name: 'own', timestamp: 5 },
      'SUBAGENT_FINISHED',
    ],
  ],
};

for (const [name, [agent, expected]] of Object.entries(cases)) {
  test(name, async () => {
    const { events, error } = await ran(agent);
    assert.equal(error, undefined, error?.stack);
    assertEvents(events.slice(1, -1), expected);
  });
}

test('scopes end what they have opened', async () => {
  const events = await written(async (run) => {
    for (const symbol of [Symbol.dispose, Symbol.asyncDispose]) {
      const message = run.textMessage();
      await message[symbol]();
      const sub = run.subagent('s');
      await sub[symbol]();
    }
  });
  const round = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED'];
  assertEvents(events, [...round, ...round]);
});

const ends = {
  'a value is the result': [() => ({ a: 1 }), { type: 'RUN_FINISHED', result: { a: 1 } }, 'success'],
  'null is none': [() => null, { type: 'RUN_FINISHED', result: undefined }, 'success'],
  'a result at once': [(run) => (run.finish(5), undefined), { type: 'RUN_FINISHED', result: 5 }, 'success'],
  interrupt: [(run) => void run.interrupt(interrupt), { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [interrupt] } }, 'interrupt'],
  cancel: [(run) => void run.cancel(), { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }, 'cancelled'],
  fail: [(run) => void run.fail('no', { code: 'c' }), { type: 'RUN_ERROR', message: 'no', code: 'c' }, 'error'],
  'an exception says nothing': [
    () => {
      throw new Error('password');
    },
    { type: 'RUN_ERROR', message: "the agent failed; see the server's log", code: 'agent_failed' },
    'error',
  ],
  'an exception of any kind': [() => Promise.reject(undefined), { type: 'RUN_ERROR', code: 'agent_failed' }, 'error'],
  'a result that is no JSON': [() => 5n, { type: 'RUN_ERROR', code: 'agent_failed' }, 'error'],
  'a state that is no JSON': [(run) => void (run.state.self = run.state), { type: 'RUN_ERROR', code: 'agent_failed' }, 'error'],
};

for (const [name, [agent, end, outcome]] of Object.entries(ends)) {
  test(`end: ${name}`, async () => {
    const done = await ran((run) => (run.textMessage(), agent(run)));
    assertEvents(done.events, ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', end]);
    assert.equal(done.outcome, outcome);
  });
}

test('an exception is shown when that is asked for, its stack never', async () => {
  const thrown = [];
  const error = new Error('out of ink \ud800');
  const agent = () => Promise.reject(error);
  const { events } = await ran(agent, {}, { showErrors: true, onError: (told) => thrown.push(told) });
  assert.deepEqual(events.at(-1), { type: 'RUN_ERROR', message: 'out of ink \ufffd', code: 'agent_failed' });
  assert.deepEqual(thrown, [error]);
  const odd = await ran(() => Promise.reject({ toString: () => assert.fail() }), {}, { showErrors: true });
  assert.equal(odd.events.at(-1).message, "the agent failed; see the server's log");
});

test('after its end a run takes nothing more', async () => {
  const errors = [];
  const { events } = await ran(
    (run) => {
      const message = run.textMessage();
      run.finish();
      assert.equal(run.isRunning, false);
      message.end();
      const late = [() => message.write('x'), () => run.write('x'), () => run.custom('c', 1), () => run.finish(), () => run.reasoning(), () => run.step('s')];
      for (const work of late) assert.equal(failure(work).rule, 'V02');
      run.usage({ inputTokens: 1 });
      throw new Error('late');
    },
    {},
    { onError: (error) => errors.push(error.message) },
  );
  assertEvents(events, ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
  assert.deepEqual(errors, ['late']);
});

test('what may not come now is refused where it is written, and changes nothing', async () => {
  const events = await written((run) => {
    const message = run.textMessage({ id: 'm' });
    assert.equal(failure(() => run.textMessage({ id: 'm' })).rule, 'V06');
    assert.equal(failure(() => message.write('\ud800')).code, 'lone_surrogate');
    assert.equal(failure(() => run.custom('\udc00', 1)).code, 'lone_surrogate');
    assert.equal(failure(() => run.reasoning({ id: '\udc00' })).code, 'lone_surrogate');
    assert.equal(failure(() => run.event({ type: 'CUSTOM', name: 5, value: 1 })).path, '/name');
    assert.equal(failure(() => run.event({ type: 'CUSTOM', name: 'c', value: 1, other: 1 })).code, 'unknown_field');
    assert.equal(failure(() => run.interrupt()).code, 'too_few_items');
    assert.equal(failure(() => run.interrupt({ id: 'i' })).path, '/outcome/interrupts/0/reason');
    for (const wrong of [5, null, undefined, {}, Symbol('s')]) assert.ok(failure(() => message.write(wrong)) instanceof TypeError);
    message.end();
    assert.equal(failure(() => message.write('x')).code, 'sequence_broken');
  });
  assertEvents(events, ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END']);
});

test('the state follows', async () => {
  const agent = async (run) => {
    run.state.steps.push('look');
    await run.write('a');
    await run.write('b');
    run.state.steps.push('leap');
    run.flushState();
    run.flushState();
    run.state = { done: true, others: 'x'.repeat(100) };
  };
  const state = { steps: [], plan: 'a plan of some length '.repeat(5) };
  const { events, ...done } = await ran(agent, { state });
  const updates = events.filter(({ type }) => type.startsWith('STATE'));
  assertEvents(updates, [
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/steps/0', value: 'look' }] },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/steps/1', value: 'leap' }] },
    { type: 'STATE_SNAPSHOT' },
  ]);
  assert.deepEqual(done.state, { done: true, others: 'x'.repeat(100) });
  for (const [stateFlush, count] of [['end', 2], ['manual', 1]]) {
    const { events } = await ran(agent, { state }, { stateFlush });
    assert.equal(events.filter(({ type }) => type.startsWith('STATE')).length, count, stateFlush);
  }
});

test('what the input brings', async () => {
  const resume = [{ interruptId: 'i', status: 'resolved', payload: { yes: true } }];
  await ran(
    (run) => {
      assert.deepEqual(run.resume, resume);
      assert.deepEqual(run.answer('i'), resume[0]);
      assert.equal(run.answer('j'), undefined);
      assert.deepEqual([run.threadId, run.runId, run.input.forwardedProps], ['t', 'r', { a: 1 }]);
      assert.deepEqual(run.warnings.map(({ path }) => path), ['/colour']);
      assert.equal(run.signal.aborted, false);
    },
    { threadId: 't', runId: 'r', resume, forwardedProps: { a: 1 }, colour: 'red' },
  ).then(({ error }) => assert.equal(error, undefined, error?.stack));
  const { events } = await ran(() => 1, { parentRunId: 'p', forwardedProps: 5 }, { echoInput: true });
  assert.deepEqual([events[0].parentRunId, events[0].input.forwardedProps], ['p', 5]);
  await assert.rejects(ran(() => 1, { messages: 5 }), { code: 'wrong_type', path: '/messages' });
});

test('tokens are summed up', async () => {
  const { events } = await ran((run) => {
    run.usage({ model: 'm', inputTokens: 1 });
    run.usage([{ model: 'm', inputTokens: 2 }, { model: 'n', outputTokens: 3 }]);
    assert.equal(failure(() => run.usage({ inputTokens: -1 })).code, 'number_out_of_range');
  });
  assert.deepEqual(events.at(-1).usage, [{ model: 'm', inputTokens: 3 }, { model: 'n', outputTokens: 3 }]);
});

test('a state is not shown', async () => {
  const { error } = await ran(
    (run) => {
      const shown = [run, run.textMessage(), run.subagent('s'), run.activity('a', { secret: 'hidden' }), run.step('x'), run.toolCall('t')];
      for (const one of shown) assert.doesNotMatch(inspect(one, { depth: 9, showHidden: true }), /hidden/, one.constructor.name);
      for (const one of shown) assert.doesNotMatch(JSON.stringify(one) + inspect({ ...one }, { depth: 9 }), /hidden/, one.constructor.name);
    },
    { state: { secret: 'hidden' }, messages: [{ id: 'u', role: 'user', content: 'hidden' }] },
  );
  assert.equal(error, undefined, error?.stack);
});

test('a scripted agent', async () => {
  const agent = scriptedAgent([
    'Hello',
    { text: ['a', 'b'] },
    { reasoning: 'hm' },
    { toolCall: 'look', arguments: { at: 1 }, result: 'seen' },
    { state: { seen: true } },
    { custom: 'c', value: 1 },
    { event: { type: 'RAW', event: 1 } },
    { wait: 1 },
    (run) => run.step('s').end(),
    { result: 5 },
    'never',
  ]);
  const { messages, state, result, events } = await ran(agent);
  assert.deepEqual(messages.map(({ role }) => role), ['assistant', 'assistant', 'reasoning', 'assistant', 'tool']);
  assert.deepEqual([state, result, events.filter(({ type }) => type === 'RAW').length], [{ seen: true }, 5, 1]);
  assert.equal((await ran(scriptedAgent([{ throw: new Error('x') }]))).error.message, 'x');
  assert.deepEqual((await ran(scriptedAgent([{ interrupt: [interrupt] }]))).interrupts, [interrupt]);
});

test('a difference is shown line by line', () => {
  const events = [{ type: 'RUN_STARTED', runId: 'r' }, { type: 'CUSTOM', name: 'a', value: { b: 1 } }, { type: 'RUN_FINISHED' }];
  assertEvents(events, ['RUN_STARTED', { name: 'a', value: { b: 1 } }, { type: 'RUN_FINISHED' }]);
  const error = failure(() => assertEvents(events, ['RUN_STARTED', 'STEP_STARTED', { type: 'CUSTOM', name: 'b' }, 'RUN_FINISHED']));
  assert.equal(error.code, 'ERR_ASSERTION');
  assert.deepEqual(error.message.split('\n').slice(1), [
    '  RUN_STARTED',
    '- STEP_STARTED',
    '- CUSTOM {"name":"b"}',
    '+ CUSTOM {"name":"a","value":{"b":1}}',
    '  RUN_FINISHED',
  ]);
});

test('the same program writes the same bytes in every language', async () => {
  async function agent(run) {
    const step = run.step('look');
    const reasoning = run.reasoning();
    reasoning.write('Hm.');
    reasoning.end();
    const call = run.toolCall('search');
    call.write('{"q":');
    call.write('"é"}');
    call.end();
    run.toolResult(call.id, 'found');
    step.end();
    const helper = run.subagent('helper');
    const message = helper.textMessage();
    message.write('Hello\n');
    message.end();
    helper.toolCall('note', { a: [1, null] });
    helper.end();
    run.state.seen = true;
    run.flushState();
    run.custom('c', 1e21);
    run.usage({ inputTokens: 3 });
    return { done: true };
  }
  const { input, frames } = fixture('server_program');
  const request = new Request('http://x/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) });
  const text = await (await fetchHandler(agent)(request)).text();
  const numbers = new Map();
  const numbered = text.replace(/(?<=\w-)[0-9a-f-]{36}/g, (id) => numbers.get(id) ?? (numbers.set(id, String(numbers.size)), numbers.get(id)));
  assert.deepEqual(numbered.split('\n\n').slice(0, -1), frames);
});

for (const { name, given, steps, after, frames } of fixture('state_events')) {
  test(`events of the state that an agent makes itself: ${name}`, async () => {
    const failures = [];
    const agent = (run) => {
      for (const { set, flush, send, error } of structuredClone(steps)) {
        if (set) run.state = set;
        else if (flush) run.flushState();
        else if (error) failures.push(failure(() => run.event(send)).code);
        else run.event(send);
      }
      return run.state;
    };
    const input = { threadId: 't', runId: 'r', messages: [], state: given };
    const request = new Request('http://x/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) });
    const written = (await (await fetchHandler(agent)(request)).text()).split('\n\n').slice(0, -1);
    assert.deepEqual(written.filter((frame) => frame.includes('"STATE_')), frames);
    assert.deepEqual(failures, steps.flatMap(({ error }) => error ?? []));
    assert.deepEqual(JSON.parse(written.at(-1).slice('data: '.length)).result, after);
  });
}

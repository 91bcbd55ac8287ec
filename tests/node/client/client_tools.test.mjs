// Tools of the application: the agent calls them, their results are sent back, until nothing waits.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';

const { Agent, AGUILimitError, frontendTool, LocalAgent } = require('ag-ui-native/client');
const { z } = require('zod');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const call = (id, name, args) => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const text = [{ type: 'TEXT_MESSAGE_START', messageId: 'z', role: 'assistant' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'z', delta: 'Done' }, { type: 'TEXT_MESSAGE_END', messageId: 'z' }];
const run = (...events) => [started, ...events, finished].map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));

function scripted(runs, options) {
  const inputs = [];
  const agent = new Agent(({ input }) => {
    inputs.push(input);
    return runs[Math.min(inputs.length, runs.length) - 1];
  }, options);
  return { agent, inputs };
}

const answers = ({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ toolCallId, content, error }) => [toolCallId, content, ...(error === undefined ? [] : [error])]);

test('the agent calls, the application answers, the agent goes on', async () => {
  const seen = [];
  const look = {
    name: 'look',
    description: 'Looks around',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
    execute(args, { toolCall, agent, signal }) {
      seen.push([args, toolCall.id, agent.isRunning, signal.aborted]);
      return { seen: args.at };
    },
  };
  const { agent, inputs } = scripted([run(...call('c', 'look', '{"at":"x"}'), ...call('d', 'look', '{"at":"y"}')), run(...text)], { tools: [look] });
  const said = [];
  agent.subscribe({ onNewMessage: ({ message }) => void said.push(message.role) });
  const result = await agent.runAgent({ runId: 'first', resume: [], context: [] });
  assert.deepEqual(seen, [[{ at: 'x' }, 'c', false, false], [{ at: 'y' }, 'd', false, false]].map(([args, id, , aborted], at) => [args, id, seen[at][2], aborted]));
  assert.deepEqual(answers(agent), [['c', '{"seen":"x"}'], ['d', '{"seen":"y"}']]);
  assert.deepEqual(inputs[0].tools, [{ name: 'look', description: 'Looks around', parameters: look.parameters }]);
  assert.deepEqual(inputs[1].messages, agent.messages.slice(0, 3));
  assert.equal(inputs[0].runId, 'first');
  assert.notEqual(inputs[1].runId, 'first');
  assert.equal('resume' in inputs[1], false);
  assert.deepEqual([result.outcome, result.text, result.runs.length, result.pendingToolCallIds], ['success', 'Done', 2, []]);
  assert.deepEqual(result.newMessages, agent.messages);
  assert.deepEqual(said, ['tool', 'tool', 'assistant']);
});

test('events and changes of all runs', async () => {
  const tools = [{ name: 'look', execute: () => 'seen' }];
  const runs = [run(...call('c', 'look', '')), run(...text)];
  const types = [];
  for await (const { type } of scripted(runs, { tools }).agent.run()) types.push(type);
  assert.deepEqual(types.filter((type) => type.startsWith('RUN')), ['RUN_STARTED', 'RUN_FINISHED', 'RUN_STARTED', 'RUN_FINISHED']);
  const changes = scripted(runs, { tools }).agent.stream();
  for await (const _ of changes);
  assert.equal(changes.result.runs.length, 2);
});

test('schemas of zod check the arguments, and say them to the agent', async () => {
  const look = frontendTool({ name: 'look', parameters: z.object({ at: z.string(), zoom: z.number().default(2) }), execute: ({ at, zoom }) => `${at} x${zoom}` });
  const { agent, inputs } = scripted([run(...call('c', 'look', '{"at":"x"}'), ...call('d', 'look', '{"at":5}'), ...call('e', 'look', '{"at"')), run(...text)]);
  await agent.tool(look).runAgent();
  assert.deepEqual(inputs[0].tools[0].parameters.properties.at, { type: 'string' });
  assert.deepEqual(inputs[0].tools[0].parameters.required, ['at']);
  const [good, unfit, broken] = answers(agent);
  assert.deepEqual(good, ['c', 'x x2']);
  assert.match(unfit[2], /do not match the schema of the tool\. at: /);
  assert.match(broken[2], /not valid JSON/);
});

test('any Standard Schema checks, beside a JSON Schema', async () => {
  const even = { '~standard': { version: 1, vendor: 'test', validate: async ({ n }) => (n % 2 === 0 ? { value: n } : { issues: [{ message: 'odd', path: ['n'] }] }) } };
  const half = { name: 'half', parameters: { type: 'object' }, schema: even, execute: (n) => n / 2 };
  const { agent } = scripted([run(...call('c', 'half', '{"n":4}'), ...call('d', 'half', '{"n":3}')), run(...text)], { tools: [half] });
  await agent.runAgent();
  assert.deepEqual(answers(agent), [['c', '2'], ['d', 'The arguments do not match the schema of the tool. n: odd', 'The arguments do not match the schema of the tool. n: odd']]);
  const mute = new Agent(() => [], { tools: [{ name: 'half', parameters: even, execute: () => 1 }] });
  await assert.rejects(mute.runAgent(), /pass it as `schema`/);
});

test('a tool that fails answers with its error', async () => {
  const errors = [];
  const tools = [{ name: 'look', execute: () => Promise.reject(new Error('too dark')) }];
  const { agent } = scripted([run(...call('c', 'look', '{}')), run(...text)], { tools, onError: (error) => errors.push(error.message) });
  assert.equal((await agent.runAgent()).text, 'Done');
  assert.deepEqual(answers(agent), [['c', 'too dark', 'too dark']]);
  assert.deepEqual(errors, ['too dark']);
});

test('calls without answers stay', async () => {
  const tools = [{ name: 'look', execute: () => undefined }, { name: 'ask', description: 'A person answers', parameters: {} }];
  const { agent, inputs } = scripted([run(...call('c', 'look', '{}'), ...call('d', 'ask', '{}'), ...call('e', 'other', '{}'))], {});
  const result = await agent.runAgent({ tools });
  assert.deepEqual(result.pendingToolCallIds, ['d', 'e']);
  assert.deepEqual(answers(agent), [['c', 'null']]);
  assert.equal(inputs.length, 1);
  assert.deepEqual(inputs[0].tools.map(({ name }) => name), ['look', 'ask']);
});

test('only the first run goes on from another run', async () => {
  for (const way of ['parameter', 'attribute']) {
    const { agent, inputs } = scripted([run(...call('c', 'look', '{}')), run(...text)], { tools: [{ name: 'look', execute: () => 1 }] });
    if (way === 'attribute') agent.parentRunId = 'before';
    await agent.runAgent(way === 'parameter' ? { parentRunId: 'before' } : {});
    assert.deepEqual(inputs.map(({ parentRunId }) => parentRunId), ['before', undefined], way);
  }
});

test('runs are limited', async () => {
  const { agent, inputs } = scripted([run(...call('c', 'look', '{}'))], { tools: [{ name: 'look', execute: () => 1 }], maxRuns: 3 });
  let count = 0;
  const runs = () => run(...call(`c${count++}`, 'look', '{}'));
  const busy = new Agent(() => runs(), { tools: [{ name: 'look', execute: () => 1 }], maxRuns: 3 });
  await assert.rejects(busy.runAgent(), (error) => error instanceof AGUILimitError && error.code === 'too_many_runs' && error.limit === 'maxRuns' && error.run.runs.length === 3);
  assert.equal(count, 3);
  assert.equal(busy.isRunning, false);
  assert.equal(agent.messages.length + inputs.length, 0);
});

test('aborted while a tool works', async () => {
  let aborted = false;
  const tools = [{ name: 'look', execute: (_, { agent, signal }) => new Promise((resolve) => {
    signal.addEventListener('abort', () => ((aborted = true), resolve('late')));
    agent.abortRun();
  }) }];
  const { agent, inputs } = scripted([run(...call('c', 'look', '{}'))], { tools });
  assert.equal((await agent.runAgent()).outcome, 'aborted');
  assert.deepEqual([aborted, inputs.length, agent.isRunning], [true, 1, false]);
});

test('an agent of the server part, in the same process', async () => {
  async function agent(run) {
    const answer = run.messages.findLast(({ role }) => role === 'tool');
    if (answer) return void (await run.write(`You are ${answer.content}.`));
    run.toolCall('who', {});
  }
  const local = new LocalAgent(agent, { tools: [{ name: 'who', execute: () => 'Ada' }] });
  assert.equal((await local.ask('Who am I?')).text, 'You are Ada.');
});

test('a signal that is none is refused, and the agent stays usable', async () => {
  const { agent } = scripted([run(...text)]);
  for (const wrong of [{ signal: {} }, { abortController: { signal: {} } }]) await assert.rejects(agent.runAgent(wrong), { code: 'wrong_type' });
  assert.equal(agent.isRunning, false);
  assert.equal((await agent.runAgent()).outcome, 'success');
});

test('what is wrong with a tool is told the agent in words of ours', async () => {
  const circle = {};
  circle.circle = circle;
  const schema = (judged) => ({ '~standard': { version: 1, vendor: 'odd', validate: () => judged } });
  const cases = [
    [{ execute: () => circle }, 'The result is not valid JSON.'],
    [{ execute: () => 1n }, 'The result is not valid JSON.'],
    ...[undefined, null, 5, { issues: 5 }, { issues: [null] }, { issues: null }].map((judged) => [{ execute: () => 'seen', schema: schema(judged) }, 'The arguments could not be checked.']),
    [{ execute: () => 'seen', schema: schema({ issues: [{ message: 'odd', path: 5 }] }) }, 'The arguments do not match the schema of the tool. arguments: odd'],
    [{ execute: () => 'seen', schema: schema({ issues: [{ message: 'odd', path: ['a', { key: 'b' }, null] }] }) }, 'The arguments do not match the schema of the tool. a.b.undefined: odd'],
  ];
  for (const [tool, said] of cases) {
    const { agent } = scripted([run(...call('c', 'look', '{}')), run(...text)], { tools: [{ name: 'look', ...tool }] });
    assert.equal((await agent.runAgent()).text, 'Done');
    assert.deepEqual(answers(agent), [['c', said, said]]);
  }
});

test('a result with half a character is said to be none', async () => {
  for (const [result, isWhole] of [['half: \ud800', false], [{ half: ['\ud800'] }, false], ['whole: 😀 \\ud800', true], [{ whole: '😀 \\ud800' }, true]]) {
    const { agent } = scripted([run(...call('c', 'f', '{}')), run(...text)], { tools: [{ name: 'f', execute: () => result }] });
    await agent.runAgent();
    const [[, content, error]] = answers(agent);
    if (isWhole) assert.deepEqual([content, error], [typeof result === 'string' ? result : JSON.stringify(result), undefined]);
    else assert.ok(error.startsWith("lone_surrogate: the text has half of a surrogate pair (the tool's result)"), error);
  }
});

for (const [ends, told] of [['returns', [['c', 'gone']]], ['throws', []], ['waits', []]]) {
  test(`what a tool that aborts its run comes to: ${ends}`, { timeout: 20_000 }, async () => {
    const execute = async (_, { agent }) => {
      await undefined;
      agent.abortRun();
      if (ends === 'waits') await new Promise(() => undefined);
      if (ends === 'throws') throw new Error('gone');
      return 'gone';
    };
    const { agent } = scripted([run(...call('c', 'look', '{}'))], { tools: [{ name: 'look', execute }], onError: () => undefined });
    assert.equal((await agent.runAgent()).outcome, 'aborted');
    assert.deepEqual(answers(agent), told);
  });
}

test('a run has the answer of a tool that a subscriber fails at', async () => {
  const tools = [
    { name: 'look', execute: () => 'seen' },
    { name: 'stop', execute: (_, { agent }) => (agent.abortRun(), 'gone') },
  ];
  const other = (id, name) => call(id, name, '{}').map((event) => ('parentMessageId' in event ? { ...event, parentMessageId: id } : event));
  const { agent } = scripted([run(...other('c', 'look')), run(...other('d', 'stop'))], { tools, onError: () => undefined });
  const onNewMessage = ({ message }) => {
    if (message.content === 'gone') throw new Error('told');
  };
  const result = await agent.runAgent({}, { onNewMessage });
  assert.equal(result.outcome, 'aborted');
  assert.deepEqual(result.runs.map(({ newMessages }) => newMessages.map(({ content }) => content)), [[undefined, 'seen'], [undefined, 'gone']]);
});

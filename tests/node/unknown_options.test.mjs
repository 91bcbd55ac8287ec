// What is misspelt is refused by name, with what there is: options, callbacks, members of tools, steps of a script. And what can be no URL.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, require } from './packages.mjs';

const { Agent, filterToolCalls, frontendTool, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');
const { EventEncoder } = require('ag-ui-native/encoder');
const { readRunInput, tokenUsageFromAiSdkUsage, validate } = require('ag-ui-native');
const { applyPatch } = require('ag-ui-native/patch');
const { decode, encode } = require('ag-ui-native/proto');
const { Coalescer, coalesceEvents, fetchHandler, guard, nodeHandler, StateTracker } = require('ag-ui-native/server');
const stream = require('ag-ui-native/stream');
const { runAgent, scriptedAgent } = require('ag-ui-native/testing');

const agent = () => undefined;
const event = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const message = [{ id: 'u', role: 'user', content: 'Hi' }];

/** The run of an agent, to write to. */
async function within(work) {
  const { error } = await runAgent(work);
  if (error) throw error;
}

/** Each takes an object with a misspelt member; what is there in its place is one of those named. */
const takers = {
  nodeHandler: ['timeLimit', (options) => nodeHandler(agent, options)],
  fetchHandler: ['timeLimit', (options) => fetchHandler(agent, options)],
  runAgent: ['timeLimit', (options) => runAgent(agent, {}, options)],
  'limits of a server': ['eventBytes', (limits) => nodeHandler(agent, { limits }), '/limits'],
  guard: ['showErrors', (options) => guard([], options)],
  Coalescer: ['maxDelay', (options) => new Coalescer(options)],
  coalesceEvents: ['maxDelay', (options) => coalesceEvents([], options)],
  StateTracker: ['base', (options) => new StateTracker({}, options)],
  textMessage: ['role', (options) => within((run) => run.textMessage(options))],
  write: ['role', (options) => within((run) => run.write('Hi', options))],
  reasoning: ['id', (options) => within((run) => run.reasoning(options))],
  toolCall: ['parentMessageId', (options) => within((run) => run.toolCall('f', {}, options))],
  toolResult: ['messageId', (options) => within((run) => run.toolResult('c', 'ok', options))],
  result: ['messageId', (options) => within((run) => run.toolCall('f', {}).result('ok', options))],
  subagent: ['description', (options) => within((run) => run.subagent('s', options))],
  "a subagent's fail": ['code', (options) => within((run) => run.subagent('s').fail('no', options))],
  fail: ['code', (options) => within((run) => run.fail('no', options))],
  activity: ['replace', (options) => within((run) => run.activity('PLAN', {}, options))],
  Agent: ['maxRounds', (options) => new Agent(agent, options)],
  HttpAgent: ['headers', (options) => new HttpAgent('http://localhost/', options)],
  'HttpAgent, all in one': ['headers', (options) => new HttpAgent({ url: 'http://localhost/', ...options })],
  WebSocketAgent: ['protocols', (options) => new WebSocketAgent('ws://localhost/', options)],
  LocalAgent: ['server', (options) => new LocalAgent(agent, options)],
  'the server of a LocalAgent': ['timeLimit', (server) => new LocalAgent(agent, { server })],
  timeouts: ['firstByte', (timeouts) => new Agent(agent, { timeouts }), '/timeouts'],
  retry: ['attempts', (retry) => new HttpAgent('http://localhost/', { retry }), '/retry'],
  'limits of a client': ['eventBytes', (limits) => new Agent(agent, { limits }), '/limits'],
  'parameters of a run': ['forwardedProps', (parameters) => new Agent(agent).runAgent(parameters)],
  'parameters of ask': ['forwardedProps', (parameters) => new Agent(agent).ask('Hi', parameters)],
  filterToolCalls: ['allow', (options) => filterToolCalls(options)],
  frontendTool: ['description', (more) => frontendTool({ name: 'f', execute: agent, ...more }), '/tool'],
  'a tool of an agent': ['description', (more) => new Agent(agent, { tools: [{ name: 'f', execute: agent, ...more }] }), '/tools/0'],
  'a tool of a run': ['description', (more) => new Agent(agent).runAgent({ tools: [{ name: 'f', execute: agent, ...more }] }), '/tools/0'],
  'a registered tool': ['description', (more) => new Agent(agent).tool({ name: 'f', execute: agent, ...more }), '/tool'],
  subscribers: ['onTextMessageContentEvent', (subscriber) => new Agent(agent, { subscribers: [subscriber] }), '/subscribers/0'],
  subscribe: ['onNewMessage', (subscriber) => new Agent(agent).subscribe(subscriber), '/subscriber'],
  'the subscriber of a run': ['onEvent', (subscriber) => new Agent(agent).runAgent({}, subscriber), '/subscriber'],
  EventEncoder: ['timestamps', (options) => new EventEncoder(options)],
  encode: ['profile', (options) => encode(event, options)],
  decode: ['profile', (options) => decode(encode(event), options)],
  EventDecoder: ['contentType', (options) => new stream.EventDecoder(options)],
  decodeEvents: ['contentType', (options) => stream.decodeEvents([], options)],
  EventPipeline: ['onPatchFailure', (options) => new stream.EventPipeline(options)],
  Reducer: ['pendingInterrupts', (options) => new stream.Reducer(options)],
  applyEvents: ['pendingInterrupts', (options) => stream.applyEvents([], options)],
  EventVerifier: ['profile', (options) => new stream.EventVerifier(options)],
  ChunkExpander: ['profile', (options) => new stream.ChunkExpander(options)],
  enforceEvents: ['profile', (options) => stream.enforceEvents([], options)],
  expandChunks: ['profile', (options) => stream.expandChunks([], options)],
  verifyEvents: ['profile', (options) => stream.verifyEvents([], options)],
  compactEvents: ['profile', (options) => stream.compactEvents([], options)],
  PartialArguments: ['limits', (options) => new stream.PartialArguments(options)],
  applyPatch: ['inPlace', (options) => applyPatch({}, [], options)],
  'limits of a patch': ['patchOperations', (limits) => applyPatch({}, [{ op: 'remove', path: '/a' }], { limits }), '/limits'],
  readRunInput: ['profile', (options) => readRunInput({ ...event, messages: message }, options)],
  validate: ['nonEmpty', (options) => validate(event, options)],
  labels: ['provider', (labels) => tokenUsageFromAiSdkUsage({ inputTokens: 1 }, labels)],
};

for (const [name, [member, take, place = '']] of Object.entries(takers)) {
  test(`misspelt: ${name}`, async () => {
    const isCallback = member.startsWith('on') && name !== 'EventPipeline';
    const value = isCallback ? agent : 1;
    for (const wrong of [`${member}s_`, member.toUpperCase(), isCallback ? 'onNothing' : 'nothing']) {
      if (isCallback && !wrong.startsWith('on')) continue;
      const error = await (async () => take({ [wrong]: value }))().then(() => assert.fail(`taken: ${wrong}`), (thrown) => thrown);
      assert.deepEqual([error.code, error.path], ['unknown_field', `${place}/${wrong}`], error.stack);
      assert.ok(error.message.includes(member) && (place === '/limits' || error.message.includes(`"${wrong}"`)) && !error.message.includes('`metadata`'), error.message);
    }
    await (async () => take({ nothing: undefined }))().catch((error) => assert.notEqual(error.code, 'unknown_field'));
  });
}

test('another spelling is answered with the one that is meant, and all there are', () => {
  const { message } = failure(() => nodeHandler(agent, { time_limit: 5 }));
  assert.match(message, /there is no option "time_limit": expected timeLimit; there are limits, echoInput, .*, signal\); use a name that there is/);
});

test('callbacks of a class are looked at, and what else it has is its own affair', () => {
  class Good {
    online = true;
    on = 5;
    once() {}
    #onNothing() {}
    onEvent() {}
  }
  class Bad extends Good {
    onNewMesage() {}
  }
  new Agent(agent).subscribe(new Good());
  assert.equal(failure(() => new Agent(agent).subscribe(new Bad())).path, '/subscriber/onNewMesage');
  assert.equal(failure(() => new Agent(agent).subscribe({ on_event: agent })).path, '/subscriber/on_event');
  assert.equal(failure(() => new Agent(agent).subscribe({ onEvent: 'text' })).code, 'wrong_type');
});

test('a tool without a function is refused when it is declared', () => {
  for (const tool of [{ name: 'f' }, { name: 'f', execute: 'text' }, { execute: agent }, {}, null]) {
    for (const declare of [() => frontendTool(tool), () => new Agent(agent).tool(tool), () => new Agent(agent, { tools: [tool] })]) {
      assert.equal(failure(declare).code, 'wrong_type');
    }
  }
});

test('steps of a script that would do nothing', () => {
  for (const step of [{}, { txt: ['a'] }, { toolCall: 'f', argument: {} }, { text: ['a'], role: 'user' }, 5, null, []]) {
    assert.throws(() => scriptedAgent(['Hi', step]), { name: 'TypeError', message: /^steps\[1\]: expected a string, a function, or an object with one of text, / });
  }
  assert.throws(() => scriptedAgent('Hi'), TypeError);
});

test('what can be no URL is refused when the agent is made', () => {
  for (const url of fixture('urls').http.refused) {
    for (const make of [() => new HttpAgent(url), () => new HttpAgent({ url })]) assert.deepEqual([failure(make).code, failure(make).path], ['wrong_type', '/url'], url);
  }
  for (const url of fixture('urls').http.taken) new HttpAgent(url);
  for (const url of fixture('urls').websocket.refused) assert.equal(failure(() => new WebSocketAgent(url)).path, '/url', url);
  for (const url of fixture('urls').websocket.taken) new WebSocketAgent(url);
  // Whoever brings a `fetch` may know addresses relative to its own.
  new HttpAgent('/agent', { fetch: agent });
});

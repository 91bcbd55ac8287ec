// A misspelt name is refused with the list of known names: options, callbacks, members of tools, steps of a script. Texts that
// cannot be a URL are refused, too.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, require } from '../packages.mjs';

const { Agent, toolCallFilter, frontendTool, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');
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

/** Each takes an object with a misspelt member; the array has the member that the error must name. */
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
  Agent: ['maxRuns', (options) => new Agent(agent, options)],
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
  toolCallFilter: ['allow', (options) => toolCallFilter(options)],
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
  assert.match(message, /there is no option "time_limit": expected timeLimit; there are limits, echoInput, .*, drain, onLog\); use an existing name/);
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
  // An agent with its own `fetch` may have a relative address.
  new HttpAgent('/agent', { fetch: agent });
});

test('what takes too long names the timeout and its seconds', async () => {
  for (const [name, said] of [['idle', 'idle_timeout'], ['firstByte', 'first_byte_timeout'], ['total', 'total_timeout']]) {
    const silent = new Agent(() => new Promise(() => {}), { timeouts: { [name]: 50 } });
    await assert.rejects(silent.runAgent(), (error) => error.code === 'timed_out' && error.message.includes(`${said} is 0.05 s`), name);
  }
});

test('what has ended the run is said behind it', async () => {
  const ends = [
    [(run) => run.finish(), /V02: .*the agent returned, or called `finish`/],
    [(run) => run.interrupt({ id: 'i', reason: 'r' }), /V02: .*ended by `interrupt`/],
    [(run) => run.cancel(), /V02: .*the agent called `cancel`/],
    [(run) => run.fail('no'), /V01: .*ended by `fail`/],
    [(run) => run.event({ type: 'RUN_FINISHED', threadId: run.threadId, runId: run.runId }), /V02: .*by an event RUN_FINISHED/],
    [(run) => run.event({ type: 'RUN_ERROR', message: 'no' }), /V01: .*by an event RUN_ERROR/],
  ];
  for (const [end, said] of ends) {
    await runAgent((run) => {
      const message = run.textMessage();
      end(run);
      for (const late of [() => message.write('late'), () => run.write('late'), () => run.step('late')]) assert.throws(late, said);
    });
  }
});

test('the text of a user is an input, and what the agent has written is read as text', async () => {
  const { text, messages, outcome } = await runAgent(async (run) => {
    for (const word of [run.messages[0].content, '!']) await run.write(word);
  }, 'Hello');
  assert.deepEqual([text, outcome, messages[0]], ['Hello!', 'success', { id: 'user', role: 'user', content: 'Hello' }]);
});

test('decodeEvents takes the options that docs/guides/verify-a-server.md names', async () => {
  const heard = [];
  const options = { contentType: 'text/event-stream', profile: 'tolerant', limits: { depth: 9 }, onWarning: (warning) => heard.push(warning.code), replaceInvalidText: true, goMemberNames: true, text: true, unsafeIntegers: 'warn' };
  const frame = 'data: {"type":"CUSTOM","name":"n","value":9007199254740993,"more":1}\n\n';
  const seen = [];
  for await (const event of stream.decodeEvents([Buffer.from(frame)], options)) seen.push(stream.textOf(event));
  assert.deepEqual(seen, ['{"type":"CUSTOM","name":"n","value":9007199254740993}']);
  assert.deepEqual(heard.sort(), ['number_out_of_range', 'unknown_field']);
});

// Options of agents: each is checked when an agent is made, and is not shared with another agent.
// tests/fixtures/client/client_options.json has the options that every language refuses.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, require } from '../packages.mjs';

const { Agent, AGUIValidationError, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');

const cases = fixture('client_options');
const special = { '<function>': () => assert.fail('called'), '<subscriber>': {}, '<nan>': NaN, '<infinity>': Infinity };
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns a value of the fixture, with the values that the fixture only names because JSON does not have them. */
function made(value) {
  if (typeof value === 'string') return special[value] ?? value;
  if (Array.isArray(value)) return value.map(made);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), made(inner)])) : value;
}

const any = [
  (options) => new Agent(() => [], options),
  (options) => new HttpAgent('http://localhost/', options),
  (options) => new HttpAgent({ url: 'http://localhost/', ...options }),
  (options) => new WebSocketAgent('ws://localhost/', options),
  (options) => new LocalAgent(() => undefined, options),
];
const ways = { any, http: any.slice(1, 3) };

function refuses(make, path, code = 'wrong_type') {
  const error = failure(make);
  assert.ok(error instanceof AGUIValidationError, error);
  assert.deepEqual([error.code, error.path, error.issues[0].aguiPath], [code, path, path]);
  return error;
}

for (const [group, options] of Object.entries({ any: cases.any, http: cases.http })) {
  for (const [spelled, { takes, refuses: wrong }] of Object.entries(options)) {
    const name = camel(spelled);
    test(`the option ${name}`, () => {
      for (const way of ways[group]) {
        for (const value of [...takes.map(made), null, undefined]) way({ [name]: value });
        for (const [value, pointer = '', code] of wrong) refuses(() => way({ [name]: made(value) }), `/${name}${camel(pointer)}`, code);
      }
    });
  }
}

test('options that only Node has', () => {
  const [agent, http] = any;
  for (const way of any) {
    for (const name of ['onPatchFailure', 'onError', 'initialMessages', 'debug']) refuses(() => way({ [name]: 5 }), `/${name}`);
    way({ onPatchFailure: 'error', onError: () => {}, initialMessages: [], initialState: 5, debug: () => {} });
    refuses(() => way({ limits: { event_bytes: 5 } }), '/limits/event_bytes', 'unknown_field');
    assert.match(refuses(() => way({ thread_id: 't' }), '/thread_id', 'unknown_field').message, /expected threadId/);
    for (const tool of [{}, { name: 5 }, { name: 'a', execute: 5 }]) refuses(() => way({ tools: [tool] }), '/tools/0');
    assert.throws(() => way(5) && agent(5), TypeError);
  }
  refuses(() => http({ fetch: 5 }), '/fetch');
  for (const url of [undefined, null, 5]) {
    refuses(() => new HttpAgent({ url }), '/url');
    refuses(() => new WebSocketAgent({ url }), '/url');
  }
  for (const [name, value] of [['WebSocket', 5], ['protocols', 5], ['protocols', [5]], ['socketOptions', 5]]) refuses(() => new WebSocketAgent('ws://localhost/', { [name]: value }), `/${name}`);
  refuses(() => new LocalAgent(() => {}, { server: { timeLimit: -1 } }), '/timeLimit');
  assert.throws(() => new LocalAgent({}), TypeError);
  assert.throws(() => new Agent({}), TypeError);
});

test('options of a socket are not ignored by a class that takes none', async (t) => {
  const { WebSocket } = globalThis;
  t.after(() => (globalThis.WebSocket = WebSocket));
  globalThis.WebSocket = class {
    constructor() {
      assert.fail('opened');
    }
  };
  const agent = new WebSocketAgent('ws://localhost/', { socketOptions: { headers: { 'x-token': 'secret' } } });
  await assert.rejects(agent.runAgent(), ({ message }) => /^socketOptions: expected no value without the option WebSocket: .*`ws`, got an object$/.test(message));
});

test('parameters of a run are refused, and the agent is none the worse', async () => {
  const agent = new Agent(() => assert.fail('asked'));
  const wrong = {
    runId: [5], parentRunId: [5], tools: [5, [5], [null]], context: [5, {}], resume: ['all'], signal: [{}, 5], abortController: [{}, { signal: {} }], runID: ['r'], state: [{}],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      for (const way of ['runAgent', 'run', 'stream']) {
        const asked = agent[way]({ [name]: value });
        const error = await (way === 'runAgent' ? asked : asked.next()).then(() => undefined, (thrown) => thrown);
        assert.ok(error instanceof AGUIValidationError && error.path.startsWith(`/${name}`), `${name}: ${error}`);
      }
    }
  }
  assert.equal(agent.isRunning, false);
});

test('what is no JSON is refused with its place, and not shown', async () => {
  const circle = { secret: 'secret' };
  circle.circle = circle;
  const agent = new Agent(() => assert.fail('asked'));
  for (const [value, pointer, code] of [[{ a: [1n] }, '/a/0', 'wrong_type'], [{ a: Infinity }, '/a', 'wrong_type'], [NaN, '', 'wrong_type'], [circle, undefined, 'limit_exceeded'], [new Map(), '', 'wrong_type'], [{ 'a/b': new Set() }, '/a~1b', 'wrong_type'], [() => 1, '', 'wrong_type'], [Symbol('s'), '', 'wrong_type']]) {
    for (const set of [() => new Agent(() => [], { state: value }), () => agent.setState(value), () => (agent.state = value)]) {
      const error = failure(set);
      assert.deepEqual([error.code, error.path], [code, pointer === undefined ? '' : `/state${pointer}`]);
      assert.ok(!error.message.includes('secret'));
    }
    if (typeof value !== 'object') continue;
    for (const parameters of [{ forwardedProps: value }, { context: [{ description: 'd', value }] }]) {
      if (parameters.context && pointer === '') continue;
      await assert.rejects(agent.runAgent(parameters), (error) => error.code === code && !error.message.includes('secret'));
    }
  }
  assert.deepEqual(agent.state, {});
  const message = (more) => ({ id: 'u', role: 'user', content: 'Hi', ...more });
  for (const [given, path, code] of [[null, '/messages/0', 'wrong_type'], [1, '/messages/0', 'wrong_type'], [{ bad: 1 }, '/messages/0/role', 'missing_field'], [message({ metadata: { a: 1n } }), '/messages/0/metadata/a', 'wrong_type'], [message({ content: 5 }), '/messages/0/content', 'wrong_type']]) {
    for (const set of [() => agent.addMessage(given), () => agent.setMessages([given]), () => (agent.messages = [given])]) {
      const error = failure(set);
      assert.deepEqual([error.code, error.path], [code, path]);
    }
  }
  assert.deepEqual(agent.messages, []);
  assert.equal(failure(() => agent.addMessage(message({ oh: 1 }))).path, '/messages/0/oh');
  agent.addMessage(message({ name: null }));
  assert.deepEqual(agent.messages, [message()]);
  for (const wrong of [[null], [{ id: 'i' }]]) assert.throws(() => (agent.pendingInterrupts = wrong), AGUIValidationError);
});

test('options that change later change nothing', async () => {
  const options = { limits: { depth: 5 }, timeouts: { idle: 50 }, headers: { a: 'b' }, tools: [], middleware: [], subscribers: [] };
  const agent = new HttpAgent('http://localhost/', options);
  options.limits.depth = -1;
  options.headers.a = 5;
  for (const list of [options.tools, options.middleware, options.subscribers]) list.push(5);
  assert.deepEqual([agent.headers, agent.tools, agent.subscribers], [{ a: 'b' }, [], []]);
  assert.deepEqual(agent.clone().headers, { a: 'b' });
});

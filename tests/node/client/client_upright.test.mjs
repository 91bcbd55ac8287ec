// Errors and delays of subscribers, middleware and transports have no effect on other parts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { call, finished, frames, hello, never, pause, scripted, started, text } from '../scripted_agent.mjs';
import { until } from '../servers.mjs';

const { Agent, toolCallFilter, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');

const limited = { timeout: 20_000 };
const passing = (input, next) => next(input);
const other = { ...started, runId: 's' };
const otherFinished = { ...finished, runId: 's' };
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** An answer of these pieces, which never ends. A number is a pause in milliseconds. */
function trickling(...pieces) {
  return async function* () {
    for (const piece of pieces) {
      if (typeof piece === 'number') await pause(piece);
      else yield piece;
    }
    await never;
  };
}

test('a subscriber that throws without a change loses no data', limited, async () => {
  const agent = scripted([hello, frames(other, ...text('n', 'again'), otherFinished)]);
  const [u, v] = ['u', 'v'].map((id) => ({ id, role: 'user', content: id }));
  const subscriber = {
    onRunFinalized: () => ({ messages: [u], state: { n: 1 } }),
    onMessagesChanged: ({ messages }) => {
      if (messages[0]?.id === 'u') throw new RangeError('mine');
    },
  };
  await assert.rejects(agent.runAgent({}, subscriber), RangeError);
  assert.deepEqual([agent.messages, agent.state], [[u], { n: 1 }]);
  agent.setState({ n: 2 });
  agent.addMessage(v);
  assert.deepEqual([agent.messages, agent.state], [[u, v], { n: 2 }]);
});

test('one who rejects with nothing is reported', limited, async () => {
  for (const callback of ['onEvent', 'onRunInitialized', 'onRunFinishedEvent']) {
    const errors = [];
    const agent = scripted([hello], { onError: (error) => errors.push(error) });
    const subscriber = { [callback]: ({ event }) => (event?.type === 'TEXT_MESSAGE_START' || callback !== 'onEvent' ? Promise.reject() : undefined) };
    assert.equal((await agent.runAgent({}, subscriber)).text, 'Hello', callback);
    assert.deepEqual(errors, [undefined], callback);
  }
});

test('what only listens may reject', limited, async () => {
  const errors = [];
  const onError = (error) => errors.push(error.message);
  const odd = [...frames(started, { type: 'ODD' }), ...hello.slice(1)];
  assert.equal((await scripted([odd], { onError, onWarning: async () => { throw new Error('warned'); } }).runAgent()).text, 'Hello');
  await until(() => errors.length > 0);
  assert.deepEqual([...new Set(errors.splice(0))], ['warned']);
  assert.equal((await scripted([hello], { onError, debug: async () => { throw new Error('said'); } }).runAgent()).text, 'Hello');
  await until(() => errors.length > 0);
  assert.deepEqual([...new Set(errors)], ['said']);
});

test('chunks of calls that subagents make in turns keep to their calls', limited, async () => {
  const own = (subagentRunId, event) => ({ ...event, subagentRunId });
  const chunk = (subagentRunId, more) => own(subagentRunId, { type: 'TOOL_CALL_CHUNK', ...more });
  const subagent = (id, type) => ({ type, subagentRunId: id, ...(type === 'SUBAGENT_STARTED' && { name: id }) });
  const events = frames(
    started,
    subagent('a', 'SUBAGENT_STARTED'),
    subagent('b', 'SUBAGENT_STARTED'),
    chunk('a', { toolCallId: 'c', toolCallName: 'look', delta: '{"a":' }),
    chunk('b', { toolCallId: 'd', toolCallName: 'delete', delta: '{"b":' }),
    chunk('a', { delta: '1}' }),
    chunk('b', { delta: '2}' }),
    subagent('a', 'SUBAGENT_FINISHED'),
    subagent('b', 'SUBAGENT_FINISHED'),
    finished,
  );
  const calls = async (middleware) => {
    const agent = scripted([events], { middleware });
    await agent.runAgent();
    return agent.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ function: { name, arguments: given } }) => [name, given]));
  };
  assert.deepEqual(await calls([]), [['look', '{"a":1}'], ['delete', '{"b":2}']]);
  assert.deepEqual(await calls([toolCallFilter({ deny: ['delete'] })]), [['look', '{"a":1}']]);
  assert.deepEqual(await calls([toolCallFilter({ allow: ['delete'] })]), [['delete', '{"b":2}']]);
});

test('a refusal with headers that are none has its status', limited, async () => {
  await assert.rejects(new Agent(() => ({ status: 500, headers: {}, body: [] })).runAgent(), { code: 'http_error', status: 500 });
});

test('an aborted run calls no middleware', limited, async () => {
  let called = 0;
  const middleware = [(input, next) => (called++, next(input))];
  const agent = scripted([hello], { middleware });
  assert.equal((await agent.runAgent({ signal: AbortSignal.abort() })).outcome, 'aborted');
  const amid = scripted([hello], { middleware });
  assert.equal((await amid.runAgent({}, { onRunInitialized: () => void amid.abortRun() })).outcome, 'aborted');
  assert.equal(called, 0);
});

test('it is told what of a changed input is lost, once', limited, async () => {
  const image = { id: 'u', role: 'user', content: [{ type: 'image', source: { type: 'url', value: 'http://localhost/i.png' } }] };
  const whole = async (options, subscriber) => {
    const told = [];
    const { warnings } = await scripted([hello], { threadId: 't', peer: '0.0.39', onWarning: (warning) => told.push(warning), ...options }).runAgent({ runId: 'r' }, subscriber);
    assert.deepEqual(told, warnings);
    return warnings;
  };
  const expected = await whole({ messages: [image] });
  assert.ok(expected.length > 0);
  assert.deepEqual(await whole({}, { onRunInitialized: () => ({ messages: [image] }) }), expected);
  assert.deepEqual(await whole({ middleware: [(input, next) => next({ ...input, messages: [image] })] }), expected);
  assert.deepEqual(await whole({ messages: [image], middleware: [passing] }, { onRunInitialized: ({ messages }) => ({ messages: [...messages] }) }), expected);
});

test('an answer that comes too late is cancelled', limited, async () => {
  for (const leave of [(agent) => agent.abortRun(), () => undefined]) {
    let [asked, cancelled] = [0, 0];
    let answer;
    const late = new Promise((resolve) => (answer = resolve));
    const agent = new HttpAgent('http://localhost/', { fetch: () => (asked++, late), timeouts: { firstByte: 50 } });
    const ending = agent.runAgent().catch(({ limit }) => assert.equal(limit, 'firstByteTimeout'));
    await until(() => asked === 1);
    leave(agent);
    await ending;
    answer(new Response(new ReadableStream({ cancel: () => void cancelled++ })));
    await until(() => cancelled === 1);
  }
});

test('every transport has the time of firstByte for the head, and of idle if there is none', limited, async () => {
  const hanging = {
    agent: (options) => new Agent(() => never, options),
    'with middleware': (options) => new Agent(() => never, { ...options, middleware: [passing] }),
    'another class': (options) => new (class extends Agent {})(async () => never, options).clone(),
  };
  for (const [name, make] of Object.entries(hanging)) {
    await assert.rejects(make({ timeouts: { firstByte: 30 } }).runAgent(), { code: 'timed_out', limit: 'firstByteTimeout' }, name);
    await assert.rejects(make({ timeouts: { idle: 30 } }).runAgent(), { code: 'timed_out', limit: 'idleTimeout' }, name);
  }
  assert.equal((await new LocalAgent((run) => run.write('Hi'), { timeouts: { firstByte: 5000 } }).runAgent()).text, 'Hi');
  // Each attempt has the whole time limit, and `headers()` has a time limit of its own.
  let asked = 0;
  const fetch = async () => (asked++ ? new Response(Buffer.concat(hello)) : new Response('', { status: 503 }));
  const headers = () => pause(150).then(() => ({}));
  const agent = new HttpAgent('http://localhost/', { fetch, headers, retry: { attempts: 2, first: 150, jitter: 0 }, timeouts: { firstByte: 100 } });
  assert.equal((await agent.runAgent()).text, 'Hello');
});

test('a run that follows another has time of its own, though nothing changes', limited, async () => {
  const beat = Buffer.from(': beat\n\n');
  const [begins, step, ends] = frames(other, { type: 'CUSTOM', name: 'c', value: 1 }, otherFinished);
  const apart = trickling(...hello, begins, 70, beat, 70, beat, 70, step, 70, beat, 70, beat, 70, ends);
  const joined = trickling(...hello.slice(0, -1), Buffer.concat([hello.at(-1), begins]), 70, beat, 70, beat, 70, step, 70, ends);
  for (const answer of [apart, joined]) {
    for (const middleware of [[], [passing]]) {
      for (const way of ['stream', 'run']) {
        const agent = new Agent(answer, { timeouts: { idle: 150 }, middleware });
        const items = agent[way]();
        for await (const item of items) if (way === 'run' && item.runId === 's' && item.type === 'RUN_FINISHED') break;
        if (way === 'stream') assert.deepEqual([items.result.outcome, items.result.text], ['success', 'Hello']);
        else assert.equal(items.result.outcome, 'success');
      }
    }
  }
  // A second run that is cut makes the call fail although the first run ended; an unknown event begins no run.
  const cut = (...events) => new Agent(async function* () { yield* hello; yield* frames(...events); throw new Error('cut'); });
  await assert.rejects(cut(other).runAgent(), { message: 'cut' });
  assert.equal((await cut({ type: 'ODD' }).runAgent()).text, 'Hello');
});

test('the time behind the end is not that of the reader', limited, async () => {
  for (const way of ['run', 'stream']) {
    const answer = trickling(...hello, 50, ...frames(other, ...text('n', 'again'), otherFinished));
    const agent = new Agent(answer, { timeouts: { idle: 150 } });
    for await (const item of agent[way]()) if (['RUN_FINISHED', 'run_finished'].includes(item.type ?? item.kind)) await pause(250);
    assert.deepEqual(agent.messages.map(({ content }) => content), ['Hello', 'again'], way);
  }
});

test('no time limit runs while events are not read', limited, async () => {
  for (const way of ['run', 'stream']) {
    const before = timers();
    const items = new Agent(trickling(...hello), { timeouts: { idle: 60_000 } })[way]();
    for (let item; !['RUN_FINISHED', 'run_finished'].includes(item?.type ?? item?.kind);) item = (await items.next()).value;
    assert.equal(timers(), before, way);
    await items.return();
  }
});

test('middleware that leaves what it has asked for leaves no connection', limited, async () => {
  const dropping = async function* (input, next) {
    const events = next(input)[Symbol.asyncIterator]();
    yield (await events.next()).value;
    void events.next();
    yield finished;
  };
  const hanging = async function* (input, next) {
    const events = next(input)[Symbol.asyncIterator]();
    yield (await events.next()).value;
    yield finished;
  };
  for (const middleware of [dropping, hanging]) {
    let signal;
    const answer = trickling(...frames(started));
    const agent = new Agent((request) => ((signal = request.signal), answer()), { middleware: [middleware] });
    assert.equal((await agent.runAgent()).outcome, 'success');
    await until(() => signal.aborted);
  }
});

test('a socket that cannot be made says why, and nothing that is not so', limited, async () => {
  class Refusing {
    constructor() {
      throw new TypeError('odd');
    }
  }
  await assert.rejects(new WebSocketAgent('ws://localhost/', { WebSocket: Refusing }).runAgent(), ({ code, message, cause }) => code === 'connection_failed' && !message.includes('no such address') && cause.message === 'odd');
});

// Agents: the request of a run, its end, and that a run does not wait for results that are not used.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { inspect } from 'node:util';
import { require } from '../packages.mjs';
import { peer } from '../peer.mjs';
import { listen, until } from '../servers.mjs';

const { Agent, AGUIConnectionError, toolCallFilter, HttpAgent, LocalAgent } = require('ag-ui-native/client');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const text = (id, ...deltas) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const call = (id, name, args) => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const frames = (...events) => events.map(frame);
const hello = frames(started, ...text('m', 'Hel', 'lo'), finished);

/** An agent that answers with these runs, one after the other; `inputs` are the inputs that it received. */
function scripted(runs, options) {
  const inputs = [];
  const agent = new Agent(({ input }) => {
    inputs.push(input);
    return runs[Math.min(inputs.length, runs.length) - 1];
  }, options);
  return { agent, inputs };
}

test('what a run is asked for with', async () => {
  const messages = [
    { id: 'u', role: 'user', content: 'Hi', subagentRunId: null },
    { id: 'a', role: 'activity', activityType: 'plan', content: {} },
    { id: 'q', role: 'reasoning', content: 'Hm' },
  ];
  const { agent, inputs } = scripted([hello], { threadId: 't', messages, state: { n: 1 } });
  const context = [{ description: 'where', value: 'Rome' }];
  const tools = [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }];
  await agent.runAgent({ runId: 'r', parentRunId: 'p', tools, context, forwardedProps: { a: 1 } });
  const sent = [{ id: 'u', role: 'user', content: 'Hi' }, messages[2]];
  assert.deepEqual(inputs[0], { threadId: 't', runId: 'r', parentRunId: 'p', protocolVersion: '1.1', state: { n: 1 }, messages: sent, tools, context, forwardedProps: { a: 1 } });
  agent.setState(null);
  agent.parentRunId = 'r';
  await agent.runAgent();
  assert.match(inputs[1].runId, /^run-/);
  assert.equal(inputs[1].parentRunId, 'r');
  assert.equal('state' in inputs[1], false);
  assert.deepEqual(inputs[1].messages.map(({ id }) => id), ['u', 'q', 'm']);
});

test('a request over HTTP', async () => {
  const server = await peer([[{ send: 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n' }, { send: hello.join('') }, { close: true }]]);
  let token = 0;
  const headers = async () => ({ Authorization: `Bearer ${++token}`, ACCEPT: 'text/html', 'Content-Type': 'text/plain' });
  const agent = new HttpAgent({ url: `http://127.0.0.1:${server.port}/agent?x=1`, headers, protobuf: true });
  try {
    await agent.runAgent();
    await agent.runAgent();
  } finally {
    await server.close();
  }
  const [first, second] = server.requests;
  assert.equal(first.first, 'POST /agent?x=1 HTTP/1.1');
  assert.deepEqual([first.headers.authorization, second.headers.authorization], ['Bearer 1', 'Bearer 2']);
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(first.headers.accept, 'application/vnd.ag-ui.event+proto, text/event-stream;q=0.5');
  assert.equal(JSON.parse(second.body).messages.length, 1);
});

test('headers that cannot be sent are refused, without their values', () => {
  for (const [name, value] of [['x y', 'secret'], ['x', 'secret\r\ny: 1']]) {
    assert.throws(() => new HttpAgent('http://localhost', { headers: { [name]: value } }), (error) => error.code === 'invalid_header' && !error.message.includes('secret'));
  }
});

test('another origin does not learn credentials', async () => {
  const there = await peer([[{ send: 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n' }, { send: hello.join('') }, { close: true }]]);
  const here = await peer([[{ send: `HTTP/1.1 308 Moved\r\nlocation: http://127.0.0.1:${there.port}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n` }, { close: true }]]);
  try {
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-more': 'yes' };
    const agent = new HttpAgent(`http://127.0.0.1:${here.port}/`, { headers, redirects: 'any' });
    assert.equal((await agent.runAgent()).outcome, 'success');
    const { authorization, cookie, 'x-more': more } = there.requests[0].headers;
    assert.deepEqual([authorization, cookie, more], [undefined, undefined, 'yes']);
    assert.equal(there.requests[0].body, here.requests[0].body);
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
});

test('a result', async () => {
  const usage = [{ model: 'm', inputTokens: 3 }];
  const end = { ...finished, result: { done: true }, usage };
  const { agent } = scripted([frames(started, ...text('m', 'Hel', 'lo'), ...call('c', 'look', '{}'), end)], { threadId: 't' });
  const { newMessages, runs, ...result } = await agent.runAgent({ runId: 'r' });
  assert.deepEqual(newMessages, agent.messages);
  const more = { interrupts: [], warnings: [], lastEventId: '' };
  assert.deepEqual(result, { outcome: 'success', result: { done: true }, pendingToolCallIds: ['c'], usage, runId: 'r', threadId: 't', text: 'Hello', ...more });
  assert.equal(runs.length, 1);
});

test('the conversation is there while a run goes on, and what is handed out stays as it is', async () => {
  const { agent } = scripted([frames(started, ...text('m', 'a', 'b'), { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } }, { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] }, finished)]);
  const seen = [];
  for await (const event of agent.run()) {
    assert.equal(agent.isRunning, true);
    seen.push([event.type, agent.messages, agent.state]);
  }
  const contents = seen.map(([, messages]) => messages[0]?.content);
  assert.deepEqual(contents, [undefined, '', 'a', 'ab', 'ab', 'ab', 'ab', 'ab']);
  assert.deepEqual(seen.map(([, , state]) => state.n), [undefined, undefined, undefined, undefined, undefined, 1, 2, 2]);
  assert.equal(agent.isRunning, false);
});

test('events, changes and the end come to the same', async () => {
  const { agent: one } = scripted([hello]);
  const { agent: two } = scripted([hello]);
  const types = [];
  for await (const { type } of one.run()) types.push(type);
  const kinds = [];
  const changes = two.stream();
  assert.equal(changes.result, undefined);
  for await (const { kind } of changes) kinds.push(kind);
  assert.deepEqual(types, ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
  assert.deepEqual(kinds, ['message_inserted', 'text_appended', 'text_appended', 'message_ended', 'interrupts_set', 'run_finished']);
  assert.deepEqual(one.messages, two.messages);
  assert.equal(changes.result.outcome, 'success');
});

test('one run at a time', async () => {
  const { agent } = scripted([hello]);
  const first = agent.runAgent();
  await assert.rejects(agent.runAgent(), (error) => error instanceof AGUIConnectionError && error.code === 'agent_busy');
  await assert.rejects(agent.run().next(), { code: 'agent_busy' });
  assert.equal((await first).outcome, 'success');
  assert.equal((await agent.runAgent()).outcome, 'success');
});

test('the application edits the conversation while a run goes on', async () => {
  for (const run of ['run', 'stream']) {
    const source = async function* () {
      yield* frames(started, ...text('m', 'a').slice(0, 2));
      agent.addMessage({ id: 'n', role: 'user', content: 'And?' });
      agent.setState({ mine: true });
      yield* frames(...text('m', 'b').slice(1), finished);
    };
    const agent = new Agent(source);
    for await (const _ of agent[run]());
    assert.deepEqual(agent.messages.map(({ content }) => content), ['ab', 'And?'], run);
    assert.deepEqual(agent.state, { mine: true });
  }
});

/** A server whose answer never ends. It reports when its client has gone. */
async function endless(write) {
  const seen = { gone: false, requests: 0 };
  const server = await listen((request, response) => {
    seen.requests++;
    response.on('close', () => (seen.gone = true));
    request.resume().on('end', () => write(response));
  }, createServer);
  return { ...server, seen };
}

const stages = {
  'before the head': () => undefined,
  'after the head': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  'amid a message': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello.slice(0, 3).join('')),
  'amid an event': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(hello.slice(0, 3).join('') + 'data: {"ty'),
};

for (const [stage, write] of Object.entries(stages)) {
  test(`aborted ${stage}`, async () => {
    const ways = {
      abortRun: [undefined, (agent) => agent.abortRun()],
      signal: [new AbortController(), (_, controller) => controller.abort()],
      detach: [undefined, (agent) => void agent.detachActiveRun()],
    };
    for (const [way, [controller, leave]] of Object.entries(ways)) {
      const { url, close, seen } = await endless(write);
      const agent = new HttpAgent(url);
      const failures = [];
      const ending = agent.runAgent({ signal: controller?.signal }, { onRunFailed: ({ error }) => void failures.push(error.code) });
      await until(() => seen.requests === 1);
      if (stage.startsWith('amid')) await until(() => agent.messages.length === 1);
      leave(agent, controller);
      const result = await ending;
      assert.equal(result.outcome, 'aborted', way);
      assert.deepEqual(failures, way === 'detach' ? [] : ['run_aborted']);
      assert.deepEqual(result.newMessages.map(({ content }) => content), stage.startsWith('amid') ? ['Hel'] : []);
      await until(() => seen.gone, `${way}: the connection stays`);
      close();
    }
  });

  test(`timed out ${stage}`, async () => {
    const { url, close, seen } = await endless(write);
    const agent = new HttpAgent(url, { timeouts: { total: 1_000 } });
    await assert.rejects(agent.runAgent(), (error) => error.code === 'timed_out' && error.limit === 'totalTimeout' && error.run.outcome === 'failed');
    await until(() => seen.gone);
    close();
  });
}

test('aborted before it began', async () => {
  const { agent, inputs } = scripted([hello]);
  const result = await agent.runAgent({ signal: AbortSignal.abort('no') });
  assert.deepEqual([result.outcome, inputs.length, agent.messages.length], ['aborted', 0, 0]);
});

test('leaving the loop closes the connection', async () => {
  for (const run of ['run', 'stream', 'askStream']) {
    const { url, close, seen } = await endless(stages['amid a message']);
    const agent = new HttpAgent(url);
    let finalized = 0;
    agent.subscribe({ onRunFinalized: () => void finalized++ });
    for await (const _ of run === 'askStream' ? agent.askStream('Hi') : agent[run]()) break;
    assert.equal(agent.isRunning, false);
    assert.equal(finalized, 1);
    await until(() => seen.gone, `${run}: the connection stays`);
    close();
  }
});

test('a transport that ignores the abort', async () => {
  const agent = new Agent(() => new Promise(() => undefined));
  const ending = agent.runAgent();
  await new Promise(setImmediate);
  agent.abortRun();
  assert.equal((await ending).outcome, 'aborted');
  const deaf = new Agent(async function* () {
    yield* frames(started);
    await new Promise(() => undefined);
  });
  const second = deaf.runAgent();
  await new Promise(setImmediate);
  deaf.abortRun();
  assert.equal((await second).outcome, 'aborted');
});

test('who reads slowly slows the server down', async () => {
  let written = 0;
  const piece = frame({ type: 'CUSTOM', name: 'c', value: 'x'.repeat(64 * 1024) });
  const { url, close } = await listen(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(started));
    for (; written < 2000 && !response.destroyed; written++) if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    response.end();
  });
  const agent = new HttpAgent(url);
  let read = 0;
  for await (const _ of agent.run()) {
    if (++read < 20) continue;
    await new Promise((resolve) => setTimeout(resolve, 300));
    break;
  }
  // The sockets of both sides buffer some megabytes.
  assert.ok(written < 300, `${written} pieces of 64 KB were written`);
  close();
});

test('interrupts wait, and are answered', async () => {
  const { approve, cancel, edit, reject, respond } = require('ag-ui-native/client');
  const interrupts = [{ id: 'i', reason: 'tool_call' }, { id: 'j', reason: 'input' }];
  const { agent, inputs } = scripted([frames(started, { ...finished, outcome: { type: 'interrupt', interrupts } }), hello]);
  const result = await agent.runAgent();
  assert.equal(result.outcome, 'interrupt');
  assert.deepEqual(result.interrupts, interrupts);
  assert.deepEqual(agent.pendingInterrupts, interrupts);
  await assert.rejects(agent.runAgent(), { rule: 'L01' });
  assert.throws(() => agent.buildResume({ i: approve() }), { rule: 'L01' });
  assert.throws(() => agent.buildResume({ i: approve(), j: 1, k: 1 }), { code: 'unknown_interrupt' });
  const resume = agent.buildResume({ j: 'Rome', i: edit({ path: 'x' }) });
  assert.deepEqual(resume, [
    { interruptId: 'i', status: 'resolved', payload: { approved: true, editedArgs: { path: 'x' } } },
    { interruptId: 'j', status: 'resolved', payload: 'Rome' },
  ]);
  assert.deepEqual(agent.buildResume({ i: reject('no'), j: cancel() }).map(({ status, payload }) => [status, payload]), [['resolved', { approved: false, reason: 'no' }], ['cancelled', undefined]]);
  assert.deepEqual(agent.buildResume({ i: approve({ by: 'me' }), j: respond() }).map(({ payload }) => payload), [{ by: 'me', approved: true }, undefined]);
  assert.equal((await agent.runAgent({ resume })).outcome, 'success');
  assert.deepEqual(inputs[1].resume, resume);
  assert.deepEqual(agent.pendingInterrupts, []);
});

test('an interrupt that has expired', async () => {
  const { agent } = scripted([hello]);
  agent.pendingInterrupts = [{ id: 'i', reason: 'r', expiresAt: '2020-01-01T00:00:00Z' }];
  assert.throws(() => agent.buildResume({ i: 1 }), { rule: 'L02' });
  await assert.rejects(agent.runAgent({ resume: [{ interruptId: 'i', status: 'resolved' }] }), { rule: 'L02' });
  assert.equal((await agent.runAgent({ resume: [{ interruptId: 'i', status: 'cancelled' }] })).outcome, 'success');
});

test('a chat', async () => {
  const { agent, inputs } = scripted([hello, frames(started, ...text('n', 'Yes', '.'), finished)], { threadId: 't' });
  const reply = await agent.ask('Hi');
  assert.equal(reply.text, 'Hello');
  assert.deepEqual([reply.responseId, reply.threadId], [inputs[0].runId, 't']);
  const said = agent.askStream([{ type: 'text', text: 'Sure?' }], { parentRunId: reply.responseId });
  const pieces = [];
  for await (const piece of said) pieces.push(piece);
  assert.deepEqual(pieces, ['Yes', '.']);
  assert.equal(said.reply.text, 'Yes.');
  assert.equal(inputs[1].parentRunId, reply.responseId);
  assert.deepEqual(agent.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant']);
});

test('middleware stands around a run, the first outermost', async () => {
  const order = [];
  const named = (name) => async function* (input, next) {
    order.push(`${name} asks`);
    for await (const event of next({ ...input, forwardedProps: { ...input.forwardedProps, [name]: true } })) {
      if (event.type === 'TEXT_MESSAGE_CONTENT') yield { ...event, delta: `${event.delta}${name}` };
      else yield event;
    }
    order.push(`${name} is done`);
  };
  const { agent, inputs } = scripted([hello]);
  agent.use(named('a'), named('b'));
  const { text: said } = await agent.runAgent();
  assert.equal(said, 'Helbaloba');
  assert.deepEqual(order, ['a asks', 'b asks', 'b is done', 'a is done']);
  assert.deepEqual(inputs[0].forwardedProps, { a: true, b: true });
});

test('middleware may answer itself, and what it gives is verified', async () => {
  const { agent, inputs } = scripted([hello]);
  agent.use(async function* () {
    yield started;
    yield { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Hi' };
    yield finished;
  });
  assert.equal((await agent.runAgent()).text, 'Hi');
  assert.equal(inputs.length, 0);
  const { agent: wrong } = scripted([hello], { middleware: [(input, next) => (async function* () { for await (const event of next(input)) if (event.type !== 'TEXT_MESSAGE_START') yield event; })()] });
  await assert.rejects(wrong.runAgent(), { rule: 'V13' });
  const { agent: failing } = scripted([hello], { middleware: [async function* () { throw new RangeError('mine'); }] });
  await assert.rejects(failing.runAgent(), RangeError);
});

test('calls of some tools only', async () => {
  const events = frames(started, ...call('c', 'look', '{}'), ...call('d', 'delete', '{}'), { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'd', content: 'gone' }, { type: 'TOOL_CALL_CHUNK', toolCallId: 'e', toolCallName: 'delete', delta: '{}' }, { type: 'TOOL_CALL_CHUNK', delta: '' }, finished);
  const calls = async (filter) => {
    const { agent } = scripted([events]);
    await agent.use(toolCallFilter(filter)).runAgent();
    return agent.messages.map(({ id }) => id);
  };
  assert.deepEqual(await calls({ deny: ['delete'] }), ['c']);
  assert.deepEqual(await calls({ allow: ['delete'] }), ['d', 'n', 'e']);
  assert.throws(() => toolCallFilter({}), TypeError);
});

test('a clone is an agent of its own', async () => {
  class Mine extends HttpAgent {}
  const subscriber = {};
  const agent = new Mine({ url: 'http://localhost/a', headers: { a: 'b' }, threadId: 't', state: { n: 1 }, messages: [{ id: 'u', role: 'user', content: 'Hi' }], subscribers: [subscriber] });
  agent.pendingInterrupts = [{ id: 'i', reason: 'r' }];
  agent.setState({ n: 2 });
  const clone = agent.clone();
  assert.ok(clone instanceof Mine);
  assert.deepEqual([clone.url, clone.headers, clone.threadId, clone.messages, clone.state, clone.pendingInterrupts], [agent.url, agent.headers, 't', agent.messages, { n: 2 }, agent.pendingInterrupts]);
  clone.setState({ n: 3 });
  clone.addMessage({ id: 'v', role: 'user', content: 'Ho' });
  assert.deepEqual([agent.state, agent.messages.length, clone.messages.length], [{ n: 2 }, 1, 2]);
  const local = new LocalAgent((run) => run.write('Hi')).clone();
  assert.equal((await local.runAgent()).text, 'Hi');
  assert.equal((await new Agent(() => hello).clone().runAgent()).text, 'Hello');
});

test('it shows nothing of what was said', () => {
  const agent = new HttpAgent('http://user:secret@localhost', { headers: { authorization: 'secret' }, threadId: 't', messages: [{ id: 'u', role: 'user', content: 'secret' }] });
  assert.equal(inspect(agent).includes('secret'), false);
});

test('what it does is said to who wants it', async () => {
  const said = [];
  const { agent } = scripted([hello], { debug: (what) => said.push(what) });
  for await (const _ of agent.run());
  assert.deepEqual(said, ['run begins', ...Array(6).fill('event'), 'run ends']);
});

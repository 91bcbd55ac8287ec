// Clients of servers with a log that join runs, cancel them, and open threads.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { ended, gate, proxy, readThread, serve, speaker } from './servers.mjs';

const { Agent, HttpAgent, LocalAgent } = require('ag-ui-native/client');
const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

/** Serves an agent with a log. Returns its address. */
const served = (context, agent, more = {}) => serve(context, nodeHandler(agent, { log: new MemoryLog(), authorize: 'public', onError: () => undefined, ...more }));

/** Reads a stream until an event of this type. */
async function readTo(stream, type) {
  for (;;) {
    const { value, done } = await stream.next();
    assert.ok(!done, `no ${type} came`);
    if (value.type === type) return value;
  }
}

/** Reads the rest of a stream. Returns the types of its events. */
async function rest(stream) {
  const types = [];
  for await (const { type } of stream) types.push(type);
  return types;
}

test('a run that another client has started is joined', async (context) => {
  const { open, opened } = gate();
  const url = await served(context, speaker(() => opened));
  const first = new HttpAgent(url, { threadId: 't' });
  const running = first.run({ runId: 'r' });
  await readTo(running, 'TEXT_MESSAGE_CONTENT');

  const second = new HttpAgent(url, { threadId: 't' });
  // Who joins answers no interrupts.
  second.pendingInterrupts = [{ id: 'i', reason: 'approval' }];
  const told = [];
  second.subscribe({ onRunStartedEvent: () => void told.push('started'), onTextMessageContentEvent: ({ event }) => void told.push(event.delta), onRunFinalized: () => void told.push('over') });
  const joined = second.join('r');
  await readTo(joined, 'TEXT_MESSAGE_CONTENT');
  assert.equal(second.messages[0].content, 'one');
  open();
  await rest(joined);
  await rest(running);
  const { outcome, runId, text, result } = joined.result;
  assert.deepEqual([outcome, runId, text, result], ['success', 'r', 'one two', 'said']);
  assert.deepEqual([second.messages, second.state, second.isRunning], [first.messages, first.state, false]);
  assert.deepEqual(told, ['started', 'one', ' two', 'over']);
});

test('leaving a run that was joined, and aborting it here, leaves it going on', async (context) => {
  const { open, opened } = gate();
  const url = await served(context, speaker(() => opened));
  const running = new HttpAgent(url, { threadId: 't' }).run({ runId: 'r' });
  await readTo(running, 'TEXT_MESSAGE_CONTENT');
  const second = new HttpAgent(url, { threadId: 't' });
  for await (const event of second.join('r')) if (event.type === 'TEXT_MESSAGE_CONTENT') break;
  const detached = second.join('r');
  await readTo(detached, 'RUN_STARTED');
  await detached.detach();
  const aborted = second.join('r');
  await readTo(aborted, 'RUN_STARTED');
  second.abortRun();
  await rest(aborted);
  assert.equal(aborted.result.outcome, 'aborted');
  open();
  await rest(running);
  assert.equal(running.result.outcome, 'success');
});

test('tools are executed once, by the client that has started the run', async (context) => {
  const agent = async (run) => {
    const answered = run.input.messages.some(({ role }) => role === 'tool');
    if (answered) return run.textMessage().write('seen');
    await run.toolCall('look').write('{}');
  };
  const url = await served(context, agent);
  const looks = [];
  const tab = (name) => {
    const tool = { name: 'look', execute: () => (looks.push(name), 'blue') };
    return new HttpAgent(url, { threadId: 't', tools: [tool] });
  };
  const [first, second] = [tab('first'), tab('second')];
  const running = first.run({ runId: 'r' });
  await readTo(running, 'TOOL_CALL_START');
  const joined = second.join('r');
  await Promise.all([rest(running), rest(joined)]);
  assert.deepEqual(looks, ['first']);
  assert.deepEqual([joined.result.outcome, joined.result.runs.length, joined.result.pendingToolCallIds.length], ['success', 1, 1]);
  assert.equal(running.result.text, 'seen');
});

test('a run is cancelled from another client, and by its own', async (context) => {
  const url = await served(context, speaker((run) => new Promise((resolve) => run.signal.addEventListener('abort', resolve))));
  for (const isOwn of [false, true]) {
    const agent = new HttpAgent(url, { threadId: `t ${isOwn}` });
    const running = agent.run({ runId: 'r/ä' });
    await readTo(running, 'TEXT_MESSAGE_CONTENT');
    if (isOwn) await agent.cancel();
    else await new HttpAgent(url, { threadId: agent.threadId }).cancel('r/ä');
    await rest(running);
    assert.equal(running.result.outcome, 'cancelled');
    // Again: it is over already.
    await agent.cancel('r/ä');
  }
});

test('a run that is not known is refused', async (context) => {
  const url = await served(context, speaker());
  const agent = new HttpAgent(url, { threadId: 't' });
  await assert.rejects(rest(agent.join('none')), { name: 'AGUIConnectionError', code: 'run_unknown', status: 404 });
  await assert.rejects(agent.cancel('none'), { code: 'run_unknown', status: 404 });
  await assert.rejects(agent.cancel(), { code: 'wrong_type', path: '/runId' });
  assert.throws(() => agent.join(1), { name: 'TypeError', message: /runId/ });
  await assert.rejects(rest(agent.join('r', { tools: [] })), { code: 'unknown_field' });
  assert.equal(agent.isRunning, false);
});

test('a server without a log has no runs to join', async (context) => {
  const url = await serve(context, nodeHandler(speaker()));
  const agent = new HttpAgent(url);
  for (const asked of [() => rest(agent.join('r')), () => rest(agent.connect()), () => agent.cancel('r')]) await assert.rejects(asked, { name: 'AGUIConnectionError', code: 'http_error' });
});

test('agents of other transports say that runs are joined over HTTP', async () => {
  for (const agent of [new LocalAgent(speaker()), new Agent(() => [])]) {
    for (const asked of [() => rest(agent.join('r')), () => rest(agent.connect()), () => agent.cancel('r')]) {
      await assert.rejects(asked, (error) => error.name === 'AGUIValidationError' && /over HTTP/.test(error.message));
    }
    assert.equal(agent.isRunning, false);
  }
});

test('a thread is opened: messages, state and interrupts replace those of the client', async (context) => {
  const agent = async (run) => {
    await run.textMessage().write('one');
    run.state = { n: 1 };
    if (run.runId === 'asks') await run.interrupt({ id: 'i', reason: 'approval' });
  };
  const url = await served(context, agent);
  const first = new HttpAgent(url, { threadId: 't' });
  const second = new HttpAgent(url, { threadId: 't', messages: [{ id: 'old', role: 'user', content: 'x' }], state: { own: 1 } });
  const empty = second.connect();
  assert.deepEqual([await rest(empty), empty.result.outcome, empty.result.runId], [[], 'success', '']);
  // There is nothing to replace them with.
  assert.deepEqual([second.messages[0].id, second.state], ['old', { own: 1 }]);

  await first.ask('Hello', { runId: 'asks' });
  const changed = [];
  second.subscribe({ onMessagesChanged: ({ messages }) => void changed.push(messages.length), onStateChanged: ({ state }) => void changed.push(state) });
  const opened = second.connect();
  assert.deepEqual(await rest(opened), []);
  assert.deepEqual([second.messages, second.state, second.pendingInterrupts], [first.messages, { n: 1 }, first.pendingInterrupts]);
  assert.deepEqual(changed, [2, { n: 1 }]);
  const { outcome, runId, interrupts, newMessages } = opened.result;
  assert.deepEqual([outcome, runId, interrupts[0].id, newMessages.length], ['interrupt', 'asks', 'i', 2]);
});

test('a thread with an active run is opened: the run is joined', async (context) => {
  const { open, opened } = gate();
  const url = await served(context, speaker((run) => (run.runId === 'second' ? opened : undefined)));
  const first = new HttpAgent(url, { threadId: 't' });
  await first.runAgent({ runId: 'first' });
  const running = first.run({ runId: 'second' });
  await readTo(running, 'TEXT_MESSAGE_CONTENT');
  const second = new HttpAgent(url, { threadId: 't' });
  const connected = second.connect();
  await readTo(connected, 'TEXT_MESSAGE_CONTENT');
  assert.deepEqual(second.messages.map(({ content }) => content), ['one two', 'one']);
  open();
  await rest(connected);
  await rest(running);
  assert.deepEqual([connected.result.outcome, connected.result.runId, second.messages], ['success', 'second', first.messages]);
  assert.equal((await ended(url, 't')).lastRunId, 'second');
  assert.equal((await readThread(url, 't')).messages.length, 2);
});

test('a thread with an active run has the message that started it', async (context) => {
  for (const echoInput of [false, true]) {
    const { open, opened } = gate();
    const url = await served(context, speaker(() => opened), { echoInput });
    const first = new HttpAgent(url, { threadId: 't', messages: [{ id: 'asks', role: 'user', content: 'Count' }], state: { step: 1 } });
    const running = first.run({ runId: 'r' });
    await readTo(running, 'TEXT_MESSAGE_CONTENT');
    const second = new HttpAgent(url, { threadId: 't' });
    const connected = second.connect();
    await readTo(connected, 'RUN_STARTED');
    assert.deepEqual([second.messages.map(({ content }) => content), second.state], [['Count'], { step: 1 }]);
    open();
    await Promise.all([rest(connected), rest(running)]);
    assert.deepEqual([connected.result.text, second.messages.map(({ content }) => content)], ['one two', ['Count', 'one two']]);
    assert.deepEqual([second.messages, second.state], [first.messages, first.state]);
  }
});

for (const protobuf of [false, true]) {
  test(`a run that is joined over connections that are cut comes whole: ${protobuf ? 'binary' : 'text'}`, async (context) => {
    const { open, opened } = gate();
    const url = await served(context, speaker(() => opened));
    const running = new HttpAgent(url, { threadId: 't' }).run({ runId: 'r' });
    await readTo(running, 'TEXT_MESSAGE_CONTENT');
    // The second cut is within the prefix, which then comes again.
    const lengths = [0, 560, 600, 700];
    const second = new HttpAgent(await proxy(context, url, lengths), { threadId: 't', protobuf, reconnect: { first: 1, longest: 5, attempts: 50 } });
    const joined = second.join('r');
    await readTo(joined, 'TEXT_MESSAGE_CONTENT');
    open();
    await Promise.all([rest(joined), rest(running)]);
    assert.deepEqual([joined.result.outcome, second.messages.map(({ content }) => content), second.state], ['success', ['one two'], { done: true }]);
    assert.ok(lengths.length < 3);
  });
}

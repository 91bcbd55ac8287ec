// The end of a run: which replies and results there are, which of them are errors; and streams that are disposed of.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { require } from '../packages.mjs';

const { Agent, AGUIConnectionError, AGUIStreamError, LocalAgent } = require('ag-ui-native/client');

const ends = { threadId: 't', runId: 'r' };
const said = [
  { type: 'RUN_STARTED', ...ends },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hel' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
];
const finished = { type: 'RUN_FINISHED', ...ends };
const failed = { type: 'RUN_ERROR', message: 'The key sk-123 is wrong', code: 'rate_limit' };
const agentOf = (events, options) => new Agent(() => events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)), options);

function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  assert.fail('nothing was thrown');
}

test('an answer or a question is no error', async () => {
  for (const [outcome, end] of [
    ['success', finished],
    ['interrupt', { ...finished, outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'ask' }] } }],
  ]) {
    const reply = await agentOf([...said, end]).ask('Hi');
    assert.equal(reply.throwForOutcome(), reply);
    assert.equal(reply.result.throwForOutcome(), reply.result);
    assert.deepEqual([reply.result.outcome, String(reply)], [outcome, 'Hel']);
  }
});

test('anything else is one', async () => {
  for (const [code, end] of [
    ['run_cancelled', { ...finished, outcome: { type: 'cancelled' } }],
    ['run_failed', failed],
  ]) {
    const reply = await agentOf([...said, end]).ask('Hi');
    for (const judged of [reply, reply.result, reply.result.runs[0]]) {
      const error = thrown(() => judged.throwForOutcome());
      assert.ok(error instanceof AGUIStreamError);
      assert.deepEqual([error.code, error.run.outcome], [code, reply.result.outcome]);
      assert.doesNotMatch(error.message, /sk-123/);
      assert.equal(String(reply), `Hel\n[${error.message}]`);
      assert.equal(/rate_limit/.test(error.message), code === 'run_failed');
    }
    assert.equal(thrown(() => reply.throwForOutcome()).run, reply.result);
    assert.equal(reply.text, 'Hel');
  }
  const silent = await agentOf([said[0], failed]).ask('Hi');
  assert.match(String(silent), /^\[run_failed: .*\]$/);
});

test('what was aborted is one', async () => {
  const stream = agentOf([...said, finished]).askStream('Hi');
  for await (const _ of stream) break;
  assert.equal(stream.result, stream.reply.result);
  const error = thrown(() => stream.reply.throwForOutcome());
  assert.ok(error instanceof AGUIConnectionError);
  assert.equal(error.code, 'run_aborted');
});

test('a failure that a subscriber has taken on is thrown, and the result of one is one as well', async () => {
  const calm = await agentOf(said, { subscribers: [{ onRunFailed: () => ({ stopPropagation: true }) }] }).ask('Hi');
  const error = thrown(() => calm.throwForOutcome());
  assert.equal(error, calm.result.failure);
  assert.deepEqual([error.code, error.run], ['stream_truncated', calm.result]);
  assert.match(String(calm), /^Hel\n\[run_failed: /);
  const { run } = await agentOf(said).ask('Hi').catch((error) => error);
  assert.deepEqual([run.outcome, thrown(() => run.throwForOutcome()).code], ['failed', 'run_failed']);
});

test('replies and results are plain data besides', async () => {
  const reply = await agentOf([...said, finished]).ask('Hi');
  for (const shown of [reply, reply.result]) {
    assert.deepEqual(shown, structuredClone(shown));
    assert.deepEqual(Object.keys(shown).filter((name) => typeof shown[name] === 'function'), []);
    assert.doesNotMatch(inspect(shown), /throwForOutcome/);
  }
  assert.deepEqual(Object.keys(reply), ['text', 'messages', 'responseId', 'threadId', 'result']);
});

const speaks = async (run) => {
  const message = run.textMessage();
  for (const piece of 'abc') await message.write(piece);
  message.end();
};

for (const [way, ...given] of [['run'], ['stream'], ['askStream', 'Hi']]) {
  test(`leaving a loop over a named stream leaves the run: ${way}`, async () => {
    const agent = new LocalAgent(speaks);
    const stream = agent[way](...given);
    for await (const _ of stream) break;
    assert.deepEqual([agent.isRunning, stream.result.outcome], [false, 'aborted']);
    assert.equal((await agent.ask('Again')).text, 'abc');
    for await (const _ of stream) assert.fail('it is over');
    await stream.return();
    await stream.return();
  });

  test(`a stream that is disposed of leaves the run: ${way}`, { skip: !Symbol.asyncDispose && 'there is no await using' }, async () => {
    const agent = new LocalAgent(speaks);
    const stream = agent[way](...given);
    await stream.next();
    assert.equal(agent.isRunning, true);
    // A call that waits for the next item is settled.
    const waits = stream.next();
    await stream[Symbol.asyncDispose]();
    await waits;
    assert.deepEqual([agent.isRunning, stream.result.outcome], [false, 'aborted']);
    await stream[Symbol.asyncDispose]();
    assert.equal((await agent.ask('Again')).text, 'abc');
    // One that has not begun never does.
    const unread = agent[way](...given);
    await unread[Symbol.asyncDispose]();
    for await (const _ of unread) assert.fail('it is over');
    assert.equal(agent.isRunning, false);
  });

  test(`what is thrown into a stream comes back, and the run is left: ${way}`, async () => {
    const agent = new LocalAgent(speaks);
    const stream = agent[way](...given);
    await stream.next();
    await assert.rejects(stream.throw(new RangeError('mine')), { message: 'mine' });
    assert.deepEqual([agent.isRunning, (await stream.next()).done], [false, true]);
    assert.equal((await agent.ask('Again')).text, 'abc');
  });
}

// Agents, middleware and options that do what nobody should: the run ends once, and only what it has written leaves.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { failure, require } from './packages.mjs';
import { asking, eventsOf, listen, post, until, ways } from './servers.mjs';

const { guard, nodeHandler } = require('ag-ui-native/server');
const { assertEvents, runAgent } = require('ag-ui-native/testing');

const turn = () => new Promise(setImmediate);

for (const [way, serve] of Object.entries(ways)) {
  test(`${way}: what is refused halfway leaves whole frames`, async () => {
    const { ask, close } = await serve(async (run) => {
      run.custom('before', 1);
      assert.equal(failure(() => run.reasoning()).limit, 'openEntities');
      await turn();
      run.custom('behind', 2);
    }, { limits: { openEntities: 1 } });
    assertEvents(await eventsOf(await ask()), ['RUN_STARTED', { name: 'before' }, { name: 'behind' }, 'RUN_FINISHED']);
    close();
  });
}

test('a generator is no agent, and says so', async () => {
  const generators = [function* () {}, async function* () {}];
  for (const agent of generators) {
    const { outcome, error } = await runAgent(agent);
    assert.deepEqual([outcome, error.name], ['error', 'TypeError']);
    assert.match(error.message, /generator/);
    const subagent = await runAgent((run) => run.subagent('s').run(agent));
    assertEvents(subagent.events, ['RUN_STARTED', 'SUBAGENT_STARTED', 'SUBAGENT_ERROR', 'RUN_ERROR']);
  }
});

test('whatever is thrown, the run ends', async () => {
  const fail = () => {
    throw 5;
  };
  const hostile = new Proxy({}, { getPrototypeOf: fail, get: fail, has: fail });
  for (const thrown of [undefined, null, Symbol('s'), 5n, Object.create(null), hostile, Object.freeze(new Error('f'))]) {
    for (const agent of [() => { throw thrown }, () => Promise.reject(thrown), (run) => run.subagent('s').run(() => { throw thrown })]) {
      const { events } = await runAgent(agent, {}, { showErrors: true });
      assert.equal(events.at(-1).code, 'agent_failed');
    }
  }
});

test('whoever is told of errors fails himself', async () => {
  const strays = [];
  const stray = (reason) => strays.push(reason);
  process.on('unhandledRejection', stray);
  const fail = () => {
    throw new Error('told');
  };
  for (const onError of [async () => fail(), fail]) {
    assert.equal((await runAgent(fail, {}, { onError })).outcome, 'error');
    const events = [...guard((function* () { yield { type: 'RUN_STARTED', threadId: 't', runId: 'r' }; fail() })(), { onError })];
    assert.equal(events.at(-1).type, 'RUN_ERROR');
  }
  await turn();
  process.off('unhandledRejection', stray);
  assert.deepEqual(strays, []);
});

test('the server went down before the run began', async () => {
  const agent = () => assert.fail('nobody asks it');
  assert.equal((await runAgent(agent, {}, { signal: AbortSignal.abort() })).outcome, 'cancelled');
});

test('what is no string is none, whatever JSON would make of it', async () => {
  const calls = {
    id: [(id, run) => run.subagent('n', { id }), (id, run) => run.textMessage({ id }), (id, run) => run.reasoning({ id }), (id, run) => run.toolCall('f', { id }), (id, run) => run.activity('a', {}, { id })],
    name: [(name, run) => run.subagent(name), (name, run) => run.toolCall(name), (name, run) => run.step(name), (name, run) => run.textMessage({ name })],
    messageId: [(messageId, run) => run.toolResult('c', 'x', { messageId })],
    toolCallId: [(toolCallId, run) => run.toolResult(toolCallId, 'x')],
    parentMessageId: [(parentMessageId, run) => run.toolCall('f', { parentMessageId }), (parentMessageId, run) => run.subagent('n', { parentMessageId })],
    type: [(type, run) => run.activity(type, {})],
  };
  const { events } = await runAgent((run) => {
    for (const [name, ways] of Object.entries(calls)) {
      for (const way of ways) {
        for (const wrong of [new String('s'), 5, { toJSON: () => 's' }]) assert.throws(() => way(wrong, run), { name: 'TypeError', message: new RegExp(`^${name}: expected a string`) });
      }
    }
  });
  assertEvents(events, ['RUN_STARTED', 'RUN_FINISHED']);
  const { error } = await runAgent((run) => run.textMessage(), {}, { ids: { messageId: () => new String('s') } });
  assert.match(error.message, /^id: expected a string/);
});

test('a client that has gone while a middleware thought', async () => {
  let handled = false;
  let request;
  const handler = nodeHandler(() => assert.fail('nobody asks'), { bodyTimeout: Infinity });
  const { port, close } = await listen(async (incoming, response) => {
    request = incoming.on('error', () => undefined);
    await until(() => incoming.destroyed);
    await handler(incoming, response);
    handled = true;
  });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${post().join('\r\n')}\r\n\r\n${asking.body.slice(1)}`);
  await until(() => request);
  socket.destroy();
  await until(() => handled, 'it waits for a body that cannot come');
  close();
});

test('nothing follows the end that somebody else has put to an answer', async () => {
  let asked = 0;
  const { port, close } = await listen((request, response) => {
    if (++asked === 2) return response.end('the next answer');
    return nodeHandler(async (run) => {
      const message = run.textMessage();
      for (let at = 0; at < 3; at++) await message.write('before');
      response.end();
      for (let at = 0; at < 3; at++) await message.write('after');
    })(request, response);
  });
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.write(`${post().join('\r\n')}\r\n\r\n${asking.body}`.repeat(2));
  await until(() => text.endsWith('the next answer'));
  assert.equal(text.match(/"before"/g).length, 3);
  assert.doesNotMatch(text, /"after"/);
  socket.destroy();
  close();
});

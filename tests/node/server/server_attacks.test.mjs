// Agents, middleware and options that misuse the server: the run ends once, and the response has only the events of the run.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { failure, require } from '../packages.mjs';
import { asking, eventsOf, input, listen, post, rawRequest, until, ways } from '../servers.mjs';

const { fetchHandler, guard, nodeHandler } = require('ag-ui-native/server');
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

test('onError throws', async () => {
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
  const agent = () => assert.fail('the agent is not called');
  assert.equal((await runAgent(agent, {}, { signal: AbortSignal.abort() })).outcome, 'cancelled');
});

test('what is no string is none, whatever JSON would make of it', async () => {
  const calls = {
    id: [(id, run) => run.subagent('n', { id }), (id, run) => run.textMessage({ id }), (id, run) => run.reasoning({ id }), (id, run) => run.toolCall('f', undefined, { id }), (id, run) => run.activity('a', {}, { id })],
    name: [(name, run) => run.subagent(name), (name, run) => run.toolCall(name), (name, run) => run.step(name), (name, run) => run.textMessage({ name })],
    messageId: [(messageId, run) => run.toolResult('c', 'x', { messageId })],
    toolCallId: [(toolCallId, run) => run.toolResult(toolCallId, 'x')],
    parentMessageId: [(parentMessageId, run) => run.toolCall('f', {}, { parentMessageId }), (parentMessageId, run) => run.subagent('n', { parentMessageId })],
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
  const handler = nodeHandler(() => assert.fail('the agent is not called'), { bodyTimeout: Infinity });
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

test('nothing follows an end that the application has written itself', async () => {
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

test('a body whose encoding middleware has set, or that it has paused, is read as it was sent', async () => {
  const strays = [];
  const stray = (error) => void strays.push(error);
  process.on('uncaughtException', stray);
  const handler = nodeHandler((run) => run.write(run.messages[0].content), { limits: { inputBytes: 1000 } });
  let prepare;
  const { url, port, close } = await listen((request, response) => {
    prepare(request);
    return handler(request, response);
  });
  const body = JSON.stringify({ ...input, messages: [{ id: 'u', role: 'user', content: 'Grüße 😀' }] });
  const ways = [...['utf8', 'latin1', 'hex', 'base64'].map((encoding) => (request) => request.setEncoding(encoding)), (request) => request.pause()];
  for (prepare of ways) {
    const answer = await fetch(url, { ...asking, body, signal: AbortSignal.timeout(10_000) });
    assert.match(await answer.text(), /Grüße 😀/);
    const bytes = Buffer.from(body);
    const client = await rawRequest(port, post(body), bytes.subarray(0, 70));
    await turn();
    client.socket.write(bytes.subarray(70));
    await until(() => client.text.includes('RUN_FINISHED') || strays.length > 0);
    client.socket.destroy();
  }
  prepare = (request) => request.setEncoding('utf8');
  const forged = await fetch(url, { ...asking, body: '{"refusal":{"status":299,"allow":null,"body":"x"}}' });
  assert.equal(forged.status, 400);
  const long = await fetch(url, { ...asking, body: JSON.stringify({ ...input, threadId: 'ü'.repeat(480) }) });
  assert.equal(long.status, 413);
  close();
  process.off('uncaughtException', stray);
  assert.deepEqual(strays, []);
});

test('a body of fetch is bytes, whatever stands in its stream', async () => {
  const errors = [];
  const handler = fetchHandler(() => assert.fail('the agent is not called'), { onError: (error) => errors.push(error.message) });
  const body = ReadableStream.from(['{"refusal":{"status":299,"allow":null,"body":"x"}}']);
  const answer = await handler(new Request('http://localhost/', { ...asking, body, duplex: 'half' }));
  assert.deepEqual([answer.status, errors], [500, ['body: expected a Uint8Array, got a string']]);
});

// Options of servers: each is checked when a server is made, and is not shared with another server.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { require } from '../packages.mjs';
import { asking, eventsOf, input, listen, until, ways } from '../servers.mjs';

const { AGUIValidationError, UuidGenerator } = require('ag-ui-native');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');
const { runAgent } = require('ag-ui-native/testing');

const greet = (run) => run.write('Hello');
const entrances = { nodeHandler: async (options) => void nodeHandler(greet, options), fetchHandler: async (options) => void fetchHandler(greet, options), runAgent: (options) => runAgent(greet, {}, options) };

const flag = [[true, false], [['', 1], ['', 'no']]];
const callback = [[() => []], [['', []], ['', 'ask']]];
const duration = [[0.5, 1_000_000, Infinity], [['', -1], ['', NaN], ['', '1'], ['', [5]], ['', true], ['', { valueOf: () => 1 }]]];
/** The values that each option takes, and those that it refuses, with the path of the error. */
const table = {
  timeLimit: duration,
  bodyTimeout: duration,
  heartbeat: duration,
  maxWaiting: [[1024, 2 ** 40], [['', 0], ['', -1], ['', 1.5], ['', '1'], ['', Infinity]]],
  echoInput: flag,
  showErrors: flag,
  acceptWildcards: flag,
  onError: [[() => {}], [['', 1], ['', {}]]],
  pendingInterrupts: callback,
  stateFlush: [['await', 'end', 'manual'], [['', 'never'], ['', 1], ['', ['end']]]],
  ids: [[new UuidGenerator()], [['', 5], ['', () => 'id']]],
  signal: [[new AbortController().signal], [['', {}], ['', true]]],
  limits: [[{}, { depth: 9 }, { eventBytes: undefined }], [['', 9], ['', [9]], ['/depth', { depth: -1 }], ['/depth', { depth: '9' }], ['/depth', { depth: 1.5 }], ['/depth', { depth: () => 9 }], ['/eventBytes', { eventBytes: 2 ** 70 }]]],
  cors: [['*', [], ['https://a.example']], [['', 'https://a.example'], ['', 1], ['', new Set(['https://a.example'])], ['', { includes: () => true }], ['/1', ['https://a.example', 1]], ['/0', ['*']], ['/1', ['https://a.example', , 'https://b.example']]]],
};

for (const [name, [right, wrong]] of Object.entries(table)) {
  test(`the option ${name}`, async () => {
    for (const value of [...right, undefined, null]) for (const entrance of Object.values(entrances)) await entrance({ [name]: value });
    for (const [pointer, value] of wrong) {
      const path = `/${name}${pointer}`;
      for (const entrance of Object.values(entrances)) {
        await assert.rejects(entrance({ [name]: value }), (error) => {
          assert.ok(error instanceof AGUIValidationError);
          assert.deepEqual([error.code, error.path, error.issues.length, error.issues[0].aguiPath], ['wrong_type', path, 1, path]);
          assert.match(error.message, new RegExp(`the option ${name}: expected .*, got `));
          return true;
        });
      }
    }
  });
}

test('options by another name are refused, and so are limits', async () => {
  const names = { time_limit: 'expected timeLimit', maxwaiting: 'expected maxWaiting', origins: 'expected limits,' };
  for (const entrance of Object.values(entrances)) {
    for (const [name, hint] of Object.entries(names)) {
      await assert.rejects(entrance({ [name]: 5 }), { name: 'AGUIValidationError', code: 'unknown_field', path: `/${name}`, message: new RegExp(hint) });
      await entrance({ [name]: undefined });
    }
    await assert.rejects(entrance({ limits: { event_bytes: 5 } }), { name: 'AGUIValidationError', code: 'unknown_field', path: '/limits/event_bytes' });
    await assert.rejects(entrance(5), TypeError);
  }
});

test('options that change later change nothing', async () => {
  const options = { cors: ['https://a.example'], limits: { eventBytes: 1000 }, timeLimit: 1_000_000 };
  const before = fetchHandler(greet, options);
  options.cors[0] = 'https://b.example';
  options.limits.eventBytes = 1;
  options.timeLimit = 0;
  const after = fetchHandler(greet, { ...options, limits: undefined, timeLimit: undefined });
  for (const [handler, origin] of [[before, 'https://a.example'], [after, 'https://b.example']]) {
    const answer = await handler(new Request('http://localhost/', { ...asking, headers: { ...asking.headers, origin } }));
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, origin]);
    assert.equal((await eventsOf(answer)).at(-1).type, 'RUN_FINISHED');
  }
});

test('options are asked once', async () => {
  const asked = [];
  const told = new Proxy({ cors: ['https://a.example'] }, { get: (given, name) => (asked.push(name), given[name]) });
  fetchHandler(greet, told);
  assert.equal(asked.filter((name) => name === 'cors').length, 1);
  let times = 0;
  const lying = Object.defineProperty([], 0, { enumerable: true, get: () => (times++ ? '*' : 'https://a.example') });
  const answer = await fetchHandler(greet, { cors: lying })(new Request('http://localhost/', { ...asking, headers: { ...asking.headers, origin: 'https://a.example' } }));
  assert.deepEqual([times, answer.headers.get('access-control-allow-origin')], [1, 'https://a.example']);
  await answer.text();
  assert.throws(() => fetchHandler(greet, { get cors() { throw new RangeError('mine'); } }), RangeError);
});

for (const [way, serve] of Object.entries(ways)) {
  test(`${way}: a page hears of a server that fails`, async () => {
    const { ask, close } = await serve(greet, { cors: ['https://a.example'], pendingInterrupts: () => assert.fail() });
    const answer = await ask({ headers: { ...asking.headers, origin: 'https://a.example' } });
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [500, 'https://a.example']);
    assert.equal((await answer.json()).code, 'internal');
    close();
  });

  test(`${way}: an agent that has ended its run has its time, not more`, async () => {
    const aborted = [];
    const agent = async (run) => {
      run.finish('done');
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      aborted.push(run.signal.reason.code);
      await new Promise(() => undefined);
    };
    const { ask, close } = await serve(agent, { timeLimit: 20, signal: new AbortController().signal });
    assert.equal((await eventsOf(await ask())).at(-1).result, 'done');
    await until(() => aborted.length > 0);
    assert.deepEqual(aborted, ['run_timeout']);
    close();
  });

  test(`${way}: one handler answers many at once, each with its own run`, async () => {
    const { ask, close } = await serve(async (run) => {
      await pause(1);
      await run.write(run.threadId);
      return run.threadId;
    });
    const answers = Array.from({ length: 40 }, async (_, at) => {
      const events = await eventsOf(await ask({ body: JSON.stringify({ ...input, threadId: `t${at}` }) }));
      return [events.at(0).threadId, events.at(-1).result, events.find(({ delta }) => delta).delta];
    });
    assert.deepEqual(await Promise.all(answers), Array.from({ length: 40 }, (_, at) => Array(3).fill(`t${at}`)));
    close();
  });
}

test('the handler is done with an agent that has ended its run and hangs', async () => {
  let done;
  const over = new Promise((resolve) => (done = resolve));
  const handler = nodeHandler((run) => (run.finish(), new Promise(() => undefined)), { timeLimit: 10, signal: new AbortController().signal });
  const { url, close } = await listen((...both) => void handler(...both).then(done));
  await (await fetch(url, asking)).text();
  await over;
  close();
});

test('a getter of an activity that writes is heard first', async () => {
  const { messages } = await runAgent((run) => {
    const activity = run.activity('plan', { steps: ['a'], title: 'a title that makes patches the shorter way' });
    activity.update({
      get steps() {
        activity.update({ steps: ['a', 'b', 'c'], title: 'another title that makes patches the shorter way' });
        return ['a', 'd'];
      },
      title: 'a title that makes patches the shorter way',
    });
  });
  assert.deepEqual(messages.at(-1).content, { steps: ['a', 'd'], title: 'a title that makes patches the shorter way' });
});

for (const accept of ['text/event-stream', AGUI_MEDIA_TYPE]) test(`larger limits reach every event: ${accept}`, async () => {
  const text = 'x'.repeat(17 << 20);
  const limits = { eventBytes: 64 << 20 };
  const handler = fetchHandler(
    async (run) => {
      assert.equal(run.state.text, text);
      await run.activity('plan', {}).update({ text });
      run.state = { other: text };
      return text;
    },
    { limits, echoInput: true },
  );
  const answer = await handler(new Request('http://localhost/', { ...asking, headers: { ...asking.headers, accept }, body: JSON.stringify({ ...input, state: { text } }) }));
  const decoder = new EventDecoder({ profile: 'strict', limits, contentType: accept });
  const events = [...decoder.feed(new Uint8Array(await answer.arrayBuffer())), ...decoder.close()];
  assert.deepEqual(events.map(({ type }) => type), ['RUN_STARTED', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'STATE_SNAPSHOT', 'RUN_FINISHED']);
  assert.equal(events.at(-1).result.length, text.length);
});

test('what an agent throws is on the console, unless the application hears of it', async (t) => {
  const told = t.mock.method(console, 'error', () => undefined);
  const failing = () => {
    throw new RangeError('mine');
  };
  const request = () => new Request('http://x/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"threadId":"t","runId":"r","messages":[]}' });
  const messages = ({ mock }) => mock.calls.map(({ arguments: [error] }) => error.message);
  const text = await (await fetchHandler(failing)(request())).text();
  assert.match(text, /see the server's log/);
  assert.deepEqual(messages(told), ['mine']);
  const onError = t.mock.fn();
  await (await fetchHandler(failing, { onError })(request())).text();
  assert.deepEqual(messages(onError), ['mine']);
  assert.equal(told.mock.callCount(), 1);
});

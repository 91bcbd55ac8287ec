// Misbehaving objects of hosts, and calls of the addon with wrong arguments: they fail with errors, and the run goes on.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, native, require } from '../packages.mjs';

const { RunCall, ...border } = require('./dist/generated/border.cjs');
const { assertEvents, runAgent } = require('ag-ui-native/testing');

const thrown = new Error('theirs');
const fail = () => {
  throw thrown;
};
const theirs = (error) => error === thrown;

test('getters, proxies and toJSON that throw are the caller\'s, and nothing is written', async () => {
  const getter = Object.defineProperty({}, 'a', { get: fail, enumerable: true });
  const proxy = new Proxy({}, { get: fail, ownKeys: fail });
  const odd = { toJSON: fail };
  const { events } = await runAgent((run) => {
    const call = run.toolCall('f');
    for (const value of [getter, proxy, odd]) {
      assert.throws(() => run.custom('c', value), theirs);
      assert.throws(() => run.raw(value), theirs);
      assert.throws(() => run.event({ type: 'CUSTOM', name: 'c', value }), theirs);
      assert.throws(() => run.toolCall('f', value), theirs);
      assert.throws(() => run.activity('a', value), theirs);
      assert.throws(() => run.textMessage({ metadata: { value } }), theirs);
      assert.throws(() => run.usage({ inputTokens: value }), theirs);
      assert.throws(() => run.finish(value), theirs);
      assert.throws(() => run.interrupt({ id: 'i', reason: 'r', metadata: { value } }), theirs);
      assert.throws(() => run.messagesSnapshot([value]), theirs);
      assert.throws(() => run.subagent('s').finish(value), theirs);
      run.state.bad = value;
      assert.throws(() => run.flushState(), theirs);
      assert.throws(() => run.stateSnapshot(), theirs);
      delete run.state.bad;
    }
    call.end();
  });
  const subagents = ['SUBAGENT_STARTED', 'SUBAGENT_STARTED', 'SUBAGENT_STARTED'];
  const ends = ['SUBAGENT_FINISHED', 'SUBAGENT_FINISHED', 'SUBAGENT_FINISHED'];
  assertEvents(events, ['RUN_STARTED', 'TOOL_CALL_START', ...subagents, 'TOOL_CALL_END', ...ends, 'RUN_FINISHED']);
});

test('what is no JSON, or too much of it', async () => {
  const cycle = {};
  cycle.self = cycle;
  let deep = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const { events, error } = await runAgent((run) => {
    for (const value of [cycle, 5n]) assert.throws(() => run.custom('c', value), TypeError);
    assert.equal(failure(() => run.custom('c', deep)).limit, 'depth');
    assert.equal(failure(() => run.custom('c', JSON.parse('['.repeat(500) + ']'.repeat(500)))).limit, 'depth');
    assert.equal(failure(() => run.custom('c', () => 1)).code, 'missing_field');
    assert.equal(failure(() => run.custom('c', 'x'.repeat(17 * 1024 * 1024))).limit, 'eventBytes');
    assert.equal(failure(() => run.toolCall('f', () => 1)).name, 'TypeError');
    assert.equal(failure(() => run.textMessage({ id: 'x'.repeat(70_000) })).limit, 'idBytes');
    run.custom('c', { date: new Date(0), nan: NaN, none: undefined });
  });
  assert.equal(error, undefined, error?.stack);
  assertEvents(events, ['RUN_STARTED', { type: 'CUSTOM', value: { date: '1970-01-01T00:00:00.000Z', nan: null } }, 'RUN_FINISHED']);
});

test('what writes while it is read', async () => {
  const { events, error } = await runAgent((run) => {
    const message = run.textMessage();
    const value = {
      get a() {
        message.write('meanwhile');
        return 1;
      },
    };
    run.custom('c', value);
    const ending = {
      get a() {
        run.finish('first');
        return 1;
      },
    };
    assert.equal(failure(() => run.finish(ending)).rule, 'V02');
    assert.equal(failure(() => message.write('x')).rule, 'V02');
  });
  assert.equal(error, undefined, error?.stack);
  assertEvents(events, ['RUN_STARTED', 'TEXT_MESSAGE_START', { delta: 'meanwhile' }, { type: 'CUSTOM', value: { a: 1 } }, 'TEXT_MESSAGE_END', { type: 'RUN_FINISHED', result: 'first' }]);
});

test('what is asked in vain for long', async () => {
  const long = 'é'.repeat(3_000_000);
  const { events } = await runAgent((run) => {
    const message = run.textMessage();
    message.write(long);
    message.write('short');
  });
  assert.deepEqual([events[2].delta === long, events[3].delta], [true, 'short']);
});

// The numbers of the calls are constants of TypeScript; here they are counted.
const names = [
  ...['Write', 'Send', 'Open', 'OpenReasoning', 'End', 'EndAs', 'EndFailed', 'EndRun', 'Decide', 'Conclude', 'AddUsage', 'Take', 'Chunk', 'KeepAlive', 'NextCheck', 'CheckSilence', 'Heard', 'Drop', 'CheckRoom'],
  ...['Read', 'Start', 'OneCall', 'State', 'WantsState', 'StateDue', 'Activity', 'ActivityUpdate', 'Panic', 'Receive'],
];
const calls = RunCall ?? Object.fromEntries(names.map((name, at) => [name, at]));
const body = new TextEncoder().encode('{"threadId":"t","runId":"r","messages":[]}');

function started() {
  const run = native.createRun('text', '{}');
  run(calls.Receive, body);
  run(calls.Read);
  run(calls.Start, false);
  return run;
}

test('any arguments are answered with a number or text', () => {
  assert.ok(border);
  const values = [undefined, null, true, -1, 0.5, 0, 2 ** 53, NaN, Infinity, 'x', '', '\ud800', {}, [], new Uint8Array(), new Uint8Array(8), new Uint16Array(4), new Uint32Array(4), new Uint8Array(new SharedArrayBuffer(8)), () => 1, Symbol('s'), 5n];
  const run = started();
  for (const call of [...names.filter((name) => !['EndRun', 'Conclude', 'CheckRoom'].includes(name)).map((name) => calls[name]), 99, -1, 'x', undefined, {}]) {
    for (const about of values) {
      for (const text of values) {
        const answer = run(call, about, text, about);
        const isChunk = call === calls.Chunk && /^[0-9a-f]+\r\n/.test(answer);
        assert.ok(typeof answer === 'number' || isChunk || (typeof answer === 'string' && JSON.parse(answer)), `${call}`);
      }
    }
  }
  assert.ok(run(calls.OneCall, false) >= 0);
  for (const about of values) for (const text of values) assert.ok(['number', 'string'].includes(typeof started()(calls.Conclude, about, text, about)));
});

test('frames are taken whole or not at all', () => {
  const run = started();
  const waiting = run(calls.Take);
  assert.ok(waiting > 50);
  for (const bytes of [new Uint8Array(), new Uint8Array(waiting - 1), new Uint8Array(new SharedArrayBuffer(waiting)), new Uint16Array(waiting)]) {
    assert.equal(run(calls.Take, bytes), waiting);
    assert.ok(bytes.every((byte) => byte === 0));
  }
  const detached = new Uint8Array(waiting);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.equal(run(calls.Take, detached), waiting);
  const bytes = new Uint8Array(waiting);
  assert.equal(run(calls.Take, bytes), waiting);
  assert.match(new TextDecoder().decode(bytes), /^data: \{"type":"RUN_STARTED".*\}\n\n$/);
  assert.equal(run(calls.Take, bytes), 0);
});

test('a panic is an error, and the run ends still', () => {
  const run = started();
  assert.equal(JSON.parse(run(calls.Panic)).code, 'internal');
  // From the end on it is -1 less how many bytes wait.
  const waiting = -1 - run(calls.EndRun, undefined, '{"type":"RUN_FINISHED","threadId":"","runId":""}');
  assert.ok(waiting > 100);
  assert.deepEqual([run(calls.Take), run(calls.Drop)], [waiting, -1]);
});

// Streams of models that fail, lie or never end.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fixture, require } from '../packages.mjs';

const { runAgent } = require('ag-ui-native/testing');
const openai = require('ag-ui-native/adapters/openai');

const { before, chunks: nonChunks, events: eventsBefore, error: noChunk } = fixture('model_non_chunks');

for (const value of [...nonChunks, undefined, NaN, Symbol('x'), () => ({}), { toJSON: () => 'x' }, { toJSON() {} }]) {
  test(`what is no chunk is refused, and what is open ends: ${typeof value} ${String(value)}`, async () => {
    const ran = await runAgent((run) => openai.streamChat(run, streamOf(before, value)));
    assert.deepEqual({ code: ran.error.code, message: ran.error.message }, noChunk);
    assert.deepEqual(ran.events.slice(1, -1).map(({ type }) => type), eventsBefore);
  });
}

const boom = new Error('boom');
const throwing = () => {
  throw boom;
};
const other = () => {
  throw new Error('other');
};

/** A stream of these chunks. */
function streamOf(...all) {
  return { async *[Symbol.asyncIterator]() { yield* all; } };
}

/** A stream by its iterator's members: it gives the chunk before, and then what `next` returns. */
function iterated(next, more = {}, of = {}) {
  let given = false;
  const first = () => (given ? next() : ((given = true), Promise.resolve({ done: false, value: before })));
  return { [Symbol.asyncIterator]: () => ({ next: first, ...more }), ...of };
}

const hostile = {
  'chunk that throws in toJSON': streamOf(before, { toJSON: throwing }),
  'getter that throws': streamOf(before, { get choices() { return throwing(); } }),
  'proxy that throws': streamOf(before, new Proxy({}, { ownKeys: throwing })),
  'stream that throws': iterated(throwing),
  'stream that rejects': iterated(() => Promise.reject(boom)),
  'promise that throws': iterated(() => ({ then: throwing })),
  'result that throws': iterated(async () => ({ get done() { return throwing(); } })),
  'value that throws': iterated(async () => ({ done: false, get value() { return throwing(); } })),
  'return() that throws, behind an error': iterated(throwing, { return: other }),
  'return() that rejects, behind an error': iterated(throwing, { return: () => Promise.reject(new Error('other')) }),
  'return that is no function, behind an error': iterated(throwing, { return: 1 }),
  'controller that throws, behind an error': Object.defineProperty(iterated(throwing), 'controller', { get: other }),
};

for (const [name, stream] of Object.entries(hostile)) {
  test(`the error of a hostile stream is passed on, and what is open ends: ${name}`, async () => {
    const ran = await runAgent((run) => openai.streamChat(run, stream));
    assert.equal(ran.error, boom);
    assert.deepEqual(ran.events.slice(1, -1).map(({ type }) => type), eventsBefore);
  });
}

test('an iterator is closed also if its controller fails', async () => {
  let returned = false;
  const stream = iterated(throwing, { return: () => (returned = true) }, { controller: { abort: throwing } });
  await runAgent((run) => openai.streamChat(run, stream));
  assert.ok(returned);
});

test('a call is ended, and the reason is told, when the run is aborted in the middle of it', async () => {
  const call = { index: 0, id: 'c', function: { name: 'look', arguments: '{"x' } };
  const stream = iterated(() => new Promise(() => {}), { return: throwing });
  let reason;
  const ran = await runAgent(async (run) => {
    const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
    const both = { async *[Symbol.asyncIterator]() { yield chunk; yield* stream; } };
    await openai.streamChat(run, both).catch((error) => {
      reason = error;
      throw error;
    });
  }, {}, { timeLimit: 300 });
  assert.equal(reason.code, 'run_timeout');
  const types = ran.events.map(({ type }) => type).filter((type) => type.startsWith('TOOL'));
  assert.deepEqual(types, ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END']);
});

test('a run that is aborted already reads no chunk', async () => {
  let read = 0;
  let reason;
  const ran = await runAgent(async (run) => {
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    await openai.streamChat(run, iterated(() => (read += 1))).catch((error) => (reason = error));
  }, {}, { timeLimit: 50 });
  assert.equal(ran.outcome, 'error');
  assert.deepEqual([read, reason.code], [0, 'run_timeout']);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const ends = {
  'has ended': async () => ({ done: true }),
  'has failed': () => Promise.reject(boom),
  'was aborted': () => new Promise(() => {}),
};

for (const [end, last] of Object.entries(ends)) {
  test(`nothing keeps a stream or a run that ${end}`, async () => {
    const kept = [];
    await runAgent(async (run) => {
      const stream = iterated(last);
      kept.push(new WeakRef(stream), new WeakRef(run));
      await openai.streamChat(run, stream);
    }, {}, { timeLimit: 100 });
    for (let turn = 0; turn < 50 && kept.some((one) => one.deref() !== undefined); turn++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      collect();
    }
    assert.deepEqual(kept.map((one) => one.deref()), [undefined, undefined]);
  });
}

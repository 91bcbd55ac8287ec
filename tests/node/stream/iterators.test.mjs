// Generators that the package hands out: left half way, closed twice, iterated twice, thrown into. Each closes its source.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';

const { decodeEvents, AGUISequenceError } = require('ag-ui-native/stream');
const { coalesceEvents, guard } = require('ag-ui-native/server');
const { Agent } = require('ag-ui-native/client');

const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];
const frames = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));

/** Yields the items, and counts the ends of its iterations. */
function source(items) {
  const made = { closed: 0, later, plain };
  async function* later() {
    try {
      yield* items;
    } finally {
      made.closed++;
    }
  }
  function* plain() {
    try {
      yield* items;
    } finally {
      made.closed++;
    }
  }
  return made;
}

const all = async (items) => {
  const read = [];
  for await (const item of items) read.push(item);
  return read;
};

for (const [name, make, items] of [
  ['decodeEvents', (from) => decodeEvents(from.later()), frames],
  ['decodeEvents of a plain generator', (from) => decodeEvents(from.plain()), frames],
  ['guard', (from) => guard(from.later()), events],
  ['guard of a plain generator', (from) => guard(from.plain()), events],
  ['coalesceEvents', (from) => coalesceEvents(from.later(), { maxBytes: 0 }), events],
  ['coalesceEvents of a plain generator', (from) => coalesceEvents(from.plain(), { maxBytes: 0 }), events],
]) {
  test(`${name} closes what it reads`, async () => {
    const from = source(items);
    let made = make(from);
    await made.next();
    await made.return();
    await made.return();
    assert.deepEqual([from.closed, await all(made)], [1, []]);
    made = make(from);
    for await (const _ of made) break;
    assert.deepEqual([from.closed, await all(made)], [2, []]);
    made = make(from);
    await made.next();
    const error = new RangeError('mine');
    await assert.rejects(async () => made.throw(error), error);
    assert.deepEqual([from.closed, await all(made)], [3, []]);
    made = make(from);
    assert.deepEqual([(await all(made)).length, await all(made), from.closed], [events.length, [], 4]);
  });
}

test('what others have made of their streams is none of the events of this one', async () => {
  const error = Object.assign(new AGUISequenceError('broken', { code: 'sequence_broken' }), { partial: [{ type: 'CUSTOM', name: 'not ours', value: 1 }] });
  const read = [];
  const failing = async function* () {
    yield frames[0];
    throw error;
  };
  await assert.rejects(async () => {
    for await (const event of decodeEvents(failing())) read.push(event.type);
  }, error);
  assert.deepEqual(read, ['RUN_STARTED']);
  const stream = decodeEvents(frames);
  await stream.next();
  await assert.rejects(stream.throw(error), error);
});

test('middleware that asks again leaves no connection behind', async () => {
  const log = [];
  const transport = async function* () {
    log.push('opened');
    try {
      yield* frames;
    } finally {
      log.push('closed');
    }
  };
  const impatient = async function* (input, next) {
    for await (const _ of next(input)) break;
    yield* next(input);
  };
  const reply = await new Agent(() => transport(), { middleware: [impatient] }).ask('Hi');
  assert.deepEqual([reply.text, log], ['Hi', ['opened', 'closed', 'opened', 'closed']]);
});

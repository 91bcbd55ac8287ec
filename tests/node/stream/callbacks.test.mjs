// Code of the caller that runs in the middle of a call: callbacks, and getters of objects that were handed out. It may read and may
// throw, and no data is lost.
import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, ours, require } from '../packages.mjs';

const { ChunkExpander, EventDecoder, EventPipeline, EventVerifier, Reducer, decodeEvents, enforceEvents } = ours.stream;

const { applyPatch, diff } = require('ag-ui-native/patch');

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const frames = (...events) => Buffer.concat(events.map(frame));
const content = (delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });
const started = { type: 'TEXT_MESSAGE_START', messageId: 'm' };
const unknown = { type: 'WEIRD' };
const loose = { verify: false, expand: false };

const thrower = (told = []) => ({
  told,
  onWarning(warning) {
    told.push(warning.eventIndex);
    throw new Error(`callback ${told.length}`);
  },
});

test('a callback that throws loses no event and no warning', () => {
  const { told, onWarning } = thrower();
  const decoder = new EventDecoder({ onWarning });
  const error = failure(() => decoder.feed(frames(content('a'), unknown, content('b'), unknown)));
  assert.equal(error.message, 'callback 1');
  assert.deepEqual(told, [1, 3], 'each has been told');
  assert.deepEqual(decoder.feed(frame(content('c'))).map(({ delta }) => delta), ['a', 'b', 'c']);
  assert.deepEqual(decoder.close(), []);
});

test('the same in a pipeline, a reducer, an expander', () => {
  for (const make of [(options) => new EventPipeline({ ...loose, ...options }), (options) => new EventPipeline({ ...loose, ...options, reduce: false })]) {
    const pipeline = make({ onWarning: thrower().onWarning });
    failure(() => pipeline.feed(frames(started, unknown, content('a'))));
    const made = pipeline.feed(frame(content('b')));
    assert.equal(made.length, 3);
    if (made[0].kind) assert.equal(pipeline.messages[0].content, 'ab');
  }
  const { told, onWarning } = thrower();
  const reducer = new Reducer({ onWarning });
  reducer.apply(started);
  failure(() => reducer.applyAll([content('a'), unknown, content('b')]));
  assert.deepEqual(reducer.apply(content('c')).map(({ value }) => value), ['a', 'b', 'c']);
  assert.deepEqual(told, [2]);
  const expander = new ChunkExpander({ onWarning });
  assert.deepEqual(failure(() => expander.push(unknown)).message, 'callback 2');
});

test('where the stream fails too, its error has the events, and what the callback threw as its cause', () => {
  const decoder = new EventDecoder({ onWarning: thrower().onWarning });
  const error = failure(() => decoder.feed(frames(content('a'), unknown, { type: 'RAW' })));
  assert.equal(error.code, 'missing_field');
  assert.equal(error.partial.length, 1);
  assert.equal(error.cause.message, 'callback 1');
});

test('an iterator delivers what came before its callback threw', async () => {
  const seen = [];
  const error = await (async () => {
    for await (const event of decodeEvents([frames(content('a'), unknown, content('b'))], { onWarning: thrower().onWarning })) seen.push(event.delta);
  })().catch((error) => error);
  assert.equal(error.message, 'callback 1');
  assert.deepEqual(seen, ['a', 'b']);
});

test('no warning is lost where there is no callback', async () => {
  const stream = decodeEvents([frames(unknown, content('a'))]);
  assert.deepEqual(stream.warnings, []);
  for await (const event of stream) assert.equal(event.delta, 'a');
  assert.deepEqual(stream.warnings.map(({ code }) => code), ['unknown_event_type']);
  const pipeline = new EventPipeline({ ...loose, reduce: false });
  pipeline.feed(frame(unknown));
  assert.equal(pipeline.warnings.length, 1);
});

test('as many warnings in one call as there are', () => {
  const count = 200_000;
  const decoder = new EventDecoder({ limits: { warnings: count } });
  decoder.feed(Buffer.from('data: {"type":"W"}\n\n'.repeat(count)));
  assert.equal(decoder.warnings.length, count);
});

test('a callback may read, and gets an error of its own where it feeds', () => {
  const codes = [];
  const read = [];
  const pipeline = new EventPipeline({
    ...loose,
    onWarning() {
      read.push([pipeline.messages[0].content, pipeline.lastEventId, pipeline.stateInSync]);
      codes.push(failure(() => pipeline.feed(frame(content('x')))).code);
    },
  });
  pipeline.feed(frames(started, content('a'), unknown, content('b')));
  assert.deepEqual(read, [['ab', '', true]]);
  assert.deepEqual(codes, ['reentrant_call']);
  assert.equal(pipeline.messages[0].content, 'ab');

  const verifier = new EventVerifier({
    onWarning() {
      codes.push(failure(() => verifier.check(started)).code);
      assert.deepEqual(verifier.open(), []);
    },
  });
  verifier.check(unknown);
  assert.equal(codes[1], 'reentrant_call');
});

/** A pipeline or reducer whose state has been given a getter that does `work` once. */
function trapped(made, work) {
  let left = 1;
  Object.defineProperty(made.state, 'trap', { enumerable: true, configurable: true, get: () => (left-- > 0 ? work() : 0) });
  return made;
}

const patch = (path, value = 1) => ({ type: 'STATE_DELTA', delta: [{ op: 'add', path, value }] });
const copying = { type: 'STATE_DELTA', delta: [{ op: 'copy', from: '/a', path: '/c' }] };

for (const onPatchFailure of ['flag', 'error']) {
  for (const [name, event] of Object.entries({ direct: patch('/b'), general: copying })) {
    test(`a getter in the state that feeds: ${name}, ${onPatchFailure}`, () => {
      const options = { ...loose, state: { a: 1 }, onPatchFailure };
      const pipeline = trapped(new EventPipeline(options), () => pipeline.feed(frame(content('x'))));
      const error = failure(() => pipeline.feed(frames(started, content('a'), event, content('b'))));
      assert.equal(error.code, onPatchFailure === 'flag' ? 'reentrant_call' : 'patch_failed');
      if (onPatchFailure === 'error') return assert.equal(error.cause.code, 'reentrant_call');
      assert.equal(pipeline.messages[0].content, 'ab');
      assert.equal(pipeline.stateInSync, false);
      const kinds = pipeline.feed(frame(content('c'))).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['message_inserted', 'text_appended', 'patch_failed', 'text_appended', 'text_appended']);
    });

    test(`a getter in the state that throws: ${name}, ${onPatchFailure}`, () => {
      const thrown = new Error('mine');
      const options = { state: { a: 1 }, onPatchFailure };
      const reducer = trapped(new Reducer(options), () => {
        throw thrown;
      });
      const before = reducer.state;
      const error = failure(() => reducer.applyAll([started, event, content('b')]));
      assert.ok(error === thrown || error.cause === thrown);
      assert.deepEqual(Object.keys(reducer.state), ['a', 'trap']);
      assert.deepEqual(before, { a: 1, trap: 0 });
      if (onPatchFailure === 'flag') assert.equal(reducer.messages[0].content, 'b');
    });
  }
}

test('an event whose getter throws, even nothing, ends the call where it stands', () => {
  const bad = { type: 'RAW', get event() { throw undefined; } };
  const reducer = new Reducer();
  let threw = false;
  try {
    reducer.applyAll([started, bad, content('a')]);
  } catch (error) {
    threw = error === undefined;
  }
  assert.ok(threw);
  assert.equal(reducer.apply(content('b')).length, 2, 'what came before is returned by the next call');
  threw = false;
  try {
    enforceEvents([bad]);
  } catch (error) {
    threw = error === undefined;
  }
  assert.ok(threw);
});

test('a chunk beyond the length of a string is read in pieces', () => {
  const delta = 'x'.repeat(1_000_000);
  const chunk = Buffer.concat([frame(started), ...Array(560).fill(frame(content(delta)))]);
  for (const options of [{}, { reduce: false }]) {
    const pipeline = new EventPipeline({ ...loose, ...options });
    // The text of the message becomes too long for JavaScript; the events do not.
    if (options.reduce === undefined) assert.equal(failure(() => pipeline.feed(chunk)).code, 'limit_exceeded');
    else assert.equal(pipeline.feed(chunk).length, 561);
    const made = options.reduce === undefined ? pipeline.messages[0].content.length : 536_000_000;
    assert.equal(made, 536_000_000, 'as much as there was room for');
  }
});

test('what nests deeper than the stack exceeds the limit by name', () => {
  let deep = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const event = { type: 'STATE_SNAPSHOT', snapshot: deep };
  const { encoder } = ours;
  const works = {
    encode: () => new encoder.EventEncoder().encode(event),
    encodeBinary: () => new encoder.EventEncoder({ accept: encoder.AGUI_MEDIA_TYPE }).encodeBinary(event),
    reduce: () => new Reducer().apply(event),
    'reduce all': () => new Reducer().applyAll([event]),
    enforce: () => enforceEvents([event]),
    state: () => new EventPipeline({ state: deep }),
    diff: () => diff(deep, [deep]),
    'diff, the other way': () => diff([{}, deep], [{}, [deep]]),
    patch: () => applyPatch({ a: deep }, [{ op: 'copy', from: '/a', path: '/b' }]),
  };
  for (const [name, work] of Object.entries(works)) {
    const { code, limit } = failure(work);
    assert.deepEqual([code, limit], ['limit_exceeded', 'depth'], name);
  }
});

test('a chunk that a getter takes away while it is read is read to its end', () => {
  const frames = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 2 }] },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'all of it' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const chunk = new TextEncoder().encode(frames.join(''));
  // Under this policy a patch is carried out before the rest of the chunk is read.
  const pipeline = new EventPipeline({ onPatchFailure: 'error', state: { a: 1 } });
  const get = () => structuredClone(3, { transfer: [chunk.buffer] });
  Object.defineProperty(pipeline.state, 'taken', { get, enumerable: true, configurable: true });
  const kinds = pipeline.feed(chunk).map(({ kind }) => kind);
  assert.equal(chunk.byteLength, 0);
  assert.deepEqual(kinds.slice(0, 2), ['state_patched', 'message_inserted']);
  assert.equal(pipeline.messages[0].content, 'all of it');
  assert.deepEqual({ ...pipeline.state }, { a: 1, taken: 3, b: 2 });
});

// Objects that no JSON document can produce: the findings of tests/fuzz/node_objects.mjs, and some thousand of its calls.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fuzz } from '../../fuzz/node_objects.mjs';
import { failure, ours, require } from '../packages.mjs';

const { EventDecoder, Reducer, checkResume, decodeEvents } = ours.stream;
const { applyPatch, diff } = require('ag-ui-native/patch');

const bytes = Buffer.from('data: {"type":"RAW","event":1}\n\n');

test('adversarial objects at every entrance', async () => {
  assert.deepEqual(await fuzz(6_000, 1), []);
});

test('a proxy of a list is a list', () => {
  const document = { a: new Proxy([1, 2], {}) };
  const operations = [{ op: 'add', path: '/a/1', value: 5 }, { op: 'remove', path: '/a/0' }];
  assert.deepEqual(applyPatch(document, operations), { a: [5, 2] });
  assert.equal(failure(() => applyPatch(document, [{ op: 'remove', path: '/a/x' }])).code, 'patch_index_invalid');
  assert.deepEqual([...applyPatch(document, operations, { inPlace: true }).a], [5, 2]);
  assert.deepEqual(applyPatch(Object.create(Array.prototype), [{ op: 'add', path: '/a', value: 1 }]), { a: 1 });
});

test('methods that a list has of its own are not called', () => {
  const own = (list) => Object.assign(list, { map: 5, slice: 5, push: 5, splice: 5, some: 5, [Symbol.iterator]: 5 });
  const reducer = new Reducer({ messages: own([{ id: 'a', role: 'user', content: 'x' }]), pendingInterrupts: own([]) });
  assert.equal(reducer.messages.length, 1);
  const document = { a: own([{}]), b: 1 };
  for (const op of [{ op: 'add', path: '/a/-', value: 1 }, { op: 'remove', path: '/a/0' }, { op: 'copy', from: '/a', path: '/b' }, { op: 'test', path: '/a', value: own([{}]) }]) {
    for (const options of [{}, { inPlace: true }]) applyPatch({ a: own([{}]), b: 1 }, own([op]), options);
  }
  assert.deepEqual(diff(document, { ...document, b: 2 }), [{ op: 'replace', path: '/b', value: 2 }]);
  assert.equal(ours.contentHasMedia(own([{ type: 'image' }])), true);
  const refused = ours.schemas.RunAgentInputSchema.safeParse({ threadId: 't', runId: 'r', messages: own([5]), tools: [], context: [], state: {}, forwardedProps: {} });
  assert.deepEqual(refused.error.issues[0].path.slice(0, 2), ['messages', 0]);
});

test('what changes while it is looked at is no fault of the library', () => {
  let times = 0;
  const event = { type: 'RAW', get event() { return times++ ? 1 : undefined; } };
  const error = failure(() => ours.schemas.EventSchemas.parse(event));
  assert.match(error.message, /^value: expected data that does not change/);
});

test('members that are not there, entries that are none', () => {
  assert.equal(ours.contentToText([undefined, { type: 'text', text: 'x' }]), 'x');
  assert.equal(failure(() => ours.aggregateTokenUsage([undefined])).code, 'wrong_type');
  assert.equal(failure(() => ours.aggregateTokenUsage([{ inputTokens: 1n }])).constructor, TypeError);
  assert.equal(failure(() => checkResume(Object.assign([], { toJSON: () => undefined }), [])).code, 'wrong_type');
});

test('an exception that only looks like core\'s passes', () => {
  const thrown = Object.assign(new Error('x'), { code: 'AGUI' });
  const document = { get a() { throw thrown; } };
  assert.equal(failure(() => applyPatch(document, [{ op: 'test', path: '/a', value: 1 }])), thrown);
  for (const nothing of [undefined, null]) {
    const document = { get a() { throw nothing; } };
    let caught = 'nothing';
    try {
      applyPatch(document, [{ op: 'test', path: '/a', value: 1 }]);
    } catch (error) {
      caught = error;
    }
    assert.equal(caught, nothing);
  }
});

test('chunks are what they are, whatever they say', () => {
  class Liar extends Uint8Array {
    get length() {
      return 3;
    }
    get byteLength() {
      return 1e9;
    }
  }
  assert.equal(new EventDecoder().feed(new Liar(bytes)).length, 1);
  assert.equal(new EventDecoder().feed(new DataView(new Uint8Array(bytes).buffer)).length, 1);
  for (const chunk of [new Proxy(new Uint8Array(bytes), {}), Object.create(Uint8Array.prototype)]) {
    assert.match(failure(() => new EventDecoder().feed(chunk)).message, /^chunk: expected a Uint8Array/);
  }
  const detached = new Uint8Array(bytes);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.deepEqual(new EventDecoder().feed(detached), []);
});

test('a source of chunks whose iterator is none', async () => {
  for (const source of [{ [Symbol.asyncIterator]: 5 }, { [Symbol.asyncIterator]: 5, [Symbol.iterator]: () => [][Symbol.iterator]() }, { [Symbol.iterator]: undefined }, { getReader: 5 }]) {
    await assert.rejects(decodeEvents(source).next(), { name: 'TypeError', message: /^source: expected a response or chunks of bytes/ });
  }
  // As in `for await`: if `Symbol.asyncIterator` is null or undefined, `Symbol.iterator` is used.
  const seen = [];
  for await (const event of decodeEvents({ [Symbol.asyncIterator]: null, [Symbol.iterator]: () => [bytes][Symbol.iterator]() })) seen.push(event.event);
  assert.deepEqual(seen, [1]);
});

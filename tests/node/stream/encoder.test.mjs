import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, official, ours } from '../packages.mjs';

const theirs = new official.encoder.EventEncoder();
const mine = new ours.encoder.EventEncoder();

/** Returns the result of a call, or the class of its error. */
const outcome = (work) => {
  try {
    return work();
  } catch (error) {
    return error.constructor.name;
  }
};

function same(event, name) {
  for (const method of ['encode', 'encodeSSE', 'encodeBinary']) {
    const written = outcome(() => theirs[method](event));
    // A value for which the official encoder does not write an object is refused.
    const isOdd = /^data: (?!\{)/.test(typeof written === 'string' ? written : Buffer.from(written).toString());
    assert.deepEqual(outcome(() => mine[method](event)), isOdd ? 'TypeError' : written, `${method} ${name}`);
  }
}

const documents = fixture('documents');
const values = documents.flatMap(({ name, type, json }) => {
  try {
    return type === 'Event' || type.endsWith('Event') || type === 'RunAgentInput' ? [[name, JSON.parse(json)]] : [];
  } catch {
    return [];
  }
});

/** Returns the object with its members in reverse order. */
const reversed = (value) => Object.fromEntries(Object.entries(value).reverse());

test('every document, in its order and in reverse, is encoded as by the official encoder', () => {
  assert.ok(values.length > 800);
  for (const [name, value] of values) {
    same(value, name);
    if (value && typeof value === 'object' && !Array.isArray(value)) same(reversed(value), `${name} reversed`);
  }
});

class Point {
  constructor() {
    this.type = 'CUSTOM';
    this.name = 'a';
  }
  get value() {
    return 5;
  }
}

const text = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'd' };
const strange = {
  'no object': null,
  undefined: undefined,
  text: 'text',
  number: 5,
  list: [text],
  'no members': {},
  'lone surrogate': { ...text, delta: 'a\ud800b' },
  'halves the wrong way': { ...text, delta: '\udc00\ud800' },
  pair: { ...text, delta: '😀' },
  'all controls': { ...text, delta: Array.from({ length: 0x30 }, (_, code) => String.fromCharCode(code)).join('') },
  'line separators': { ...text, delta: '\u2028\u2029\u007f\ufeff' },
  'undefined members': { ...text, timestamp: undefined, name: undefined },
  'null members': { ...text, timestamp: null, rawEvent: null, metadata: null, delta: null, extra: null },
  'numbers': { ...text, timestamp: 1e21, a: -0, b: NaN, c: Infinity, d: 1.5e-9 },
  'integer-like keys': { 10: 'a', type: text.type, messageId: 'm', 2: 'b', delta: 'd' },
  'toJSON': { ...text, toJSON: () => ({ replaced: true }) },
  'toJSON, not enumerable': Object.defineProperty({ ...text }, 'toJSON', { value: () => 'x' }),
  'dates and maps': { type: 'CUSTOM', name: 'n', value: { at: new Date(0), map: new Map([[1, 2]]), set: new Set([1]), u: undefined, f() {}, list: [undefined, () => 1] } },
  'bigint': { type: 'CUSTOM', name: 'n', value: 5n },
  'bigint member': { ...text, delta: 5n },
  'symbol': { ...text, delta: Symbol('a'), [Symbol('b')]: 1 },
  'class instance': new Point(),
  'inherited': Object.create(text),
  'inherited toJSON': Object.create({ toJSON: () => 'x' }, Object.getOwnPropertyDescriptors(text)),
  'null prototype': Object.assign(Object.create(null), text),
  'own __proto__': JSON.parse('{"type":"RAW","event":{"__proto__":{"a":null}},"__proto__":{"b":1},"source":null}'),
  'getter': Object.defineProperty({ type: text.type }, 'delta', { enumerable: true, get: () => 'got' }),
  'not enumerable': Object.defineProperty({ ...text }, 'timestamp', { enumerable: false, value: 5 }),
  'proxy': new Proxy({ ...text }, {}),
  'string objects': { ...text, delta: new String('a') },
  'type is a String': { ...text, type: new String('RAW') },
  'prototype names': { type: 'toString', constructor: 'a' },
  'nested nulls': {
    type: 'MESSAGES_SNAPSHOT',
    messages: [
      { id: 'a', role: 'user', name: null, content: [{ type: 'image', id: null, source: { type: 'url', value: 'u', mimeType: null }, metadata: { a: null } }, null, 5] },
      { id: 'b', role: 'assistant', content: null, toolCalls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '' }, metadata: null }] },
      { id: 'c', role: 'unknown', name: null },
      null,
      'text',
    ],
  },
  'sparse list': { type: 'MESSAGES_SNAPSHOT', messages: [, { id: 'a', role: 'user', content: '', name: null }] },
  'run input': { type: 'RUN_STARTED', threadId: 't', runId: 'r', input: { threadId: 't', runId: 'r', state: null, tools: null, messages: [], context: [{ description: null }], resume: [{ payload: null }] } },
  'outcome': { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: null, outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r', expiresAt: null }] }, usage: [{ model: null, inputTokens: 5 }] },
};

/** Operations around the values that are written without JSON.stringify. */
const patches = {
  scalars: ['text "quoted"', 5, -0, 1e21, 1.5e-9, NaN, Infinity, true, false, null, undefined, '\ud800'].map((value) => ({ op: 'add', path: '/a', value })),
  'every operation': [{ op: 'remove', path: '/a' }, { op: 'move', from: '/a', path: '/b' }, { op: 'copy', from: '/a', path: '' }, { op: 'test', path: '/é"', value: 1 }],
  'containers': [{ op: 'replace', path: '/a', value: { b: [null, undefined] } }],
  'date': [{ op: 'replace', path: '/a', value: new Date(0) }],
  'another order': [{ path: '/a', op: 'remove' }],
  'more members': [{ op: 'remove', path: '/a', value: undefined, why: 'x' }],
  'too few': [{ op: 'replace', path: '/a' }, { op: 'move', path: '/a' }, {}],
  'no strings': [{ op: 'remove', path: 5 }, { op: new String('add'), path: '/a', value: 1 }],
  'no operations': [null, 'x', 5, [], undefined],
  'unknown': [{ op: 'increment', path: '/a', value: 1 }, { op: 'toString', path: '' }],
  'toJSON': [{ op: 'remove', path: '/a', toJSON: () => 'x' }],
  'class': [new Point()],
  'sparse': [, { op: 'remove', path: '/a' }],
  'list with toJSON': Object.assign([{ op: 'remove', path: '/a' }], { toJSON: () => 'x' }),
  'empty': [],
  'no list': { op: 'remove', path: '/a' },
};

test('strange patches are encoded as by the official encoder', () => {
  for (const [name, delta] of Object.entries(patches)) {
    same({ type: 'STATE_DELTA', delta }, name);
    same({ type: 'ACTIVITY_DELTA', messageId: 'm', activityType: 't', patch: delta }, name);
  }
  same({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 5n }] }, 'bigint');
});

test('strange events are encoded as by the official encoder', () => {
  for (const [name, event] of Object.entries(strange)) same(event, name);
  const cycle = { type: 'CUSTOM', name: 'n' };
  cycle.value = cycle;
  same(cycle, 'cycle');
});

test('objects with a polluted prototype are encoded as by the official encoder', () => {
  Object.prototype.polluted = 'x';
  try {
    same(text, 'enumerable member');
  } finally {
    delete Object.prototype.polluted;
  }
  Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, value: () => 'x' });
  try {
    same(text, 'toJSON');
  } finally {
    delete Object.prototype.toJSON;
  }
});

test('optional nulls are left out as by the official function, and nothing is copied needlessly', () => {
  for (const [name, value] of [...values, ...Object.entries(strange)]) {
    for (const root of ['Event', 'RunAgentInput']) {
      const expected = official.omitOptionalNulls(value, root);
      const actual = ours.omitOptionalNulls(value, root);
      assert.deepEqual(actual, expected, name);
      assert.equal(actual === value, expected === value, name);
    }
  }
});

test('events are written into memory of the caller\'s, one behind the other, and not beyond its end', () => {
  const events = [text, { ...text, delta: 'é日😀' }, { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } }, { ...text, delta: 'x'.repeat(5000) }];
  for (const accept of ['text/event-stream', ours.encoder.AGUI_MEDIA_TYPE]) {
    const encoder = new ours.encoder.EventEncoder({ accept });
    const whole = Buffer.concat(events.map((event) => encoder.encodeBinary(event)));
    const bytes = new Uint8Array(whole.length + 3).fill(255);
    let at = 0;
    for (const event of events) at += encoder.encodeInto(event, bytes, at);
    assert.equal(at, whole.length);
    assert.deepEqual(bytes, new Uint8Array([...whole, 255, 255, 255]));
    for (const event of events) {
      const { length } = encoder.encodeBinary(event);
      assert.equal(encoder.encodeInto(event, new Uint8Array(length - 1)), undefined);
      assert.equal(encoder.encodeInto(event, new Uint8Array(length)), length);
      assert.equal(encoder.encodeInto(event, new Uint8Array(length), 1), undefined);
    }
  }
});

test('bytes are the encoder\'s own and can be transferred', () => {
  const bytes = mine.encodeBinary(text);
  assert.equal(Object.getPrototypeOf(bytes), Uint8Array.prototype);
  assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.equal(Buffer.from(moved).toString(), mine.encode(text));
});

test('timestamps', () => {
  const encoder = new ours.encoder.EventEncoder({ timestamps: true });
  const event = JSON.parse(encoder.encode(text).slice(6));
  assert.ok(Math.abs(event.timestamp - Date.now()) < 10_000);
  assert.equal(text.timestamp, undefined);
  assert.deepEqual(Object.keys(event), ['type', 'timestamp', 'messageId', 'delta']);
  assert.equal(JSON.parse(encoder.encode({ ...text, timestamp: 5 }).slice(6)).timestamp, 5);
});

test('what is no event is refused, whichever method it is given to', () => {
  const methods = ['encode', 'encodeSSE', 'encodeBinary', (encoder, value) => encoder.encodeInto(value, new Uint8Array(9999))];
  for (const encoder of [mine, new ours.encoder.EventEncoder({ timestamps: true })]) {
    for (const method of methods) {
      const encode = (value) => (typeof method === 'string' ? encoder[method](value) : method(encoder, value));
      for (const value of [undefined, null, 5, 'text', true, [], [text], () => text, Symbol('s'), { toJSON: () => null }, { toJSON: () => undefined }]) {
        assert.throws(() => encode(value), { name: 'TypeError', message: /^event: expected an event, which is an object, got / }, String(value?.toString?.()));
      }
      assert.throws(() => encode({ type: 'CUSTOM', name: 'n', value: 5n }), TypeError);
    }
  }
  class Mine {
    toJSON() {
      return text;
    }
  }
  assert.equal(mine.encode(new Mine()), mine.encode(text));
  assert.equal(mine.encode({ type: 'LATER', a: null }), 'data: {"type":"LATER","a":null}\n\n');
});

test('content type', () => {
  assert.equal(mine.getContentType(), 'text/event-stream');
  assert.equal(ours.encoder.AGUI_MEDIA_TYPE, official.encoder.AGUI_MEDIA_TYPE);
});

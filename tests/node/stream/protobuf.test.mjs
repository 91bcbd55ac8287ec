// Events are written with the same bytes as by the official package. Bytes are read as by the official decoder: the result equals
// that of our JSON reader with the JSON of the official decoder's result.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, official, ours } from '../packages.mjs';
import { generator } from '../random_events.mjs';
import { event, mutated, reshaped, wellFormed } from '../random_protobuf.mjs';

const theirs = official.proto;
const { encode, decode, AGUIUnknownEventTypeError } = ours.proto;
const { encode: cases, decode: messages } = fixture('protobuf');
const exceptions = new Map(fixture('protobuf-exceptions').map(({ name, outcome }) => [name, outcome]));

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'hex'));

/** Returns the result of our JSON reader for a document: the event, or the name of the error. */
const read = (json) => outcome(() => ours.stream.decodeEvent(json));

/** Returns the result of our decoder for bytes. */
const decoded = (bytes) => outcome(() => decode(bytes));

/** Returns an event, or the name of its error. JSON has no minus zero, so there is none here. An internal error is thrown. */
function outcome(work) {
  try {
    const made = work();
    // Of an event by itself: there is no stream that it could be left out of.
    return made === undefined ? 'invalid' : JSON.parse(JSON.stringify(made));
  } catch (error) {
    const { AGUIError, AGUIInternalError } = ours.stream;
    if (error instanceof AGUIUnknownEventTypeError) return 'unknown_event_type';
    if (!(error instanceof AGUIError) || error instanceof AGUIInternalError) throw error;
    return 'invalid';
  }
}

/** Checks a case in which our result differs. */
function except(name, work) {
  const exception = exceptions.get(name);
  const actual = outcome(work);
  if (exception === 'event') assert.equal(typeof actual, 'object', name);
  else if (exception === 'unknown_event_type') assert.equal(actual, exception, name);
  else assert.equal(failure(work).code, exception, name);
}

/** Returns the result of the official package for bytes, read by our JSON reader. */
function expected(bytes) {
  try {
    return read(JSON.stringify(theirs.decode(bytes)));
  } catch (error) {
    return error instanceof theirs.AGUIUnknownEventTypeError ? 'unknown_event_type' : 'invalid';
  }
}

/** Runs without the official package's warnings. */
function quietly(name, work) {
  test(name, (context) => {
    context.mock.method(console, 'warn', () => undefined);
    work();
  });
}

quietly('valid events have the bytes of the official package, and come back from them', () => {
  assert.ok(cases.length > 900);
  for (const { name, json, hex: text } of cases) {
    assert.equal(hex(encode(JSON.parse(json))) === text, !exceptions.get(name)?.startsWith('other bytes'), name);
    assert.deepEqual(decoded(bytesOf(text)), expected(bytesOf(text)), name);
  }
});

test('bytes say what the official package says they do', () => {
  for (const { name, hex: text, json, error } of messages) {
    if (exceptions.has(name)) except(name, () => decode(bytesOf(text)));
    else assert.deepEqual(decoded(bytesOf(text)), error ?? read(json), `${name} ${text}`);
  }
});

quietly('random events', () => {
  const random = generator(17);
  for (let count = 0; count < 3000; count += 1) {
    const given = event(random);
    const bytes = theirs.encode(given);
    assert.equal(hex(encode(given)), hex(bytes), JSON.stringify(given));
    assert.deepEqual(decoded(bytes), expected(bytes), hex(bytes));
  }
  assert.equal(console.warn.mock.callCount(), 0, 'all are valid');
});

quietly('random changes to the bytes of random events', () => {
  const random = generator(18);
  const differences = [];
  for (let count = 0; count < 6000; count += 1) {
    const change = random.of([mutated, reshaped]);
    const bytes = change(random, theirs.encode(event(random)));
    // As in the official decoder, which replaces bytes that are not UTF-8.
    const actual = outcome(() => decode(bytes, { replaceInvalidText: true }));
    // The official decoder reads on where some messages are cut; to refuse these is right as well.
    if (actual === 'invalid' && !wellFormed(bytes)) continue;
    try {
      assert.deepEqual(actual, expected(bytes));
    } catch ({ message }) {
      differences.push(`${hex(bytes)}\n${message}`);
    }
  }
  assert.ok(differences.length === 0, `${differences.length} differences:\n${differences.slice(0, 10).join('\n\n')}`);
});

test('what cannot be written is refused', () => {
  const end = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
  const events = [
    {}, { type: 'THINKING_END' }, { ...end, type: 'text_message_end' }, { ...end, messageId: undefined },
    { ...end, messageId: 5 }, { ...end, timestamp: 1.5 }, { ...end, timestamp: 2 ** 53 }, { ...end, metadata: [] },
    { type: 'STATE_SNAPSHOT' }, { type: 'STATE_DELTA', delta: [{ op: 'put', path: '' }] },
    { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 't', content: [{ type: 'smell' }] },
  ];
  for (const event of events) {
    const error = failure(() => encode(event));
    assert.ok(error instanceof ours.stream.AGUIError, error);
    assert.equal(typeof error.code, 'string');
    assert.equal(typeof error.path, 'string');
  }
});

test('the media type', () => {
  assert.equal(ours.proto.AGUI_MEDIA_TYPE, theirs.AGUI_MEDIA_TYPE);
});

test('optional members that are null are left out, whatever the object is', () => {
  const plain = { type: 'TEXT_MESSAGE_START', messageId: 'm' };
  const event = { ...plain, rawEvent: null, name: null };
  for (const profile of ['strict', 'tolerant', 'relay']) {
    const onWarning = () => assert.fail('nothing is to be said');
    for (const given of [event, { toJSON: () => event }]) assert.deepEqual(encode(given, { profile, onWarning }), encode(plain));
  }
});

test('a message of an unknown type is refused by every profile, in the words of core', () => {
  for (const profile of ['strict', 'tolerant', 'relay']) {
    const error = failure(() => decode(Buffer.from('8a02020a00', 'hex'), { profile }));
    assert.ok(error instanceof AGUIUnknownEventTypeError);
    assert.deepEqual([error.code, error.path, error.issues.length], ['unknown_event_type', '/type', 1]);
  }
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { asSet, bytesOf, fixture, ours } from '../packages.mjs';

const { EventDecoder, decodeEvents } = ours.stream;

const withIndex = (warnings) =>
  asSet(warnings.map(({ code, path, eventIndex, event_index }) => ({ code: `${eventIndex ?? event_index} ${code}`, path })));

const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** Returns the events of the decoder for the chunks, the error if there is one, and the decoder. */
function decode(stream, chunks) {
  const { profile, replace_invalid_text: replaceInvalidText, go_member_names: goMemberNames, limits: named = {} } = stream.options ?? {};
  const limits = Object.fromEntries(Object.entries(named).map(([name, value]) => [camelCase(name), value]));
  const events = [];
  let decoder;
  let error;
  try {
    decoder = new EventDecoder({ contentType: stream.content_type, profile, replaceInvalidText, goMemberNames, limits });
    for (const chunk of chunks) events.push(...decoder.feed(chunk));
    events.push(...decoder.close());
  } catch (caught) {
    error = caught;
    events.push(...(caught.partial ?? []));
  }
  return { events, error, decoder };
}

function check(stream, chunks, how) {
  const { events, error, decoder } = decode(stream, chunks);
  const name = `${stream.name}, ${how}`;
  const expected = stream.events.map((json) => JSON.stringify(JSON.parse(json)));
  assert.deepEqual(events.map((event) => JSON.stringify(event)), expected, name);
  assert.equal(error === undefined, stream.error === undefined, `${name}: ${error}`);
  if (error) {
    assert.ok(error instanceof ours.AGUIError, name);
    const { code, path, event_index: index, limit } = stream.error;
    assert.equal(error.code, code, name);
    assert.equal(error.path, path ?? '', name);
    if (index !== undefined && index !== null) assert.equal(error.eventIndex, index, name);
    if (limit) assert.equal(error.limit, camelCase(limit), name);
  }
  if (!decoder) return;
  assert.deepEqual(withIndex(decoder.warnings), withIndex(stream.warnings ?? []), name);
  assert.equal(decoder.lastEventId, stream.last_event_id ?? '', name);
  assert.equal(decoder.retry, stream.retry, name);
}

const streams = fixture('streams');

test('as recorded', () => {
  for (const stream of streams) check(stream, stream.chunks.map(bytesOf), 'as recorded');
});

test('whole, byte by byte, and split in two at every place', () => {
  for (const stream of streams) {
    const all = Buffer.concat(stream.chunks.map(bytesOf));
    check(stream, [all], 'whole');
    if (all.length > 20_000) continue;
    check(stream, Array.from(all, (byte) => Uint8Array.of(byte)), 'byte by byte');
    for (let at = 1; at < Math.min(all.length, 600); at++) {
      check(stream, [all.subarray(0, at), all.subarray(at)], `split at ${at}`);
    }
  }
});

const text = '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"é😀"}';
const frame = (json) => Buffer.from(`data: ${json}\n\n`);

test('more events in a chunk than the decoder has prepared for', () => {
  const decoder = new EventDecoder();
  const chunk = Buffer.concat(Array.from({ length: 5000 }, () => frame(text)));
  assert.equal(decoder.feed(chunk).length, 5000);
  const events = decoder.feed(frame(text));
  assert.deepEqual(events, [JSON.parse(text)]);
});

test('events of one chunk keep their own strings, ASCII or not', () => {
  const events = Array.from({ length: 300 }, (_, at) =>
    at % 3 === 0
      ? { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${at}`, delta: '好'.repeat(at % 7) + '😀'.repeat(at % 4) }
      : at % 3 === 1
        ? { type: 'STATE_SNAPSHOT', snapshot: { [`k${at}`]: '日本' } }
        : { type: 'TEXT_MESSAGE_START', timestamp: at, messageId: `m${at}`, role: 'user', name: 'Zoë' },
  );
  const chunk = Buffer.concat(events.map((event) => frame(JSON.stringify(event))));
  assert.deepEqual(new EventDecoder().feed(chunk), events);
});

test('events before a failure are on the error, in the same chunk and across chunks', async () => {
  const decoder = new EventDecoder();
  const chunk = Buffer.concat([frame(text), frame(text), frame('{"type":"TEXT_MESSAGE_CONTENT"}'), frame(text)]);
  assert.throws(() => decoder.feed(chunk), (error) => {
    assert.ok(error instanceof ours.AGUIValidationError);
    assert.equal(error.partial.length, 2);
    assert.equal(error.eventIndex, 2);
    assert.equal(error.eventType, 'TEXT_MESSAGE_CONTENT');
    assert.deepEqual(error.issues.map(({ code, path }) => [code, path]), [['invalid_type', ['messageId']], ['invalid_type', ['delta']]]);
    return true;
  });
  assert.throws(() => decoder.feed(frame(text)), { name: 'AGUIStreamError', code: 'decoder_failed' });
  const seen = [];
  await assert.rejects(async () => {
    for await (const event of decodeEvents([frame(text), chunk])) seen.push(event);
  }, { code: 'missing_field' });
  assert.equal(seen.length, 3);
});

test('members called __proto__ stay members', () => {
  const json = '{"type":"CUSTOM","name":"n","value":{"__proto__":{"polluted":true}},"metadata":{"__proto__":1}}';
  const [event] = new EventDecoder().feed(frame(json));
  assert.equal(JSON.stringify(event), '{"type":"CUSTOM","metadata":{"__proto__":1},"name":"n","value":{"__proto__":{"polluted":true}}}');
  assert.equal(Object.getPrototypeOf(event.value), Object.prototype);
  assert.equal({}.polluted, undefined);
  const [kept] = new EventDecoder({ profile: 'relay' }).feed(frame('{"type":"RAW","event":1,"__proto__":{"a":1}}'));
  assert.ok(Object.hasOwn(kept, '__proto__'));
});

test('sources: iterables, streams, responses', async () => {
  const collect = async (source, options) => {
    const events = [];
    for await (const event of decodeEvents(source, options)) events.push(event);
    return events;
  };
  const chunks = [frame(text), frame(text)];
  async function* later() {
    yield* chunks;
  }
  const expected = [JSON.parse(text), JSON.parse(text)];
  assert.deepEqual(await collect(chunks), expected);
  assert.deepEqual(await collect(later()), expected);
  assert.deepEqual(await collect(new Blob(chunks).stream()), expected);
  const headers = { 'content-type': 'Text/Event-Stream; charset=utf-8' };
  assert.deepEqual(await collect(new Response(new Blob(chunks), { headers })), expected);
  await assert.rejects(collect(new Response('<html>', { headers: { 'content-type': 'text/html' } })), {
    name: 'AGUIStreamError',
    code: 'wrong_content_type',
  });
});

test('leaving the loop early ends the source', async () => {
  let ended = false;
  async function* source() {
    try {
      for (;;) yield frame(text);
    } finally {
      ended = true;
    }
  }
  for await (const _ of decodeEvents(source())) break;
  assert.ok(ended);
});

test('chunks of other kinds', () => {
  const bytes = frame(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const own = Uint8Array.from(bytes);
  for (const chunk of [bytes, own, own.buffer, new DataView(own.buffer), shared]) {
    assert.equal(new EventDecoder().feed(chunk).length, 1);
  }
  assert.deepEqual(new EventDecoder().feed(new Uint8Array(0)), []);
  for (const chunk of ['text', null, undefined, 5, {}]) assert.throws(() => new EventDecoder().feed(chunk), TypeError);
});

test('warnings are collected, or handed over', async () => {
  const odd = frame('{"type":"RAW","event":1,"extra":2}');
  const collecting = new EventDecoder();
  collecting.feed(odd);
  assert.deepEqual(collecting.warnings.map(({ code, path, eventIndex }) => [code, path, eventIndex]), [['unknown_field', '/extra', 0]]);
  const seen = [];
  const handing = new EventDecoder({ onWarning: (warning) => seen.push(warning.code) });
  handing.feed(odd);
  for await (const _ of decodeEvents([odd], { onWarning: (warning) => seen.push(warning.path) }));
  assert.deepEqual([seen, handing.warnings], [['unknown_field', '/extra'], []]);
});

test('options that are none', () => {
  assert.throws(() => new EventDecoder({ profile: 'lax' }), { code: 'invalid_value', path: '/profile' });
  assert.throws(() => new EventDecoder({ limits: { depth: -1 } }), { code: 'wrong_type', path: '/limits/depth' });
  assert.throws(() => new EventDecoder({ limits: { depht: 5 } }), { code: 'unknown_field', path: '/limits/depht' });
});

test('the exact text of an event is at hand on request', async () => {
  const texts = [
    '{"type":"CUSTOM","name":"n","value":{"b":9007199254740993,"2":1e400,"1":0.10}}',
    '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"é"}',
    '{"type":"STATE_SNAPSHOT","snapshot":[1.0]}',
    '{"type":"STEP_STARTED","timestamp":5,"stepName":"s"}',
  ];
  const bytes = Buffer.from(texts.map((text) => `data: ${text}\n\n`).join(''));
  const { EventDecoder, EventPipeline, decodeEvents, textOf } = ours.stream;
  for (const made of [
    new EventDecoder({ text: true }).feed(bytes),
    new EventPipeline({ text: true, reduce: false, verify: false }).feed(bytes),
  ]) {
    assert.deepEqual(made.map(textOf), texts);
  }
  const relayed = [];
  for await (const event of decodeEvents([bytes], { text: true, profile: 'relay' })) relayed.push(textOf(event));
  assert.deepEqual(relayed, texts);
  const [plain] = new EventDecoder().feed(bytes);
  assert.equal(textOf(plain), undefined);
  // The value as JSON.parse returns it.
  assert.deepEqual([JSON.stringify(plain.value), Object.keys(plain.value)], ['{"1":0.1,"2":null,"b":9007199254740992}', ['1', '2', 'b']]);
});

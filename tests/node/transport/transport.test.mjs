// Which transport is spoken, and the frames of the binary one.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, official, ours } from '../packages.mjs';
import { generator } from '../random_events.mjs';

const { EventEncoder, AGUI_MEDIA_TYPE: MT } = ours.encoder;
const { EventDecoder, EventPipeline, decodeEvents } = ours.stream;

const text = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hé' };
const run = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  text,
  { type: 'STATE_SNAPSHOT', snapshot: { list: [1, 2.5, null], ü: {} } },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: 3 },
];
const encoder = new EventEncoder();
const frames = run.map((event) => encoder.encodeProtobuf(event));
const stream = Buffer.concat(frames);

/** A request's answer: content type and bytes. */
function answer(Encoder, accept) {
  const chosen = new Encoder({ accept });
  return [chosen.getContentType(), Buffer.from(chosen.encodeBinary(text)).toString('hex')];
}

const same = (accept) =>
  assert.deepEqual(answer(EventEncoder, accept), answer(official.encoder.EventEncoder, accept), JSON.stringify(accept));

test('the Accept header is read as the official package reads it', () => {
  const headers = [
    undefined, '', 'text/event-stream', '*', 'foo', MT, MT.toUpperCase(), '*/*', 'application/*', '*/*;q=0.1',
    '*/vnd.ag-ui.event+proto', `text/event-stream;q=1, ${MT};q=0.1`, `${MT};q=0`, `${MT};q=-1`, `${MT};q=abc`, `${MT};q=`,
    `${MT};q=2`, `${MT}; q="1"`, `${MT};q=0, */*`, `*/*;q=0, ${MT}`, 'application/*;q=0, */*', `${MT}, ${MT};q=0`,
    `${MT};q=0, ${MT}`, `${MT};v=1`, `${MT};x=1;q=0`, `${MT};v=*`, `${MT};v=""`, `${MT};x="a,b", */*;q=0`, `${MT};q=.5`,
    `${MT};q=1e0`, `${MT};q=0x1`, `${MT};q= 0.5`, `${MT} ;q=1`, `${MT};Q=0`, 'application/ *', `${MT};q=Infinity`,
  ];
  headers.forEach(same);
});

test('random Accept headers', () => {
  const { of, below, sometimes } = generator(5);
  const range = () => of([MT, '*/*', 'application/*', 'text/*', 'text/event-stream', 'application/json', '*', `*/${MT.split('/')[1]}`]);
  const parameter = () => of(['q=0', 'q=1', 'q=0.5', 'q="0"', 'q=x', 'v=1', 'v=*', 'v', 'Q=0.2', 'a="b;c"', 'a="', '=', '']);
  const spaced = (text) => (sometimes(4) ? ` ${text}` : text) + (sometimes(6) ? ' ' : '');
  for (let count = 0; count < 5000; count++) {
    const ranges = Array.from({ length: 1 + below(4) }, () =>
      [range(), ...Array.from({ length: below(3) }, parameter)].map(spaced).join(';'),
    );
    same(ranges.join(','));
  }
});

test('wildcards can stay on text', () => {
  for (const accept of ['*/*', 'application/*', `*/*, ${MT};q=0`, 'text/event-stream, */*']) {
    assert.equal(new EventEncoder({ accept, acceptWildcards: false }).getContentType(), 'text/event-stream', accept);
  }
  assert.equal(new EventEncoder({ accept: `*/*;q=0, ${MT}`, acceptWildcards: false }).getContentType(), MT);
});

test('the text methods stay text', () => {
  const binary = new EventEncoder({ accept: MT });
  assert.equal(binary.encode(text), encoder.encode(text));
  assert.equal(binary.encodeSSE(text), encoder.encodeSSE(text));
  assert.deepEqual(binary.encodeBinary(text), encoder.encodeProtobuf(text));
  assert.ok(ours.proto.decode(new EventEncoder({ timestamps: true }).encodeProtobuf(text).subarray(4)).timestamp > 0);
});

test('streams are read however they are cut', async () => {
  for (const size of [1, 3, 7, 1024]) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) => stream.subarray(at * size, (at + 1) * size));
    for (const contentType of [MT, ` ${MT.toUpperCase()} ; charset=x`]) {
      const events = [];
      for await (const event of decodeEvents(chunks, { contentType })) events.push(event);
      assert.deepEqual(events, run);
      const pipeline = new EventPipeline({ contentType });
      for (const chunk of chunks) pipeline.feed(chunk);
      pipeline.close();
      assert.deepEqual(pipeline.state, { list: [1, 2.5, null], ü: {} });
      assert.deepEqual(pipeline.messages.map(({ content }) => content), ['hé']);
    }
  }
});

test('a response says what it is', async () => {
  const events = [];
  for await (const event of decodeEvents(new Response(stream, { headers: { 'content-type': MT } }))) events.push(event);
  assert.deepEqual(events, run);
});

test('a cut stream and a bad frame lose nothing before them', () => {
  const decoder = new EventDecoder({ contentType: MT });
  assert.deepEqual(decoder.feed(Buffer.concat([frames[0], frames[1].subarray(0, -1)])), run.slice(0, 1));
  const cut = failure(() => decoder.close());
  assert.deepEqual([cut.code, cut.eventIndex], ['stream_truncated', 1]);
  const bad = failure(() => new EventDecoder({ contentType: MT }).feed(Buffer.concat([frames[0], Buffer.from('000000021a07', 'hex')])));
  assert.deepEqual([bad.code, bad.eventIndex, bad.offset, bad.partial], ['invalid_protobuf', 1, 2, run.slice(0, 1)]);
});

test('limits count before memory is taken', () => {
  const declared = failure(() => new EventDecoder({ contentType: MT }).feed(Buffer.from('ffffffff', 'hex')));
  assert.deepEqual([declared.code, declared.limit], ['limit_exceeded', 'eventBytes']);
  let value = 1;
  for (let count = 0; count < 300; count++) value = [value];
  const event = { type: 'CUSTOM', name: 'n', value };
  assert.equal(failure(() => ours.proto.encode(event)).limit, 'depth');
  const message = ours.proto.encode(event, { limits: { depth: 400 } });
  const deep = failure(() => ours.proto.decode(message));
  assert.equal(deep.limit, 'depth');
  assert.match(deep.path, /^\/value\/0\/0/);
});

test('what protobuf does not hold is never silent', () => {
  const cases = [
    [{ type: 'CUSTOM', name: 'n', value: { a: [2 ** 53] } }, 'number_out_of_range', '/value/a/0'],
    [{ type: 'RAW', event: 1, extra: 1 }, 'unknown_field', '/extra'],
    [{ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '', why: 1 }] }, 'unknown_field', '/delta/0/why'],
  ];
  for (const [event, code, path] of cases) {
    const error = failure(() => ours.proto.encode(event));
    assert.deepEqual([error.code, error.path], [code, path]);
    const warnings = [];
    const message = ours.proto.encode(event, { profile: 'tolerant', onWarning: (warning) => warnings.push(warning) });
    assert.equal(ours.proto.decode(message).type, event.type);
    assert.deepEqual(warnings.map(({ code, path }) => [code, path]), [[code, path]]);
  }
});

test('a tolerant encoder keeps its warnings', () => {
  const tolerant = new EventEncoder({ profile: 'tolerant' });
  assert.deepEqual(tolerant.warnings, []);
  tolerant.encodeProtobuf({ type: 'CUSTOM', name: 'n', value: 2 ** 60 });
  assert.deepEqual(tolerant.warnings.map(({ code }) => code), ['number_out_of_range']);
});

test('unknown types are left out with a warning, or refused', () => {
  const unknown = Buffer.from('000000058a02020a00', 'hex');
  const decoder = new EventDecoder({ contentType: MT });
  assert.deepEqual(decoder.feed(Buffer.concat([unknown, frames[2]])), [text]);
  assert.deepEqual(decoder.warnings.map(({ code, eventIndex }) => [code, eventIndex]), [['unknown_event_type', 0]]);
  const strict = new EventDecoder({ contentType: MT, profile: 'strict' });
  assert.equal(failure(() => strict.feed(unknown)).code, 'unknown_event_type');
});

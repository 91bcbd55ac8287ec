// Numbers that JavaScript does not hold: said or refused by the option `unsafeIntegers`, wherever bytes or text become events.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, ours } from '../packages.mjs';

const { AGUIValidationError, EventDecoder, EventPipeline, decodeEvent, decodeEvents } = ours.stream;

const unsafe = ['9007199254740992', '-9007199254740992', '9007199254740993', '123456789012345678901234567890', '1e400', '-1e400'];
const safe = ['9007199254740991', '-9007199254740991', '0', '-0', '1.5', '1e3', '1e22', '0.1', '5e-324', '1.7976931348623157e308'];

const custom = (value) => `{"type":"CUSTOM","name":"n","value":${value}}`;
const frame = (event) => Buffer.from(`data: ${event}\n\n`);
const told = (warnings) => warnings.map(({ code, path, eventIndex }) => [code, path, eventIndex]);

/** Entrances for an event. Each returns the warnings, or throws. */
const entrances = {
  decodeEvent: (event, options) => {
    const warnings = [];
    decodeEvent(event, { ...options, onWarning: (warning) => warnings.push(warning) });
    return warnings;
  },
  decoder: (event, options) => {
    const decoder = new EventDecoder(options);
    decoder.feed(frame(event));
    return decoder.warnings;
  },
  bytewise: (event, options) => {
    const decoder = new EventDecoder(options);
    for (const byte of frame(event)) decoder.feed(Uint8Array.of(byte));
    return decoder.warnings;
  },
  texts: (event, options) => {
    const decoder = new EventDecoder({ ...options, text: true });
    decoder.feed(frame(event));
    return decoder.warnings;
  },
  ...Object.fromEntries(
    [true, false].map((reduce) => [
      `pipeline, reduce ${reduce}`,
      (event, options) => {
        const pipeline = new EventPipeline({ ...options, verify: false, reduce });
        pipeline.feed(frame(event));
        return pipeline.warnings;
      },
    ]),
  ),
};

for (const [name, read] of Object.entries(entrances)) {
  test(`numbers, ${name}`, () => {
    const integers = unsafe.filter((value) => !value.includes('e'));
    for (const value of [...safe, ...integers, ...integers.map((value) => `[0,{"a":[${value}]}]`)]) {
      assert.deepEqual(read(custom(value), {}), [], value);
      assert.deepEqual(read(custom(value), { unsafeIntegers: 'allow' }), [], value);
    }
    for (const value of safe) {
      for (const unsafeIntegers of ['warn', 'error']) assert.deepEqual(read(custom(value), { unsafeIntegers }), [], value);
    }
    for (const value of unsafe) {
      for (const [spelling, path] of [[value, '/value'], [` [0 , {"a/b":\t[true,${value}]}]`, '/value/1/a~1b/1']]) {
        assert.deepEqual(told(read(custom(spelling), { unsafeIntegers: 'warn' })), [['number_out_of_range', path, 0]], spelling);
        assert.throws(
          () => read(custom(spelling), { unsafeIntegers: 'error' }),
          (error) => error instanceof AGUIValidationError && error.code === 'number_out_of_range' && error.path === path && !error.message.includes(value),
          spelling,
        );
      }
    }
  });

  test(`what no double reaches is told, ${name}`, () => {
    for (const { name, json, paths, profiles = ['strict', 'tolerant', 'relay'] } of fixture('lost_numbers')) {
      for (const profile of profiles) {
        for (const options of [{ profile }, { profile, unsafeIntegers: 'allow' }]) {
          const lost = read(json, options).filter(({ code }) => code === 'number_out_of_range');
          assert.deepEqual(lost.map(({ path }) => path).sort(), paths.toSorted(), `${name}, ${profile}`);
        }
      }
    }
  });

  test(`every place of a free value, ${name}`, () => {
    const big = 9007199254740993n.toString();
    const places = {
      '/snapshot/0': `{"type":"STATE_SNAPSHOT","snapshot":[${big}]}`,
      '/delta/0/value/k': `{"type":"STATE_DELTA","delta":[{"op":"add","path":"","value":{"k":${big}}}]}`,
      '/metadata/k': `{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":{"k":${big}}}`,
      '/content/k': `{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{"k":${big}}}`,
      '/input/forwardedProps/k': `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","state":1,"messages":[],"tools":[],"context":[],"forwardedProps":{"k":${big}}}}`,
    };
    for (const [path, event] of Object.entries(places)) {
      assert.deepEqual(told(read(event, { unsafeIntegers: 'warn' })), [['number_out_of_range', path, 0]], path);
      assert.throws(() => read(event, { unsafeIntegers: 'error' }), { code: 'number_out_of_range', path });
    }
    // A declared integer is refused with every value of the option.
    const declared = `{"type":"CUSTOM","name":"n","value":1,"timestamp":${big}}`;
    assert.throws(() => read(declared, {}), { code: 'number_out_of_range', path: '/timestamp' });
    // An object of no declared kind is kept by relays alone.
    const extra = `{"type":"CUSTOM","name":"n","value":1,"more":[${big}]}`;
    assert.deepEqual(told(read(extra, { unsafeIntegers: 'error' })), [['unknown_field', '/more', 0]]);
    assert.throws(() => read(extra, { unsafeIntegers: 'error', profile: 'relay' }), { code: 'number_out_of_range', path: '/more/0' });
    assert.throws(() => read(`{"type":"NEW","more":[${big}]}`, { unsafeIntegers: 'error', profile: 'relay' }), { code: 'number_out_of_range', path: '/more/0' });
  });
}

test('what came before an unsafe integer is there', async () => {
  const events = [custom('1'), custom('9007199254740993'), custom('2')];
  const bytes = Buffer.concat(events.map(frame));
  const seen = ({ value }) => value;
  assert.throws(
    () => new EventDecoder({ unsafeIntegers: 'error' }).feed(bytes),
    ({ code, path, eventIndex, partial }) => {
      assert.deepEqual([code, path, eventIndex, partial.map(seen)], ['number_out_of_range', '/value', 1, [1]]);
      return true;
    },
  );
  const delivered = [];
  const read = async () => {
    for await (const event of decodeEvents([bytes.subarray(0, 60), bytes.subarray(60)], { unsafeIntegers: 'error' })) delivered.push(seen(event));
  };
  await assert.rejects(read, { code: 'number_out_of_range' });
  assert.deepEqual(delivered, [1]);
  const stream = decodeEvents([bytes], { unsafeIntegers: 'warn' });
  for await (const event of stream) delivered.push(seen(event));
  // Rounded as by JSON.parse, and said.
  assert.deepEqual(delivered.slice(1), [1, 2 ** 53, 2]);
  assert.deepEqual(told(stream.warnings), [['number_out_of_range', '/value', 1]]);
});

test('a state with thousands of unsafe integers', () => {
  const event = custom(`[${Array(5_000).fill('9007199254740993')}]`);
  const decoder = new EventDecoder({ unsafeIntegers: 'warn' });
  decoder.feed(frame(event));
  assert.equal(decoder.warnings.length, 100);
  assert.throws(() => new EventDecoder({ unsafeIntegers: 'error' }).feed(frame(event)), ({ issues }) => issues.length === 100);
});

test('protobuf has doubles in free values, so none is lost', () => {
  const values = [2 ** 53, -(2 ** 60), 1e300, 1.5];
  const contentType = ours.encoder.AGUI_MEDIA_TYPE;
  const encoder = new ours.encoder.EventEncoder({ accept: contentType, profile: 'tolerant' });
  const decoder = new EventDecoder({ contentType, unsafeIntegers: 'error' });
  const [{ value }] = decoder.feed(encoder.encodeBinary({ type: 'CUSTOM', name: 'n', value: values }));
  assert.deepEqual(value, values);
});

test('the option is one of three', () => {
  for (const make of [() => new EventDecoder({ unsafeIntegers: 'never' }), () => new EventPipeline({ unsafeIntegers: 'never' })]) {
    assert.throws(make, { code: 'invalid_value', path: '/unsafeIntegers' });
  }
  assert.throws(() => new EventDecoder({ unsafeIntegers: true }), { name: 'TypeError', message: /unsafeIntegers/ });
});

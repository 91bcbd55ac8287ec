// JSONTestSuite, by every entrance that reads JSON: verdicts, and the values that JSON.parse has.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, ours } from '../packages.mjs';

const { EventDecoder, EventPipeline, decodeEvent } = ours.stream;

/** Returns the result of a free value in each entrance: the value, or the refusal. */
function entrances(value) {
  const event = `{"type":"CUSTOM","name":"n","value":${value}}`;
  const frame = Buffer.from(`data: ${event.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`);
  const state = () => {
    const pipeline = new EventPipeline({ verify: false });
    pipeline.feed(Buffer.from(frame.toString().replace('"CUSTOM","name":"n","value"', '"STATE_SNAPSHOT","snapshot"')));
    return pipeline.state;
  };
  return Object.entries({
    decodeEvent: () => decodeEvent(event).value,
    strict: () => decodeEvent(event, { profile: 'strict' }).value,
    relay: () => decodeEvent(event, { profile: 'relay' }).value,
    decoder: () => new EventDecoder().feed(frame)[0].value,
    pipeline: () => new EventPipeline({ verify: false, reduce: false }).feed(frame)[0].value,
    state,
  }).map(([name, make]) => {
    try {
      return [name, { value: make() }];
    } catch (error) {
      assert.ok(error instanceof ours.AGUIError, `${name}: ${error}`);
      return [name, { error }];
    }
  });
}

test('the suite', () => {
  const cases = fixture('json-test-suite');
  assert.ok(cases.length > 300);
  for (const { name, verdict, input } of cases) {
    for (const [entrance, { value, error }] of entrances(input)) {
      if (error) assert.notEqual(verdict, 'accept', `${name}, ${entrance}: ${error}`);
      else assert.notEqual(verdict, 'refuse', `${name}, ${entrance}`);
      // A state is what core has read: an integer has no minus zero.
      const expected = (text) => JSON.parse(text, (_, inner) => (entrance === 'state' && inner === 0 ? 0 : inner));
      if (!error) assert.deepEqual(value, expected(input), `${name}, ${entrance}`);
    }
  }
});

test('space before values inside free values', () => {
  for (const input of ['{"a":  "b"}', '[ "x"]', '[1,\n"x"]', '{"a":\t{"b":\r\n [ true , null ]}}', ' "x"', '\n[]']) {
    for (const [entrance, { value }] of entrances(input)) assert.deepEqual(value, JSON.parse(input), entrance);
  }
});

// Free values keep what JSON.parse and JSON.stringify keep, on the way in and on the way out.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, ours } from '../packages.mjs';

const encoder = new ours.encoder.EventEncoder();

test('values.json', () => {
  for (const { name, json, javascript, error } of fixture('values')) {
    const text = `{"type":"CUSTOM","name":"n","value":${json}}`;
    if (error) {
      const { code } = failure(() => ours.stream.decodeEvent(text));
      assert.equal(code, error.code, name);
      continue;
    }
    const event = ours.stream.decodeEvent(text);
    if (javascript === undefined) continue;
    assert.equal(JSON.stringify(event.value), javascript, name);
    assert.equal(encoder.encode(event), `data: {"type":"CUSTOM","name":"n","value":${javascript}}\n\n`, name);
    assert.equal(JSON.stringify(ours.schemas.EventSchemas.parse(event).value), javascript, name);
  }
});

test('doubles.json', () => {
  const bits = new DataView(new ArrayBuffer(8));
  for (const [hexadecimal, python, javascript = python] of fixture('doubles')) {
    bits.setBigUint64(0, BigInt(`0x${hexadecimal}`));
    const value = bits.getFloat64(0);
    const event = ours.stream.decodeEvent(`{"type":"CUSTOM","name":"n","value":${python}}`);
    assert.equal(event.value, value);
    assert.equal(ours.toJson({ type: 'CUSTOM', name: 'n', value }), `{"type":"CUSTOM","name":"n","value":${javascript}}`);
  }
});

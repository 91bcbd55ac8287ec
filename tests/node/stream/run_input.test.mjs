// Bodies of requests: the run's input that is read from them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { asSet, bytesOf, failure, fixture, ours } from '../packages.mjs';

const { readRunInput } = ours;
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

test('every body is read as recorded', () => {
  for (const { name, body, profile, limits = {}, input, warnings = [], error } of fixture('run-input')) {
    const options = { profile, limits: Object.fromEntries(Object.entries(limits).map(([key, value]) => [camel(key), value])) };
    const bytes = bytesOf(body);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const form of [bytes, Uint8Array.from(bytes), Uint8Array.from(bytes).buffer, shared, ...(typeof body === 'string' ? [body] : [])]) {
      if (error) {
        const { code, path, limit } = failure(() => readRunInput(form, options));
        assert.deepEqual({ code, path, limit }, { limit: undefined, ...error, ...(error.limit && { limit: camel(error.limit) }) }, name);
        continue;
      }
      const read = readRunInput(form, options);
      assert.deepEqual(read.input, JSON.parse(input), name);
      assert.deepEqual(asSet(read.warnings), asSet(warnings), name);
    }
  }
});

test('what a framework has parsed is a body too', () => {
  const body = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: [{ type: 'binary', mimeType: 'image/png', data: 'AA==' }] }] };
  const { input, warnings } = readRunInput(body);
  assert.equal(input.messages[0].content[0].type, 'image');
  assert.deepEqual(asSet(warnings), ['legacy_shape /messages/0/content/0']);
  assert.throws(() => readRunInput({ ...body, runId: '\ud800' }), { code: 'lone_surrogate', path: '/runId' });
});

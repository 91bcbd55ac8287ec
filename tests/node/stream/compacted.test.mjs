// tests/fixtures/stream/compacted.json: a compacted stream results in the same messages, in the same order, with any messages
// before it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, ours, require } from '../packages.mjs';

const { applyEvents, compactEvents } = ours.stream;
const { compactEvents: compactForClients } = require('ag-ui-native/operators');

test('what is compacted comes to the same', () => {
  for (const { name, start, events, messages } of fixture('compacted')) {
    for (const list of [events, compactEvents(events), compactForClients(events)]) {
      assert.deepEqual(applyEvents(list, { messages: start, onWarning() {} }).messages, messages, name);
    }
  }
});

// Where the documentation describes an error.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, ours } from '../packages.mjs';

test('the cases that every language reads', () => {
  for (const { code, rule, address } of fixture('error_addresses')) {
    assert.equal(new ours.AGUIError('message', { code, rule }).documentation, address ?? undefined, code);
  }
});

test('an error of a rule, and one without a code', () => {
  const error = failure(() => ours.stream.verifyEvents([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, { type: 'TEXT_MESSAGE_END', messageId: 'm' }]));
  assert.match(error.documentation, /\/errors\/#V13$/);
  // It is no member of its own: what is logged stays short.
  assert.ok(!Object.keys(error).includes('documentation'));
  assert.equal(new ours.AGUIError('message').documentation, undefined);
});

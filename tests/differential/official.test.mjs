// The driver of the official client must reproduce the recorded results of the cases.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture } from '../node/packages.mjs';
import * as official from './official.mjs';
import { applyPatch } from './rfc6902.mjs';

for (const section of ['verify', 'chunks', 'enforce', 'compact', 'apply', 'pipeline']) {
  test(section, async () => {
    const cases = fixture('stream-cases').cases.filter((recorded) => recorded.section === section);
    assert.ok(cases.length > 20);
    for (const { name, input, expected } of cases) assert.deepEqual(await official[section](input), expected, name);
  });
}

test('the patches that stand in for the client\'s are RFC 6902', () => {
  const cases = ['spec_tests', 'tests'].flatMap((name) => fixture(`json-patch-test-suite/${name}`));
  const judged = cases.filter(({ patch, disabled }) => patch && !disabled && patch.every((operation) => isWhole(operation)));
  assert.ok(judged.length > 80);
  for (const { comment, doc, patch, expected, error } of judged) {
    if (error) assert.throws(() => applyPatch(doc, patch), undefined, comment);
    else if (expected !== undefined) assert.deepEqual(applyPatch(doc, patch).newDocument, expected, comment);
  }
});

/** Returns true if enforcement lets the operation pass: later stages see no others. */
const isWhole = ({ op, path, from, value }) =>
  typeof path === 'string' &&
  (op === 'remove' ||
    (['move', 'copy'].includes(op) && typeof from === 'string') ||
    (['add', 'replace', 'test'].includes(op) && value !== undefined));

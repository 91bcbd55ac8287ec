// Patches of few scalars are carried out in JavaScript, without core's patch: they come to what core makes of them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, native, require } from '../packages.mjs';

const { AGUIPatchError, applyPatch } = require('ag-ui-native/patch');
const { Reducer } = require('ag-ui-native/stream');

/** The number of calls of core's patch. */
let patched = 0;
const { createPatch } = native;
native.createPatch = (functions) => {
  const patch = createPatch(functions);
  return (...given) => {
    patched++;
    return patch(...given);
  };
};

/** Returns core's result of a patch: the new document as text, or the error. */
function core(document, operations) {
  try {
    return { text: JSON.stringify(applyPatch(document, operations)) };
  } catch (error) {
    assert.ok(error instanceof AGUIPatchError, String(error));
    return { error: error.code };
  }
}

const isScalar = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Returns true if every operation sets a scalar inside of the document, and has no further member. */
function isDirect(operations) {
  return operations.every(
    ({ op, path, value, ...rest }) =>
      ['add', 'replace'].includes(op) && typeof path === 'string' && path !== '' && isScalar(value) && Object.keys(rest).length === 0,
  );
}

test('the suite of others comes to the same as deltas of a state, and core is asked only for what does not apply', () => {
  const counts = { direct: 0, refused: 0, general: 0 };
  for (const file of ['tests', 'spec_tests']) {
    for (const { doc, patch, comment } of fixture(`json-patch-test-suite/${file}`)) {
      // A value that is not a patch is refused with its event. An operation with two members `op` has only one of them as an
      // object.
      const isPatch = Array.isArray(patch) && core(doc, patch).error !== 'patch_invalid';
      if (doc === undefined || !isPatch || patch.length === 0 || comment === 'duplicate ops') continue;
      const what = JSON.stringify({ doc, patch });
      const expected = core(doc, patch);
      const reducer = new Reducer({ state: doc });
      const before = patched;
      const [change] = reducer.apply({ type: 'STATE_DELTA', delta: patch });
      assert.equal(change.kind, expected.error ? 'patch_failed' : 'state_patched', what);
      assert.equal(JSON.stringify(reducer.state), expected.text ?? JSON.stringify(doc), what);
      assert.equal(reducer.stateInSync, expected.error === undefined, what);
      if (expected.error) {
        // The warning says which operation met what, as core does.
        assert.match(reducer.warnings[0].message, new RegExp(expected.error), what);
      }
      const way = !isDirect(patch) ? 'general' : expected.error ? 'refused' : 'direct';
      assert.equal(patched - before, way === 'direct' ? 0 : 1, what);
      counts[way]++;
    }
  }
  assert.deepEqual(counts, { direct: 26, refused: 8, general: 47 });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, failure, require } from '../packages.mjs';

const { AGUILimitError, AGUIPatchError, AGUIValidationError, applyPatch, diff } = require('ag-ui-native/patch');
const { Reducer } = require('ag-ui-native/stream');
const { patchOwned, Unpatched } = require('../node/dist/patch/patching.cjs');

const clone = (value) => JSON.parse(JSON.stringify(value));
/** Members in their order. */
const text = JSON.stringify;

/** Numbers from 0 to 1, the same in every run. */
function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const KEYS = ['a', 'b', 'c', '0', '1', '-', '', 'a/b', '~1', '__proto__', 'toString'];
const pick = (chance, list) => list[Math.floor(chance() * list.length)];

function value(chance, depth = 3) {
  const kind = chance();
  if (depth === 0 || kind < 0.4) return pick(chance, [null, true, false, 0, 1, 2.5, '', 'x', 'something long enough to be worth keeping']);
  const count = Math.floor(chance() * 6);
  if (kind < 0.7) return Array.from({ length: count }, () => value(chance, depth - 1));
  const members = Array.from({ length: count }, () => `${text(pick(chance, KEYS))}:${text(value(chance, depth - 1))}`);
  return JSON.parse(`{${members.join()}}`);
}

/** A pointer into the document, or out of it. */
function pointer(chance, at) {
  if (chance() < 0.2) return '';
  const tokens = Array.isArray(at) ? [...at.keys(), at.length, '-', '01'] : Object.keys(Object(at));
  const token = String(chance() < 0.7 && tokens.length > 0 ? pick(chance, tokens) : pick(chance, KEYS));
  const inner = Object.hasOwn(Object(at), token) ? at[token] : undefined;
  return `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}${inner === undefined ? '' : pointer(chance, inner)}`;
}

function operation(chance, document) {
  const op = pick(chance, ['add', 'add', 'add', 'remove', 'replace', 'move', 'copy', 'test']);
  return { op, path: pointer(chance, document), from: pointer(chance, document), value: value(chance, 2) };
}

function deepFreeze(value) {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

test('the suite of others passes', () => {
  let run = 0;
  for (const file of ['tests', 'spec_tests']) {
    for (const record of fixture(`json-patch-test-suite/${file}`)) {
      // Two members `op` in one operation: of an object in memory, one is left.
      if (!('doc' in record) || record.comment === 'duplicate ops') continue;
      const what = text(record);
      if ('error' in record) assert.throws(() => applyPatch(record.doc, record.patch), AGUIPatchError, what);
      else {
        const result = applyPatch(record.doc, record.patch);
        if ('expected' in record) assert.deepEqual(result, record.expected, what);
      }
      run++;
    }
  }
  assert.equal(run, 94);
});

test('the recorded cases come out as recorded, but for the exceptions', () => {
  const exceptions = new Set(fixture('stream-exceptions').filter((entry) => entry.section === 'patch').map((entry) => entry.name));
  const different = new Set();
  for (const { section, name, input, expected } of fixture('stream-cases').cases) {
    if (section !== 'patch') continue;
    let outcome;
    try {
      outcome = { document: applyPatch(deepFreeze(clone(input.document)), input.operations) };
    } catch (error) {
      assert.ok(error instanceof AGUIPatchError, name);
      outcome = { error: true, atIndex: error.operation ?? null, rule: expected.rule };
    }
    try {
      // Text knows a member `__proto__` from a prototype.
      assert.deepEqual(JSON.parse(text(outcome)), expected);
    } catch {
      different.add(name);
    }
  }
  assert.deepEqual([...different].sort(), [...exceptions].sort());
});

test('the original stays, and what is not touched is shared', () => {
  const document = deepFreeze({ a: { b: { c: 1 }, d: [1, { e: 2 }] }, f: { g: [] } });
  const before = text(document);
  const patched = applyPatch(document, [
    { op: 'replace', path: '/a/b/c', value: 2 },
    { op: 'add', path: '/a/d/-', value: 3 },
    { op: 'test', path: '/f', value: { g: [] } },
  ]);
  assert.equal(text(document), before);
  assert.deepEqual(patched, { a: { b: { c: 2 }, d: [1, { e: 2 }, 3] }, f: { g: [] } });
  assert.equal(patched.f, document.f);
  assert.equal(patched.a.d[1], document.a.d[1]);
  assert.equal(applyPatch(document, [{ op: 'test', path: '/f/g', value: [] }]), document);
});

test('values are copied out of the operations', () => {
  const operations = deepFreeze([
    { op: 'add', path: '/x', value: { list: [] } },
    { op: 'add', path: '/x/list/-', value: { deep: {} } },
    { op: 'copy', from: '/x', path: '/y' },
    { op: 'add', path: '/y/list/0/deep/er', value: 1 },
  ]);
  for (const inPlace of [false, true]) {
    const patched = applyPatch({}, operations, { inPlace });
    assert.deepEqual(patched, { x: { list: [{ deep: {} }] }, y: { list: [{ deep: { er: 1 } }] } });
    patched.x.list.push(1);
  }
});

test('in place, the document itself is changed', () => {
  const document = { a: [1, 2], b: { c: {} } };
  const { a, b } = document;
  assert.equal(applyPatch(document, [{ op: 'move', from: '/a/0', path: '/b/c/x' }], { inPlace: true }), document);
  assert.deepEqual(document, { a: [2], b: { c: { x: 1 } } });
  assert.ok(document.a === a && document.b === b);
  assert.deepEqual(applyPatch(document, [{ op: 'replace', path: '', value: [] }], { inPlace: true }), []);
  // A frozen container is copied.
  Object.freeze(a);
  assert.deepEqual(applyPatch(document, [{ op: 'add', path: '/a/-', value: 3 }], { inPlace: true }), document);
  assert.deepEqual([a, document.a], [[2], [2, 3]]);
});

test('what is owned is changed in place, the rest is copied once', () => {
  const owned = new Set();
  const document = deepFreeze({ a: { b: 1 }, c: {} });
  const value = deepFreeze({ lent: {} });
  const first = patchOwned(document, [{ op: 'add', path: '/a/x', value }], owned);
  assert.deepEqual([...owned], [first, first.a]);
  assert.equal(first.a.x, value);
  const second = patchOwned(first, [{ op: 'add', path: '/a/x/lent/y', value: 1 }], owned);
  assert.ok(second === first && second.a === first.a && second.c === document.c);
  assert.deepEqual(second, { a: { b: 1, x: { lent: { y: 1 } } }, c: {} });
  assert.deepEqual(value, { lent: {} });
  const before = text(second);
  const bad = [{ op: 'remove', path: '/a/b' }, { op: 'add', path: '/c/z', value: 1 }, { op: 'remove', path: '/nothing' }];
  assert.throws(() => patchOwned(second, bad, owned), Unpatched);
  assert.equal(text(second), before);
});

test('an error names code, operation and place, and shows no content', () => {
  const document = { secret: 'contents', list: [] };
  const cases = [
    [3, 'patch_invalid', '/1'],
    [null, 'patch_invalid', '/1'],
    [{ path: '/a' }, 'patch_invalid', '/1/op'],
    [{ op: 'toString', path: '/a' }, 'patch_invalid', '/1/op'],
    [{ op: 'remove', path: 1 }, 'patch_invalid', '/1/path'],
    [{ op: 'add', path: '/a' }, 'patch_invalid', '/1/value'],
    [{ op: 'move', path: '/a' }, 'patch_invalid', '/1/from'],
    [{ op: 'remove', path: '/toString' }, 'patch_target_missing', '/1/path'],
    [{ op: 'remove', path: '/__proto__' }, 'patch_target_missing', '/1/path'],
    [{ op: 'add', path: '/list/1', value: 0 }, 'patch_index_invalid', '/1/path'],
    [{ op: 'test', path: '/secret', value: 'guess' }, 'patch_test_failed', '/1/path'],
    [{ op: 'move', from: '/list', path: '/list/0' }, 'patch_into_itself', '/1/path'],
  ];
  for (const [operation, code, path] of cases) {
    const error = failure(() => applyPatch(document, [{ op: 'test', path: '/list', value: [] }, operation]));
    assert.ok(error instanceof AGUIPatchError);
    assert.deepEqual([error.code, error.operation, error.path], [code, 1, path]);
    assert.ok(!/contents|guess/.test(error.message), error.message);
  }
  const none = failure(() => applyPatch(document, { op: 'remove', path: '/secret' }));
  assert.deepEqual([none.code, none.operation], ['patch_invalid', undefined]);
});

test('budgets hold', () => {
  const bomb = [{ op: 'add', path: '', value: [0] }, ...Array(30).fill({ op: 'copy', from: '', path: '/-' })];
  const error = failure(() => applyPatch({}, bomb));
  assert.ok(error instanceof AGUILimitError);
  assert.deepEqual([error.limit, error.operation, error.path], ['patchCopies', 16, '/16']);
  const limited = (operations, limits) => failure(() => applyPatch({ a: { b: [[]] } }, operations, { limits })).limit;
  const deeper = [{ op: 'add', path: '/c', value: {} }, { op: 'move', from: '/a', path: '/c/a' }];
  assert.equal(limited(deeper, { depth: 4 }), 'depth');
  assert.equal(limited(deeper, { patchCopies: 2 }), 'patchCopies');
  assert.equal(limited(deeper, { patchOperations: 1 }), 'patchOperations');
  const first = { op: 'add', path: '/a/b/0', value: 1 };
  for (const operation of [first, { op: 'remove', path: '/a/b/0' }]) assert.equal(limited([operation], { patchShifts: 0 }), 'patchShifts');
  const reducer = new Reducer({ state: { list: [0] }, limits: { patchShifts: 0 } });
  const [change] = reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/list/0', value: 1 }] });
  assert.equal(change.kind, 'patch_failed');
  assert.deepEqual(reducer.state, { list: [0] });
  assert.deepEqual(applyPatch({ a: { b: [[]] } }, deeper, { limits: { depth: 5, patchCopies: 3 } }), { c: { a: { b: [[]] } } });
  assert.equal(limited([{ op: 'add', path: '/a/x', value: [[]] }], { depth: 3 }), 'depth');
  const [cyclic, other] = [[], []];
  cyclic.push(cyclic);
  other.push(other);
  assert.equal(limited([{ op: 'add', path: '/x', value: cyclic }], {}), 'depth');
  assert.equal(failure(() => applyPatch(cyclic, [{ op: 'test', path: '', value: other }])).limit, 'depth');
});

test('__proto__ is a member like any other', () => {
  const patched = applyPatch({}, [
    { op: 'add', path: '/__proto__', value: { polluted: 1 } },
    { op: 'add', path: '/__proto__/more', value: 2 },
    { op: 'copy', from: '/__proto__', path: '/constructor' },
    { op: 'move', from: '/constructor', path: '/__proto__/constructor' },
    { op: 'test', path: '/__proto__/constructor/more', value: 2 },
  ]);
  assert.equal(text(patched), '{"__proto__":{"polluted":1,"more":2,"constructor":{"polluted":1,"more":2}}}');
  assert.equal(Object.getPrototypeOf(patched), Object.prototype);
  assert.equal({}.polluted, undefined);
  assert.throws(() => applyPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }]), AGUIPatchError);
  const [old, changed] = ['{"__proto__":1,"a":1}', '{"__proto__":{"x":1},"a":1}'].map((json) => JSON.parse(json));
  assert.equal(text(applyPatch(old, diff(old, changed))), text(changed));
});

test('random patches: copying, in place and owned come to the same, and a failure changes nothing', () => {
  const chance = dice(7);
  let applied = 0;
  for (let round = 0; round < 3000; round++) {
    const document = { a: value(chance), b: [value(chance), value(chance)], c: value(chance) };
    const operations = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => operation(chance, document));
    const frozen = deepFreeze(clone(document));
    let expected;
    try {
      expected = applyPatch(frozen, operations);
    } catch (error) {
      const [inPlace, owned] = [clone(document), clone(document)];
      for (const attempt of [
        () => applyPatch(inPlace, operations, { inPlace: true }),
        () => patchOwned(owned, operations, allOf(owned)),
      ]) {
        const thrown = failure(attempt);
        const { code, operation: at, path } = thrown.error ?? thrown;
        assert.deepEqual([code, at, path], [error.code, error.operation, error.path]);
      }
      assert.deepEqual([text(inPlace), text(owned)], [text(document), text(document)]);
      continue;
    }
    applied++;
    assert.equal(text(frozen), text(document));
    assert.equal(text(applyPatch(clone(document), operations, { inPlace: true })), text(expected));
    assert.equal(text(patchOwned(frozen, deepFreeze(clone(operations)), new Set())), text(expected));
    const patch = diff(document, expected);
    const back = applyPatch(frozen, patch);
    assert.deepEqual(JSON.parse(text(back)), JSON.parse(text(expected)));
    assert.ok(text(patch).length <= text([{ op: 'replace', path: '', value: expected }]).length);
  }
  assert.ok(applied > 500, `${applied}`);
});

function allOf(value, owned = new Set()) {
  if (typeof value === 'object' && value !== null) {
    owned.add(value);
    for (const inner of Object.values(value)) allOf(inner, owned);
  }
  return owned;
}

test('a failure restores what was there before it, in order', () => {
  const document = { a: { x: 1, y: 2, z: 3 }, b: [1, 2, 3] };
  const before = text(document);
  const operations = [
    { op: 'remove', path: '/a/x' },
    { op: 'remove', path: '/a/y' },
    { op: 'add', path: '/a/x', value: 4 },
    { op: 'move', from: '/a', path: '/c' },
    { op: 'move', from: '/b/0', path: '/b/-' },
    { op: 'remove', path: '' },
    { op: 'test', path: '', value: 0 },
  ];
  assert.equal(failure(() => applyPatch(document, operations, { inPlace: true })).operation, 6);
  assert.equal(text(document), before);
});

test('an exception of the document itself goes on, and changes nothing', () => {
  const inner = {
    get trap() {
      throw new RangeError('mine');
    },
  };
  const document = { a: 1, inner };
  const operations = [{ op: 'remove', path: '/a' }, { op: 'copy', from: '/inner/trap', path: '/x' }];
  assert.throws(() => applyPatch(document, operations, { inPlace: true }), RangeError);
  assert.deepEqual(Object.keys(document), ['a', 'inner']);
});

test('a diff of two documents turns one into the other', () => {
  const chance = dice(11);
  for (let round = 0; round < 2000; round++) {
    const [old, changed] = [value(chance, 4), value(chance, 4)];
    const patch = diff(old, changed);
    assert.deepEqual(JSON.parse(text(applyPatch(old, patch))), JSON.parse(text(changed)));
    assert.ok(text(patch).length <= text([{ op: 'replace', path: '', value: changed }]).length);
    assert.deepEqual(diff(old, clone(old)), []);
  }
});

test('a diff is small, and sees what JSON sees', () => {
  const steps = Array.from({ length: 20 }, (_, index) => ({ id: index, text: `what is to be done in step ${index}` }));
  const moved = [...steps];
  moved.splice(10, 0, ...moved.splice(2, 1));
  assert.deepEqual(diff({ steps }, { steps: moved }), [{ op: 'move', from: '/steps/2', path: '/steps/10' }]);
  const edited = clone({ steps, n: { 'a/b~': 1 } });
  edited.n['a/b~'] = 2;
  assert.deepEqual(diff({ steps, n: { 'a/b~': 1 } }, edited), [{ op: 'replace', path: '/n/a~1b~0', value: 2 }]);
  assert.deepEqual(diff({ a: undefined, b: [undefined] }, { b: [null] }), []);
  assert.deepEqual(diff({ at: new Date(0) }, { at: new Date(1) }), [
    { op: 'replace', path: '/at', value: '1970-01-01T00:00:00.001Z' },
  ]);
  assert.throws(() => diff({}, { text: '\ud800' }), AGUIValidationError);
  let deep = 1;
  for (let level = 0; level < 1500; level++) deep = [deep];
  assert.throws(() => diff(deep, [[2]]), AGUILimitError);
});

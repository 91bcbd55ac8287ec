// Only the changed places of a state cross into core. The events are the same as those of the whole state.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Random } from '../../differential/random.mjs';
import { native as addon, require } from '../packages.mjs';

const { applyPatch } = require('ag-ui-native/patch');
const { StateTracker } = require('ag-ui-native/server');

/** Returns the event of a tracker for a change, and the number of characters of JSON that core read for it. */
function flushed(state, change) {
  const tracker = new StateTracker(state, { base: structuredClone(state) });
  change(state);
  const { stateUpdate } = addon;
  let characters = 0;
  addon.stateUpdate = (places, ...rest) => {
    for (const { place, sent, state } of places) characters += place.length + (sent?.length ?? 0) + state.length;
    return stateUpdate(places, ...rest);
  };
  try {
    return { event: tracker.flush(), characters };
  } finally {
    addon.stateUpdate = stateUpdate;
  }
}

const item = (at) => ({ id: `i${1000 + at}`, done: false, tags: ['a', 'b'] });
const large = (size) => ({ count: 0, title: 'x', tasks: Array.from({ length: size }, (_, at) => item(at)), users: { ann: { age: 1 }, bob: { age: 2 } } });

const CHANGES = {
  'an append': [(state) => state.tasks.push(item(1)), 1],
  'an item at the start': [(state) => state.tasks.unshift(item(-1)), 1],
  'an item less': [(state) => state.tasks.splice(5, 1), 1],
  'a number and a text': [(state) => Object.assign(state, { count: 1, title: 'y' }), 2],
  'a number and a text in a list': [(state) => Object.assign(state, { count: 1 }) && (state.tasks[7].tags[1] = 'c'), 2],
  'an append and a member that is new': [(state) => Object.assign(state, { more: 1 }) && state.tasks.push(item(1)), 2],
  'a member less of an object within': [(state) => delete state.users.ann && (state.count = 1), 2],
};

for (const [name, [change, operations]] of Object.entries(CHANGES)) {
  test(`${name} takes no more of a larger state`, () => {
    const [small, big] = [500, 2000].map((size) => flushed(large(size), change));
    assert.equal(big.event.delta.length, operations);
    assert.ok(small.characters < 1000 && big.characters <= small.characters + 20, `${small.characters}, ${big.characters}`);
  });
}

const SCALARS = [null, true, 0, 1, -2.5, '', 'x', 'a text that takes a while', 'é😀'];
const KEYS = ['a', 'b', 'name', '0', 'a/b', '~~~~~', 'é😀', ''];

function value(chance, levels) {
  const kind = levels > 0 ? chance.below(3) : 2;
  if (kind === 0) return Array.from({ length: chance.below(9) }, () => value(chance, levels - 1));
  if (kind === 1) return Object.fromEntries(Array.from({ length: chance.below(9) }, () => [chance.one(KEYS), value(chance, levels - 1)]));
  return chance.one(SCALARS);
}

/** A large value: with few differences, these are places. */
const wide = (chance) => ({
  many: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, value(chance, 3)])),
  list: Array.from({ length: 60 }, () => value(chance, 3)),
  nested: [Array.from({ length: 60 }, () => value(chance, 2)), { list: Array.from({ length: 60 }, () => value(chance, 2)), more: value(chance, 4) }],
});

/** Makes a random change of the state. */
function change(chance, state) {
  let at = state;
  for (;;) {
    const inner = chance.one(Object.values(at).filter((value) => typeof value === 'object' && value !== null).concat([undefined]));
    if (inner === undefined) break;
    at = inner;
  }
  if (Array.isArray(at)) {
    const start = chance.below(at.length + 1);
    if (chance.below(4) === 0) at.unshift(...at.splice(start, 1));
    else at.splice(start, chance.below(3), ...Array.from({ length: chance.below(3) }, () => value(chance, 2)));
  } else if (chance.below(4) === 0) delete at[chance.one(Object.keys(at).concat(['a']))];
  else at[chance.one(KEYS.concat(Object.keys(at)))] = value(chance, 2);
}

test('what is said of places is what core says of the whole', () => {
  let inPlaces = 0;
  let bytes;
  const { stateUpdate } = addon;
  addon.stateUpdate = (places, ...rest) => {
    inPlaces += places.length > 1 || places[0].before !== undefined;
    const answer = stateUpdate(places, ...rest);
    bytes = Number(answer.slice(1, answer.indexOf(':')));
    return answer;
  };
  for (let seed = 1; seed <= 500; seed++) {
    const chance = new Random(seed);
    const old = chance.below(4) === 0 ? { a: value(chance, 4), b: value(chance, 4) } : wide(chance);
    const state = structuredClone(old);
    for (let left = chance.below(6); left >= 0; left--) change(chance, state);
    const [before, after] = [old, state].map((value) => JSON.stringify(value));
    const patch = addon.diff('', before, after);
    const tracker = new StateTracker(state, { base: old });
    const event = tracker.flush();
    if (patch === '[]') {
      assert.equal(event, undefined);
      continue;
    }
    const delta = `{"type":"STATE_DELTA","delta":${patch}}`;
    const snapshot = `{"type":"STATE_SNAPSHOT","snapshot":${after}}`;
    const isDelta = Buffer.byteLength(delta) <= Buffer.byteLength(snapshot);
    assert.equal(JSON.stringify(event), isDelta ? delta : snapshot, `seed ${seed}: ${before} ${after}`);
    assert.equal(bytes, Buffer.byteLength(after), `seed ${seed}`);
    if (isDelta) assert.deepEqual(applyPatch(JSON.parse(before), event.delta), JSON.parse(after), `seed ${seed}`);
    assert.equal(tracker.flush(), undefined);
  }
  addon.stateUpdate = stateUpdate;
  assert.ok(inPlaces > 250, `${inPlaces}`);
});

test('what is no JSON in an item that is new has its place', () => {
  for (const [odd, code] of [
    [NaN, 'wrong_type'],
    [{ a: '\ud800' }, 'lone_surrogate'],
  ]) {
    const path = `/tasks/20${typeof odd === 'object' ? '/a' : ''}`;
    assert.throws(() => flushed(large(20), (state) => state.tasks.push(odd)), { code, path });
    assert.throws(() => flushed(large(20), (state) => Object.assign(state, { 'a/b': [odd] })), { code, path: path.replace('/tasks/20', '/a~1b/0') });
  }
});

test('items that would be moved too far at their places: the whole is asked about, and the client has it in the end', () => {
  const items = Array.from({ length: 120_000 }, (_, at) => `item ${at}, with some words`);
  const state = { items, more: 1 };
  const base = structuredClone(state);
  const tracker = new StateTracker(state, { base });
  state.items = items.filter((_, at) => at > 2_000 || at % 2 === 0);
  const { stateUpdate } = addon;
  const answers = [];
  addon.stateUpdate = (...given) => {
    const answer = stateUpdate(...given);
    answers.push(answer[0]);
    return answer;
  };
  let event;
  try {
    event = tracker.flush();
  } finally {
    addon.stateUpdate = stateUpdate;
  }
  assert.deepEqual([answers[0], answers.length > 1], ['w', true]);
  assert.deepEqual(event.type === 'STATE_SNAPSHOT' ? event.snapshot : applyPatch(base, event.delta), state);
  assert.equal(tracker.flush(), undefined);
  state.more = 2;
  assert.deepEqual(tracker.flush(), { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/more', value: 2 }] });
});

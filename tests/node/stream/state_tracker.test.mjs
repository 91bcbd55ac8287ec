// A tracked state reaches the client after every kind of change, in no more bytes than a snapshot takes.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Random } from '../../differential/random.mjs';
import { require } from '../packages.mjs';

const { applyPatch: applyByLetter } = require('fast-json-patch');
const { Reducer } = require('ag-ui-native/stream');
const { StateTracker } = require('ag-ui-native/server');

const KEYS = ['a', 'b', '0', '1', '', 'a/b', '~1', 'é😀'];
const SCALARS = [null, true, false, 0, 1, -1, 2.5, 1e21, 1e-7, '', 'x', 'long enough to matter', '😀'];

function value(chance, levels = 4) {
  const kind = levels > 0 ? chance.below(4) : 0;
  const many = (make) => Array.from({ length: chance.below(6) }, make);
  if (kind === 1) return many(() => value(chance, levels - 1));
  if (kind === 2) return Object.fromEntries(many(() => [chance.one(KEYS), value(chance, levels - 1)]));
  return chance.one(SCALARS);
}

const isContainer = (value) => typeof value === 'object' && value !== null;

/** Changes the state in place, as an agent does. Returns another state only if this one cannot be changed. */
function mutate(chance, state) {
  let at = state;
  while (isContainer(at) && chance.below(10) < 6) {
    const inner = chance.one([undefined, ...Object.values(at)]);
    if (!isContainer(inner)) break;
    at = inner;
  }
  const fresh = value(chance, 2);
  if (!isContainer(at)) return fresh;
  if (Array.isArray(at)) at.splice(chance.below(at.length + 1), chance.below(2), ...[fresh].slice(chance.below(2)));
  else if (chance.below(10) < 2) delete at[chance.one(KEYS)];
  else at[chance.one(KEYS)] = chance.below(10) === 0 ? undefined : fresh;
  return state;
}

/** Members in one order. */
function text(value) {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (!isContainer(value)) return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  };
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value) ?? 'null')));
}

const bytes = (event) => Buffer.byteLength(JSON.stringify(event));

/** A client, by our reducer and by the library of the official client. */
class Client {
  constructor(base = null) {
    this.reducer = new Reducer({ state: structuredClone(base) });
    this.theirs = structuredClone(base);
  }

  take(event) {
    const { delta, snapshot } = JSON.parse(JSON.stringify(event));
    this.theirs = delta === undefined ? snapshot : applyByLetter(this.theirs, delta, true, true, false).newDocument;
    this.reducer.apply(event);
    assert.ok(this.reducer.stateInSync);
  }
}

for (let seed = 0; seed < 200; seed++) {
  test(`the client has the state, seed ${seed}`, () => {
    const chance = new Random(seed + 1);
    const base = chance.below(2) ? value(chance) : undefined;
    const tracker = new StateTracker(value(chance), { base });
    const client = new Client(base);
    for (let at = 0; at < 12; at++) {
      for (let count = chance.below(3); count > 0; count--) tracker.state = mutate(chance, tracker.state);
      const whole = bytes({ type: 'STATE_SNAPSHOT', snapshot: tracker.state });
      const event = tracker.flush();
      const isKnown = at > 0 || base !== undefined;
      assert.equal(event === undefined, isKnown && text(client.theirs) === text(tracker.state));
      if (event) {
        assert.ok(bytes(event) <= whole, `${JSON.stringify(event)} ${JSON.stringify(tracker.state)}`);
        client.take(event);
      }
      assert.equal(text(client.reducer.state), text(tracker.state));
      assert.equal(text(client.theirs), text(tracker.state));
      assert.equal(tracker.flush(), undefined);
    }
  });
}

const long = 'x'.repeat(99);

/** A tracker of a state that the client has. */
function sent(state, options) {
  const tracker = new StateTracker(state, options);
  tracker.flush();
  return tracker;
}

test('what is undefined is none, and toJSON is asked', () => {
  const date = new Date(0);
  const state = { date, none: undefined, call: () => 1, list: [undefined, () => 1], long };
  const tracker = new StateTracker(state);
  assert.deepEqual(tracker.flush(), { type: 'STATE_SNAPSHOT', snapshot: { date: date.toJSON(), list: [null, null], long } });
  assert.equal(tracker.flush(), undefined);
  date.setTime(1);
  assert.deepEqual(tracker.flush().delta, [{ op: 'replace', path: '/date', value: date.toJSON() }]);
  tracker.state = undefined;
  assert.deepEqual(tracker.flush(), { type: 'STATE_SNAPSHOT', snapshot: null });
  assert.equal(new StateTracker(null, { base: null }).flush(), undefined);
});

test('the order of members is no difference, and does not make deltas longer', () => {
  const state = { a: { b: 1, c: long }, d: 1 };
  const tracker = sent(state);
  const { a } = state;
  delete state.a;
  state.a = { c: a.c, b: 1 };
  assert.equal(tracker.flush(), undefined);
  state.a.b = 2;
  assert.deepEqual(tracker.flush().delta, [{ op: 'replace', path: '/a/b', value: 2 }]);
});

test('what is no JSON has a path, and changes nothing', () => {
  const lonely = '\ud800';
  for (const [odd, path, code] of [
    [1n, '/list/1', 'wrong_type'],
    [NaN, '/list/1', 'wrong_type'],
    [{ a: -Infinity }, '/list/1/a', 'wrong_type'],
    [new Map([[1, 2]]), '/list/1', 'wrong_type'],
    [{ 'a/b': [new Set()] }, '/list/1/a~1b/0', 'wrong_type'],
    [lonely, '/list/1', 'lone_surrogate'],
    [{ a: { b: lonely } }, '/list/1/a/b', 'lone_surrogate'],
  ]) {
    const state = { list: [long, 1] };
    const tracker = sent(state);
    state.list[1] = odd;
    for (const call of [() => tracker.flush(), () => new StateTracker(state).flush(), () => new StateTracker({}, { base: state })]) {
      assert.throws(call, (error) => {
        assert.deepEqual([error.name, error.code, error.path], ['AGUIValidationError', code, path]);
        assert.ok(!error.message.includes('xxx'));
        return true;
      });
    }
    state.list[1] = 1;
    assert.equal(tracker.flush(), undefined);
    state.list[1] = 2;
    assert.deepEqual(tracker.flush().delta, [{ op: 'replace', path: '/list/1', value: 2 }]);
  }
});

test('what does not end is too deep, and what is written too often too large', () => {
  const twice = [];
  twice.push(twice, twice);
  const self = { long };
  self.self = self;
  let deep = 1;
  for (let level = 0; level < 300; level++) deep = [deep];
  for (const state of [twice, self, deep]) {
    const tracker = sent({});
    tracker.state = state;
    for (const call of [() => tracker.flush(), () => new StateTracker(state).flush()]) {
      assert.throws(call, { name: 'AGUILimitError', limit: 'depth' });
    }
    tracker.state = {};
    assert.equal(tracker.flush(), undefined);
  }
  let wide = ['x'];
  for (let level = 0; level < 60; level++) wide = [wide, wide];
  assert.throws(() => new StateTracker(wide).flush(), { name: 'AGUILimitError', limit: 'eventBytes' });
});

test('limits', () => {
  const tracker = sent([[[[[[[]]]]]]], { limits: { depth: 10, eventBytes: 1000, patchOperations: 1 } });
  tracker.state = [[[[[[[[]]]]]]]];
  assert.throws(() => tracker.flush(), { limit: 'depth' });
  tracker.state = ['x'.repeat(1000)];
  assert.throws(() => tracker.flush(), { limit: 'eventBytes' });
  tracker.state = { a: 1, b: 1, long: long + long };
  tracker.flush();
  tracker.state.a = 2;
  assert.equal(tracker.flush().delta.length, 1);
  Object.assign(tracker.state, { a: 3, b: 3 });
  assert.equal(tracker.flush().type, 'STATE_SNAPSHOT');
  assert.throws(() => new StateTracker({}, { limits: { depht: 1 } }).flush());
  assert.throws(() => new StateTracker({}, null), TypeError);
});

test('a getter that throws, lies or asks back', () => {
  const state = { long, n: 1, odd: 0 };
  const tracker = sent(state);
  const getter = (get) => Object.defineProperty(state, 'odd', { get, enumerable: true, configurable: true });
  getter(() => {
    throw new RangeError('mine');
  });
  assert.throws(() => tracker.flush(), /mine/);
  getter(() => tracker.flush());
  assert.throws(() => tracker.flush(), { code: 'reentrant_call' });
  const client = new Client();
  client.take({ type: 'STATE_SNAPSHOT', snapshot: { long, n: 1, odd: 0 } });
  let count = 0;
  getter(() => ({ again: ++count, long }));
  for (let at = 0; at < 5; at++) client.take(tracker.flush());
  getter(() => 5);
  client.take(tracker.flush());
  assert.equal(text(client.theirs), text(state));
  assert.equal(tracker.flush(), undefined);
});

test('__proto__ is a member like any other', () => {
  const tracker = sent({ long });
  tracker.state = JSON.parse(`{"long":"${long}","__proto__":{"a":1}}`);
  assert.deepEqual(JSON.stringify(tracker.flush().delta), '[{"op":"add","path":"/__proto__","value":{"a":1}}]');
  assert.equal(tracker.flush(), undefined);
  tracker.state['__proto__'].a = 2;
  assert.equal({}.a, undefined);
  assert.deepEqual(JSON.stringify(tracker.flush().delta), '[{"op":"replace","path":"/__proto__/a","value":2}]');
  // An inherited property is not a member.
  tracker.state = Object.create({ n: 1 }, { long: { value: long, enumerable: true } });
  assert.deepEqual(tracker.flush().delta, [{ op: 'remove', path: '/__proto__' }]);
});

test('what was sent shares no object', () => {
  const state = { list: [long], n: 1 };
  const tracker = new StateTracker(state);
  tracker.flush().snapshot.list.push('mine');
  assert.equal(tracker.flush(), undefined);
  state.list.push({ b: [] });
  tracker.flush().delta[0].value.b.push('mine');
  assert.equal(tracker.flush(), undefined);
  state.list[1].b.push(1);
  assert.deepEqual(tracker.flush().delta, [{ op: 'add', path: '/list/1/b/0', value: 1 }]);
});

test('what the client has may be longer than an event', async () => {
  const state = { text: 'x'.repeat(100), n: 0 };
  assert.equal(new StateTracker(state, { base: structuredClone(state), limits: { eventBytes: 50 } }).flush(), undefined);
  const { runAgent } = require('ag-ui-native/testing');
  const agent = async (run) => {
    const { length } = run.state.text;
    await run.write('Hi');
    return length;
  };
  const { outcome, result } = await runAgent(agent, { state: { text: 'x'.repeat(2000) } }, { limits: { eventBytes: 1000 } });
  assert.deepEqual([outcome, result], ['success', 2000]);
});

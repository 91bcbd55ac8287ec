// Arguments that arrive in pieces: the fixture cases, live values that grow in place, hostile input.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, ours } from '../packages.mjs';

const { PartialArguments } = ours.stream;
const cases = fixture('partial');
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** Returns the text of a value with its members in order; the spelling of numbers does not count. */
const written = (value) => JSON.stringify(value);
const rewritten = (json) => written(JSON.parse(json));

test('after each character', () => {
  for (const { name, json, steps, value: last } of cases.filter(({ steps }) => steps)) {
    const partial = new PartialArguments();
    const found = new Map(steps.map(([length, value, completed]) => [length, { value: rewritten(value), completed }]));
    let value = '{}';
    let complete = false;
    assert.equal(written(partial.value), value);
    let length = 0;
    for (const character of json) {
      const step = found.get(++length);
      const completed = step?.completed ?? [];
      value = step?.value ?? value;
      complete ||= completed.includes('');
      assert.deepEqual(partial.feed(character), completed, `${name} at ${length}`);
      assert.equal(written(partial.value), value, `${name} at ${length}`);
      assert.equal(partial.isComplete, complete, `${name} at ${length}`);
    }
    assert.equal(written(partial.finish()), rewritten(last), name);
  }
});

function outcome(pieces, settings) {
  const limits = Object.fromEntries(Object.entries(settings).map(([name, value]) => [camel(name), value]));
  const partial = new PartialArguments({ limits });
  try {
    for (const piece of pieces) partial.feed(piece);
    return { value: written(partial.finish()) };
  } catch (error) {
    assert.ok(error instanceof ours.AGUIError, error.stack);
    const { code, path, offset, limit } = error;
    return { error: { code, path, ...(offset !== undefined && { offset }), ...(limit && { limit }) } };
  }
}

test('however they are cut', () => {
  for (const { name, json, limits = {}, value, error } of cases) {
    if (error?.limit) error.limit = camel(error.limit);
    const expected = error ? { error } : { value: rewritten(value) };
    const characters = [...json];
    const halves = characters.map((_, at) => [characters.slice(0, at).join(''), '', characters.slice(at).join('')]);
    for (const pieces of [[json], characters, ...halves]) assert.deepEqual(outcome(pieces, limits), expected, name);
  }
});

test('values grow in place', () => {
  const partial = new PartialArguments();
  partial.feed('{"list":[{"text":"a');
  const { value } = partial;
  const [inner] = value.list;
  assert.deepEqual(partial.feed('b'), []);
  assert.deepEqual(inner, { text: 'ab' });
  assert.deepEqual(partial.feed('c"},2'), ['/list/0/text', '/list/0']);
  assert.deepEqual(partial.feed('0]}'), ['/list/1', '/list', '']);
  assert.equal(partial.value, value);
  assert.equal(value.list[0], inner);
  assert.deepEqual(value, { list: [{ text: 'abc' }, 20] });
  assert.equal(partial.finish(), value);
});

test('prototypes stay what they are', () => {
  const partial = new PartialArguments();
  for (const character of '{"__proto__":{"polluted":1},"a":{"__proto__":"text","constructor":{"prototype":[]}}}') {
    partial.feed(character);
    assert.equal(Object.getPrototypeOf(partial.value), Object.prototype);
  }
  assert.deepEqual(Object.keys(partial.value), ['__proto__', 'a']);
  assert.deepEqual(Object.getOwnPropertyDescriptor(partial.value.a, '__proto__').value, 'text');
  assert.equal({}.polluted, undefined);
});

test('pairs that are cut come together, halves are refused', () => {
  const text = '{"a":"😀é語","😀":"🎉"}';
  const partial = new PartialArguments();
  for (let at = 0; at < text.length; at++) partial.feed(text[at]);
  assert.deepEqual(partial.finish(), { a: '😀é語', '😀': '🎉' });
  for (const half of ['\ud83d', '\ude00', '\ud83dx', '\ud83d\ud83d']) {
    const error = failure(() => new PartialArguments().feed(`{"a":"${half}"}`));
    assert.ok(error instanceof ours.AGUIValidationError);
    assert.equal(error.code, 'lone_surrogate');
  }
  assert.equal(failure(() => new PartialArguments().feed('\ud83d')).code, 'invalid_json');
});

test('what stands before a fault counts', () => {
  const partial = new PartialArguments();
  const error = failure(() => partial.feed('{"a":"x","b":"yz\\q"}'));
  assert.ok(error instanceof ours.AGUIValidationError);
  assert.deepEqual([error.code, error.offset, error.path, error.partial], ['invalid_json', 17, '/b', ['/a']]);
  assert.deepEqual(partial.value, { a: 'x', b: 'yz' });
  assert.equal(partial.isComplete, false);
  for (const step of [() => partial.feed('x'), () => partial.finish()]) {
    assert.equal(failure(step).code, 'decoder_failed');
  }
});

test('only text is taken', () => {
  for (const odd of [0, 1, null, undefined, {}, new Uint8Array(2)]) {
    assert.throws(() => new PartialArguments().feed(odd), TypeError);
  }
});

test('more steps in one piece than there is room for', () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({ index, text: `item ${index}` }));
  const partial = new PartialArguments();
  const completed = partial.feed(JSON.stringify(items));
  assert.equal(completed.length, 3 * items.length + 1);
  assert.deepEqual(partial.feed(' '), []);
  assert.deepEqual(partial.value, items);
});

/** A small generator of random numbers, always the same. */
function randoms(seed) {
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
}

test('random documents in random pieces', () => {
  const random = randoms(1);
  const texts = ['', 'a', 'é', '語', '😀', '"', '\\', '\n', '/', '~', '\u0000', '__proto__', '[{:,'];
  const text = () => Array.from({ length: random(5) }, () => texts[random(texts.length)]).join('');
  const value = (depth) => {
    const kind = random(depth > 4 ? 5 : 7);
    if (kind === 0) return null;
    if (kind === 1) return random(2) === 0;
    if (kind === 2) return random(1e6) / 10 ** random(10);
    if (kind < 5) return text();
    if (kind === 5) return Array.from({ length: random(4) }, () => value(depth + 1));
    const entries = Array.from({ length: random(4) }, () => [text(), value(depth + 1)]);
    return Object.fromEntries(entries);
  };
  for (let round = 0; round < 500; round++) {
    const document = value(0);
    let json = JSON.stringify(document, null, random(3));
    if (random(2)) json = json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const partial = new PartialArguments();
    const told = [];
    for (let at = 0; at < json.length; ) {
      const size = 1 + random(8);
      told.push(...partial.feed(json.slice(at, (at += size))));
    }
    assert.equal(new Set(told).size, told.length);
    assert.equal(written(partial.finish()), written(document));
  }
});

/** Seconds that small pieces take, with a look at the value after each. */
function seconds(text) {
  const partial = new PartialArguments();
  const start = process.cpuUsage();
  for (let at = 0; at < text.length; at++) {
    partial.feed(text[at]);
    assert.ok(partial.value !== undefined);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

test('a hundred thousand small pieces cost what they hold', () => {
  const makers = [
    (size) => `{"t":"${'x'.repeat(size)}`,
    (size) => `["${'語'.repeat(size)}`,
    (size) => `[0${',1'.repeat(size / 2)}`,
    (size) => `{${Array.from({ length: size / 10 }, (_, index) => `"k${index}":1,`).join('')}`,
  ];
  for (const make of makers) {
    // Ten times as much; quadratic would be a hundred.
    assert.ok(seconds(make(100_000)) < 40 * Math.max(seconds(make(10_000)), 0.005), make(10));
  }
});

test('depth and size are limited', () => {
  for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000)]) {
    const error = failure(() => new PartialArguments().feed(text));
    assert.ok(error instanceof ours.AGUILimitError);
    assert.equal(error.limit, 'depth');
  }
  const error = failure(() => new PartialArguments().feed(`{"${'k'.repeat(100_000)}":[${'0,'.repeat(100_000)}`));
  assert.equal(error.limit, 'eventBytes');
});

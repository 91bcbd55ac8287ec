import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, official, ours, require } from '../packages.mjs';

const documents = fixture('documents').flatMap((document) => {
  try {
    return [{ ...document, value: JSON.parse(document.json) }];
  } catch {
    return [];
  }
});

test('the names are the official ones', () => {
  const names = Object.keys(official.schemas);
  assert.equal(names.length, 114);
  for (const name of names) assert.ok(name in ours.schemas, name);
  for (const name of names) {
    for (const other of names) {
      const same = official.schemas[name] === official.schemas[other];
      assert.equal(ours.schemas[name] === ours.schemas[other], same, `${name} ${other}`);
    }
  }
  const main = Object.keys(official).filter((name) => !['schemas', 'encoder', 'proto'].includes(name));
  assert.equal(main.length, 12);
  for (const name of main) assert.equal(typeof ours[name], typeof official[name], name);
  assert.deepEqual({ ...ours.EventType }, { ...official.EventType });
  // The protocol version of this package is newer.
  assert.deepEqual([ours.PROTOCOL_VERSION, official.PROTOCOL_VERSION], ['1.1', '1.0']);
  assert.equal(ours.AGUI_METADATA_KEY, official.AGUI_METADATA_KEY);
});

/** Values to put in the place of others, JSON or not. */
const strange = [undefined, null, true, 0, -1, 1.5, 2 ** 53, NaN, Infinity, 5n, '', 'a', '/a~', Symbol('s'), () => 1, {}, [], [null], [{}], new Date(0), new Map(), Object.create(null), new String('a')];

/** Every change of one value somewhere in `value`, three levels deep. */
function* changes(value, depth = 3) {
  for (const other of strange) yield other;
  if (depth === 0 || typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
    }
    for (const changed of changes(value[key], depth - 1)) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[key] = changed;
      yield copy;
    }
  }
}

test('verdict and answer on every change of the fullest documents are the official ones', () => {
  let count = 0;
  for (const { name, type, value } of documents) {
    const theirs = official.schemas[`${type}Schema`];
    const mine = ours.schemas[`${type}Schema`];
    if (!name.endsWith('fullest') || !theirs || !mine) continue;
    for (const changed of changes(value)) {
      const expected = theirs.safeParse(changed);
      const actual = mine.safeParse(changed);
      assert.equal(actual.success, expected.success, `${name} ${String(JSON.stringify(summary(changed)))}`);
      if (expected.success) assert.deepEqual(actual.data, expected.data, name);
      count++;
    }
  }
  assert.ok(count > 10_000, String(count));
});

const summary = (value) => JSON.parse(JSON.stringify({ value }, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)));

test('scalar schemas', () => {
  for (const name of ['JsonPointer', 'JsonPatch', 'Metadata', 'OptionalMetadata', 'State', 'SubagentRunId', 'Role', 'TextMessageRole', 'EventType', 'ReasoningEncryptedValueSubtype']) {
    const candidates = [...strange, '/', '//', '/a/', '/-', '/a\n', '\n', '#/a', '/~0~1', '/a~2', 'user', 'tool', 'RAW', 'message', [{ op: 'add', path: '/a', value: null }], [{ op: 'x' }]];
    for (const value of candidates) {
      const expected = official.schemas[`${name}Schema`].safeParse(value);
      const actual = ours.schemas[`${name}Schema`].safeParse(value);
      assert.equal(actual.success, expected.success, `${name} ${typeof value} ${Object.prototype.toString.call(value)}`);
      if (expected.success) assert.deepEqual(actual.data, expected.data);
    }
  }
});

test('the first issue has the place and, but for content, the code of the official one', () => {
  let compared = 0;
  for (const { name, type, value, zod } of documents) {
    if (zod !== 'rejects' || !ours.schemas[`${type}Schema`]) continue;
    const theirs = official.schemas[`${type}Schema`].safeParse(value).error.issues;
    const mine = ours.schemas[`${type}Schema`].safeParse(value).error.issues;
    const first = theirs.find(({ errors }) => !errors?.length);
    if (!first) continue;
    const match = mine.find(({ path }) => JSON.stringify(path) === JSON.stringify(first.path));
    assert.ok(match, `${name}: ${JSON.stringify([first, mine])}`);
    assert.equal(match.code, first.code, `${name}: ${JSON.stringify([first, match])}`);
    compared++;
  }
  assert.ok(compared > 500, String(compared));
});

test('a fault inside of content is at the content, as zod has it; our own path says where', () => {
  let compared = 0;
  for (const [type, member] of [['UserMessage', 'user'], ['ToolMessage', 'tool'], ['ToolCallResultEvent', undefined]]) {
    const base = member ? { id: 'm', role: member, toolCallId: 'c' } : { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c' };
    for (const content of [[{ type: 'nope' }], [{ type: 'text', text: 5 }], [{ type: 'text', text: 'a' }, { type: 'image', source: { type: 'url' } }], [5], 5]) {
      const [theirs] = official.schemas[`${type}Schema`].safeParse({ ...base, content }).error.issues;
      const { path, issues } = ours.schemas[`${type}Schema`].safeParse({ ...base, content }).error;
      assert.deepEqual([issues[0].code, issues[0].path], [theirs.code, theirs.path]);
      assert.deepEqual(path, issues[0].aguiPath);
      compared += path.startsWith('/content/') ? 1 : 0;
    }
  }
  assert.equal(compared, 12);
  assert.equal(ours.schemas.UserMessageSchema.safeParse({ id: 'm', role: 'user', content: [{ type: 'nope' }] }).error.path, '/content/0/type');
});

test('schemas show what they are made of, as zod\'s do', () => {
  let members = 0;
  for (const [name, theirs] of Object.entries(official.schemas)) {
    const mine = ours.schemas[name];
    if (theirs.options?.every(({ shape }) => shape)) assert.equal(mine.options?.length, theirs.options.length, name);
    if (!theirs.shape) continue;
    assert.deepEqual(Object.keys(mine.shape).sort(), Object.keys(theirs.shape).sort(), name);
    assert.equal(mine.shape, mine.shape);
    for (const key of Object.keys(theirs.shape)) {
      for (const value of strange) {
        const what = `${name}.${key} ${typeof value} ${Object.prototype.toString.call(value)}`;
        assert.equal(mine.shape[key].safeParse(value).success, theirs.shape[key].safeParse(value).success, what);
      }
      members++;
    }
  }
  assert.ok(members > 400, String(members));
  const { EventSchema, UserMessageSchema } = ours.schemas;
  assert.deepEqual(EventSchema.options.map(({ shape }) => shape.type.value), Object.values(ours.EventType));
  assert.equal(failure(() => UserMessageSchema.shape.content.parse([{ type: 'text', text: 5 }])).path, '/0/text');
  assert.ok(UserMessageSchema.shape.name.safeParse(undefined).success);
});

const text = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'd' };

test('parse throws, safeParse answers, the Standard Schema interface validates', async () => {
  const { EventSchemas } = ours.schemas;
  const error = failure(() => EventSchemas.parse({ ...text, delta: 5 }));
  assert.ok(error instanceof ours.AGUIValidationError && error instanceof ours.AGUIError && error instanceof Error);
  assert.equal(error.code, 'wrong_type');
  assert.equal(error.path, '/delta');
  assert.deepEqual(error.issues, EventSchemas.safeParse({ ...text, delta: 5 }).error.issues);
  const standard = EventSchemas['~standard'];
  assert.equal(standard.version, 1);
  assert.deepEqual(await standard.validate(text), { value: text });
  assert.deepEqual((await standard.validate({})).issues[0].path, ['type']);
  const { safeParse } = EventSchemas;
  assert.ok(safeParse(text).success);
});

test('size, depth and cycles of free values do not matter', () => {
  const cycle = { ...text, rawEvent: {} };
  cycle.rawEvent.cycle = cycle;
  assert.equal(ours.schemas.EventSchemas.parse(cycle).rawEvent, cycle.rawEvent);
  assert.equal(ours.schemas.EventSchemas.safeParse({ ...cycle, delta: 5 }).error.issues.length, 1);
  let deep = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assert.ok(ours.schemas.EventSchemas.safeParse({ type: 'STATE_SNAPSHOT', snapshot: deep }).success);
  assert.ok(!ours.schemas.EventSchemas.safeParse({ type: 'STATE_SNAPSHOT', snapshot: deep, timestamp: 'x' }).success);
});

test('own members called __proto__ stay', () => {
  const value = JSON.parse('{"type":"RAW","event":{"__proto__":1},"__proto__":{"polluted":true}}');
  const data = ours.schemas.EventSchemas.parse(value);
  assert.equal(JSON.stringify(data), JSON.stringify(value));
  assert.equal(Object.getPrototypeOf(data), Object.prototype);
});

test('the retired binary part needs one source', () => {
  const { BinaryInputContentSchema: schema } = ours.schemas;
  const part = { type: 'binary', mimeType: 'a/b' };
  assert.ok(schema.safeParse({ ...part, id: 'x' }).success);
  for (const bad of [part, { ...part, id: '', url: '' }, { ...part, url: 5 }]) assert.ok(!schema.safeParse(bad).success);
  assert.equal(schema.safeParse(part).error.code, 'no_part_source');
});

test('the check takes what is valid by itself; core is asked only for the reasons of a refusal', (context) => {
  const native = require('./dist/native/native.cjs').native();
  context.mock.method(native, 'check');
  ours.schemas.EventSchemas.parse({ ...text, extra: 1, timestamp: 5 });
  assert.equal(native.check.mock.callCount(), 0);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, ours, require } from '../packages.mjs';
import { events as randomEvents, frame, generator, messages as randomMessages } from '../random_events.mjs';

const { EventPipeline, Reducer, applyEvents } = ours.stream;
const { applyPatch } = require('ag-ui-native/patch');

const text = (value) => JSON.stringify(value);

/** Freezes a value and all that is in it. Writing to any of it then throws. */
function freeze(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Reflect.ownKeys(value).forEach((key) => freeze(value[key]));
  return value;
}

const start = (id, role = 'assistant') => ({ type: 'TEXT_MESSAGE_START', messageId: id, role });
const content = (id, delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta });
const activity = (activityType, content = { n: 1 }) => ({ type: 'ACTIVITY_SNAPSHOT', messageId: 'act', activityType, content });

test('relayed.json', () => {
  for (const { name, events, messages, warnings } of fixture('relayed')) {
    const reducer = new Reducer({ profile: 'relay' });
    const pipeline = new EventPipeline({ profile: 'relay' });
    reducer.applyAll(events);
    pipeline.feed(Buffer.concat(events.map(frame)));
    for (const of of [reducer, pipeline]) {
      assert.deepEqual(of.messages, messages, name);
      assert.deepEqual(of.warnings.map(({ eventIndex, code, path }) => [eventIndex, code, path]), warnings, name);
      // Calls with a wrong shape have no arguments to be found.
      if (/no calls/.test(name)) assert.equal(of.partialArguments('c'), undefined);
    }
  }
});

test('metadata of one message grows to its limit, and what is handed out stays', () => {
  const ends = (key) => ({ type: 'TEXT_MESSAGE_END', messageId: 'm', metadata: { [key]: 1 } });
  const reducer = new Reducer({ limits: { metadataMembers: 3 } });
  const [, one] = reducer.applyAll([start('m'), ends('a'), ends('__proto__'), ends('c')]);
  assert.deepEqual(Object.keys(one.target.metadata), ['a', '__proto__', 'c']);
  const error = failure(() => reducer.apply(ends('d')));
  assert.deepEqual([error.code, error.limit], ['limit_exceeded', 'metadataMembers']);
  assert.equal(Object.keys(reducer.messages[0].metadata).length, 3);
});

test('what has been handed out never changes, and what is not touched stays the same object', () => {
  for (let seed = 0; seed < 400; seed++) {
    const random = generator(seed);
    const reducer = new Reducer({ messages: randomMessages(random), state: { x: {}, list: [] }, onWarning: () => {} });
    let list = freeze(reducer.messages);
    let state = freeze(reducer.state);
    for (const event of randomEvents(random, 40)) {
      const told = text(list);
      const changes = freeze(reducer.apply(event));
      const targets = new Set(changes.map(({ target }) => target));
      const next = freeze(reducer.messages);
      assert.equal(next, reducer.messages, 'the same list until something changes');
      for (const message of next) {
        if (targets.has(message)) continue;
        const isArranged = changes.some(({ kind }) => kind === 'messages_arranged');
        const mine = message.toolCalls?.some((call) => targets.has(call));
        assert.ok(list.includes(message) || isArranged || mine, `seed ${seed}: ${event.type} has copied a message that it does not touch`);
      }
      assert.equal(text(list), told);
      const touchesState = changes.some(({ kind }) => kind === 'state_set' || kind === 'state_patched');
      if (!touchesState) assert.equal(reducer.state, state, `seed ${seed}: ${event.type} has copied the state`);
      list = next;
      state = freeze(reducer.state);
    }
  }
});

test('one by one, all at once, as bytes in one piece, as bytes cut anywhere: the same', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = generator(seed + 5000);
    const events = randomEvents(random, 40);
    const options = { messages: randomMessages(random), state: { x: {} } };
    const reducer = new Reducer(options);
    const one = events.flatMap((event) => reducer.apply(event));
    const all = applyEvents(events, options);
    const ends = [reducer, all];
    const list = [one, all.changes];
    const bytes = Buffer.concat(events.map(frame));
    for (const size of [bytes.length, 1 + random.below(200), 7]) {
      const pipeline = new EventPipeline({ ...options, verify: false });
      const changes = [];
      for (let at = 0; at < bytes.length; at += size) changes.push(...pipeline.feed(bytes.subarray(at, at + size)));
      changes.push(...pipeline.close());
      ends.push(pipeline);
      list.push(changes);
    }
    const shown = (of) => text([of.messages, of.state, of.pendingInterrupts, of.stateInSync, of.warnings]);
    for (const end of ends) assert.equal(shown(end), shown(ends[0]), `seed ${seed}`);
    const summary = (changes) => text(changes.map(({ kind, eventIndex, value, target }) => [kind, eventIndex, value, target?.id]));
    for (const changes of list) assert.equal(summary(changes), summary(list[0]), `seed ${seed}`);
  }
});

test('what the caller gives is neither changed nor held', () => {
  const given = {
    messages: [{ id: 'a', role: 'assistant', content: 'x', toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }] }],
    state: { deep: { list: [1] } },
    pendingInterrupts: [{ id: 'i', reason: 'asked' }],
  };
  const before = text(given);
  const reducer = new Reducer(freeze(structuredClone(given)));
  reducer.apply(content('a', 'y'));
  reducer.apply({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '}' });
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/deep/list/-', value: 2 }] });
  assert.deepEqual(reducer.messages[0].content + reducer.messages[0].toolCalls[0].function.arguments, 'xy{}');
  assert.deepEqual(reducer.state, { deep: { list: [1, 2] } });

  const other = new Reducer(given);
  given.messages[0].content = 'changed';
  given.messages[0].toolCalls[0].id = 'changed';
  given.state.deep.list.push('changed');
  given.pendingInterrupts.length = 0;
  assert.equal(text({ messages: other.messages, state: other.state, pendingInterrupts: other.pendingInterrupts }), before);
});

test('events given as objects are not held either', () => {
  const reducer = new Reducer();
  const snapshot = { a: [1] };
  const operation = { op: 'add', path: '/b', value: { c: [] } };
  reducer.apply({ type: 'STATE_SNAPSHOT', snapshot });
  const [change] = reducer.apply({ type: 'STATE_DELTA', delta: [operation] });
  snapshot.a.push(2);
  operation.value.c.push(2);
  assert.deepEqual(reducer.state, { a: [1], b: { c: [] } });
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b/c/-', value: 1 }] });
  assert.deepEqual(reducer.state, { a: [1], b: { c: [1] } });
  assert.deepEqual(change.value, [{ op: 'add', path: '/b', value: { c: [] } }], 'the operations as they were');
});

test('lists held from earlier stay as they were', () => {
  const reducer = new Reducer();
  const held = [];
  reducer.apply(start('m'));
  for (let at = 0; at < 50; at++) {
    held.push(reducer.messages);
    if (at % 10 === 0) reducer.apply(start(`m${at}`, 'user'));
    reducer.apply(content('m', 'x'));
  }
  held.forEach((list, at) => assert.deepEqual([list[0].content.length, list.length], [at, 1 + Math.ceil(at / 10)]));
});

test('a patch that does not apply is flagged until the next snapshot', () => {
  const warnings = [];
  const reducer = new Reducer({ state: { a: 1 }, onWarning: (warning) => warnings.push(warning) });
  const state = reducer.state;
  const operations = [{ op: 'add', path: '/b', value: 1 }, { op: 'remove', path: '/none' }];
  const changes = reducer.apply({ type: 'STATE_DELTA', delta: operations });
  assert.deepEqual(changes, [{ kind: 'patch_failed', eventIndex: 0, target: undefined, value: operations }]);
  assert.equal(reducer.state, state);
  assert.equal(reducer.stateInSync, false);
  assert.equal(warnings.length, 1);
  const [{ code, path, eventIndex, message }] = warnings;
  assert.deepEqual([code, path, eventIndex], ['patch_failed', '/1/path', 0]);
  assert.match(message, /operation 1: patch_target_missing/);
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 2 }] });
  assert.deepEqual([reducer.state, reducer.stateInSync], [{ a: 2 }, false]);
  reducer.apply({ type: 'STATE_SNAPSHOT', snapshot: {} });
  assert.equal(reducer.stateInSync, true);
});

test('patches of scalars, which have a way of their own, do what any patch does', () => {
  const names = ['a', 'list', '0', '1', '7', '00', '-', '__proto__', 'a~1b', 'length', '', '4294967294', '4294967295', '18446744073709551615', '18446744073709551616'];
  let applied = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const { below, of } = generator(seed);
    const token = () => of([...names, 'list', 'list', 'a', '0']);
    const path = () => Array.from({ length: 1 + below(3) }, () => `/${token()}`).join('');
    const delta = Array.from({ length: 1 + below(4) }, () => ({ op: of(['add', 'replace']), path: path(), value: of([null, 1, 'text', false]) }));
    const state = JSON.parse('{"a":{"list":[1,{"0":2}],"":0},"list":[{"a":[0]},[1,2]],"-":1,"7":{"-":[]},"a/b":null,"__proto__":{"a":1}}');
    const reducer = new Reducer({ state });
    const warnings = [];
    let given = freeze(reducer.state);
    for (let turn = 0; turn < 2; turn++) {
      const before = text(given);
      const [change] = reducer.apply({ type: 'STATE_DELTA', delta });
      let expected = before;
      let kind = 'state_patched';
      try {
        expected = text(applyPatch(given, delta));
        applied++;
      } catch (error) {
        kind = 'patch_failed';
        warnings.push([turn, error.operation, error.code]);
      }
      assert.equal(change.kind, kind, text([seed, delta]));
      assert.deepEqual(change.value, delta);
      assert.equal(text(reducer.state), expected, text([seed, delta]));
      assert.equal(text(given), before);
      given = freeze(reducer.state);
    }
    const told = reducer.warnings.map(({ eventIndex, message }) => [eventIndex, ...message.match(/operation (\d+): (\w+)/).slice(1)]);
    assert.equal(text(told), text(warnings.map(([index, operation, code]) => [index, String(operation), code])), text(delta));
  }
  assert.ok(applied > 500 && applied < 5500, `${applied} have applied`);
});

test('the same, many at once, one behind the other', () => {
  const deltas = Array.from({ length: 500 }, (_, at) => ({ type: 'STATE_DELTA', delta: [{ op: at % 3 ? 'add' : 'replace', path: `/list/${at % 3 ? '-' : at % 7}`, value: at }] }));
  const reduced = applyEvents(deltas, { state: { list: [] } });
  const one = new Reducer({ state: { list: [] } });
  assert.deepEqual(reduced.changes, deltas.flatMap((delta) => one.apply(delta)));
  assert.deepEqual([reduced.state, reduced.warnings], [one.state, one.warnings]);
  assert.ok(reduced.warnings.length > 0 && reduced.changes.length === 500);
});

test('operations that are left out put the state out of sync', () => {
  const reducer = new Reducer();
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'increment', path: '/a' }, { op: 'add', path: '/b', value: 1 }] });
  assert.deepEqual([reducer.state, reducer.stateInSync], [{ b: 1 }, false]);
  assert.deepEqual(reducer.warnings.map(({ code, path }) => [code, path]), [['unknown_variant', '/delta/0']]);
});

test('under the policy error a patch that does not apply fails, and what came before is applied', () => {
  const events = [start('m'), { type: 'STATE_DELTA', delta: [{ op: 'test', path: '', value: 1 }] }, content('m', 'later')];
  for (const options of [{ onPatchFailure: 'error' }, { profile: 'strict' }]) {
    const error = failure(() => applyEvents(events, options));
    assert.ok(error instanceof ours.AGUIPatchError);
    assert.deepEqual([error.code, error.eventIndex, error.operation, error.path], ['patch_failed', 1, 0, '/0/path']);
    assert.deepEqual(error.partial.map(({ kind }) => kind), ['message_inserted']);
    assert.equal(error.partial[0].target.content, '');
  }
  assert.equal(applyEvents(events, { profile: 'strict', onPatchFailure: 'flag' }).stateInSync, false);
});

test('an activity that could not be patched keeps its type, whatever follows', () => {
  const events = [
    activity('plan'),
    { type: 'ACTIVITY_DELTA', messageId: 'act', activityType: 'search', patch: [{ op: 'remove', path: '/none' }] },
    // Says that it knows all activities of the type `search`: one of another type stays.
    { type: 'MESSAGES_SNAPSHOT', messages: [], metadata: { '@ag-ui/client': { authoritativeActivityTypes: ['search'] } } },
  ];
  const patched = [events[0], { ...events[1], patch: [{ op: 'replace', path: '/n', value: 2 }] }, events[2]];
  const each = (list) => {
    const reducer = new Reducer();
    list.forEach((event) => reducer.apply(event));
    return reducer;
  };
  for (const reduced of [applyEvents(events), each(events)]) {
    assert.deepEqual(reduced.messages, [{ id: 'act', role: 'activity', activityType: 'plan', content: { n: 1 } }]);
    assert.equal(reduced.stateInSync, true, 'it is about the state');
  }
  for (const reduced of [applyEvents(patched), each(patched)]) assert.deepEqual(reduced.messages, []);
});

test('members called __proto__ are members', () => {
  const evil = JSON.parse('{"__proto__":{"polluted":true}}');
  const reducer = new Reducer({ state: evil, messages: [{ id: 'm', role: 'assistant', content: '', metadata: evil }] });
  reducer.apply({ ...content('m', 'x'), metadata: JSON.parse('{"__proto__":1,"a":2}') });
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/__proto__/x', value: 1 }] });
  assert.equal(text(reducer.messages[0].metadata), '{"__proto__":1,"a":2}');
  assert.equal(text(reducer.state), '{"__proto__":{"polluted":true,"x":1}}');
  assert.equal(Object.getPrototypeOf(reducer.state), Object.prototype);
  assert.equal({}.polluted, undefined);
});

test('chunks are refused, and everything before is applied', () => {
  const reducer = new Reducer();
  const events = [start('m'), content('m', 'x'), { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'y' }, content('m', 'z')];
  const error = failure(() => reducer.applyAll(events));
  assert.deepEqual([error.name, error.rule, error.eventIndex], ['AGUISequenceError', 'A01', 2]);
  assert.deepEqual(error.partial.map(({ kind }) => kind), ['message_inserted', 'text_appended']);
  assert.equal(reducer.messages[0].content, 'x');
});

test('an event that JSON cannot hold fails with what JSON.stringify throws, after those before', () => {
  const reducer = new Reducer();
  assert.throws(() => reducer.applyAll([start('m'), { type: 'CUSTOM', name: 'n', value: 5n }]), TypeError);
  assert.equal(reducer.messages.length, 1);
  for (const odd of [undefined, null, 5, 'text', [], () => {}]) {
    assert.throws(() => new Reducer().apply(odd), { name: 'AGUIValidationError', eventIndex: 0 });
  }
});

const ODD = { '<nan>': NaN, '<infinity>': -Infinity };
/** Returns a value of the fixture with the values that JSON does not have. */
const withOdd = (value) => JSON.parse(JSON.stringify(value).replaceAll('<half>', '\\ud800'), (_, inner) => (Object.hasOwn(ODD, inner) ? ODD[inner] : inner));

test('what a conversation cannot begin with', () => {
  for (const { name, start, code, path } of fixture('starts')) {
    const options = withOdd(start);
    for (const begin of [() => new Reducer(options), () => new EventPipeline(options), () => applyEvents([], options)]) {
      assert.throws(begin, { code, path }, name);
    }
    if (options.pendingInterrupts !== undefined) continue;
    const was = { messages: [{ id: 'u', role: 'user', content: 'x' }], state: { a: 1 } };
    for (const going of [new Reducer(was), new EventPipeline(was)]) {
      assert.throws(() => going.replace({ messages: [], state: 1, ...options }), { code, path }, name);
      assert.deepEqual({ messages: going.messages, state: going.state }, was, name);
    }
  }
});

test('starts that are none', () => {
  assert.throws(() => new Reducer({ messages: [{ id: 'a', role: 'user', content: 'x' }, { id: 'b' }] }), { path: '/messages/1/role' });
  assert.throws(() => new Reducer({ messages: [undefined, { id: 'a', role: 'user', content: 'x' }] }), { path: '/messages/0' });
  assert.throws(() => new Reducer({ pendingInterrupts: [{}] }), { path: '/pendingInterrupts/0/id' });
  assert.throws(() => new Reducer({ onPatchFailure: 'ignore' }), { path: '/onPatchFailure' });
  let deep = {};
  for (let level = 0; level < 300; level++) deep = { deep };
  assert.throws(() => new Reducer({ state: deep }), { limit: 'depth' });
  assert.equal(new Reducer({ state: null }).state, null);
});

test('arguments can be read as they arrive', () => {
  const reducer = new Reducer();
  assert.equal(reducer.partialArguments('c'), undefined);
  reducer.apply({ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f' });
  reducer.apply({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"city":"Par' });
  const partial = reducer.partialArguments('c');
  assert.deepEqual(partial.value, { city: 'Par' });
  reducer.apply({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: 'is","days":[1,2' });
  assert.deepEqual(partial.value, { city: 'Paris', days: [1] });
  assert.equal(reducer.partialArguments('c'), partial);
  reducer.apply({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: ']}' });
  reducer.apply({ type: 'TOOL_CALL_END', toolCallId: 'c' });
  assert.deepEqual(partial.finish(), { city: 'Paris', days: [1, 2] });
});

test('messages that are added at the end are as if all had been replaced', () => {
  const history = [{ id: 'u', role: 'user', content: 'Hi' }];
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a' },
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'look', parentMessageId: 'm' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'b' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
    { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'c', content: 'found' },
    { type: 'MESSAGES_SNAPSHOT', messages: [...history, { id: 'x2', role: 'user', content: 'x' }] },
    { type: 'TEXT_MESSAGE_START', messageId: 'x4', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'x4', delta: 'c' },
  ];
  for (let every = 1; every < 4; every++) {
    const [whole, added] = [new Reducer({ messages: history }), new Reducer({ messages: history })];
    events.forEach((event, at) => {
      if (at % every === 0) {
        const more = [{ id: `x${at}`, role: 'user', content: 'x' }, { id: `y${at}`, role: 'assistant', toolCalls: [{ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '' } }] }];
        const before = added.messages;
        whole.replace({ messages: [...whole.messages, ...more] });
        added.append(more);
        assert.equal(added.messages.length, before.length + 2);
        assert.deepEqual(added.callOf(`c${at}`), whole.callOf(`c${at}`));
      }
      const seen = structuredClone(added.messages);
      const kept = added.messages;
      assert.deepEqual(added.apply(event).map(({ kind }) => kind), whole.apply(event).map(({ kind }) => kind));
      assert.deepEqual(kept, seen);
      assert.deepEqual(added.messages, whole.messages);
    });
  }
  const reducer = new Reducer({ messages: history });
  assert.throws(() => reducer.append([{ id: 'z', role: 'nobody' }]), { path: '/messages/0' });
  assert.deepEqual(reducer.messages, history);
});

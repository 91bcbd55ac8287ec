import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, ours, require } from '../packages.mjs';

const { ChunkExpander, EventVerifier, checkResume, compactEvents, enforceEvents, expandChunks, verifyEvents } = ours.stream;
const { checkProtocolVersion, downgradeInput, upgradeInput } = require('ag-ui-native/compat');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const opened = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const piece = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' };
const closed = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
const chunk = (delta, messageId) => ({ type: 'TEXT_MESSAGE_CHUNK', delta, ...(messageId && { messageId }) });
const run = [started, opened, piece, closed, finished];

/** Events that are nearly object literals. */
const literals = [
  { ...piece, delta: 'é日😀\u0000"' },
  { ...piece, delta: 'a\ud800b' },
  { ...piece, messageId: '\udc00' },
  { ...piece, delta: '' },
  { ...piece, delta: 'x'.repeat(100_000) },
  { messageId: 'm', type: piece.type, delta: 'x' },
  { ...piece, metadata: undefined },
  { ...opened, role: 'nobody' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', encryptedValue: 'e' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 5, entityId: 'm', encryptedValue: 'e' },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 'a\ud800' }] },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: 'a', value: 1 }] },
];

test('an event by itself, which may cross as strings, is taken as one among several', () => {
  const { EventDecoder, Reducer, applyEvents } = ours.stream;
  const told = (work) => {
    try {
      return { made: work() };
    } catch ({ name, code, path, message, eventIndex }) {
      return { name, code, path, message, eventIndex };
    }
  };
  for (const event of literals) {
    for (const limits of [{}, { eventBytes: 300 }, { idBytes: 0 }]) {
      const what = `${JSON.stringify(event).slice(0, 100)} ${JSON.stringify(limits)}`;
      const one = new EventVerifier({ limits });
      const verified = told(() => [started, opened, event].map((each) => (one.check(each), each)).at(-1));
      assert.deepEqual(verified, told(() => verifyEvents([started, opened, event], { limits }).at(-1)), what);
      const expanded = told(() => new ChunkExpander({ limits }).push(event));
      assert.deepEqual(expanded, told(() => expandChunks([event], { limits })), what);
      const reducer = new Reducer({ limits });
      const changes = told(() => [opened, event].flatMap((each) => reducer.apply(each)).map(({ kind, value }) => [kind, value]));
      const all = told(() => applyEvents([opened, event], { limits }).changes.map(({ kind, value }) => [kind, value]));
      assert.deepEqual(changes, all, what);
      // And as it would come by the wire.
      const decoded = told(() => new EventDecoder({ limits }).feed(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))[0]);
      const recoded = told(() => ours.proto.decode(ours.proto.encode(event, { limits, profile: 'tolerant' })));
      const summary = ({ made, code, path }) => ({ made, code, path });
      assert.deepEqual(summary(recoded), summary(decoded), what);
    }
  }
});

test('words of no closed set are left out, and the events that need one', () => {
  const value = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'span', entityId: 'm', encryptedValue: 'e' };
  const given = [started, { ...opened, role: 'narrator' }, closed, value, finished];
  const { role, ...plain } = opened;
  for (const stage of [enforceEvents, verifyEvents, expandChunks, compactEvents]) {
    const warnings = [];
    const onWarning = ({ code, path, eventIndex }) => warnings.push([eventIndex, code, path]);
    assert.deepEqual(stage(given, { onWarning }), [started, plain, closed, finished], stage.name);
    assert.deepEqual(warnings, [[1, 'invalid_value', '/role'], [3, 'invalid_value', '/subtype']], stage.name);
    assert.throws(() => stage(given, { profile: 'strict' }), { code: 'invalid_value', path: '/role', eventIndex: 1 }, stage.name);
    assert.deepEqual(stage(given, { profile: 'relay' }), given, stage.name);
  }
});

test('events that pass are the caller\'s own, what is repaired is a copy', () => {
  const extra = { ...piece, extra: 1 };
  const warnings = [];
  const given = [started, opened, extra, { type: 'NEW' }, closed, finished];
  for (const stage of [enforceEvents, verifyEvents, expandChunks, compactEvents]) {
    const made = stage(given, { onWarning: (warning) => warnings.push(warning.code) });
    assert.deepEqual(made, run, stage.name);
    made.forEach((event, at) => assert.equal(event === run[at], at !== 2, stage.name));
    stage(run).forEach((event, at) => assert.equal(event, run[at], stage.name));
  }
  assert.deepEqual(warnings, Array(4).fill(['unknown_field', 'unknown_event_type']).flat());
  assert.equal(extra.extra, 1);
});

test('any iterable, and none', () => {
  function* source() {
    yield* run;
  }
  for (const stage of [enforceEvents, verifyEvents, expandChunks, compactEvents]) {
    assert.deepEqual(stage(source()), run);
    assert.deepEqual(stage([]), []);
  }
});

test('an error says which event, which rule, and what came before', () => {
  const early = failure(() => verifyEvents([started, opened, finished]));
  assert.deepEqual([early.name, early.code, early.rule, early.eventIndex, early.eventType], ['AGUISequenceError', 'sequence_broken', 'V35', 2, 'RUN_FINISHED']);
  assert.equal(early.partial[1], opened);
  const lost = failure(() => expandChunks([started, chunk('x', 'm'), chunk('y', 'm'), { type: 'TOOL_CALL_CHUNK', delta: '{' }]));
  assert.deepEqual([lost.rule, lost.eventIndex], ['C05', 3]);
  assert.deepEqual(lost.partial.map(({ type }) => type), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT']);
  const odd = failure(() => enforceEvents([started, { ...piece, delta: 5 }]));
  assert.deepEqual([odd.name, odd.eventIndex, odd.path, odd.partial], ['AGUIValidationError', 1, '/delta', [started]]);
  assert.throws(() => enforceEvents([started, { ...piece, extra: 1 }], { profile: 'strict' }), { code: 'unknown_field' });
  assert.deepEqual(failure(() => compactEvents([started, opened, piece, piece, 5])).partial.at(-1), { ...piece, delta: 'xx' });
});

test('enforcement completes a run\'s input', () => {
  const input = { threadId: 't', runId: 'r', state: {}, messages: [], forwardedProps: {} };
  const [event] = enforceEvents([{ ...started, input }]);
  assert.deepEqual(event.input, { ...input, tools: [], context: [] });
});

test('one event at a time is as all at once', () => {
  const events = [started, chunk('a', 'm'), chunk('b'), chunk('c', 'n'), { type: 'RAW', event: 1 }, finished];
  const expander = new ChunkExpander();
  const made = events.flatMap((event) => expander.push(event));
  assert.deepEqual(made, expandChunks(events));
  assert.equal(made[0], started);
  assert.equal(made.at(-1), finished);
  assert.throws(() => expander.push(chunk('x')), { rule: 'C04', eventIndex: events.length });
  assert.deepEqual(expander.push(chunk('x', 'o')).map(({ type }) => type), ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']);
});

test('a verifier knows what is open', () => {
  const verifier = new EventVerifier();
  assert.equal(verifier.isRunning, false);
  assert.throws(() => verifier.finish(), { name: 'AGUIStreamError', code: 'stream_truncated' });
  verifier.check(started);
  verifier.check(opened);
  verifier.check({ type: 'STEP_STARTED', stepName: 'plan', subagentRunId: 's' });
  assert.equal(verifier.isRunning, true);
  assert.deepEqual(verifier.open(), [{ kind: 'step', id: 'plan', subagentRunId: 's' }, { kind: 'message', id: 'm' }]);
  assert.deepEqual(verifier.open('message'), [{ kind: 'message', id: 'm' }]);
  assert.deepEqual(verifier.open('subagent'), []);
  assert.throws(() => verifier.admit(opened), { rule: 'V12', eventIndex: 3 });
  verifier.admit(piece);
  verifier.check(closed);
  assert.throws(() => verifier.check(closed), { rule: 'V13' });
  assert.throws(() => verifier.check(piece), { code: 'decoder_failed' });
});

test('a verifier that has seen the end of a run may finish', () => {
  const verifier = new EventVerifier();
  run.forEach((event) => verifier.check(event));
  verifier.finish();
  assert.equal(verifier.isRunning, false);
});

test('limits', () => {
  const many = Array.from({ length: 5 }, (_, at) => ({ ...opened, messageId: `m${at}` }));
  const error = failure(() => verifyEvents([started, ...many], { limits: { openEntities: 3 } }));
  assert.deepEqual([error.name, error.limit, error.eventIndex], ['AGUILimitError', 'openEntities', 4]);
  assert.throws(() => verifyEvents([{ ...started, runId: 'r'.repeat(100) }, { ...opened, messageId: 'm'.repeat(100) }], { limits: { idBytes: 99 } }), { limit: 'idBytes' });
});

test('answers to interrupts', () => {
  const pending = [{ id: 'i', reason: 'asked', expiresAt: '2026-01-01T00:00:00Z' }, { id: 'j', reason: 'asked' }];
  const answer = (interruptId, status) => ({ interruptId, status });
  const expires = Date.parse(pending[0].expiresAt);
  checkResume(pending, [answer('i', 'resolved'), answer('j', 'resolved')], expires - 1);
  checkResume(pending, [answer('i', 'cancelled'), answer('j', 'resolved')]);
  checkResume([], undefined);
  assert.throws(() => checkResume(pending, [answer('i', 'resolved')]), { name: 'AGUISequenceError', rule: 'L01' });
  assert.throws(() => checkResume(pending, [answer('i', 'resolved'), answer('j', 'resolved')], expires + 1), { rule: 'L02' });
  assert.throws(() => checkResume([{}], []), { name: 'AGUIValidationError', path: '/0/id' });
  assert.throws(() => checkResume(pending, [answer('i', 'resolved'), answer('j', 'maybe')]), { name: 'AGUIValidationError', path: '/1/status' });
});

for (const { name, input, ceiling, expected, warnings } of fixture('compat').filter(({ kind }) => kind === 'downgrade')) {
  test(name, () => {
    const sent = downgradeInput(input, ceiling);
    assert.deepEqual(JSON.parse(JSON.stringify(sent.input)), expected);
    assert.deepEqual(sent.warnings.map(({ code, path }) => [code, path]), warnings);
  });
}

test('what is left out while an input is read is told', () => {
  const parts = [{ type: 'binary', mimeType: 'audio/x', id: 'file-1' }, { type: 'text', text: 'see' }];
  const messages = [{ id: '1', role: 'user', content: parts }, { id: '2', role: 'moderator', content: 'so' }];
  for (const peer of ['0.0.39', '1.0']) {
    const { input, warnings } = downgradeInput({ threadId: 't', runId: 'r', messages }, peer);
    assert.equal(input.messages.length, 1);
    assert.deepEqual(warnings.map(({ code, path }) => [code, path]), [['unknown_variant', '/messages/0/content/0'], ['unknown_variant', '/messages/1']]);
  }
});

test('inputs for older peers, and theirs', () => {
  const image = { type: 'image', source: { type: 'url', value: 'https://x/y.png' } };
  const parts = [{ type: 'text', text: 'hello ' }, image];
  const input = { threadId: 't', runId: 'r', parentRunId: 'p', protocolVersion: '1.0', state: {}, tools: [], context: [], forwardedProps: {}, messages: [{ id: 'm', role: 'user', content: parts }] };
  const before = JSON.stringify(input);
  const { input: old, warnings } = downgradeInput(input, '0.0.39');
  assert.deepEqual([old.messages[0].content, old.parentRunId, old.protocolVersion], ['hello ', undefined, undefined]);
  assert.deepEqual(warnings.map(({ code, path }) => [code, path]), [['foreign_version', '/messages/0/content']]);
  assert.equal(JSON.stringify(input), before);
  assert.throws(() => downgradeInput(input, 'new'), { code: 'invalid_value', path: '/peer' });
  assert.throws(() => downgradeInput({}, '0.0.39'), { name: 'AGUIValidationError' });

  const binary = { type: 'binary', mimeType: 'image/png', url: 'https://x/y.png' };
  const upgraded = upgradeInput({ ...input, messages: [{ id: 'm', role: 'user', content: [binary] }] });
  assert.deepEqual(upgraded.input.messages[0].content[0].source, { type: 'url', value: 'https://x/y.png', mimeType: 'image/png' });
  assert.deepEqual(upgraded.warnings.map(({ code }) => code), ['legacy_shape']);
  assert.deepEqual(upgradeInput(input), { input, warnings: [] });

  assert.equal(checkProtocolVersion(undefined), undefined);
  assert.equal(checkProtocolVersion('1.0'), undefined);
  assert.equal(checkProtocolVersion('2.0').code, 'foreign_version');
});

test('compacted events have their members in order, in every form of the input', () => {
  const tag = { subagentRunId: 's' };
  const metadata = { metadata: { k: 1 } };
  const events = [
    { type: 'TOOL_CALL_START', toolCallName: 'f', toolCallId: 'c' },
    { type: 'TOOL_CALL_START', toolCallName: 'f', toolCallId: 'c', ...metadata },
    { type: 'TOOL_CALL_ARGS', delta: '{', toolCallId: 'c' },
    { type: 'TOOL_CALL_ARGS', delta: '}', toolCallId: 'c', ...metadata },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x', ...tag, timestamp: 1 },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'y', ...metadata, ...tag },
    { type: 'STATE_SNAPSHOT', snapshot: {}, ...tag },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }], ...metadata, ...tag },
  ];
  class Instance {}
  // Core reads an object with another prototype as a whole.
  const whole = events.map((event) => Object.setPrototypeOf(structuredClone(event), Instance.prototype));
  for (let at = 0; at <= events.length; at++) {
    const some = [events.slice(0, at), whole.slice(0, at)].map((given) => JSON.stringify(compactEvents(given)));
    assert.equal(some[0], some[1]);
  }
});

test('interrupts expire when JavaScript says so', () => {
  const home = process.env.TZ;
  // A time without a zone is local for JavaScript, and UTC here.
  process.env.TZ = 'UTC';
  const interrupt = { id: 'i', reason: 'ask' };
  const answer = [{ interruptId: 'i', status: 'resolved' }];
  const now = Date.parse('2020-01-01T00:00:00.000Z');
  for (const day of ['2019-12-31', '2020-01-01', '2020-01-02'])
    for (const clock of ['', 'T00:00', 'T00:00:00', 'T00:00:00.0', 'T00:00:00.001', 'T23:30:59.123456', ' 01:00'])
      for (const zone of clock ? ['', 'Z', '+00:00', '+0100', '-01:00', '+14:00'] : ['']) {
        const expiresAt = day + clock + zone;
        const isExpired = new Date(expiresAt) <= now;
        const check = () => checkResume([{ ...interrupt, expiresAt }], answer, now);
        if (isExpired) assert.throws(check, { rule: 'L02' }, expiresAt);
        else check();
      }
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});

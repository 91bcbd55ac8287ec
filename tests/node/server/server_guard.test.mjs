import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import { EventEncoder } from 'ag-ui-native/encoder';
import { guard } from 'ag-ui-native/server';
import { decodeEvents, EventVerifier, expandChunks } from 'ag-ui-native/stream';

const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] };
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const open = { type: 'TEXT_MESSAGE_START', messageId: 'm' };
const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const types = (events) => [...events].map((event) => event.type);
const TYPES = ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED'];

async function* pieces(items) {
  yield* items;
}

async function decoded(items, contentType) {
  const events = [];
  const bytes = items.map((item) => (typeof item === 'string' ? new TextEncoder().encode(item) : item));
  for await (const event of decodeEvents(pieces(bytes), { contentType })) events.push(event);
  return events;
}

test('objects pass as they are, and what is open is closed', () => {
  const events = [started, open, { ...content, unknown: 1 }, { type: 'NEW', x: null }];
  const out = [...guard(events)];
  for (const [index, event] of events.entries()) assert.equal(out[index], event);
  assert.deepEqual(types(out).slice(4), ['TEXT_MESSAGE_END', 'RUN_FINISHED']);
});

for (const size of [1, 7, 1000]) {
  test(`text and bytes on the wire in pieces of ${size}`, async () => {
    const encoder = new EventEncoder();
    const exact = '{"type":"CUSTOM","name":"n","value":123456789012345678901234567890}';
    const text = [started, open, content].map((event) => encoder.encode(event)).join('') + `data: ${exact}\n\n`;
    const cut = text.match(new RegExp(`[^]{1,${size}}`, 'g'));
    const out = [...guard(cut)];
    assert.ok(out.every((piece) => typeof piece === 'string'));
    assert.ok(out.join('').includes(exact));
    const bytes = [...guard(cut.map((piece) => Buffer.from(piece)))];
    assert.ok(bytes.every((piece) => piece instanceof Uint8Array));
    assert.equal(Buffer.concat(bytes).toString(), out.join(''));
    assert.deepEqual(types(await decoded(out)), [...TYPES.slice(0, 3), 'CUSTOM', ...TYPES.slice(3)]);
  });
}

test('text that is cut inside a character passes unchanged', async () => {
  const text = [started, { ...open, messageId: '😀' }, { ...content, messageId: '😀', delta: '🏳️‍🌈é😀😀' }, { type: 'TEXT_MESSAGE_END', messageId: '😀' }, { type: 'CUSTOM', name: '😀', value: { '😀': 1 } }, finished]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');
  for (const cut of [text.split(''), text.match(/[^]{1,3}/g), [...text].flatMap((character) => [character.slice(0, 1), '', character.slice(1)])]) {
    for (const mode of ['fix', 'report', 'error', 'off']) {
      assert.equal([...guard(cut, { mode })].join(''), text);
      let later = '';
      for await (const piece of guard(pieces(cut), { mode })) later += piece;
      assert.equal(later, text);
    }
  }
  // Half of a surrogate pair without the other half is replaced.
  const half = [...guard(text.replace('é', '\ud83d').split(''))].join('');
  assert.equal(half, text.replace('é', '\ufffd'));
  assert.throws(() => [...guard([text, 'data: \ud83d'], { mode: 'error' })], { code: 'stream_truncated' });
});

test('protobuf on the wire', async () => {
  const contentType = 'application/vnd.ag-ui.event+proto';
  const encoder = new EventEncoder({ accept: contentType });
  const frames = [started, open].map((event) => encoder.encodeBinary(event));
  const out = [...guard(frames, { contentType: `${contentType}; v=1` })];
  assert.deepEqual(out.slice(0, 2), frames);
  assert.deepEqual(types(await decoded(out, contentType)), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
});

test('an agent that throws ends its run with RUN_ERROR', async () => {
  function* agent() {
    yield open;
    throw new Error('secret');
  }
  const told = [];
  const out = [...guard(agent(), { input, onError: (error) => told.push(error.message) })];
  assert.deepEqual(types(out), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'RUN_ERROR']);
  assert.equal(out.at(-1).code, 'agent_failed');
  assert.ok(!JSON.stringify(out).includes('secret'));
  assert.deepEqual(told, ['secret']);
  assert.equal([...guard(agent(), { input, showErrors: true })].at(-1).message, 'secret');
  assert.equal([...guard(throwing(null), { showErrors: true })].at(-1).message, 'null');
  for (const mode of ['report', 'off']) assert.throws(() => [...guard(agent(), { mode })], /secret/);
  async function* slow() {
    yield* agent();
  }
  const late = [];
  for await (const event of guard(slow(), { input })) late.push(event);
  assert.deepEqual(late, out);
});

function* throwing(value) {
  yield started;
  throw value;
}

test('modes', () => {
  const broken = [started, content, finished, finished];
  const warnings = [];
  const onWarning = (warning) => warnings.push([warning.eventIndex, warning.rule ?? warning.code]);
  assert.deepEqual([...guard(broken, { onWarning })], [started, finished]);
  assert.deepEqual([...guard(broken, { mode: 'report', onWarning })], broken);
  const found = [
    [1, 'V13'],
    [3, 'V02'],
  ];
  assert.deepEqual(warnings.splice(0), [...found, ...found]);
  assert.deepEqual([...guard([started], { mode: 'report', onWarning })], [started]);
  assert.deepEqual(warnings, [[1, 'stream_truncated']]);
  const events = guard(broken, { mode: 'error' });
  assert.equal(events.next().value, started);
  assert.throws(() => events.next(), { rule: 'V13', eventIndex: 1, name: 'AGUISequenceError' });
  assert.throws(() => [...guard([started], { mode: 'error' })], { code: 'stream_truncated' });
  assert.deepEqual([...guard(broken, { mode: 'off' })], broken);
  assert.deepEqual(types(guard([open])), ['RUN_ERROR']);
  assert.deepEqual([...guard([])], []);
});

test('wrong kinds are refused', () => {
  assert.throws(() => guard([], { mode: 'mend' }), { code: 'invalid_value' });
  assert.throws(() => guard([], { mode: 5 }), TypeError);
  assert.throws(() => guard(5), TypeError);
  assert.throws(() => guard(null), TypeError);
  assert.throws(() => guard([], { input: 'x' }), TypeError);
  assert.throws(() => guard([], { input: {} }), { code: 'missing_field' });
});

test('leaving early, and what the consumer throws, closes the agent', async () => {
  const closed = [];
  function* agent() {
    try {
      yield started;
      yield open;
    } finally {
      closed.push('sync');
    }
  }
  for (const event of guard(agent())) {
    assert.equal(event, started);
    break;
  }
  const events = guard(agent());
  events.next();
  assert.throws(() => events.throw(new RangeError('mine')), RangeError);
  async function* slow() {
    try {
      yield started;
      yield open;
    } finally {
      closed.push('async');
    }
  }
  for await (const event of guard(slow())) {
    assert.equal(event, started);
    break;
  }
  assert.deepEqual(closed, ['sync', 'sync', 'async']);
});

test('a callback may read and throw without losing an event', () => {
  const events = guard([started, content, open, finished], {
    onWarning() {
      throw new RangeError('mine');
    },
  });
  // In the mode `fix` it is as if the agent had failed: the run still ends once.
  assert.deepEqual(types(events), ['RUN_STARTED', 'RUN_ERROR']);
});

const { verifyEvents } = createRequire(new URL('../../../node/package.json', import.meta.url))('@ag-ui/client');

test('what comes out is legal, to us and to the official client', async () => {
  const { from, lastValueFrom, toArray } = createRequire(new URL('../../../node/package.json', import.meta.url))('rxjs');
  const draw = mulberry(7);
  for (let round = 0; round < 300; round++) {
    const given = Array.from({ length: draw(25) }, () => randomEvent(draw));
    const fails = draw(2) === 0;
    function* agent() {
      yield* given;
      if (fails) throw new Error('no');
    }
    const out = [...guard(agent(), { input })];
    const verifier = new EventVerifier();
    const expanded = expandChunks(out);
    for (const event of expanded) verifier.check(event);
    verifier.finish();
    assert.deepEqual(verifier.warnings, []);
    assert.deepEqual([...guard(out)], out);
    await lastValueFrom(verifyEvents(false)(from(expanded)).pipe(toArray()));
  }
});

function mulberry(seed) {
  return (most) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

function randomEvent(draw) {
  const kinds = ['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'CUSTOM'];
  for (const name of ['TEXT_MESSAGE', 'TOOL_CALL']) kinds.push(`${name}_START`, `${name}_END`, `${name}_CHUNK`);
  kinds.push('TEXT_MESSAGE_CONTENT', 'TOOL_CALL_ARGS');
  const type = kinds[draw(kinds.length)];
  if (type === 'RUN_STARTED' || type === 'RUN_FINISHED') return { type, threadId: 't', runId: 'r' };
  if (type === 'RUN_ERROR') return { type, message: 'x' };
  if (type.startsWith('SUBAGENT')) return { type, subagentRunId: 's', ...(type.endsWith('STARTED') && { name: 'n' }) };
  const event = { type, ...(draw(2) && { subagentRunId: 's' }) };
  if (type === 'CUSTOM') return { ...event, name: 'c', value: 1 };
  const id = 'ab'[draw(2)];
  if (type.startsWith('STEP')) return { ...event, stepName: id };
  event[type.startsWith('TEXT') ? 'messageId' : 'toolCallId'] = id;
  if (type === 'TOOL_CALL_START' || type === 'TOOL_CALL_CHUNK') event.toolCallName = 'look';
  if (!/START|END/.test(type)) event.delta = 'x';
  return event;
}

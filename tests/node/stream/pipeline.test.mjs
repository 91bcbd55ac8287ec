import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, native, ours, require } from '../packages.mjs';
import { frame } from '../random_events.mjs';

const { EventPipeline, expandChunks, Reducer, verifyEvents } = ours.stream;
const { Agent } = require('ag-ui-native/client');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const start = (id) => ({ type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' });
const content = (id, delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta });
const end = (id) => ({ type: 'TEXT_MESSAGE_END', messageId: id });
const bytes = (events) => Buffer.concat(events.map(frame));
const kinds = (changes) => changes.map(({ kind }) => kind);

const conversation = [
  started,
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'héllo ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: 'wörld 😀' },
  { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', delta: '{"a":' },
  { type: 'TOOL_CALL_CHUNK', delta: '1}' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: 2 }] },
  { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'done' },
  { ...finished, result: 5 },
];

test('a whole conversation', () => {
  const pipeline = new EventPipeline();
  const changes = pipeline.feed(bytes(conversation));
  assert.deepEqual(pipeline.close(), []);
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  assert.deepEqual(pipeline.messages, [
    { id: 'm', role: 'assistant', content: 'héllo wörld 😀' },
    { id: 'c', role: 'assistant', toolCalls: [call] },
    { id: 'r', role: 'tool', toolCallId: 'c', content: 'done' },
  ]);
  assert.deepEqual(pipeline.state, { a: [1, 2] });
  assert.deepEqual(kinds(changes), [
    'message_inserted', 'text_appended', 'text_appended', 'message_ended', 'message_inserted', 'text_appended',
    'text_appended', 'call_ended', 'state_set', 'state_patched', 'message_inserted', 'message_ended', 'interrupts_set',
    'run_finished',
  ]);
  assert.deepEqual(changes.at(-1), { kind: 'run_finished', eventIndex: 8, target: undefined, value: { outcome: 'success', result: 5, pendingToolCallIds: [] } });
  assert.equal(changes[1].target, pipeline.messages[0]);
  assert.deepEqual(pipeline.warnings, []);
});

test('events instead of changes', () => {
  for (const size of [10_000, 50, 1]) {
    const pipeline = new EventPipeline({ reduce: false, messages: [{ id: 'u', role: 'user', content: 'hi' }] });
    const all = bytes(conversation);
    const events = [];
    for (let at = 0; at < all.length; at += size) events.push(...pipeline.feed(all.subarray(at, at + size)));
    assert.deepEqual([...events, ...pipeline.close()], verifyEvents(expandChunks(conversation)));
    assert.deepEqual(pipeline.messages, [{ id: 'u', role: 'user', content: 'hi' }]);
  }
  const plain = new EventPipeline({ reduce: false, expand: false, verify: false });
  assert.deepEqual(plain.feed(bytes(conversation.slice(1))), conversation.slice(1));
});

test('every event before a failing one is applied, and nothing after it', () => {
  const pipeline = new EventPipeline({ onWarning: () => {} });
  pipeline.feed(bytes([started, start('m')]));
  const error = failure(() => pipeline.feed(bytes([content('m', 'a'), content('m', 'b'), content('n', 'c'), content('m', 'd')])));
  assert.deepEqual([error.name, error.rule, error.eventIndex], ['AGUISequenceError', 'V13', 4]);
  assert.deepEqual(kinds(error.partial), ['text_appended', 'text_appended']);
  assert.equal(pipeline.messages[0].content, 'ab');
  assert.throws(() => pipeline.feed(frame(content('m', 'e'))), { code: 'decoder_failed' });
  assert.equal(pipeline.messages[0].content, 'ab');
});

test('a failing patch under the policy error ends the stream', () => {
  const pipeline = new EventPipeline({ onPatchFailure: 'error', state: { a: 1 } });
  const bad = { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 'secret' }, { op: 'test', path: '/a', value: 1 }] };
  const error = failure(() => pipeline.feed(bytes([started, start('m'), bad, content('m', 'x')])));
  assert.deepEqual([error.name, error.code, error.eventIndex, error.operation], ['AGUIPatchError', 'patch_failed', 2, 1]);
  assert.deepEqual(kinds(error.partial), ['message_inserted']);
  assert.ok(!error.message.includes('secret'));
  assert.deepEqual([pipeline.state, pipeline.messages[0].content], [{ a: 1 }, '']);
  assert.throws(() => pipeline.feed(frame(content('m', 'x'))), { code: 'decoder_failed' });
});

test('a stream must end with its run', () => {
  const ended = (events, options, tail = '') => {
    const pipeline = new EventPipeline(options);
    pipeline.feed(Buffer.concat([bytes(events), Buffer.from(tail)]));
    return pipeline;
  };
  const truncated = { name: 'AGUIStreamError', code: 'stream_truncated' };
  assert.throws(() => ended([]).close(), truncated);
  assert.throws(() => ended([started, start('m')]).close(), truncated);
  assert.throws(() => ended([started, finished], {}, 'data: {"type":').close(), truncated);
  assert.deepEqual(ended([started, finished]).close(), []);
  assert.deepEqual(ended([started, { type: 'RUN_ERROR', message: 'no' }]).close(), []);
  assert.deepEqual(ended([started], { verify: false }).close(), []);
  // The last event lacks its blank line.
  const late = ended([started], {}, `data: ${JSON.stringify(finished)}`);
  assert.deepEqual(kinds(late.close()), ['interrupts_set', 'run_finished']);
});

test('a failed run is no failure of the stream', () => {
  const pipeline = new EventPipeline();
  const changes = pipeline.feed(bytes([started, { type: 'RUN_ERROR', message: 'no', code: 'c' }]));
  assert.deepEqual(changes, [{ kind: 'run_failed', eventIndex: 1, target: undefined, value: { message: 'no', code: 'c' } }]);
});

test('what the stream says about itself', () => {
  assert.throws(() => new EventPipeline({ contentType: 'text/html' }), { code: 'wrong_content_type' });
  for (const reduce of [true, false]) {
    const pipeline = new EventPipeline({ contentType: 'text/event-stream', reduce });
    pipeline.feed(Buffer.from(`id: 7\nretry: 50\ndata: ${JSON.stringify(started)}\n\n`));
    assert.deepEqual([pipeline.lastEventId, pipeline.retry], ['7', 50]);
  }
});

test('profiles: strict refuses, tolerant repairs and warns, relay judges no order', () => {
  const odd = bytes([{ ...started, extra: 1 }]);
  assert.throws(() => new EventPipeline({ profile: 'strict' }).feed(odd), { code: 'unknown_field' });
  const tolerant = new EventPipeline();
  tolerant.feed(odd);
  assert.deepEqual(tolerant.warnings.map(({ code }) => code), ['unknown_field']);
  const relay = new EventPipeline({ profile: 'relay', reduce: false });
  assert.deepEqual(relay.feed(bytes([{ ...finished, extra: 1 }])), [{ ...finished, extra: 1 }]);
});

test('an older peer', () => {
  const pipeline = new EventPipeline({ peer: '0.0.57', onWarning: () => {} });
  pipeline.feed(bytes([started, { ...start('m'), subagentRunId: 's' }]));
  assert.equal(pipeline.messages[0].subagentRunId, undefined);
  assert.throws(() => new EventPipeline({ peer: 'old' }), { path: '/peer' });
});

test('more changes than cross at once', () => {
  const history = Array.from({ length: 3000 }, (_, at) => ({ id: `h${at}`, role: 'user', content: `text ${at}` }));
  const input = { threadId: 't', runId: 'r', state: {}, tools: [], context: [], forwardedProps: {}, messages: history };
  const pipeline = new EventPipeline();
  const changes = pipeline.feed(bytes([{ ...started, input }, start('m'), ...Array.from({ length: 2000 }, () => content('m', 'ö'))]));
  assert.equal(changes.length, 5001);
  assert.deepEqual(pipeline.messages.slice(0, 3000), history);
  assert.equal(pipeline.messages[3000].content, 'ö'.repeat(2000));
});

test('one message of very many tokens', () => {
  const pipeline = new EventPipeline();
  pipeline.feed(bytes([started, start('m')]));
  const token = frame(content('m', 'word '));
  for (let at = 0; at < 100_000; at++) pipeline.feed(token);
  assert.equal(pipeline.messages[0].content, 'word '.repeat(100_000));
});

test('ten thousand open messages cost what they must, and more are refused', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `m${at}`);
  const pipeline = new EventPipeline();
  const begin = process.cpuUsage();
  pipeline.feed(bytes([started, ...ids.map(start), ...ids.map((id) => content(id, 'x'))]));
  const { user, system } = process.cpuUsage(begin);
  assert.ok(user + system < 2_000_000);
  assert.ok(pipeline.messages.every((message) => message.content === 'x'));
  assert.throws(() => pipeline.feed(frame(start('one more'))), { name: 'AGUILimitError', limit: 'openEntities' });
});

test('a patch that copies without end is refused, and the run goes on', () => {
  const bomb = [{ op: 'add', path: '/a', value: [1] }, ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }))];
  const pipeline = new EventPipeline({ state: {} });
  pipeline.feed(bytes([started, { type: 'STATE_DELTA', delta: bomb }, start('m')]));
  assert.deepEqual([pipeline.state, pipeline.stateInSync, pipeline.messages.length], [{}, false, 1]);
  assert.match(pipeline.warnings[0].message, /limit_exceeded/);
});

test('the cost of a token does not grow with the conversation', () => {
  const cost = (count) => {
    const messages = Array.from({ length: count }, (_, at) => ({ id: `h${at}`, role: 'user', content: 'text' }));
    const pipeline = new EventPipeline({ messages });
    pipeline.feed(bytes([started, start('m')]));
    const token = frame(content('m', 'Some words, about forty characters long.'));
    let best = Infinity;
    for (let round = 0; round < 15; round++) {
      const begin = process.cpuUsage();
      for (let at = 0; at < 2000; at++) pipeline.feed(token);
      const { user, system } = process.cpuUsage(begin);
      best = Math.min(best, user + system);
    }
    return best;
  };
  cost(10);
  // A step that visits every message would take a thousand times as long; `make test-growth` counts exactly.
  const [few, many] = [cost(10), cost(50_000)];
  assert.ok(many < 10 * few, `${few} with 10 messages, ${many} with 50,000`);
});

test('panics stay inside, and nothing that JavaScript may hand over ends the process', () => {
  const marks = new Uint32Array(2000);
  for (const make of [() => native.createPipeline('{}', '{}\n'), () => native.createReducer('{}', '{}\n'), () => native.createStage('verify', '{}')]) {
    const feed = make();
    feed(0xffffffff, marks);
    assert.equal(marks[0] & 1, 1);
    assert.match(feed(2, marks), /"category":"internal"/);
    for (const input of [undefined, null, 'x', '', {}, [], 77, new Float64Array(2), Symbol('s'), 5n, frame(started), JSON.stringify(started)]) {
      for (const room of [undefined, null, new Uint32Array(0), new Uint32Array(2), marks]) {
        for (const extra of [undefined, null, true, 5, () => 5, () => 'x', () => '{"code":"patch_failed"}']) {
          feed(input, room, extra);
        }
      }
    }
  }
  const pipeline = native.createPipeline('{"onPatchFailure":"error"}', '{"a":1}\n');
  pipeline(bytes([started]), marks);
  const delta = frame({ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/a' }] });
  const thrown = new Error('from the callback');
  assert.throws(() => pipeline(delta, marks, () => { throw thrown; }), thrown);
  pipeline(new Uint8Array(0), marks);
  assert.match(pipeline(2, marks), /decoder_failed/);
  for (const start of ['', '{', '{}\n5', '{}\n\n5']) assert.equal(typeof native.createPipeline('{}', start), 'string', start);
  assert.equal(typeof native.createStage('none', '{}'), 'string');
});

const wrongPatch = [{ op: 'remove', path: '/none' }];
const activity = { messageId: 'a', activityType: 'x' };
const failing = {
  state: [[], { type: 'STATE_DELTA', delta: wrongPatch }],
  activity: [[{ type: 'ACTIVITY_SNAPSHOT', ...activity, content: {} }], { type: 'ACTIVITY_DELTA', ...activity, patch: wrongPatch }],
};
for (const [name, [first, event]] of Object.entries(failing)) {
  test(`patches that fail have so many warnings, and one that says so: ${name}`, async () => {
    const events = [started, ...first, ...Array(9).fill(event), finished];
    const limits = { warnings: 3 };
    const [reducer, pipeline, whole] = [new Reducer({ limits }), new EventPipeline({ limits }), new EventPipeline({ limits })];
    for (const each of events) {
      reducer.apply(each);
      pipeline.feed(frame(each));
    }
    whole.feed(bytes(events));
    const result = await new Agent(() => events.map(frame), { limits, threadId: 't' }).runAgent({ runId: 'r' });
    for (const { warnings } of [reducer, pipeline, whole, result]) {
      assert.deepEqual(warnings.map(({ code }) => code), [...Array(3).fill('patch_failed'), 'limit_exceeded']);
      assert.match(warnings.at(-1).message, /warnings is 3/);
    }
  });
}

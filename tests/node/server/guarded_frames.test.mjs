// tests/fixtures/server/guarded_frames.json: the frames that leave `guard` do not depend on the cuts of the stream, and what comes before
// a failure is sent.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesOf, failure, fixture, ours, require } from '../packages.mjs';

const { guard } = require('ag-ui-native/server');
const { AGUIError, EventDecoder } = ours.stream;
const { frames, cases } = fixture('guarded_frames');
const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] };
const contentTypes = { text: 'text/event-stream', protobuf: 'application/vnd.ag-ui.event+proto' };
const text = (...names) => names.map((name) => frames[name].text).join('');

/** The frames of these names; undefined if one has no form of this transport. */
function framesOf(names, key) {
  const found = names.map((name) => frames[name][key]);
  return found.includes(undefined) ? undefined : found.map(bytesOf);
}

/** Returns the frames that are sent, and the error after them. */
function outcome(stream) {
  const sent = [];
  const iterator = stream[Symbol.iterator]();
  for (;;) {
    let next;
    try {
      next = iterator.next();
    } catch (error) {
      return { sent, error };
    }
    if (next.done) return { sent };
    sent.push(next.value);
  }
}

/** One buffer for all pieces, as a reader that saves memory hands it over. */
function* changing(pieces) {
  const buffer = new Uint8Array(Math.max(0, ...pieces.map((piece) => piece.length)));
  for (const piece of pieces) {
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0);
  }
}

/** The pieces in memory that threads share. */
function* shared(pieces) {
  for (const piece of pieces) {
    const buffer = new Uint8Array(new SharedArrayBuffer(piece.length));
    buffer.set(piece);
    yield buffer;
  }
}

function cuts(given) {
  const whole = Buffer.concat(given);
  const sized = (size) => Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.subarray(at * size, at * size + size));
  return [given, [Buffer.alloc(0), whole, Buffer.alloc(0)], sized(1), sized(7), sized(64)];
}

for (const { name, given, input: known, limits, protobufFailure, ...modes } of cases) {
  for (const key of ['text', 'protobuf']) {
    test(`${name}: ${key}`, () => {
      for (const mode of ['fix', 'report', 'error']) {
        const [items, sent] = [framesOf(given, key), framesOf(modes[mode].sent, key)];
        if (items === undefined || sent === undefined) continue;
        const failed = (key === 'protobuf' && protobufFailure) || modes[mode].failure;
        for (const pieces of cuts(items)) {
          for (const form of [(all) => all, changing, shared]) {
            const [warnings, told] = [[], []];
            const onWarning = ({ eventIndex, rule, code }) => warnings.push([eventIndex, rule ?? code]);
            const options = { mode, contentType: contentTypes[key], input: known && input, limits: limits && { eventBytes: limits.event_bytes } };
            const made = outcome(guard(form(pieces), { ...options, onWarning, onError: (error) => told.push(error) }));
            // In the mode `fix` the end of the run tells of the failure, and `onError`.
            const error = mode === 'fix' ? told[0] : made.error;
            assert.deepEqual(made.sent.map((frame) => Buffer.from(frame).toString('latin1')), sent.map((frame) => frame.toString('latin1')));
            assert.ok(made.sent.every((frame) => frame instanceof Uint8Array));
            assert.equal(error && (error.rule ?? error.code), failed);
            assert.deepEqual(warnings, modes[mode].warnings ?? []);
          }
        }
      }
    });
  }
}

test('text is answered with text', () => {
  const expected = ['started', 'open', 'close', 'failed'].map((name) => frames[name].text);
  const quiet = { onError() {} };
  const piece = text('started', 'open', 'no_json');
  assert.deepEqual([...guard([piece], quiet)], expected);
  const shown = [...guard([text('started', 'no_event')], { ...quiet, showErrors: true })];
  assert.match(shown.at(-1), /RUN_ERROR.*missing_field/);
});

test('a long piece loses nothing before its failure', () => {
  const content = text('content').repeat(Math.ceil((33 * 2 ** 20) / Buffer.byteLength(text('content'))));
  const made = outcome(guard([Buffer.from(text('started', 'open') + content + text('no_json'))], { onError() {} }));
  assert.equal(made.sent.length, 2 + content.length / text('content').length + 2);
  const ends = made.sent.slice(-2).map((frame) => Buffer.from(frame).toString());
  assert.deepEqual(ends, [text('close'), text('failed')]);
});

test('an iterator that fails: what it has made before is sent', () => {
  function* agent() {
    yield text('started') + text('open').slice(0, 9);
    // The results that an error of the agent brings along are not ours.
    throw Object.assign(new AGUIError('mine'), { partial: ['not ours'] });
  }
  assert.deepEqual([...guard(agent(), { onError() {} })], [text('started'), text('failed')]);
  const { sent, error } = outcome(guard(agent(), { mode: 'report' }));
  assert.deepEqual([sent, error.message], [[text('started')], 'mine']);
});

test('an error without a text ends the run', () => {
  for (const [error, shown] of [
    [{ toString: null }, "the agent failed; see the server's log"],
    [new Error(''), "the agent failed; see the server's log"],
    [new Error('a\ud800b'), 'a\ufffdb'],
  ]) {
    function* agent() {
      yield text('started');
      throw error;
    }
    const last = [...guard(agent(), { showErrors: true, onError() {} })].at(-1);
    const [event] = new EventDecoder().feed(Buffer.from(last));
    assert.deepEqual([event.type, event.message], ['RUN_ERROR', shown]);
  }
});

test('a callback that throws loses nothing', () => {
  const events = new EventDecoder().feed(Buffer.from(text('started', 'open', 'stray', 'content')));
  const onWarning = () => {
    throw Object.assign(new AGUIError('mine'), { partial: ['not ours'] });
  };
  for (const [given, types] of [
    [events, (items) => items.map(({ type }) => type)],
    [[text('started', 'open', 'stray', 'content')], (items) => new EventDecoder().feed(Buffer.from(items.join(''))).map(({ type }) => type)],
  ]) {
    // The other events of a piece have been passed by then.
    const [content, start] = [['TEXT_MESSAGE_CONTENT'], ['RUN_STARTED', 'TEXT_MESSAGE_START']];
    const rest = given === events ? [] : content;
    assert.deepEqual(types([...guard(given, { onWarning, onError() {} })]), [...start, ...rest, 'TEXT_MESSAGE_END', 'RUN_ERROR']);
    const { sent, error } = outcome(guard(given, { mode: 'report', onWarning }));
    assert.deepEqual([types(sent), error.message], [[...start, ...content, ...rest], 'mine']);
  }
});

test('asynchronous pieces', async () => {
  async function* agent() {
    yield Buffer.from(text('started', 'open', 'no_json'));
    throw new Error('nothing is read behind a failure');
  }
  const sent = [];
  for await (const frame of guard(agent(), { onError() {} })) sent.push(Buffer.from(frame).toString());
  assert.deepEqual(sent, ['started', 'open', 'close', 'failed'].map((name) => text(name)));
  sent.length = 0;
  await assert.rejects(async () => {
    for await (const frame of guard(agent(), { mode: 'error' })) sent.push(Buffer.from(frame).toString());
  }, { code: 'invalid_json' });
  assert.deepEqual(sent, [text('started'), text('open')]);
});

test('memory that its owner takes away while it is given', () => {
  const bytes = new Uint8Array(Buffer.from(text('started')));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  assert.deepEqual([...guard([bytes, Buffer.from(text('started')), Buffer.from(text('finished'))])].map((frame) => Buffer.from(frame).toString()), [text('started'), text('finished')]);
});

test('other types are refused at once', () => {
  assert.equal(failure(() => guard([], { contentType: 'text/html' })).code, 'wrong_content_type');
});

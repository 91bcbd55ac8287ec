import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { failure, fixture, folder, native, ours } from '../packages.mjs';

test('one class for each category, all under AGUIError', () => {
  for (const name of ['AGUIValidationError', 'AGUIStreamError', 'AGUILimitError', 'AGUIInternalError', 'AGUIConnectNotImplementedError']) {
    const error = name === 'AGUIConnectNotImplementedError' ? new ours[name]() : new ours[name]('m', { code: 'c' });
    assert.ok(error instanceof ours.AGUIError && error instanceof Error);
    assert.equal(error.name, name);
  }
  const plain = new ours.AGUIError('message');
  assert.equal(plain.message, 'message');
  assert.ok(!Object.hasOwn(plain, 'code'));
});

test('each kind of failure has its class, its code and its place', () => {
  const { EventDecoder, decodeEvent } = ours.stream;
  const frame = (json) => Buffer.from(`data: ${json}\n\n`);
  const cases = [
    [() => decodeEvent('{'), 'AGUIValidationError', 'invalid_json'],
    [() => decodeEvent('[]'), 'AGUIValidationError', 'not_an_object'],
    [() => decodeEvent('{"type":"CUSTOM","name":"n","value":"\\ud800"}'), 'AGUIValidationError', 'lone_surrogate'],
    [() => decodeEvent(`{"type":"RAW","event":${'['.repeat(300)}${']'.repeat(300)}}`), 'AGUILimitError', 'limit_exceeded'],
    [() => decodeEvent('{"type":"RAW","event":"aaaa"}', { limits: { eventBytes: 10 } }), 'AGUILimitError', 'limit_exceeded'],
    [() => new EventDecoder({ contentType: 'text/html' }), 'AGUIStreamError', 'wrong_content_type'],
    [() => new EventDecoder().feed(frame('[DONE]')), 'AGUIStreamError', 'done_marker'],
    [() => new EventDecoder().feed(Buffer.from('data: "\xff"\n\n', 'latin1')), 'AGUIValidationError', 'invalid_utf8'],
    [() => ours.validate({ type: 'X' }), 'AGUIValidationError', 'unknown_event_type'],
  ];
  for (const [work, name, code] of cases) {
    const error = failure(work);
    assert.equal(error.name, name, code);
    assert.equal(error.code, code);
    assert.equal(typeof error.path, 'string');
    assert.ok(error.message.length > 10 && error.message.length < 500);
  }
  assert.equal(failure(cases[3][0]).limit, 'depth');
  assert.equal(failure(cases[4][0]).limit, 'eventBytes');
  assert.equal(failure(cases[0][0]).offset, 1);
});

test('every message says what to do where the fault is', () => {
  for (const { name, profile = 'tolerant', json, stream, content_type: contentType, advice } of fixture('advice')) {
    const warnings = [];
    const onWarning = (warning) => warnings.push(warning);
    let issues = warnings;
    try {
      if (json !== undefined) ours.stream.decodeEvent(json, { profile, onWarning });
      else {
        const decoder = new ours.stream.EventDecoder({ profile, contentType, onWarning });
        decoder.feed(Buffer.from(stream));
        decoder.close();
      }
    } catch (error) {
      issues = error.issues;
      assert.ok(error.message.endsWith(`; ${advice[0]}`), `${name}: ${error.message}`);
    }
    assert.equal(issues.length, advice.length, name);
    issues.forEach(({ message }, index) => {
      assert.ok(message.endsWith(`; ${advice[index]}`), `${name}: ${message}`);
      assert.doesNotMatch(message, /[\p{Cc}\u2028-\u202e]/u, name);
    });
  }
});

test('messages quote no payload', () => {
  const secret = 'secret'.repeat(1000);
  const error = failure(() => ours.validate({ type: 'STATE_SNAPSHOT', snapshot: secret, timestamp: secret }));
  assert.ok(!JSON.stringify([error.message, error.issues]).includes('secret'));
});

test('a panic is an exception, and the process lives', () => {
  const script = `
    const native = require('./dist/native/native.cjs').native();
    for (let i = 0; i < 3; i++) try { native.panic(); process.exit(3) } catch (error) { if (!(error instanceof Error)) process.exit(4) }
    const { EventDecoder } = require('ag-ui-native/stream');
    const broken = new EventDecoder();
    process.exit(new EventDecoder().feed(Buffer.from('data: {"type":"RAW","event":1}\\n\\n')).length === 1 ? 0 : 5);
  `;
  const run = spawnSync(process.execPath, ['-e', script], { cwd: fileURLToPath(folder) });
  assert.equal(run.status, 0, String(run.stderr));
});

test('a panic inside the decoder fails its stream', () => {
  const feed = native.createDecoder('{}');
  const marks = new Uint32Array(16);
  feed(0xffffffff, marks);
  assert.equal(marks[0] & 1, 1);
  assert.match(feed(2, marks), /"category":"internal"/);
});

test('the addon survives arguments that it is never given', () => {
  const feed = native.createDecoder('{}');
  for (const input of [undefined, null, 'x', {}, [], 77, new Float64Array(2), new Uint32Array(2), Symbol('s'), 5n]) {
    for (const marks of [undefined, null, new Uint32Array(0), new Uint32Array(1), new Uint8Array(8), new Uint32Array(2)]) {
      feed(input, marks);
    }
  }
  feed();
  feed(new Uint8Array(0), new Uint32Array(8));
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  feed(detached, new Uint32Array(8));
  for (const options of ['', '[]', '{', '{"profile":5}', '{"depth":"x"}']) assert.ok(native.createDecoder(options));
  assert.match(native.check('NoSuchType', '{}', 'strict', false), /internal/);
});

test('random bytes never end the process', () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  const base = Buffer.from('data: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"user","metadata":{"a":[1,2,{"b":"é"}]}}\r\n\nid: 5\n');
  for (let round = 0; round < 5000; round++) {
    const bytes = Buffer.concat([base, base]);
    for (let change = random(6); change >= 0; change--) bytes[random(bytes.length)] = random(256);
    const decoder = new ours.stream.EventDecoder({ profile: ['strict', 'tolerant', 'relay'][round % 3], replaceInvalidText: round % 2 === 0 });
    try {
      decoder.feed(bytes);
      decoder.close();
    } catch (error) {
      if (!(error instanceof ours.AGUIError) || error instanceof ours.AGUIInternalError) throw error;
    }
  }
});

// Middleware may yield any value: objects whose getters lie, throw or call back, also while garbage is collected.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, ours, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');
const { Intake } = require(fileURLToPath(new URL('dist/client/flow.cjs', folder)));

const START = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const END = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const IDS = { threadId: 't', runId: 'r' };
const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

function nested(levels) {
  let value = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function endless() {
  const value = { type: 'CUSTOM', name: 'n' };
  value.value = value;
  return value;
}

/** An object whose `type` differs at each reading. */
function changing() {
  let times = 0;
  return {
    get type() {
      return times++ % 2 ? 'CUSTOM' : 'RUN_ERROR';
    },
    name: 'n',
    value: 1,
    message: 'm',
  };
}

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({ type: 'CUSTOM' }, {});
  revoke();
  return proxy;
};

const LIARS = {
  'an integer too large': () => ({ type: 'CUSTOM', name: 'n', value: 10n ** 400n }),
  'an integer too large where one is declared': () => ({ type: 'CUSTOM', name: 'n', value: 1, timestamp: 2 ** 80 }),
  'no number': () => ({ type: 'CUSTOM', name: 'n', value: NaN }),
  'half of a pair': () => ({ type: 'CUSTOM', name: '\ud800', value: 1 }),
  'half of a pair in a delta': () => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '\ud800' }),
  'too deep': () => ({ type: 'CUSTOM', name: 'n', value: nested(100_000) }),
  'within itself': endless,
  'a text of its own': () => ({ type: new String('CUSTOM'), name: new String('n'), value: 1 }),
  'text that is none': () => ({ type: 'CUSTOM', name: { toString: () => 'n' }, value: 1 }),
  'says what it is': () => ({ toJSON: () => ({ type: 'CUSTOM', name: 'n', value: 1 }) }),
  'says that it is nothing': () => ({ toJSON: () => undefined }),
  'throws': () => ({ type: 'CUSTOM', get name() { throw new RangeError('mine'); } }),
  'throws nothing': () => ({ type: 'CUSTOM', get name() { throw undefined; } }),
  'changes': changing,
  'a proxy that is gone': revoked,
  'a function': () => () => 1,
  'a symbol': () => Symbol('s'),
  'a number': () => 5n,
  'a text': () => '{"type":"CUSTOM","name":"n","value":1}',
  'nothing': () => null,
  'undefined': () => undefined,
  'a list': () => [START],
  'bytes': () => new Uint8Array(8),
  'without a prototype': () => Object.assign(Object.create(null), { type: 'CUSTOM', name: 'n', value: 1 }),
};

for (const [name, liar] of Object.entries(LIARS)) {
  for (const profile of ['strict', 'tolerant']) {
    test(`middleware that lies is read or refused: ${name}, ${profile}`, () => {
      const intake = new Intake(IDS, { profile });
      assert.equal(intake.push(START).length, 1);
      try {
        for (const event of intake.push(liar())) assert.equal(typeof event, 'object');
      } catch (error) {
        assert.notEqual(error?.code, 'internal');
        assert.ok(error === undefined || error instanceof Error);
      }
    });
  }

  test(`a run through middleware that lies ends: ${name}`, async () => {
    async function* lie(input, next) {
      for await (const event of next(input)) {
        yield event;
        if (event.type === 'RUN_STARTED') yield liar();
      }
    }
    const agent = new Agent((request) => [frame({ ...START, runId: request.input.runId }), frame({ ...END, runId: request.input.runId })], { threadId: 't', middleware: [lie] });
    try {
      await agent.runAgent({ runId: 'r' });
    } catch (error) {
      assert.notEqual(error?.code, 'internal');
    }
    assert.equal(agent.isRunning, false);
  });
}

test('an event that calls back does so before it is taken', () => {
  const intake = new Intake(IDS, {});
  const codes = [];
  const event = {
    ...START,
    get metadata() {
      for (const again of [() => intake.push(END), () => intake.finish()]) {
        try {
          again();
          codes.push('taken');
        } catch ({ code }) {
          codes.push(code);
        }
      }
      return {};
    },
  };
  const made = intake.push(event);
  assert.deepEqual(new Set(codes), new Set(['reentrant_call']));
  assert.deepEqual(made.map(({ type }) => type), ['RUN_STARTED']);
  assert.equal(intake.push(END).length, 1);
  intake.finish();
});

test('a callback that calls back is refused, each time', () => {
  const codes = [];
  const onWarning = () => {
    for (const again of [() => intake.push(END), () => intake.push(END), () => intake.finish()]) {
      try {
        again();
        codes.push('taken');
      } catch ({ code }) {
        codes.push(code);
      }
    }
  };
  const intake = new Intake(IDS, { onWarning });
  intake.push({ ...START, unknown: 1, timestamp: '5' });
  assert.ok(codes.length > 3);
  assert.deepEqual(new Set(codes), new Set(['reentrant_call']));
  assert.equal(intake.push(END).length, 1);
});

test('what a callback throws loses no event', () => {
  const mine = new RangeError('mine');
  const intake = new Intake(IDS, { onWarning() { throw mine; } });
  assert.throws(() => intake.push({ ...START, timestamp: '5' }), mine);
  assert.deepEqual(intake.push(END).map(({ type }) => type), ['RUN_STARTED', 'RUN_FINISHED']);
});

test('behind a failure nothing is taken', () => {
  const intake = new Intake(IDS, {});
  assert.throws(() => intake.push(END), ours.AGUIError);
  for (let time = 0; time < 2; time++) assert.throws(() => intake.push(START), { code: 'decoder_failed' });
});

test('garbage is collected while events are taken', () => {
  const script = `
    const { Intake } = require(process.argv[1]);
    const known = [];
    for (let round = 0; round < 40; round++) {
      const intake = new Intake({ threadId: 't', runId: 'r' }, { onWarning() { gc(); intake.mine = intake; } });
      intake.push({ type: 'RUN_STARTED', threadId: 't', runId: 'r', timestamp: '5' });
      for (let index = 0; index < 10; index++) {
        const event = { type: 'CUSTOM', get name() { gc(); return 'n'; }, value: [index] };
        if (intake.push(event).at(-1).value[0] !== index) throw new Error('another event');
        intake.push({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm' + index, delta: 'x' });
        gc();
      }
      known.push(new WeakRef(intake));
    }
    setTimeout(() => {
      gc();
      const left = known.filter((ref) => ref.deref() !== undefined).length;
      if (left > 2) throw new Error(left + ' are left');
    });
  `;
  const file = fileURLToPath(new URL('dist/client/flow.cjs', folder));
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script, file], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

// What every engine does: the published suite, and hints.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { native, require } from '../packages.mjs';

const { checkLog } = require('ag-ui-native/testing');

/** The members of operations that are not given. */
const { defaults } = JSON.parse(readFileSync(new URL('../../../core/src/durable/suite/cases.json', import.meta.url)));
const names = new native.LogServer({}, '{}', 0, new native.LogOccupancy());

/** Declares the tests of an engine. */
export function checkEngine(engine, make) {
  // A log that stays open keeps the process alive.
  const open = (t) => {
    const log = make();
    t.after(() => log.close?.());
    return log;
  };

  test(engine, (t) => checkLog(open(t)));

  test(`${engine}: hints arrive`, async (t) => {
    const log = open(t);
    const key = keyOf(engine, 'hints', 'r');
    const hints = [];
    let heard;
    const unwatch = log.watch(key, (hint) => {
      hints.push(hint);
      heard?.();
    });
    const next = () => (hints.length > 0 ? hints.shift() : new Promise((resolve) => (heard = resolve)).then(() => hints.shift()));
    await log.execute(operation(engine, 'create', { key: 'hints/r' }));
    // The subscription may begin after the first append.
    const first = next();
    for (let number = 1, isHeard = false; !isHeard; number++) {
      await log.execute(operation(engine, 'append', { key: 'hints/r', first: number, frames: ['a'], policy: undefined }));
      isHeard = await Promise.race([first.then(() => true), sleep(50).then(() => false)]);
    }
    hints.length = 0;
    await log.execute(operation(engine, 'cancel', { key: 'hints/r' }));
    let hint = await next();
    // One that was told may be repeated.
    while (hint.hint === 'appended') hint = await next();
    assert.deepEqual(hint, { hint: 'cancelled' });
    unwatch();
  });
}

/** Executes steps. */
export async function run(log, scope, steps) {
  for (const [number, step] of steps.entries()) {
    if (step[0] === 'wait') {
      await sleep(step[1]);
      continue;
    }
    const [name, members, expected] = step;
    const reply = await log.execute(operation(scope, name, members));
    const found = Object.fromEntries(Object.keys(expected).map((member) => [member, reply[member]]));
    assert.deepEqual(found, expected, `step ${number}, ${JSON.stringify(step)}: ${JSON.stringify(reply)}`);
  }
}

/** The operation of a step; the scope is one of its keys. */
export function operation(scope, name, given) {
  const members = { ...defaults[name], ...given };
  for (const member of ['key', 'parent']) if (members[member] !== undefined) members[member] = keyOf(scope, ...members[member].split('/'));
  if (members.thread !== undefined) members.thread = keyOf(scope, members.thread, 'r').thread;
  return { operation: name, ...members };
}

export const keyOf = (scope, thread, run) => JSON.parse(names.key(scope, thread, run));

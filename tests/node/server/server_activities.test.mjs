// The events that an activity sends: one table for both languages.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { runAgent } = require('ag-ui-native/testing');

const shown = ({ type, content, replace, patch }) => {
  if (type === 'ACTIVITY_DELTA') return ['delta', patch];
  return replace === undefined ? ['whole', content] : ['whole', content, replace];
};

for (const { name, steps, events } of fixture('activities')) {
  test(name, async () => {
    const ran = await runAgent((run) => {
      let activity;
      const does = {
        begin: (content, replace) => (activity = run.activity('PLAN', content, { replace })),
        snapshot: (content, replace) => activity.snapshot(content, replace),
        update: (content) => activity.update(content),
        patch: (operations) => activity.patch(operations),
      };
      for (const [step, ...rest] of steps) does[step](...rest);
    });
    assert.deepEqual(ran.events.filter(({ type }) => type.startsWith('ACTIVITY')).map(shown), events);
  });
}

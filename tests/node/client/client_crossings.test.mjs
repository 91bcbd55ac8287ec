// The number of calls of core about subscribers in a run: a native call for an event costs as much as the event itself.

import assert from 'node:assert/strict';
import test from 'node:test';
import { native, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');

const TOKENS = 100;
const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  ...Array.from({ length: TOKENS }, () => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' })),
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];

/**
 * Runs an agent whose subscriber has these callbacks. Returns the number of calls of the delivery's function by their first
 * argument.
 */
async function crossings(subscriber, run = (agent) => agent.runAgent({ runId: 'r' })) {
  const said = {};
  const { createDelivery } = native;
  native.createDelivery = (...given) => {
    const deliver = createDelivery(...given);
    return (what, ...about) => {
      said[what] = (said[what] ?? 0) + 1;
      return deliver(what, ...about);
    };
  };
  try {
    const agent = new Agent(() => events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)), { threadId: 't', subscribers: [subscriber] });
    await run(agent);
  } finally {
    native.createDelivery = createDelivery;
  }
  return said;
}

const types = new Set(events.map(({ type }) => type)).size;

test('without callbacks about events core is told of none', async () => {
  const read = async (agent) => {
    for await (const _ of agent.run({ runId: 'r' }));
  };
  for (const run of [undefined, read]) {
    const { event, reduced } = await crossings({ onRunFinalized() {} }, run);
    assert.deepEqual([event, reduced], [undefined, undefined]);
  }
});

test('a plan that goes to its end is asked for once for each type of events', async () => {
  for (const subscriber of [{ onEvent() {} }, { async onEvent() {}, async onTextMessageContentEvent() {} }]) {
    const { event, reduced } = await crossings(subscriber);
    assert.deepEqual([event, reduced], [types, undefined]);
  }
});

test('where a subscriber hears of changes, core is told of each event, and of its changes', async () => {
  const { event, reduced } = await crossings({ onMessagesChanged() {} });
  assert.deepEqual([event, reduced], [events.length, events.length]);
});

test('an answer is said to core, and its event before it', async () => {
  let heard = 0;
  const { event, answered } = await crossings({ onTextMessageContentEvent: () => (++heard % 2 ? undefined : { stopPropagation: true }) });
  assert.deepEqual([heard, event, answered], [TOKENS, types + TOKENS / 2, TOKENS / 2]);
});

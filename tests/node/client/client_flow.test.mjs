// tests/fixtures/client/middleware.json: the events of an answer that middleware sees, and the effect of the events that it yields.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, ours, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const plain = (event) => JSON.parse(JSON.stringify(event));

/** A warning or an error in a line: its code, the rule, the event, the place. */
const summary = ({ code, rule, eventIndex, path }) => [code, rule, eventIndex === undefined ? '' : `at ${eventIndex}`, path].filter(Boolean).join(' ');

async function tell({ answer, instead = {}, peer }, profile) {
  const found = { sees: [], shows: [], warnings: [] };
  async function* watch(input, next) {
    for await (const event of next(input)) {
      found.sees.push(plain(event));
      yield* instead[event.type] ?? [event];
    }
  }
  const onWarning = (warning) => found.warnings.push(summary(warning));
  const agent = new Agent(() => answer.map(frame), { threadId: 't', profile, peer, middleware: [watch], onWarning });
  try {
    await agent.runAgent({ runId: 'r' }, { onEvent: ({ event }) => void found.shows.push(plain(event)) });
  } catch (error) {
    if (!(error instanceof ours.AGUIError)) throw error;
    found.error = summary(error);
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value.length > 0));
}

for (const one of fixture('middleware')) {
  for (const profile of ['strict', 'tolerant']) {
    test(`middleware sees what came: ${one.name}, ${profile}`, async () => {
      assert.deepEqual(await tell(one, profile), one[profile]);
    });
  }
}

test('warnings of one event are in the order in which they came', async () => {
  const run = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }].map(frame);
  const again = [...Buffer.concat([...run, Buffer.from('data: [DONE]\n\n')])].map((byte) => Buffer.of(byte));
  const answers = [run, again];
  async function* twice(input, next) {
    yield* next(input);
    yield* next(input);
  }
  const told = [];
  const agent = new Agent(() => answers.shift(), { threadId: 't', middleware: [twice], onWarning: (warning) => told.push(summary(warning)) });
  const { warnings } = await agent.runAgent({ runId: 'r' });
  assert.deepEqual(warnings.map(({ code }) => code), ['sequence_broken', 'done_marker']);
  assert.deepEqual(warnings.map(summary), told);
});

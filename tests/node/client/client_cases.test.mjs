// The `pipeline` cases of tests/fixtures/stream/stream-cases.json through an agent, in each of the ways that it reads.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');

const cases = fixture('stream-cases').cases.filter(({ section }) => section === 'pipeline');
const listed = fixture('stream-exceptions').filter(({ section }) => section === 'pipeline').map(({ name }) => name);

/** Ways to run an agent: each makes it read its answer in another way. */
const ways = {
  'for the end': (agent, parameters) => agent.runAgent(parameters),
  'with a subscriber': (agent, parameters) => agent.runAgent(parameters, { onEvent() {}, onMessagesChanged() {} }),
  'through middleware': (agent, parameters) => agent.use((input, next) => next(input)).runAgent(parameters),
  async 'for events'(agent, parameters) {
    const events = agent.run(parameters);
    for await (const _ of events);
    return events.result;
  },
  async 'for changes'(agent, parameters) {
    const changes = agent.stream(parameters);
    for await (const _ of changes);
    return changes.result;
  },
};

/** Replaces random ids by numbers in order of appearance, as the cases have them. Ids of ours begin with their kind. */
function numbered(outcome) {
  const seen = new Map();
  const name = (id) => seen.get(id) ?? (seen.set(id, `<uuid:${seen.size + 1}>`), seen.get(id));
  return JSON.parse(JSON.stringify(outcome).replace(/(msg-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name));
}

async function outcomeOf(input, run) {
  const { messages, state, resume, events, pendingInterrupts = [] } = input;
  const chunks = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  const agent = new Agent(() => chunks, { threadId: 'thread', messages, state });
  agent.pendingInterrupts = pendingInterrupts;
  let error;
  const result = await run(agent, { runId: 'run', ...(resume && { resume }) }).catch((thrown) => ((error = thrown), thrown.run));
  const shown = agent.pendingInterrupts.length > 0 || input.pendingInterrupts !== undefined;
  const outcome = { messages: agent.messages, state: agent.state, ...(shown && { pendingInterrupts: agent.pendingInterrupts }) };
  // The reference takes a stream that ends early for a success.
  if (error && error.code !== 'stream_truncated') {
    const rule = error.rule ?? (error.code === 'sequence_broken' ? undefined : 'E01');
    return numbered({ ...outcome, error: true, atIndex: error.eventIndex ?? -1, rule });
  }
  return numbered({ ...outcome, ...(result.result !== undefined && { result: result.result }), newMessages: result.newMessages.map(({ id }) => id) });
}

for (const [way, run] of Object.entries(ways)) {
  test(way, async () => {
    const different = [];
    for (const { name, input, expected } of cases) {
      const given = structuredClone(input);
      const found = await outcomeOf(input, run);
      assert.deepEqual(input, given, `${name}: what the caller gave has been changed`);
      const { paths, ...judged } = expected;
      if (!isDeepStrictEqual(found, judged)) different.push([name, found, judged]);
    }
    assert.deepEqual(different.map(([name]) => name).filter((name) => !listed.includes(name)), [], JSON.stringify(different.filter(([name]) => !listed.includes(name)).slice(0, 4), null, 1));
  });
}

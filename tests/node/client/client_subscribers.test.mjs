// tests/fixtures/client/subscriber_cases.json: what subscribers of an agent are told, and what becomes of their answers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';
import { digest, recorded, scripted, told, written } from '../record_subscribers.mjs';

const { Agent } = require('ag-ui-native/client');

test('the fixture is what the official client does', async () => {
  assert.equal(await recorded(), written());
});

const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const turn = () => new Promise((resolve) => setImmediate(resolve));
const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

/** Returns the result of a case with our client. */
async function outcome(one, wanted) {
  const calls = [];
  const expected = {};
  const errors = [];
  let sent;
  const transport = ({ input }) => {
    sent = { messages: input.messages.map(digest), state: plain(input.state ?? {}) };
    return (async function* () {
      for (const event of one.events) {
        yield frame(event);
        await turn();
      }
      if (one.fails) throw new Error('lost');
    })();
  };
  const { messages, state, subscribers, resume, pendingInterrupts = [] } = structuredClone(one);
  const agent = new Agent(transport, { threadId: 't', agentId: 'a', messages, state, onError: (error) => errors.push(error) });
  agent.pendingInterrupts = pendingInterrupts;
  subscribers.forEach((script, index) => agent.subscribe(scripted(script, (name, params) => calls.push([index, name, told(name, params)]))));
  if (one.events) {
    const parameters = { runId: 'r', ...(resume && { resume }) };
    let result;
    try {
      if (wanted === 'runAgent') result = await agent.runAgent(parameters);
      else {
        const stream = agent[wanted](parameters);
        for await (const _ of stream);
        ({ result } = stream);
      }
      expected.newMessages = result.newMessages.map(({ id }) => id);
      if (result.result !== undefined) expected.result = plain(result.result);
    } catch {
      expected.rejects = true;
    }
  }
  for (const action of one.actions ?? []) {
    for (const [name, value] of Object.entries(action)) agent[name](structuredClone(value));
    for (let count = 0; count < 20; count++) await turn();
  }
  if (sent) expected.sent = sent;
  Object.assign(expected, { messages: plain(agent.messages), state: plain(agent.state) });
  if (agent.pendingInterrupts.length > 0) expected.pendingInterrupts = agent.pendingInterrupts.map(({ id }) => id);
  return { ...expected, calls };
}

const texts = (...pairs) => pairs.map(([id, content]) => ({ id, role: { o: 'user', q: 'reasoning' }[id] ?? 'assistant', content }));

/**
 * Messages in which our client differs from the official one on purpose: an event is applied to the messages that a callback
 * returned.
 */
const quirks = {
  'after the run': texts(['o', 'Other']),
  'onTextMessageContentEvent replaces messages and state': texts(['o', 'Other'], ['m', 'NewHi you']),
  'onTextMessageEndEvent replaces messages and state': [...texts(['o', 'Other']), { ...texts(['m', 'New'])[0], metadata: { k: 1 } }],
  'onReasoningMessageEndEvent replaces messages and state': texts(['o', 'Other'], ['m', 'New']),
  'onToolCallEndEvent replaces messages and state': texts(['o', 'Other'], ['m', 'New']),
  'onActivityDeltaEvent replaces messages and state': texts(['o', 'Other'], ['m', 'New']),
};

for (const wanted of ['runAgent', 'run', 'stream']) {
  for (const one of fixture('subscriber_cases')) {
    test(`${wanted}: ${one.name}`, async () => {
      const found = await outcome(one, wanted);
      if (one.quirk === undefined) return assert.deepEqual(found, one.expected);
      assert.notDeepEqual(found, one.expected, 'this is no quirk any more');
      assert.deepEqual(found.messages, quirks[one.name]);
    });
  }
}

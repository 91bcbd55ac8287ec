// The members of a change: its kind, and its target as it was then.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ours } from '../packages.mjs';

const { EventPipeline, Reducer } = ours.stream;

const run = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const start = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' };
const call = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm' };
const args = { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' };
const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'Oh. ' }] };
const activity = { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'A', content: { n: [1] } };
const patch = { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'A', patch: [{ op: 'add', path: '/n/-', value: 2 }] };

const ways = {
  'in one feed': (events) =>
    new EventPipeline().feed(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))),
  'one by one': (events) => {
    const reducer = new Reducer();
    return events.flatMap((event) => reducer.apply(event));
  },
  'all at once': (events) => new Reducer().applyAll(events),
};

/** Returns the text that a program shows if it only applies the changes. */
function shown(changes) {
  let text = '';
  for (const { kind, target, value } of changes) {
    if (kind === 'message_inserted') text += target.content;
    else if (kind === 'messages_arranged') text = value.map((message) => message.content).join('');
    else if (kind === 'text_appended') text += value;
  }
  return text;
}

for (const [way, changesOf] of Object.entries(ways)) {
  test(`a program that takes changes at their word shows the text once, ${way}`, () => {
    assert.equal(shown(changesOf([run, start, content, content])), 'HiHi');
    assert.equal(shown(changesOf([run, snapshot, start, content])), 'Oh. Hi');
    assert.equal(shown(changesOf([run, start, content, snapshot, content])), 'Oh. Hi');
  });

  test(`a call is handed over as it was added, ${way}`, () => {
    const changes = changesOf([run, start, call, args]);
    const inserted = changes.find(({ kind }) => kind === 'message_inserted').target;
    const added = changes.find(({ kind }) => kind === 'call_added').target;
    assert.deepEqual(inserted, { id: 'm', role: 'assistant', content: '' });
    assert.deepEqual(added, { id: 'c', type: 'function', function: { name: 'f', arguments: '' } });
    assert.equal(changes.at(-1).target.function.arguments, '{}');
  });

  test(`an activity is handed over as it was set, ${way}`, () => {
    const before = { message_inserted: [], message_replaced: [{ ...start, messageId: 'a' }], content_set: [activity] };
    for (const [kind, there] of Object.entries(before)) {
      const changes = changesOf([run, ...there, activity, patch]);
      const change = changes.findLast((change) => change.kind === kind);
      assert.deepEqual(kind === 'content_set' ? change.value : change.target.content, { n: [1] });
      assert.deepEqual(changes.at(-1).kind, 'content_patched');
      assert.deepEqual(changes.at(-1).target.content, { n: [1, 2] });
    }
  });
}

test('messages that stay are handed over as they were, too', () => {
  const changes = ways['all at once']([activity, patch, snapshot, patch]);
  const [kept] = changes.find(({ kind }) => kind === 'messages_arranged').value;
  assert.deepEqual(kept.content, { n: [1, 2] });
  assert.deepEqual(changes.at(-1).target.content, { n: [1, 2, 2] });
});

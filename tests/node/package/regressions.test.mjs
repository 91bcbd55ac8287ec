// Programs that failed once, and their results now.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ours } from '../packages.mjs';

const { EventDecoder, EventPipeline, compactEvents, expandChunks, verifyEvents } = ours.stream;

test('a valid stream is valid when it is compacted', () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 's' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'n', role: 'user', delta: 'a' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x', subagentRunId: 's' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'y' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'n', role: 'assistant', delta: 'b' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const compacted = compactEvents(events);
  for (const list of [events, compacted]) assert.equal(verifyEvents(expandChunks(list)).at(-1).type, 'RUN_FINISHED');
  // Deltas of two subagents are not joined: that one would belong to none.
  assert.deepEqual(compacted.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map(({ delta, subagentRunId }) => [delta, subagentRunId]), [['x', 's'], ['y', undefined]]);
});

test('a chunk longer than the longest string of V8', () => {
  const one = Buffer.from(`data: ${JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x'.repeat(1e6) })}\n\n`);
  const count = Math.ceil(2 ** 29 / one.length) + 1;
  const chunk = Buffer.concat(Array(count).fill(one));
  const decoder = new EventDecoder();
  const events = decoder.feed(chunk);
  assert.deepEqual([events.length, events.at(-1).delta.length, decoder.feed(one).length], [count, 1e6, 1]);
  // Content of no message changes nothing.
  const pipeline = new EventPipeline({ verify: false, expand: false });
  assert.deepEqual([pipeline.feed(chunk).length, pipeline.feed(one).length], [0, 0]);
});

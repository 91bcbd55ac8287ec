// `util.inspect` of objects shows counts and flags, and never data that was sent.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { ours } from '../packages.mjs';

const { ChunkExpander, EventDecoder, EventPipeline, EventVerifier, PartialArguments, Reducer } = ours.stream;

const events = [
  { type: 'RUN_STARTED', threadId: 'secret', runId: 'secret' },
  { type: 'STATE_SNAPSHOT', snapshot: { secret: 1 } },
  { type: 'TEXT_MESSAGE_START', messageId: 'secret', secret: 1 },
];
const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

test('decoders', () => {
  const decoder = new EventDecoder();
  assert.equal(inspect(decoder), 'EventDecoder { events: 0, warnings: 0 }');
  decoder.feed(bytes);
  assert.equal(inspect(decoder), 'EventDecoder { events: 3, warnings: 1 }');
});

test('conversations', () => {
  const messages = [{ id: 'u', role: 'user', content: 'secret' }];
  const pipeline = new EventPipeline({ messages, state: { secret: 1 } });
  pipeline.feed(bytes);
  const counts = 'messages: 2, pendingInterrupts: 0, stateInSync: true, warnings: 1';
  assert.equal(inspect(pipeline, { breakLength: Infinity }), `EventPipeline { events: 3, ${counts} }`);
  const reducer = new Reducer({ pendingInterrupts: [{ id: 'i', reason: 'secret' }] });
  reducer.apply({ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/secret' }] });
  const shown = inspect(reducer, { breakLength: Infinity });
  assert.equal(shown, 'Reducer { messages: 0, pendingInterrupts: 1, stateInSync: false, warnings: 1 }');
});

test('to look hands out nothing', () => {
  const reducer = new Reducer();
  reducer.applyAll(events);
  const [before] = reducer.messages;
  inspect(reducer);
  assert.equal(reducer.messages[0], before);
});

test('stages', () => {
  const verifier = new EventVerifier();
  assert.equal(inspect(verifier), 'EventVerifier { isRunning: false, open: 0, warnings: 0 }');
  for (const event of events) verifier.check(event);
  assert.equal(inspect(verifier), 'EventVerifier { isRunning: true, open: 1, warnings: 1 }');
  const expander = new ChunkExpander();
  expander.push({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'secret', delta: 'secret' });
  assert.equal(inspect(expander), 'ChunkExpander { events: 1, warnings: 0 }');
});

test('partial arguments and encoders', () => {
  const partial = new PartialArguments();
  partial.feed('{"secret":');
  assert.equal(inspect(partial), 'PartialArguments { isComplete: false }');
  class Mine extends ours.encoder.EventEncoder {}
  assert.equal(inspect(new Mine()), "Mine { contentType: 'text/event-stream' }");
});

test('a callback may look, and so may anybody at the class', () => {
  const shown = [];
  const decoder = new EventDecoder({ onWarning: () => shown.push(inspect(decoder)) });
  decoder.feed(bytes);
  assert.deepEqual(shown, ['EventDecoder { events: 3, warnings: 0 }']);
  for (const type of [EventDecoder, EventPipeline, Reducer, EventVerifier, ChunkExpander, PartialArguments]) {
    assert.equal(inspect(Object.create(type.prototype)), `${type.name} {}`);
    assert.ok(inspect(type.prototype));
  }
  assert.deepEqual(Object.keys(decoder), []);
});

// The amount of data that a stream moves between native code and JavaScript, and that JavaScript parses: twice the events, at most
// 2.3 times as much. It is counted in characters, marks and calls. tests/growth/ counts the steps within native code.

import assert from 'node:assert/strict';
import test from 'node:test';
import { native as addon, ours, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');
const { EventDecoder, EventPipeline, Reducer } = ours.stream;

const SIZES = [250, 500, 1_000];
const MOST = 2.3;

/** The index of the number of marks. */
const LENGTH = 1;

/** Counts the data that crosses and is parsed while `work` runs. */
async function counted(work) {
  let steps = 0;
  const originals = ['createDecoder', 'createPipeline', 'createReducer'].map((name) => [addon, name, addon[name]]);
  for (const [, name, create] of originals) {
    addon[name] = (...given) => {
      const feed = create(...given);
      return (input, marks, extra, ...strings) => {
        const carry = (text) => {
          steps += 1 + text.length + marks[LENGTH];
          return extra(text);
        };
        const text = feed(input, marks, typeof extra === 'function' ? carry : extra, ...strings);
        for (const piece of [input, text, ...strings]) steps += piece?.length ?? 0;
        steps += 1 + marks[LENGTH];
        return text;
      };
    };
  }
  const { parse } = JSON;
  originals.push([JSON, 'parse', parse]);
  JSON.parse = (text, ...rest) => {
    steps += text.length;
    return parse(text, ...rest);
  };
  try {
    await work();
  } finally {
    for (const [holder, name, original] of originals) holder[name] = original;
  }
  return steps;
}

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const start = { type: 'TEXT_MESSAGE_START', messageId: 'm' };
const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'word ' };
const key = (number) => `k${String(number).padStart(4, '0')}`;
/** Makes items of the same length, so that twice the count is twice the size. */
const each = (count, make) => Array.from({ length: count }, (_, number) => make(key(number)));

/** Feeds a pipeline event by event, and reads after each the members that a user interface reads. */
function converse(events, options = {}) {
  const pipeline = new EventPipeline({ verify: false, ...options });
  for (const event of events) {
    pipeline.feed(frame(event));
    void [pipeline.messages.length, pipeline.state, pipeline.warnings.length];
  }
  return pipeline;
}

const streams = {
  'deltas of one message': (count) => {
    const { messages } = converse([start, ...each(count, () => content)]);
    assert.equal(messages[0].content.length, 5 * count);
  },
  'metadata of one message': (count) => {
    const { messages } = converse([start, ...each(count, (name) => ({ ...content, metadata: { [name]: 1 } }))]);
    assert.equal(Object.keys(messages[0].metadata).length, count);
  },
  'metadata of one call': (count) => {
    const call = { toolCallId: 'c' };
    const args = each(count, (name) => ({ type: 'TOOL_CALL_ARGS', ...call, delta: 'x', metadata: { [name]: 1 } }));
    const { messages } = converse([{ type: 'TOOL_CALL_START', ...call, toolCallName: 'f' }, ...args]);
    assert.equal(Object.keys(messages[0].toolCalls[0].metadata).length, count);
  },
  'many messages': (count) => {
    const { messages } = converse(each(count, (messageId) => [{ ...start, messageId }, { ...content, messageId }]).flat());
    assert.equal(messages.length, count);
  },
  'a state that grows': (count) => {
    const { state } = converse(each(count, (name) => ({ type: 'STATE_DELTA', delta: [{ op: 'add', path: `/${name}`, value: [name] }] })));
    assert.equal(Object.keys(state).length, count);
  },
  'an activity that grows': (count) => {
    const activity = { messageId: 'a', activityType: 't' };
    const patches = each(count, (name) => ({ type: 'ACTIVITY_DELTA', ...activity, patch: [{ op: 'add', path: `/${name}`, value: [name] }] }));
    const { messages } = converse([{ type: 'ACTIVITY_SNAPSHOT', ...activity, content: {} }, ...patches]);
    assert.equal(Object.keys(messages[0].content).length, count);
  },
  'patches that do not apply': (count) => {
    const pipeline = converse(each(count, (name) => ({ type: 'STATE_DELTA', delta: [{ op: 'remove', path: `/${name}` }] })));
    assert.equal(pipeline.warnings.length, count);
  },
  warnings: (count) => {
    const decoder = new EventDecoder();
    for (const event of each(count, (name) => ({ ...content, [name]: 1 }))) decoder.feed(frame(event));
    assert.equal(decoder.warnings.length, count);
  },
  'unsafe integers': (count) => {
    const decoder = new EventDecoder({ unsafeIntegers: 'warn' });
    for (let left = count; left > 0; left--) decoder.feed(Buffer.from('data: {"type":"RAW","event":[9007199254740993]}\n\n'));
    assert.equal(decoder.warnings.length, count);
  },
  'a long id': (count) => {
    const decoder = new EventDecoder();
    const id = 'i'.repeat(50 * count);
    decoder.feed(Buffer.from(`id: ${id}\n`));
    let made = 0;
    for (const event of each(count, () => content)) made += decoder.feed(frame(event)).length;
    assert.deepEqual([made, decoder.lastEventId], [count, id]);
  },
  'a reducer of objects': (count) => {
    const reducer = new Reducer();
    for (const event of [start, ...each(count, (name) => ({ ...content, metadata: { [name]: 1 } }))]) {
      reducer.apply(event);
      void reducer.messages;
    }
    assert.equal(reducer.messages[0].content.length, 5 * count);
  },
  ...Object.fromEntries(['run', 'stream', 'told'].map((way) => [`an agent with a history: ${way}`, (count) => ask(way, count)])),
};

/** Asks an agent for a message of `count` deltas, after `count` messages: these must not make an event cost more. */
async function ask(way, count) {
  const run = { threadId: 't', runId: 'r' };
  const answer = [{ type: 'RUN_STARTED', ...run }, start, ...each(count, () => content), { type: 'TEXT_MESSAGE_END', messageId: 'm' }, { type: 'RUN_FINISHED', ...run }].map(frame);
  const agent = new Agent(() => answer, { messages: each(count, (id) => ({ id, role: 'user', content: 'Hi' })) });
  const told = { onTextMessageContentEvent() {}, onMessagesChanged() {} };
  if (way === 'told') await agent.runAgent({}, told);
  else for await (const _ of agent[way]()) void [agent.messages.length, agent.state];
  assert.equal(agent.messages.at(-1).content.length, 5 * count);
}

for (const [name, work] of Object.entries(streams)) {
  test(`what crosses: ${name}`, async () => {
    const none = await counted(() => work(1));
    const steps = [];
    for (const size of SIZES) steps.push((await counted(() => work(size))) - none);
    assert.ok(steps[0] > SIZES[0], 'it is counted');
    for (const [place, more] of steps.slice(1).entries()) assert.ok(more <= MOST * steps[place], `${steps}`);
  });
}

// A message of the user is taken back if the agent did not receive it; a message that is too long to be sent is not kept.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { call, finished, frames, hello, scripted, started, text } from '../scripted_agent.mjs';

const { Agent } = require('ag-ui-native/client');

const fails = {
  'no connection': () => {
    throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  },
  'no answer': () => [],
  'no event stream': () => [Buffer.from('<html>')],
  'half an event': () => [Buffer.from('data: {"type":"RUN_')],
  'no more than a start': () => frames(started),
  'an event that is refused': () => frames(finished),
};

const seen = { alone: [], subscriber: [{ onEvent() {} }] };

for (const [how, fail] of Object.entries(fails)) {
  for (const [who, subscribers] of Object.entries(seen)) {
    for (const way of ['ask', 'askStream']) {
      test(`${how}, ${who}, ${way}: the question is taken back`, async () => {
        const before = { id: 'before', role: 'user', content: 'Hi' };
        let count = 0;
        const agent = new Agent(
          () => {
            if (count++ > 0) return hello;
            // It says the same, and stays.
            agent.addMessage({ id: 'meanwhile', role: 'user', content: 'Hi' });
            return fail();
          },
          { initialMessages: [before] },
        );
        for (const subscriber of subscribers) agent.subscribe(subscriber);
        const ask = async () => {
          if (way === 'ask') return (await agent.ask('Hi')).text;
          let said = '';
          for await (const piece of agent.askStream('Hi')) said += piece;
          return said;
        };
        await assert.rejects(ask());
        assert.deepEqual(agent.messages.map(({ id }) => id), ['before', 'meanwhile']);
        assert.equal(await ask(), 'Hello');
        assert.deepEqual(agent.messages.map(({ content }) => content), ['Hi', 'Hi', 'Hi', 'Hello']);
      });
    }
  }
}

test('what was heard stays', async () => {
  for (const subscribers of Object.values(seen)) {
    const agent = scripted([frames(started, text('m')[0])]);
    for (const subscriber of subscribers) agent.subscribe(subscriber);
    await assert.rejects(agent.ask('Hi'), { code: 'stream_truncated' });
    assert.deepEqual(agent.messages.map(({ content }) => content), ['Hi', '']);
  }
});

test('an answer of a tool that is too long is an error, and the conversation goes on', async () => {
  const limits = { eventBytes: 20_000 };
  const lengths = [10_000, 30_000];
  for (const make of [(length) => 'x'.repeat(length), (length) => '\n'.repeat(length - 10_000), (length) => ({ a: 'x'.repeat(length) })]) {
    for (const length of lengths) {
      const asked = [];
      const runs = [frames(started, ...call('c', 'look'), finished), frames(started, ...text('m', 'done'), finished)];
      let count = 0;
      const agent = new Agent(({ body }) => (asked.push(body), runs[Math.min(count++, 1)]), { limits, tools: [{ name: 'look', execute: () => make(length) }] });
      const result = await agent.runAgent();
      const answer = agent.messages.find(({ role }) => role === 'tool');
      assert.equal(result.outcome, 'success');
      if (length > 20_000) assert.match(answer.error, /too long.*20000/);
      else assert.equal(answer.error, undefined);
      assert.equal((await agent.ask('And now?')).text, '');
      assert.ok(asked.every((body) => body.length <= 20_000));
    }
  }
});

test('a conversation as a whole is longer than an event may be', async () => {
  const limits = { eventBytes: 20_000 };
  for (const subscribers of Object.values(seen)) {
    const asked = [];
    const answers = [0, 1, 2].map((index) => frames(started, ...call(`c${index}`, 'look'), finished));
    const runs = [...answers, frames(started, ...text('m', 'done'), finished)];
    const transport = ({ body }) => (asked.push(JSON.parse(body)), runs[Math.min(asked.length, runs.length) - 1]);
    const state = { text: 'x'.repeat(30_000) };
    const agent = new Agent(transport, { limits, initialState: state, tools: [{ name: 'look', execute: () => 'x'.repeat(15_000) }] });
    for (const subscriber of subscribers) agent.subscribe(subscriber);
    assert.equal((await agent.runAgent()).outcome, 'success');
    await agent.ask('And now?');
    assert.deepEqual(asked.at(-1).messages.map(({ content }) => content?.length ?? 0).filter((length) => length > 10_000), [15_000, 15_000, 15_000]);
    assert.equal(asked.at(-1).state.text.length, 30_000);
  }
});

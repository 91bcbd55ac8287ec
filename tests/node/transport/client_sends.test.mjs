// Values that an application gives a client to send are checked strictly before they are sent:
// tests/fixtures/client/client_sends.json.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { Agent, AGUIValidationError } = require('ag-ui-native/client');

const table = fixture('client_sends');
const special = { '<nan>': NaN, '<infinity>': Infinity, '<half>': '\ud800' };
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns a value of the table with the values that JSON does not have. */
function made(value) {
  if (typeof value === 'string') return special[value] ?? value;
  if (Array.isArray(value)) return value.map(made);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, made(inner)])) : value;
}

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const run = (text) =>
  [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: text, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: text, delta: text },
    { type: 'TEXT_MESSAGE_END', messageId: text },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ].map(frame);

/** An agent that answers with these texts, and the requests that it received. */
function scripted(options, ...texts) {
  const asked = [];
  const transport = ({ body }) => {
    asked.push(JSON.parse(body));
    return run(texts[asked.length - 1] ?? 'Hello');
  };
  return { asked, agent: new Agent(transport, options), transport };
}

/** Gives an agent the values of a case, and runs it. */
async function send({ way: spelled, given: written }, { agent, transport }) {
  const [way, given] = [camel(spelled), made(written)];
  switch (way) {
    case 'ask':
      return agent.ask(given);
    case 'messages':
    case 'state':
      return new Agent(transport, { [way]: given }).ask('Hi');
    case 'tools':
    case 'context':
    case 'forwardedProps':
    case 'resume':
      return agent.ask('Hi', { [way]: given });
    default:
      agent[way](given);
      return agent.ask('Hi');
  }
}

const pending = [{ id: 'i', reason: 'ask' }];
const waiting = (way) => {
  const made = scripted({});
  if (/resume/.test(way)) made.agent.pendingInterrupts = pending;
  return made;
};

for (const each of table.refused) {
  test(`refused, ${each.way}: ${each.name}`, async () => {
    const on = waiting(each.way);
    await assert.rejects(send(each, on), (error) => {
      assert.ok(error instanceof AGUIValidationError, error);
      assert.deepEqual([error.code, error.path, error.issues[0].aguiPath], [each.code, each.path, each.path], error.message);
      return true;
    });
    assert.deepEqual([on.asked, on.agent.messages, on.agent.isRunning], [[], [], false]);
  });
}

for (const each of table.taken) {
  test(`sent, ${each.way}: ${each.name}`, async () => {
    const on = waiting(each.way);
    assert.equal((await send(each, on)).text, 'Hello');
    assert.equal(on.asked.length, 1);
    const way = each.absent?.split('/').slice(1) ?? [];
    const last = way.pop();
    if (last !== undefined) assert.equal(Object.hasOwn(way.reduce((holder, key) => holder[key], on.asked[0]), last), false);
  });
}

test('a later question is sent without the refused one', async () => {
  const { agent, asked } = scripted({}, 'Hello', 'Again');
  await agent.ask('Hi');
  const refused = { code: 'unknown_variant', path: '/messages/2/content/0/type' };
  await assert.rejects(agent.ask([{ type: 'hologram' }]), refused);
  await assert.rejects(async () => {
    for await (const _ of agent.askStream([{ type: 'hologram' }]));
  }, refused);
  assert.equal((await agent.ask('And?')).text, 'Again');
  assert.deepEqual(asked[1].messages.map(({ content }) => content), ['Hi', 'Hello', 'And?']);
});

test('what subscribers and middleware want to send is looked at', async () => {
  const errors = [];
  const bad = { id: 'u', role: 'user', content: [{ type: 'hologram' }] };
  const adds = scripted({ onError: (error) => errors.push(error), subscribers: [{ onRunInitialized: () => ({ messages: [bad] }) }] });
  assert.equal((await adds.agent.ask('Hi')).text, 'Hello');
  assert.deepEqual(adds.asked[0].messages.map(({ content }) => content), ['Hi']);
  assert.deepEqual(errors.map(({ path }) => path), ['/messages/0/content/0/type']);

  for (const [change, path] of [
    [(input) => (input.messages[0].likes = 3), '/messages/0/likes'],
    [(input) => (input.forwardedProps = { a: [NaN] }), '/forwardedProps/a/0'],
  ]) {
    const odd = async function* (input, next) {
      change(input);
      yield* next(input);
    };
    const { agent, asked } = scripted({ middleware: [odd] });
    await assert.rejects(agent.ask('Hi'), { path });
    assert.deepEqual(asked, []);
    const touches = scripted({ subscribers: [{ onRunInitialized: ({ input }) => (change(input), { state: { a: 1 } }) }] });
    await assert.rejects(touches.agent.ask('Hi'), { path });
    assert.deepEqual(touches.asked, []);
  }
});

test('a number that is none does not become null on its way', async () => {
  const { agent, asked } = scripted({});
  await assert.rejects(agent.runAgent({ context: [{ description: 'd', value: 'v' }], tools: [{ name: 'look', description: '', parameters: { minimum: NaN }, execute() {} }] }), { path: '/tools/0/parameters/minimum' });
  assert.deepEqual(asked, []);
});

// The same programs with the agents of @ag-ui/client and with ours: the table of docs/client/official-client.md, row by row. Results of runs and
// callbacks of subscribers have their own tests.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { require } from '../packages.mjs';
import { listen, until } from '../servers.mjs';

const classes = [require('@ag-ui/client').HttpAgent, require('ag-ui-native/client').HttpAgent];
const { Agent } = require('ag-ui-native/client');
const { buildResumeArray } = require('ag-ui-native/operators');

const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hello' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: 3 },
];
const answer = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const messages = [{ id: 'u', role: 'user', content: 'Hi' }];
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Runs the program with each class, checks that the results are equal, and returns the result. */
async function alike(program) {
  const [expected, found] = [await program(classes[0]), await program(classes[1])];
  assert.deepEqual(found, expected);
  return found;
}

/** A `fetch` that gives every request the same answer, and the requests that it received. */
function answering() {
  const asked = [];
  const fetch = async (url, { method, body, headers }) => {
    asked.push({ url: String(url), method, token: new Headers(headers).get('authorization'), body: JSON.parse(body) });
    return new Response(answer, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { asked, fetch };
}

test('an agent is made of the same options', async () => {
  const seen = await alike(async (HttpAgent) => {
    const { asked, fetch } = answering();
    const state = { n: 1 };
    const headers = { authorization: 'Bearer x' };
    const agent = new HttpAgent({ url: 'http://localhost/a', headers, threadId: 't', agentId: 'a', description: 'd', initialMessages: messages, initialState: state, fetch });
    const { threadId, agentId, description, url, isRunning, pendingInterrupts } = agent;
    const before = { threadId, agentId, description, url, isRunning, pendingInterrupts, headers: agent.headers, messages: agent.messages, state: agent.state };
    const { result, newMessages } = await agent.runAgent({ runId: 'r', tools: [], context: [], forwardedProps: { a: 1 } });
    const [{ body, ...request }] = asked;
    const sent = { threadId: body.threadId, runId: body.runId, messages: body.messages, state: body.state, forwardedProps: body.forwardedProps };
    return plain({ before, result, newMessages, request, sent, messages: agent.messages });
  });
  assert.equal(seen.sent.messages.length, 1);
  assert.equal(seen.request.token, 'Bearer x');
  assert.equal(seen.messages.length, 2);
});

test('the conversation is edited with the same methods', async () => {
  await alike(async (HttpAgent) => {
    const agent = new HttpAgent({ url: 'http://localhost/a', initialMessages: messages });
    const given = { id: 'v', role: 'user', content: 'Ho' };
    agent.addMessage(given);
    agent.addMessages([{ id: 'w', role: 'user', content: 'Ha' }]);
    const list = agent.messages.map(({ id }) => id);
    agent.setMessages([{ id: 'x', role: 'user', content: 'He' }]);
    agent.setState({ n: 2 });
    return { list, messages: plain(agent.messages), state: agent.state };
  });
  const agent = new classes[1]('http://localhost/a');
  const mine = { id: 'v', role: 'user', content: 'Ho' };
  agent.setMessages([mine]);
  mine.content = 'changed';
  assert.equal(agent.messages[0].content, 'Ho');
});

test('an abort controller ends a run', async () => {
  await alike(async (HttpAgent) => {
    let gone = false;
    const { url, close } = await listen((request, response) => {
      response.on('close', () => (gone = true));
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(answer.slice(0, answer.indexOf('\n\n') + 2));
    }, createServer);
    const abortController = new AbortController();
    const agent = new HttpAgent({ url });
    const begun = new Promise((resolve) => agent.subscribe({ onRunStartedEvent: () => resolve() }));
    const ending = agent.runAgent({ abortController });
    await begun;
    abortController.abort();
    const { newMessages } = await ending;
    await until(() => gone, 'the connection stays');
    close();
    return { newMessages, isRunning: agent.isRunning };
  });
});

test('older servers are sent what they can read', async () => {
  const parts = [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }];
  const sent = async (agent, asked) => {
    await agent.runAgent({ runId: 'r', parentRunId: 'p', context: [], tools: [] });
    const { protocolVersion, parentRunId, messages: [{ content }] } = asked[0].body;
    return { protocolVersion, parentRunId, content };
  };
  for (const version of ['0.0.39', undefined]) {
    const [Official, Ours] = classes;
    class Old extends Official {
      get maxProtocolVersion() {
        return version ?? super.maxProtocolVersion;
      }
    }
    const options = { url: 'http://localhost/a', initialMessages: [{ id: 'u', role: 'user', content: parts }] };
    const [there, here] = [answering(), answering()];
    const expected = await sent(new Old({ ...options, fetch: there.fetch }), there.asked);
    assert.equal(expected.content, version ? 'ab' : expected.content);
    const found = await sent(new Ours({ ...options, peer: version, fetch: here.fetch }), here.asked);
    // Only our agents send a parent run; the official ones have no parameter for it. Each sends its own protocol version.
    const theirs = { ...expected, parentRunId: undefined, protocolVersion: version ? undefined : '1.1' };
    assert.deepEqual({ ...found, parentRunId: undefined }, theirs);
    assert.equal(found.parentRunId, version ? undefined : 'p');
  }
});

test('answers to interrupts are built the same', () => {
  const interrupts = [{ id: 'i', reason: 'r' }, { id: 'j', reason: 'r' }];
  const responses = { j: { status: 'cancelled' }, i: { status: 'resolved', payload: { a: 1 } } };
  assert.deepEqual(buildResumeArray(interrupts, responses), require('@ag-ui/client').buildResumeArray(interrupts, responses));
});

test('an agent that connects is one over a transport of its own', async () => {
  assert.equal(classes[1].prototype.connectAgent, undefined);
  const { url, close } = await listen((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(request.method === 'GET' ? answer : '');
  }, createServer);
  const agent = new Agent(({ input, signal }) => fetch(`${url}/threads/${input.threadId}`, { signal }), { threadId: 't', messages });
  const { result, text } = await agent.runAgent();
  close();
  assert.deepEqual([result, text, agent.messages.length], [3, 'Hello', 2]);
});

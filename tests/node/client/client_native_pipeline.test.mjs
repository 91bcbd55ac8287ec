// The agent of @ag-ui/client with the native pipeline underneath: to everything around it, it is the agent as before.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { folder, require } from '../packages.mjs';
import { digest, scripted, told } from '../record_subscribers.mjs';
import { listen, until } from '../servers.mjs';

const { AbstractAgent, HttpAgent: Official } = require('@ag-ui/client');
const { HttpAgent } = require('ag-ui-native/ag-ui-client');
const { map } = require('rxjs');

const run = { threadId: 't', runId: 'r' };
const events = [
  { type: 'RUN_STARTED', ...run },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Grüße, ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: '😀' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'look', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"at":"x"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'c', content: 'seen' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: { b: true } }] },
  { type: 'RUN_FINISHED', ...run, result: { done: true } },
];

/** Returns the result of a run over HTTP with a class. */
async function outcome(Class, separator, list = events) {
  const bodies = [];
  const { url, close } = await listen(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    bodies.push(JSON.parse(body));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of list) {
      response.write(`data: ${JSON.stringify(event)}${separator}${separator}`);
      await new Promise(setImmediate);
    }
    response.end();
  });
  const initialMessages = [{ id: 'u', role: 'user', content: 'Hi' }, { id: 'p', role: 'activity', activityType: 'plan', content: {} }];
  const agent = new Class({ url, threadId: 't', agentId: 'a', initialMessages, initialState: { n: 0 } });
  const calls = [];
  agent.subscribe(scripted({}, (name, params) => calls.push([name, told(name, params)])));
  agent.use((input, next) => next.run(input).pipe(map((event) => event)));
  const { result, newMessages } = await agent.runAgent({ runId: 'r', forwardedProps: { a: 1 } });
  close();
  return { result, newMessages: newMessages.map(digest), messages: agent.messages, state: agent.state, calls, bodies };
}

test('what becomes of a run, what subscribers are told, and what is sent', async () => {
  const [ours, theirs] = [await outcome(HttpAgent, '\n'), await outcome(Official, '\n')];
  // Each client sends its own protocol version.
  const versioned = JSON.parse(JSON.stringify(theirs, (key, value) => (key === 'protocolVersion' && value === '1.0' ? '1.1' : value)));
  assert.deepEqual(JSON.parse(JSON.stringify(ours)), versioned);
});

test('what the official agent breaks on', async () => {
  const { messages, result } = await outcome(HttpAgent, '\r\n');
  assert.deepEqual([messages.at(-2).content, result], ['Grüße, 😀', { done: true }]);
});

test('its class is an heir of the one that is imported, in both module systems', async () => {
  assert.ok(new HttpAgent({ url: 'http://localhost' }) instanceof AbstractAgent);
  assert.ok(new HttpAgent({ url: 'http://localhost' }).clone() instanceof HttpAgent);
  const [ours, official] = await Promise.all([import(new URL('dist/ag-ui-client.mjs', folder)), import(new URL('node_modules/@ag-ui/client/dist/index.mjs', folder))]);
  assert.ok(new ours.HttpAgent({ url: 'http://localhost' }) instanceof official.AbstractAgent);
  const source = (kind) => readFileSync(new URL(`lib/ag-ui-client.${kind}`, folder), 'utf8');
  assert.equal(source('cts'), source('mts'));
});

test('aborting closes the connection, and is no failure', async () => {
  let gone = false;
  const { url, close } = await listen((request, response) => {
    response.on('close', () => (gone = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(events[0])}\n\n`);
  });
  const agent = new HttpAgent({ url });
  let seen = 0;
  const ending = agent.runAgent({}, { onRunStartedEvent: () => void seen++ });
  await until(() => seen === 1);
  agent.abortRun();
  await ending;
  await until(() => gone);
  close();
});

test('an answer that is refused', async () => {
  const { url, close } = await listen((request, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"no_token"}'));
  const { error } = console;
  console.error = () => undefined;
  try {
    await assert.rejects(new HttpAgent({ url }).runAgent(), (thrown) => thrown.status === 401 && thrown.payload.code === 'no_token');
  } finally {
    console.error = error;
    close();
  }
});

test('credentials of its address are a header, unless there is one, and the fragment stays here', async () => {
  const asked = [];
  const { url, close } = await listen((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });
  const address = url.replace('http://', 'http://user:p%40ss@') + '/run?x=1#part';
  for (const headers of [undefined, { Authorization: 'Bearer own' }]) await new HttpAgent({ url: address, headers }).runAgent();
  const fetched = [];
  class Own extends HttpAgent {
    fetch = (...given) => (fetched.push(given[0]), fetch(...given));
  }
  await new Own({ url: address }).runAgent();
  await new Own({ url }).runAgent();
  close();
  const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  assert.deepEqual(asked, [['/run?x=1', basic], ['/run?x=1', 'Bearer own'], ['/run?x=1', basic], ['/', undefined]]);
  assert.deepEqual(fetched, [`${url}/run?x=1`, url]);
});

// tests/fixtures/client/client_runs.json: the result of a client's call, by each way to read it; and local agents beside remote
// ones.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { Agent, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');
const { nodeHandler } = require('ag-ui-native/server');
const { WebSocket, WebSocketServer } = require('ws');

const table = fixture('client_runs');

async function toEnd(stream, leave) {
  for await (const { type } of stream) if (leave !== undefined && type === leave) break;
  return stream.result;
}

/** Listens to each event; may stop one, and may handle a failure. */
const listening = (stops, takes) => ({
  onEvent: ({ event }) => ({ stopPropagation: event.type === stops }),
  onRunFailed: () => ({ stopPropagation: takes === true }),
});

const ways = {
  runAgent: (agent, parameters) => agent.runAgent(parameters),
  events: (agent, parameters, { leave }) => toEnd(agent.run(parameters), leave),
  stream: (agent, parameters) => toEnd(agent.stream(parameters)),
  subscriber: (agent, parameters, { stops, takes }) => agent.runAgent(parameters, listening(stops, takes)),
  middleware: (agent, parameters) => agent.use((input, next) => next(input)).runAgent(parameters),
  socket: (agent, parameters) => agent.runAgent(parameters),
};

function toolOf({ name, description, parameters, ...does }, called) {
  const odd = (args) => ({ arguments: args, nothing: undefined, nan: [1, NaN] });
  const execute = (args, { agent }) => {
    called.push([name, args]);
    if (does.gives === 'abort') return agent.abortRun();
    if ('raises' in does) throw new Error(does.raises);
    return 'gives' in does ? odd(args)[does.gives] : does.returns;
  };
  return { name, description, parameters, execute };
}

/** Replaces the ids of the script by those of the request. */
function frames(events, { threadId, runId }) {
  const asked = (event) => ({ ...event, ...(event.threadId === 't' && { threadId }), ...(event.runId === 'r' && { runId }) });
  return events.map((event) => Buffer.from(`data: ${JSON.stringify(asked(event))}\n\n`));
}

/** Returns true if an answer has at most one run: a WebSocket is closed after its first run. */
const isForSockets = (answer) => answer.filter(({ type }) => type === 'RUN_STARTED').length < 2;

/** Has `ask` answer at a WebSocket, each event as a message, until the test is over. */
async function socketOf(ask, t) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    socket.once('message', (body) => {
      for (const frame of ask({ input: JSON.parse(body) })) socket.send(String(frame).slice('data: '.length, -2));
      socket.close(1000);
    });
  });
  t.after(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${server.address().port}/`;
}

/** A result as the table has it. */
function shown(result, asked) {
  const place = asked.indexOf(result.runId);
  return {
    id: place < 0 ? result.runId : `#${place + 1}`,
    outcome: result.outcome,
    text: result.text,
    returns: result.result ?? null,
    error: result.error ? [result.error.message, result.error.code ?? null] : null,
    usage: result.usage,
    pending: result.pendingToolCallIds,
    interrupts: result.interrupts.map(({ id }) => id),
    warnings: result.warnings.map(({ code }) => code),
    places: result.warnings.map(({ eventIndex, code }) => [eventIndex, code]),
    messages: result.newMessages.length,
    newMessages: result.newMessages.map(({ role, content = null }) => [role, content]),
  };
}

function check(expected, result, asked) {
  const judge = ({ runs, ...wanted }, found) => {
    const seen = shown(found, asked);
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, seen[name]])), wanted);
  };
  judge(expected, result);
  const runs = expected.runs ?? result.runs.map(() => ({}));
  assert.equal(result.runs.length, runs.length);
  runs.forEach((run, index) => judge(run, result.runs[index]));
  const last = result.runs.at(-1);
  assert.deepEqual([result.runId, result.outcome], [last.runId, last.outcome]);
}

const seenOf = ({ tools, messages, parentRunId = null, resume = [], runId }) => ({
  runId,
  tools: tools.map(({ name, description }) => [name, description]),
  messages: messages.map(({ role, content = null }) => [role, content]),
  parentRunId,
  resume: resume.map(({ interruptId }) => interruptId),
});

for (const { name, tools = [], run = {}, answers, pendingInterrupts = [], maxRuns, parentRunId, leave, stops, takes, ways: only, before = [], copied, said = [], ...expected } of table.remote) {
  test(name, async (t) => {
    for (const [way, work] of Object.entries(ways)) {
      if (only && !only.includes(way)) continue;
      if (way === 'socket' && !answers.every(isForSockets)) continue;
      const [requests, called] = [[], []];
      const transport = ({ input }) => {
        requests.push(input);
        return frames(answers[requests.length - 1], input);
      };
      const options = { tools: tools.map((tool) => toolOf(tool, called)), maxRuns, onError: () => undefined };
      let agent = way === 'socket' ? new WebSocketAgent(await socketOf(transport, t), { ...options, WebSocket }) : new Agent(transport, options);
      agent.pendingInterrupts = pendingInterrupts;
      agent.parentRunId = parentRunId;
      for (const earlier of before) await agent.runAgent(earlier);
      if (copied) agent = agent.clone();
      agent.addMessages(said);
      let failure;
      const result = await work(agent, run, { leave, stops, takes }).catch((error) => {
        failure = error;
        return error.run;
      });
      assert.equal(failure?.code, expected.raises, `${way}: ${failure?.stack}`);
      const asked = requests.map(({ runId }) => (runId === run.runId ? '' : runId));
      if (expected.result) check(expected.result, result, asked);
      if (expected.requests) {
        assert.equal(requests.length, expected.requests.length, way);
        expected.requests.forEach((wanted, index) => {
          const seen = seenOf(requests[index]);
          assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((member) => [member, seen[member]])), wanted, way);
        });
      }
      if (expected.called) assert.deepEqual(called, expected.called, way);
      if (expected.told) {
        const told = agent.messages.filter(({ role }) => role === 'tool');
        assert.deepEqual(told.map(({ toolCallId, content, error }) => [toolCallId, content, error !== undefined]), expected.told, way);
        for (const { content, error } of told) assert.ok(error === undefined || error === content, way);
      }
    }
  });
}

/** Serves the handler at an address while `work` runs. */
async function served(handler, work) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

for (const { name, agent: does, server = {}, run = {}, result: expected, raises } of table.local) {
  test(`local: ${name}`, async () => {
    const agent = async (run) => {
      if (does.raises) throw new Error(does.raises);
      await run.write(does.says);
    };
    const pendingInterrupts = async () => {
      if (server.pendingInterrupts === 'raises') throw new Error('nobody knows');
      return server.pendingInterrupts;
    };
    const options = { showErrors: server.showErrors, ...(server.pendingInterrupts && { pendingInterrupts }), onError: () => undefined };
    const judge = async (client) => {
      let failure;
      const result = await client.runAgent(run).catch((error) => void (failure = error));
      assert.deepEqual(failure && [failure.code, failure.status, failure.payload.rule ?? null], raises);
      if (expected) check(expected, result, []);
    };
    await judge(new LocalAgent(agent, { server: options }));
    await served(nodeHandler(agent, options), (url) => judge(new HttpAgent({ url })));
  });
}

// Random agents and clients: the stream is legal, ends once, and leaves the client with the agent's state.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import test from 'node:test';
import { refusalOf } from '../../differential/official.mjs';
import { require } from '../packages.mjs';
import { randomAgent, randomness } from '../random_agent.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');
const { EventDecoder, EventPipeline, verifyEvents } = require('ag-ui-native/stream');

const input = { threadId: 't', runId: 'r', messages: [{ id: '0', role: 'user', content: 'Hi' }], state: { list: [1], plan: 'a plan of some length '.repeat(20) } };
const body = JSON.stringify(input);
const headers = { 'content-type': 'application/json' };

/** Returns the agent of a seed, and its records. */
function recording(seed) {
  const notes = { states: [], errors: [] };
  const agent = randomAgent(seed, ({ state, error }) => (error ? notes.errors.push(error) : notes.states.push(state)));
  return [agent, notes];
}

const isEnd = ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR';

/**
 * Checks a stream, or the first part of one. Each event is decoded with the strict profile; their order is checked as readers check
 * it, because these agents use ids that strict refuses.
 */
function judge(seed, chunks, contentType, notes, isWhole) {
  const about = `seed ${seed}`;
  assert.deepEqual(notes.errors, [], about);
  const decoder = new EventDecoder({ profile: 'strict', contentType });
  const events = chunks.flatMap((chunk) => decoder.feed(chunk));
  verifyEvents(events);
  assert.equal(refusalOf(events), undefined, about);
  if (!isWhole) return;
  decoder.close();
  assert.deepEqual(events.map(isEnd), events.map((_, at) => at === events.length - 1), about);
  const client = new EventPipeline({ contentType, messages: input.messages, state: input.state });
  for (const chunk of chunks) client.feed(chunk);
  client.close();
  // The run has ended only once: the agent's last state has been sent.
  assert.deepEqual(client.state, JSON.parse(notes.states[0]), about);
}

test('streams of random agents', async () => {
  for (let seed = 0; seed < 400; seed++) {
    const [agent, notes] = recording(seed);
    const contentType = seed % 4 === 0 ? AGUI_MEDIA_TYPE : 'text/event-stream';
    const request = new Request('http://localhost/', { method: 'POST', body, headers: { ...headers, accept: contentType } });
    const response = await fetchHandler(agent)(request);
    assert.equal(response.headers.get('content-type'), contentType);
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk);
    judge(seed, chunks, contentType, notes, true);
  }
});

test('whatever ends a run, at every point of it', async () => {
  // Each step leaves something open that the next ones do not close.
  const steps = (run, open) => [
    () => (open.message = run.textMessage()),
    () => open.message.write('Hello'),
    () => (open.call = run.toolCall('f')),
    () => open.call.write('{"a":'),
    () => (open.sub = run.subagent('s')),
    () => (open.reasoning = open.sub.reasoning()),
    () => open.reasoning.write('Hm'),
    () => open.sub.step('inner'),
    () => (open.inner = open.sub.subagent('inner')),
    () => open.inner.textMessage().write('deep'),
    () => run.step('outer'),
    () => void run.state.list.push(2),
    () => run.activity('a', { b: 1 }),
    () => open.call.result('seen'),
    () => open.sub.finish(5),
  ];
  const endings = {
    success: (run) => 'result',
    error: () => {
      throw new Error('password');
    },
    interrupt: (run) => void run.interrupt({ id: 'i', reason: 'why' }),
    cancelled: (run) => void run.cancel(),
    server: (run, { server }) => server.abort(),
    client: async (run, { reader }) => void (await reader.cancel()),
  };
  const outcomes = { success: undefined, interrupt: 'interrupt', cancelled: 'cancelled', server: 'cancelled' };
  for (const [name, end] of Object.entries(endings)) {
    for (let count = 0; count <= 15; count++) {
      for (const awaits of [true, false]) {
        const about = `${name} after ${count}${awaits ? ', awaited' : ''}`;
        const ways = { server: new AbortController() };
        let over;
        const done = new Promise((resolve) => (over = resolve));
        const agent = async (run) => {
          const open = {};
          try {
            for (const step of steps(run, open).slice(0, count)) {
              const written = step();
              if (awaits && typeof written?.then === 'function') await written;
            }
            return await end(run, ways);
          } finally {
            over(run);
          }
        };
        // The agent cancels the reader from within, so the reader must exist before the agent begins.
        let begun;
        const ready = new Promise((resolve) => (begun = resolve));
        const response = await fetchHandler(async (run) => (await ready, agent(run)), { signal: ways.server.signal })(new Request('http://localhost/', { method: 'POST', body, headers }));
        ways.reader = response.body.getReader();
        begun();
        const chunks = [];
        for (let next; !(next = await ways.reader.read()).done; ) chunks.push(next.value);
        const run = await done;
        const decoder = new EventDecoder({ profile: 'strict' });
        const events = chunks.flatMap((chunk) => decoder.feed(chunk));
        verifyEvents(events);
        assert.equal(refusalOf(events), undefined, about);
        await new Promise(setImmediate);
        assert.equal(run.isRunning, false, about);
        if (name === 'client') continue;
        assert.deepEqual(events.map(isEnd), events.map((_, at) => at === events.length - 1), about);
        const last = events.at(-1);
        if (name === 'error') assert.equal(last.code, 'agent_failed', about);
        // A success has an outcome where it names calls without a result.
        else assert.equal(last.outcome?.pendingToolCallIds ? undefined : last.outcome?.type, outcomes[name], about);
        const client = new EventPipeline({ messages: input.messages, state: input.state });
        for (const chunk of chunks) client.feed(chunk);
        assert.deepEqual(client.state, run.state, about);
      }
    }
  }
});

test('random agents that are cancelled by the server, out of time or abandoned', async () => {
  const random = randomness(7);
  for (let seed = 1000; seed < 1150; seed++) {
    const [agent, notes] = recording(seed);
    const stop = new AbortController();
    const kind = seed % 3;
    const options = kind === 0 ? { signal: stop.signal } : kind === 1 ? { timeLimit: 1 } : {};
    const request = new Request('http://localhost/', { method: 'POST', body, headers });
    let over;
    const done = new Promise((resolve) => (over = resolve));
    const response = await fetchHandler(async (run) => {
      try {
        return await agent(run);
      } finally {
        over();
      }
    }, options)(request);
    const reader = response.body.getReader();
    const chunks = [];
    for (let left = random(4); left > 0; left--) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
    if (kind === 2) await reader.cancel();
    if (kind === 0) stop.abort();
    for (let next; kind !== 2 && !(next = await reader.read()).done; ) chunks.push(next.value);
    await done;
    const decoder = new EventDecoder({ profile: 'strict' });
    const events = chunks.flatMap((chunk) => decoder.feed(chunk));
    verifyEvents(events);
    assert.equal(refusalOf(events), undefined, `seed ${seed}`);
    if (kind !== 2) assert.equal(events.filter(isEnd).length, 1, `seed ${seed}`);
    assert.deepEqual(notes.errors, [], `seed ${seed}`);
  }
});

test('random agents and clients over a socket', async () => {
  const random = randomness(11);
  const runs = new Map();
  const server = createServer((request, response) => runs.get(request.url)(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = (seed) =>
    new Promise((resolve, reject) => {
      const chunks = [];
      const vanishes = seed % 3 === 0;
      let left = vanishes ? random(3) : Infinity;
      const outgoing = request({ port: server.address().port, host: '127.0.0.1', method: 'POST', path: `/${seed}`, headers, agent: false });
      outgoing.on('error', (error) => (vanishes ? resolve([chunks, false]) : reject(error)));
      outgoing.on('response', async (response) => {
        response.on('error', () => resolve([chunks, false]));
        response.on('end', () => resolve([chunks, true]));
        response.on('data', (chunk) => {
          chunks.push(chunk);
          if (left-- > 0 && seed % 3 !== 1) return;
          if (vanishes) return outgoing.destroy(), resolve([chunks, false]);
          response.pause();
          setTimeout(() => response.resume(), random(3));
        });
      });
      outgoing.end(body);
    });
  try {
    for (let seed = 2000; seed < 2090; seed++) {
      const [agent, notes] = recording(seed);
      let over;
      const ended = new Promise((resolve) => (over = resolve));
      const handler = nodeHandler(agent);
      runs.set(`/${seed}`, (...both) => void handler(...both).then(over));
      const [chunks, isWhole] = await ask(seed);
      await ended;
      judge(seed, chunks, 'text/event-stream', notes, isWhole);
    }
  } finally {
    server.close();
  }
});

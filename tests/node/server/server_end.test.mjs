// Ways to end a run, and what the agent does afterwards: the answer ends with the run in every combination.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'node:http';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, eventsOf, input, listen, post, until, ways } from '../servers.mjs';

const { LocalAgent } = require('ag-ui-native/client');
const { guard, nodeHandler } = require('ag-ui-native/server');
const { runAgent } = require('ag-ui-native/testing');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');

const never = () => new Promise(() => undefined);
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const failed = { type: 'RUN_ERROR', message: 'no' };

/** A signal that is aborted after `duration` milliseconds. */
function soon(duration) {
  const aborting = new AbortController();
  setTimeout(() => aborting.abort(), duration);
  return aborting.signal;
}

/** Calls that end the run, each with the last event. */
const endings = {
  'an event of its own': [(run) => run.event(finished), finished],
  'an error of its own': [(run) => run.event(failed), failed],
  'an outcome of its own': [(run) => run.event({ ...finished, outcome: { type: 'cancelled' } }), { ...finished, outcome: { type: 'cancelled' } }],
  'a guarded relay': [relayed, finished],
  finish: [(run) => run.finish(), finished],
  cancel: [(run) => run.cancel(), { ...finished, outcome: { type: 'cancelled' } }],
  interrupt: [(run) => run.interrupt({ id: 'i', reason: 'confirmation' }), { type: 'RUN_FINISHED' }],
  fail: [(run) => run.fail('no'), failed],
};

/** Ways to stop a run whose agent ignores its signal: options, and the last event. */
const stops = {
  'time limit': [() => ({ timeLimit: 10 }), { type: 'RUN_ERROR', code: 'run_timeout' }],
  shutdown: [() => ({ signal: soon(10) }), { ...finished, outcome: { type: 'cancelled' } }],
  'shutdown that has begun': [() => ({ signal: AbortSignal.abort() }), { ...finished, outcome: { type: 'cancelled' } }],
};

/** Things that the agent does after the end of the run. */
const after = {
  returns: () => undefined,
  'returns a value': () => 5,
  throws: () => {
    throw new Error('after the end');
  },
  writes: (run) => run.write('after the end'),
  'writes in the next turn': async (run) => {
    await new Promise(setImmediate);
    await run.write('after the end');
  },
  'ends it again': (run) => run.finish(),
  hangs: never,
};

async function relayed(run) {
  const upstream = async function* () {
    yield { type: 'CUSTOM', name: 'n', value: 1 };
    yield finished;
  };
  // It is the run of this server that has begun.
  let isFirst = true;
  for await (const event of guard(upstream(), { input: run.input })) {
    if (!isFirst && event.type !== 'CUSTOM') await run.event(event);
    isFirst = false;
  }
}

/** Ways to call an agent and to read the answer to its end. */
const faces = {
  nodeHandler: (agent, options) => asked('socket', agent, options),
  fetchHandler: (agent, options) => asked('fetch', agent, options),
  'nodeHandler, protobuf': (agent, options) => asked('socket', agent, options, AGUI_MEDIA_TYPE),
  'fetchHandler, protobuf': (agent, options) => asked('fetch', agent, options, AGUI_MEDIA_TYPE),
  runAgent: async (agent, options) => (await runAgent(agent, input, options)).events,
  LocalAgent: async (agent, options) => {
    const events = [];
    const reader = new LocalAgent(agent, { server: options, threadId: 't', messages: input.messages });
    await reader.runAgent({ runId: 'r' }, { onEvent: ({ event }) => void events.push(event) }).catch(() => undefined);
    return events;
  },
};

async function asked(way, agent, options, accept = 'text/event-stream') {
  const { ask, close } = await ways[way](agent, options);
  try {
    return await eventsOf(await ask({ headers: { ...asking.headers, accept } }));
  } finally {
    close();
  }
}

/** Checks that the last event has these members. */
function isLast(events, last, name) {
  for (const [key, value] of Object.entries(last)) assert.deepEqual(events.at(-1)[key], value, name);
}

const limited = { timeout: 30_000 };

for (const [face, answered] of Object.entries(faces)) {
  for (const [ending, [end, last]] of Object.entries(endings)) {
    test(`${face}: ${ending} ends the answer`, limited, async () => {
      const runs = Object.entries(after).map(async ([name, then]) => {
        const agent = async (run) => {
          await end(run);
          assert.equal(run.isRunning, false);
          return then(run);
        };
        const events = await answered(agent, { onError: () => undefined });
        isLast(events, last, name);
        assert.equal(events.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR').length, 1, name);
      });
      await Promise.all(runs);
    });
  }
  for (const [stop, [options, last]] of Object.entries(stops)) {
    test(`${face}: ${stop} ends the answer`, limited, async () => {
      const agents = [never, async (run) => (await run.textMessage().write('x'), never()), (run) => new Promise((resolve) => run.signal.addEventListener('abort', resolve))];
      for (const agent of agents) {
        const events = await answered(agent, { onError: () => undefined, ...options() });
        isLast(events, last);
      }
    });
  }
}

test('the state goes before an end of its own', async () => {
  for (const last of [finished, failed]) {
    for (const [stateFlush, states] of [['await', 1], ['end', 1], ['manual', 0]]) {
      const agent = (run) => {
        run.state = { at: 1 };
        run.event(last);
      };
      const { events } = await runAgent(agent, input, { stateFlush });
      const types = events.slice(1).map(({ type }) => type.replace(/SNAPSHOT|DELTA/, ''));
      assert.deepEqual(types, [...Array(states).fill('STATE_'), last.type]);
    }
  }
});

test('what is open is no matter for an end of its own: it is refused, and the agent has failed', async () => {
  const errors = [];
  const { events, outcome } = await runAgent((run) => (run.textMessage(), run.event(finished)), input, { onError: (error) => errors.push(error.rule) });
  assert.deepEqual([events.at(-1).code, outcome, errors.length], ['agent_failed', 'error', 1]);
});

/** A connection that asks and never reads. */
async function unread(port) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${post().join('\r\n')}\r\n\r\n${asking.body}`);
  return socket;
}

const flood = async (run) => {
  const message = run.textMessage();
  for (;;) await message.write('x'.repeat(1 << 20));
};

const kept = {
  'the time limit': () => ({ timeLimit: 100 }),
  'a shutdown': () => ({ signal: soon(100) }),
  'a server that is closed': () => ({}),
};

for (const [name, options] of Object.entries(kept)) {
  test(`${name} closes the connection of a client that never reads`, limited, async () => {
    let fate;
    const agent = (run) => flood(run).catch((error) => ((fate = error), Promise.reject(error)));
    const { server, port } = await listen(nodeHandler(agent, options()));
    const socket = await unread(port);
    await until(() => server._connections === 1 || fate !== undefined);
    const closed = once(server, 'close');
    server.close();
    await closed;
    await until(() => fate !== undefined);
    socket.destroy();
  });
}

test('a client that reads late, but in time, has the end of a run that was stopped', limited, async () => {
  const { port, close } = await listen(nodeHandler(flood, { timeLimit: 100 }));
  const asked = request({ port, method: 'POST', headers: asking.headers });
  asked.end(asking.body);
  const [response] = await once(asked, 'response');
  await new Promise((resolve) => setTimeout(resolve, 500));
  let text = '';
  for await (const piece of response.setEncoding('latin1')) text = (text + piece).slice(-200);
  assert.match(text, /run_timeout/);
  close();
});

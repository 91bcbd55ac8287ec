// The ways in which runs end, over real sockets: one table of scripts for all servers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fixture, require } from '../packages.mjs';
import { eventsOf, listen, post, until } from '../servers.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
const asking = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
/** More than a connection buffers while its client does not read, and less than the limit of the queue. */
const filling = 'x'.repeat(5_000_000);
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };

/** An agent that follows a script, and a record of its end. */
class Scripted {
  waits = false;
  fate = '';
  /** The number of pieces that a part of the agent has sent. */
  parts = 0;
  #part;
  #write;

  constructor(steps) {
    this.steps = steps;
  }

  agent = async (run) => {
    this.#write = (text) => run.custom('flood', text);
    for (const step of this.steps.slice(0, -1)) await this.take(step, run);
    return this.take(this.steps.at(-1), run);
  };

  async take(step, run) {
    switch (step) {
      case 'text': {
        const message = run.textMessage({ id: 'm' });
        await message.write('Hello');
        this.#write = (text) => message.write(text);
        return undefined;
      }
      case 'call': {
        const call = run.toolCall('look', undefined, { id: 'c' });
        await call.write('{');
        this.#write = (text) => call.write(text);
        return undefined;
      }
      case 'state':
        run.state = { at: 1 };
        return undefined;
      case 'bad state':
        run.state = { at: NaN };
        return undefined;
      case 'big':
        return void this.#write('x'.repeat(2000));
      case 'big custom':
        return void run.custom('flood', 'x'.repeat(2000));
      case 'fill':
        run.custom('flood', filling);
        // The agent returns, and the write is not awaited.
        return void (await setTimeout(100));
      case 'part':
        this.#part = this.part(run);
        return this.partWaits();
      case 'await part':
        return this.#part;
      case 'await finish':
        return void (await run.finish('own'));
      case 'done':
        this.fate = step;
        return undefined;
      case 'subagent fails':
        return run.subagent('helper', { id: 's' }).run(() => Promise.reject(new Error('boom')));
      case 'subagent waits':
        return run.subagent('helper', { id: 's' }).run(() => this.wait('wait and raise', run));
      case 'flood':
        return this.flood();
      case 'raise':
        throw new Error('boom');
      case 'return':
        return 'done';
      case 'return NaN':
        return NaN;
      case 'return nothing':
        return undefined;
      case 'wait':
      case 'wait and return':
      case 'wait and raise':
      case 'wait and finish':
      case 'wait and send finished':
        return this.wait(step, run);
      default:
        return this.end(step, run);
    }
  }

  async part(run) {
    try {
      for (;;) {
        this.parts++;
        await run.custom('flood', filling.slice(-50_000));
      }
    } catch (error) {
      assert.equal(error.code, 'sequence_broken');
    }
  }

  /** Resolves once the part waits: it has sent nothing more for a moment. */
  async partWaits() {
    for (let before = -1; before !== this.parts; await setTimeout(100)) before = this.parts;
  }

  flood() {
    try {
      for (;;) this.#write('x'.repeat(1000));
    } catch (error) {
      this.fate = error.code;
    }
  }

  async wait(step, run) {
    this.waits = true;
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    this.fate = 'cancelled';
    if (step === 'wait') throw run.signal.reason;
    if (step === 'wait and raise') throw new Error('late');
    if (step === 'wait and finish') return void run.finish('own');
    if (step === 'wait and send finished') return void run.event(finished);
    return 'late';
  }

  end(step, run) {
    switch (step) {
      case 'finish':
        return void run.finish('own');
      case 'cancel':
        return void run.cancel();
      case 'fail':
        return void run.fail('own', { code: 'mine' });
      case 'ask':
        return void run.interrupt({ id: 'i', reason: 'why' });
      case 'finished event':
        return void run.event(finished);
      case 'cancelled event':
        return void run.event({ ...finished, outcome: { type: 'cancelled' } });
      case 'error event':
        return void run.event({ type: 'RUN_ERROR', message: 'own' });
      default:
        return assert.fail(step);
    }
  }
}

/** A time limit that is up when the test says so: no timer waits for it. */
const DAY = 86_400_000;
let timeIsUp;
const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, duration, ...more) => (duration === DAY ? void (timeIsUp = work) : wait(work, duration, ...more));

const isFlood = ({ name, delta }) => name === 'flood' || (typeof delta === 'string' && delta.startsWith('x'));

/** Returns the options of a script in the form of Node, and the function that stops the server. */
function served({ options = {} }) {
  const stopping = new AbortController();
  const told = [];
  const settings = {
    timeLimit: options.time_limit && DAY,
    maxWaiting: options.max_waiting,
    stateFlush: options.state_flush,
    showErrors: options.show_errors,
    signal: stopping.signal,
    onError: (error) => told.push(error),
  };
  return { settings, told, stop: () => stopping.abort() };
}

/** Returns the events of an answer that is not read before the promise resolves. */
async function readBehind(before, asked) {
  const response = await asked;
  await before;
  return eventsOf(response);
}

/** Ways to serve. Each returns functions to read the answer, or to disconnect. */
const ways = {
  async nodeHandler(agent, settings, goes) {
    const { port, url, close } = await listen(nodeHandler(agent, settings));
    if (!goes) return { read: (isDone) => readBehind(isDone, fetch(url, asking)), close };
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`${post(body).join('\r\n')}\r\n\r\n${body}`);
    return { go: () => socket.resetAndDestroy(), close };
  },
  async fetchHandler(agent, settings, goes) {
    const response = fetchHandler(agent, settings)(new Request('http://localhost/', asking));
    const close = () => undefined;
    return goes ? { go: async () => (await response).body.cancel(), close } : { read: (isDone) => readBehind(isDone, response), close };
  },
};

for (const [way, serve] of Object.entries(ways)) {
  for (const script of fixture('server_runs')) {
    test(`${way}: ${script.name}`, async () => {
      const { agent: steps, stop: how, client, expect } = script;
      const { settings, told, stop } = served(script);
      const scripted = new Scripted(steps);
      const { read, go, close } = await serve(scripted.agent, settings, how === 'client');
      try {
        const reading = read?.(client === 'late' && until(() => scripted.fate === expect.agent));
        if (how !== undefined) await until(() => scripted.waits);
        if (how === 'shutdown') stop();
        if (how === 'time_limit') timeIsUp();
        await go?.();
        if (reading) assert.deepEqual((await reading).filter((event) => !isFlood(event)), expect.wire);
        await until(() => scripted.fate === (expect.agent ?? '') && told.length >= expect.told.length);
        assert.equal(told.length, expect.told.length, String(told));
      } finally {
        close();
      }
    });
  }
}

test('the state goes behind all that waits, where the client is behind and no more may wait', async () => {
  const agent = (run) => {
    run.state = { at: 1 };
    const message = run.textMessage({ id: 'm' });
    message.write('x'.repeat(100_000));
    message.write('x'.repeat(2_000));
    return 'done';
  };
  const response = await fetchHandler(agent, { maxWaiting: 1_000 })(new Request('http://localhost/', asking));
  const events = (await eventsOf(response)).filter((event) => !isFlood(event));
  assert.deepEqual(events.map(({ type }) => type), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'STATE_SNAPSHOT', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
});

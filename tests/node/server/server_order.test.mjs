// The place of state events among the events that an agent writes, and the time at which they are sent.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { runAgent } = require('ag-ui-native/testing');
const { fetchHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');

const BINARY = 'application/vnd.ag-ui.event+proto';

const written = async (agent, input, options) => (await runAgent(agent, input, options)).events.slice(1, -1);

/** An event by its type; a STATE_DELTA by its paths and values. */
const short = ({ type, delta }) =>
  type === 'STATE_DELTA' ? delta.map(({ path, value }) => `${path} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ') : type;

for (const { name, given, limits = {}, warnings = 0, steps, events } of fixture('state_order')) {
  test(`where the state goes: ${name}`, async () => {
    async function agent(run) {
      const opened = [];
      const calls = {
        state: (members) => void Object.assign(run.state, members),
        write: (text) => run.write(text),
        open: (kind) => void opened.push(kind === 'step' ? run.step('s') : run.textMessage()),
        text: (text) => opened.at(-1).write(text),
        end: () => opened.pop().end(),
        // A call is not awaited by itself; ending it again writes nothing.
        call: (value) => run.toolCall('t', { arguments: value }).end(),
        custom: (value) => run.custom('c', value),
        flush: () => run.flushState(),
        delta: (delta) => run.event({ type: 'STATE_DELTA', delta }),
      };
      for (const { await: isAwaited, ...step } of steps) {
        const [[call, value]] = Object.entries(step);
        const written = calls[call](structuredClone(value));
        if (isAwaited) await written;
      }
    }
    const told = [];
    const camel = Object.fromEntries(Object.entries(limits).map(([key, value]) => [key.replace(/_./g, (part) => part[1].toUpperCase()), value]));
    const made = await runAgent(agent, { state: given }, { limits: camel, onError: (error) => told.push(error) });
    assert.deepEqual(made.events.slice(1, -1).map(short), events);
    assert.deepEqual(told.map(({ code, limit }) => [code, limit]), Array(warnings).fill(['large_state', 'stateValues']));
  });
}

test('the state goes before the result of a call, and its end', async () => {
  async function agent(run) {
    const call = run.toolCall('look');
    call.write('{}');
    run.state['a long name, so that a patch is shorter'] = 1;
    await call.result('found');
  }
  const types = (await written(agent, { state: { text: 'x'.repeat(200) } })).map(({ type }) => type);
  assert.deepEqual(types, ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'STATE_DELTA', 'TOOL_CALL_END', 'TOOL_CALL_RESULT']);
});

test('the state goes behind what was sent of it before', async () => {
  for (const sent of ['event', 'flush']) {
    async function agent(run) {
      run.state.plan = [];
      const own = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/plan/-', value: 'look' }] };
      const written = sent === 'event' ? run.event(own) : run.flushState();
      run.state.plan.push('leap');
      await written;
    }
    const { state } = await runAgent(agent, { state: { text: 'x'.repeat(200) } });
    assert.deepEqual(state.plan, sent === 'event' ? ['look', 'leap'] : ['leap']);
  }
});

test('a delta changes what the agent has in hand where it is', async () => {
  async function agent(run) {
    const { state } = run;
    const { items } = state;
    await run.event({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/items/-', value: 1 }] });
    assert.equal(run.state, state);
    assert.equal(state.items, items);
    assert.deepEqual(items, [1]);
  }
  const made = await runAgent(agent, { state: { items: [], text: 'x'.repeat(200) } });
  assert.equal(made.outcome, 'success', made.error?.message);
  assert.deepEqual(made.events.slice(1, -1).map(short), ['/items/- 1']);
});

test('a delta that may not be sent changes nothing', async () => {
  for (const looks of [true, false]) {
    async function agent(run) {
      const state = looks ? run.state : undefined;
      await run.finish();
      assert.throws(() => run.event({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/items/-', value: 1 }] }), { name: 'AGUISequenceError' });
      assert.deepEqual(run.state, given);
      if (looks) assert.equal(run.state, state);
    }
    const given = { items: [], text: 'x'.repeat(200) };
    const made = await runAgent(agent, { state: given });
    assert.equal(made.outcome, 'success', made.error?.message);
    assert.equal(made.events.length, 2);
  }
});

test('a delta into what has a form of its own makes the state plain', async () => {
  class Place {
    constructor(name) {
      this.name = name;
    }
    toJSON() {
      return { name: this.name };
    }
  }
  async function agent(run) {
    run.state = { at: new Place('here'), text: 'x'.repeat(200) };
    await run.event({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/at/name', value: 'there' }] });
    assert.deepEqual(run.state.at, { name: 'there' });
    run.state = { at: new Place('there'), text: 'x'.repeat(200) };
    assert.throws(() => run.event({ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/at/none' }] }), { code: 'patch_target_missing' });
    assert.ok(run.state.at instanceof Place);
  }
  const made = await runAgent(agent, { state: {} });
  assert.equal(made.outcome, 'success', made.error?.message);
  assert.deepEqual(made.events.filter(({ type }) => type === 'STATE_DELTA').map(short), ['/at/name there']);
});

for (const { name, given, steps, events } of fixture('state_unsent')) {
  test(`state events that could not be sent: ${name}`, async () => {
    const refused = [];
    const agent = (run) => {
      for (const { set, nest, flush } of structuredClone(steps)) {
        if (set) Object.assign(run.state, set);
        else if (nest === 0) delete run.state.nest;
        else if (nest) run.state.nest = Array.from({ length: nest }).reduce((inner) => [inner], 1);
        else {
          try {
            run.flushState();
            refused.push('');
          } catch (error) {
            refused.push(error.code);
          }
        }
      }
    };
    const headers = { 'content-type': 'application/json', accept: BINARY };
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [], state: given });
    const response = await fetchHandler(agent)(new Request('http://x/', { method: 'POST', headers, body }));
    const decoder = new EventDecoder({ contentType: BINARY });
    const sent = decoder.feed(new Uint8Array(await response.arrayBuffer()));
    assert.deepEqual(sent.slice(1, -1), events);
    assert.deepEqual(refused, steps.flatMap(({ flush }) => flush ?? []));
  });
}

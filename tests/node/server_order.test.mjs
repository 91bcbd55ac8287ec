// Where the state goes among what an agent writes, and when it does.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from './packages.mjs';

const { runAgent } = require('ag-ui-native/testing');

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

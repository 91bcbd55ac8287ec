// The pending calls that the end of a run names, and warnings about answers to interrupts that are not pending.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';

const { runAgent } = require('ag-ui-native/testing');
const { fetchHandler, guard } = require('ag-ui-native/server');

for (const { name, events, end } of fixture('pending_calls')) {
  test(`a success names the calls that have no result: ${name}`, async () => {
    const input = { threadId: 't', runId: 'r' };
    const send = (run) => { for (const event of events) run.event(event); };
    const last = async (agent) => (await runAgent(agent, input)).events.at(-1);
    assert.deepEqual(await last(send), end);
    const { outcome, result } = await last((run) => { send(run); run.cancel(); return 'no result'; });
    assert.deepEqual([outcome, result], [{ type: 'cancelled' }, undefined]);
    assert.deepEqual([...guard(events, { input: { ...input, messages: [] } })].at(-1), end);
  });
}

test('answers to no question that waits are warned of', async () => {
  const told = [];
  const agent = (run) => { told.push(...run.warnings.map(({ code, path }) => [code, path])); };
  const handle = fetchHandler(agent, { pendingInterrupts: () => [{ id: 'i', reason: 'ask' }] });
  const resume = ['i', 'zz'].map((interruptId) => ({ interruptId, status: 'resolved' }));
  const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [], resume });
  const response = await handle(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
  assert.match(await response.text(), /RUN_FINISHED/);
  assert.deepEqual(told, [['unknown_interrupt', '/resume/1/interruptId']]);
});

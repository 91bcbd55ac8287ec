// Calls that write after the end of the agent, when their errors cannot be caught: each error is reported, and the process goes on.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, require } from '../packages.mjs';
import { eventsOf, until, ways } from '../servers.mjs';

const { runAgent } = require('ag-ui-native/testing');

const opened = (run) => ({
  message: run.textMessage(),
  call: run.toolCall('look'),
  step: run.step('s'),
  reasoning: run.reasoning(),
  activity: run.activity('plan', { a: 1 }),
  subagent: run.subagent('n'),
});

/** Calls that write, and the number of refusals that each causes (1 if it is not given). */
const calls = {
  write: [(run) => run.write('late'), 2],
  textMessage: [(run) => run.textMessage()],
  'what is opened late': [(run) => run.textMessage().write('late'), 2],
  delta: [(run, { message }) => message.write('late')],
  arguments: [(run, { call }) => call.write('{')],
  'a whole call': [(run) => run.toolCall('look', {}), 2],
  result: [(run, { call }) => call.result('late')],
  toolResult: [(run) => run.toolResult('c', 'late')],
  reasoning: [(run, { reasoning }) => reasoning.write('late')],
  'encrypted value': [(run, { reasoning }) => reasoning.encryptedValue('late')],
  'reasoning that is opened late': [(run) => run.reasoning()],
  step: [(run) => run.step('late')],
  activity: [(run, { activity }) => activity.update({ a: 2 })],
  subagent: [(run) => run.subagent('late')],
  'what a subagent writes': [(run, { subagent }) => subagent.write('late'), 2],
  custom: [(run) => run.custom('late', 1)],
  raw: [(run) => run.raw({})],
  event: [(run) => run.event({ type: 'CUSTOM', name: 'n', value: 1 })],
  'an end of its own': [(run) => run.event({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' })],
  'a snapshot of its own': [(run) => run.event({ type: 'STATE_SNAPSHOT', snapshot: {} })],
  'a delta of its own': [(run) => run.event({ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/nothing' }] })],
  state: [(run) => (run.state = { late: true })],
  flushState: [(run) => ((run.state.late = true), run.flushState())],
  snapshot: [(run) => run.stateSnapshot()],
  messages: [(run) => run.messagesSnapshot([])],
  usage: [(run) => run.usage({ inputTokens: 1 })],
  finish: [(run) => run.finish()],
  cancel: [(run) => run.cancel()],
  fail: [(run) => run.fail('late')],
  interrupt: [(run) => run.interrupt({ id: 'i', reason: 'confirmation' })],
  'what is no event': [(run) => run.event(null)],
  'what is no JSON': [(run) => run.custom('late', 1n)],
  // A closed entity stays closed: ending it again is not refused.
  'end of a message': [(run, { message }) => message.end(), 0],
  'end of a call': [(run, { call }) => call.end(), 0],
  'end of a step': [(run, { step }) => step.end(), 0],
  'end of reasoning': [(run, { reasoning }) => reasoning.end(), 0],
  'end of a subagent': [(run, { subagent }) => subagent.finish(), 0],
  'failure of a subagent': [(run, { subagent }) => subagent.fail('late'), 0],
};

/** Ways in which the agent ended before the call. */
const ends = {
  returned: () => undefined,
  'has thrown': () => {
    throw new Error('mine');
  },
  'has ended its run': (run) => run.finish(),
  'has ended its run by an event': (run) => {
    for (const open of ['message', 'call', 'step', 'reasoning', 'subagent']) run.kept[open].end();
    run.event({ type: 'RUN_FINISHED', threadId: run.threadId, runId: run.runId });
  },
};

for (const [end, finish] of Object.entries(ends)) {
  test(`an agent that ${end} writes late: it is told, whether awaited or not`, async () => {
    for (const [name, [write, count = 1]] of Object.entries(calls)) {
      for (const isAwaited of [false, true]) {
        const errors = [];
        const agent = (run) => {
          run.kept = opened(run);
          agent.run = run;
          return finish(run);
        };
        const { events } = await runAgent(agent, {}, { onError: (error) => errors.push(error) });
        const told = errors.splice(0).map(({ message }) => message);
        assert.deepEqual(told, end === 'has thrown' ? ['mine'] : [], name);
        const written = write(agent.run, agent.run.kept);
        if (isAwaited) await written;
        assert.deepEqual(errors.map(({ rule, code }) => rule ?? code).length, count, name);
        for (const error of errors) {
          if (!name.startsWith('what is no')) assert.equal(error.code, 'sequence_broken', name);
        }
        assert.match(events.at(-1).type, /^RUN_/);
      }
    }
  });
}

test('what is awaited late lets others have their turns', async () => {
  let run;
  await runAgent((given) => void (run = given), {}, { onError: () => undefined });
  let isDone = false;
  setImmediate(() => setImmediate(() => (isDone = true)));
  while (!isDone) await run.write('late');
});

for (const [way, serve] of Object.entries(ways)) {
  test(`${way}: a timer of an agent whose run was stopped writes on, and nothing happens`, async () => {
    const errors = [];
    let writes = 0;
    let ticks;
    let isDone = false;
    const agent = async (run) => {
      const message = run.textMessage();
      ticks = setInterval(() => {
        message.write('x');
        run.custom('n', 1);
        run.step(String(writes)).end();
        run.state = { writes };
        if (!run.isRunning) writes++;
      }, 1);
      await until(() => writes > 3);
      // The agent itself learns of it.
      await assert.rejects(async () => await message.write('y'), (error) => error === run.signal.reason);
      clearInterval(ticks);
      isDone = true;
    };
    const { ask, close } = await serve(agent, { timeLimit: 20, onError: (error) => errors.push(error) });
    const events = await eventsOf(await ask());
    assert.equal(events.at(-1).code, 'run_timeout');
    await until(() => isDone);
    close();
    clearInterval(ticks);
    assert.deepEqual(errors, []);
  });
}

test('without onError it is on the console, and the process lives', () => {
  const script = `
    const { fetchHandler } = require('ag-ui-native/server');
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
    let wentOn;
    const goingOn = new Promise((resolve) => (wentOn = resolve));
    const handler = fetchHandler((run) => {
      const message = run.textMessage();
      setTimeout(() => message.write('sync'), 5);
      setTimeout(async () => { await message.write('async'); console.log('went on'); wentOn(); }, 5);
      setTimeout(() => void run.finish(), 5);
    });
    handler(new Request('http://x/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
      .then((response) => response.text())
      .then(async (text) => (await goingOn, console.log(/RUN_FINISHED/.test(text))));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, 'went on\ntrue\n'], stderr);
  assert.equal(stderr.match(/AGUISequenceError/g)?.length, 3, stderr);
});

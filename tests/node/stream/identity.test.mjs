// tests/fixtures/stream/identity.json, producers.json: verdicts about ids by profile, and the ids of agents, servers and guards.
// tests/fixtures/stream/shared_ids.json: the results of messages that share an id.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { failure, fixture, ours, require } from '../packages.mjs';
import { frames } from '../scripted_agent.mjs';

const { EventPipeline, EventVerifier, Reducer, applyEvents, verifyEvents } = ours.stream;
const { Agent, HttpAgent } = require('ag-ui-native/client');
const { guard } = require('ag-ui-native/server');
const { askPipeline } = require('./dist/stream/pipeline.cjs');
const { Intake } = require('./dist/client/flow.cjs');
const { runAgent } = require('ag-ui-native/testing');

const cases = [...fixture('identity'), ...fixture('producers')];
const runOf = ([threadId, runId]) => ({ threadId, runId });
const profiles = ['strict', 'tolerant', 'relay'];

function expected({ strict, tolerant, tolerant_error: failed }, profile) {
  return { failed: (profile === 'strict' ? strict : failed) ?? null, warnings: profile === 'tolerant' ? tolerant : [] };
}

/** Returns the failure and the warnings of `work`, which gets a callback for warnings. */
async function outcome(work) {
  const told = [];
  let failed = null;
  try {
    await work((warning) => told.push(warning));
  } catch (error) {
    failed = { at: error.eventIndex ?? null, rule: error.rule, path: error.path };
  }
  // Reduction warns, too.
  const judged = told.filter(({ code }) => code === 'sequence_broken');
  return { failed, warnings: judged.map(({ eventIndex, rule, path }) => [eventIndex, rule, path]) };
}

const ways = {
  'events one by one': (profile) => ({ events, asked }, onWarning) => {
    // Only the requester of a run knows its ids: middleware's events are checked against them.
    const verifier = asked ? new Intake(runOf(asked), { profile, onWarning }) : new EventVerifier({ profile, onWarning });
    for (const event of events) asked ? verifier.push(event) : verifier.check(event);
    verifier.finish();
  },
  'a list of events': (profile) => ({ events, asked }, onWarning) => {
    if (!asked) assert.deepEqual(verifyEvents(events, { profile, onWarning }), events);
  },
  'a list of events, read whole': (profile) => ({ events, asked }, onWarning) => {
    if (!asked) assert.deepEqual(verifyEvents(events, { profile, limits: {}, onWarning }), events);
  },
  'a pipeline': (profile, reduce) => ({ events, asked }, onWarning) => {
    const pipeline = new EventPipeline({ profile, verify: true, reduce, onWarning });
    if (asked) askPipeline(pipeline, runOf(asked));
    for (const frame of frames(...events)) pipeline.feed(frame);
    pipeline.close();
  },
};

for (const [way, of] of Object.entries(ways)) {
  test(way, async () => {
    for (const one of cases.filter(({ asked }) => !asked || !way.startsWith('a list'))) {
      for (const profile of profiles) {
        for (const reduce of way === 'a pipeline' ? [true, false] : [true]) {
          assert.deepEqual(await outcome((onWarning) => of(profile, reduce)(one, onWarning)), expected(one, profile), `${one.name}, ${profile}`);
        }
      }
    }
  });
}

test('agents know what they have asked for', async () => {
  for (const one of cases.filter(({ asked }) => asked)) {
    const [threadId, runId] = one.asked;
    for (const profile of ['strict', 'tolerant']) {
      for (const way of ['end', 'events', 'middleware']) {
        const got = await outcome(async (onWarning) => {
          const agent = new Agent(() => frames(...one.events), { threadId, profile, onWarning });
          if (way === 'middleware') agent.use((input, next) => next(input));
          if (way === 'events') for await (const _ of agent.run({ runId }));
          else await agent.runAgent({ runId });
        });
        assert.deepEqual(got, expected(one, profile), `${one.name}, ${profile}, ${way}`);
      }
    }
  }
});

test('agents judge what comes over a socket', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(Buffer.concat(frames(...answer)));
  });
  let answer = [];
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${server.address().port}/`;
    for (const one of cases) {
      // Those of a case that does not say are the thread of all cases and the last run.
      const { threadId, runId } = runOf(one.asked ?? ['t', one.events.findLast(({ type }) => type === 'RUN_STARTED').runId]);
      answer = one.events;
      for (const profile of ['strict', 'tolerant']) {
        const got = await outcome((onWarning) => new HttpAgent({ url, threadId, profile, onWarning }).runAgent({ runId }));
        assert.deepEqual(got, expected(one, profile), `${one.name}, ${profile}`);
      }
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('an answer and a thought with one id are told apart', () => {
  for (const { name, events, start: messages = [], ...outcomes } of fixture('shared_ids')) {
    for (const profile of ['tolerant', 'relay']) {
      const expected = { warnings: [], ...outcomes[profile] };
      const told = ({ warnings, messages }) => ({ warnings: warnings.map(({ eventIndex, code }) => [eventIndex, code]), messages: [...messages] });
      const pipeline = new EventPipeline({ profile, messages });
      for (const frame of frames(...events)) pipeline.feed(frame);
      assert.deepEqual(told(pipeline), expected, `${name}, ${profile}`);
      assert.deepEqual(told(applyEvents(events, { profile, messages })), expected, `${name}, ${profile}, applied`);
      const reducer = new Reducer({ profile, messages });
      for (const event of events) reducer.apply(event);
      assert.deepEqual(told(reducer), expected, `${name}, ${profile}, one by one`);
    }
  }
});

const started = (threadId = 't', runId = 'r') => ({ type: 'RUN_STARTED', threadId, runId });
const finished = (threadId = 't', runId = 'r', more = {}) => ({ type: 'RUN_FINISHED', threadId, runId, ...more });
const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] };
const doubled = { outcome: { type: 'interrupt', interrupts: Array(2).fill({ id: 'i', reason: 'approval' }) } };

test('guards', () => {
  const guarded = [
    [[started(), finished('t', 'q', { result: 1 })], 'V40', [started(), finished('t', 'r', { result: 1 })]],
    [[started(), finished('u')], 'V41', [started(), finished()]],
    [[started('u'), finished('u')], 'V42', [started(), finished()]],
    [[started(), finished('t', 'r', doubled)], 'V46', [started(), finished('t', 'r', doubled)]],
    [[started('t', 'q'), finished('t', 'q')], 'V44', [started('t', 'q'), finished('t', 'q')]],
  ];
  for (const [events, rule, fixed] of guarded) {
    assert.equal(failure(() => [...guard(events, { mode: 'error', input })]).rule, rule);
    for (const [mode, passed] of [['report', events], ['fix', fixed]]) {
      const warnings = [];
      assert.deepEqual([...guard(events, { mode, input, onWarning: (warning) => warnings.push(warning) })], passed);
      assert.equal(warnings[0].rule, rule, mode);
    }
  }
});

test('a guard gives a run that has a used id one of its own', () => {
  const events = [started(), finished(), started(), finished()];
  const warnings = [];
  const made = [...guard(events, { onWarning: ({ eventIndex, rule }) => warnings.push([eventIndex, rule]) })];
  assert.deepEqual(made.slice(0, 2), events.slice(0, 2));
  assert.equal(made[2].runId, made[3].runId);
  assert.notEqual(made[2].runId, 'r');
  assert.deepEqual(warnings, [[2, 'V43'], [3, 'V40']]);
  assert.equal(failure(() => [...guard(events, { mode: 'error' })]).rule, 'V43');
});

test('a run refuses an end that is not its own, and what ends it ends the answer', async () => {
  for (const [end, rule] of [[finished('t', 'q'), 'V40'], [finished('u'), 'V41'], [finished('t', 'r', doubled), 'V46']]) {
    const refused = [];
    const run = await runAgent((run) => {
      refused.push(failure(() => run.event(end)).rule);
      run.event(finished());
    }, { threadId: 't', runId: 'r', messages: [] });
    assert.deepEqual(run.events.map(({ type }) => type), ['RUN_STARTED', 'RUN_FINISHED']);
    assert.deepEqual(refused, [rule]);
  }
});

test('a run does not ask two questions by one id', async () => {
  const question = { id: 'i', reason: 'approval' };
  let refused;
  const run = await runAgent((run) => {
    refused = failure(() => run.interrupt(question, question));
    run.interrupt(question);
  });
  assert.deepEqual([refused.rule, refused.path], ['V46', '/outcome/interrupts/1/id']);
  assert.deepEqual(run.interrupts.map(({ id }) => id), ['i']);
});

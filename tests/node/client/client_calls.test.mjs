// tests/fixtures/client/client_calls.json: the request of each run of a call, and the result of a call that ends early.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, native, require } from '../packages.mjs';

const { AGUIConnectionError } = require('ag-ui-native');
const { Agent } = require('ag-ui-native/client');

const table = fixture('client_calls');
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const interrupts = (ids = []) => ids.map((id) => ({ id, reason: 'tool_call' }));
const part = (found, wanted) => Object.fromEntries(Object.keys(wanted).map((name) => [name, found[name]]));

/** An input as the table has it; ids that were made are `#1` and so on. */
function seenOf({ runId, parentRunId = null, resume = [], tools, messages, state = null, forwardedProps }, made, given) {
  if (runId !== given && !made.includes(runId)) made.push(runId);
  return {
    runId: made.includes(runId) ? `#${made.indexOf(runId) + 1}` : runId,
    parentRunId,
    resume: resume.map(({ interruptId }) => interruptId),
    tools: tools.map(({ name, description }) => `${name} ${description}`),
    messages: messages.map(({ content }) => content ?? null),
    state,
    forwardedProps,
  };
}

for (const { name, steps, hosts } of table.machine) {
  if (hosts) continue;
  test(name, () => {
    const runs = native.createRuns();
    const tell = (...words) => {
      const answer = JSON.parse(runs(...words));
      return answer?.error?.code ?? answer;
    };
    tell('next', '10');
    const made = [];
    for (const step of steps) {
      if (step.asks) {
        const { asks, agent = {}, pending, peer, asked = {}, warns, refused } = step;
        const members = { threadId: 't', runId: '', messages: [], ...asks };
        const answer = runs('prepare', JSON.stringify(members), peer, '{}', '0', agent.parentRunId, JSON.stringify(agent.tools ?? []), JSON.stringify(interrupts(pending)));
        if (refused) {
          assert.equal(JSON.parse(answer).error.code, refused);
          continue;
        }
        const [said, body] = answer.split('\n');
        assert.deepEqual(part(seenOf(JSON.parse(body), made, asks.runId), asked), asked);
        if (warns) assert.deepEqual(JSON.parse(said).warnings.map(({ code }) => code), warns);
      } else if (step.ended) {
        tell('ended', JSON.stringify({ outcome: step.ended, pendingToolCallIds: step.pending }));
      } else if (step.calls) {
        const pending = tell('pending');
        assert.deepEqual(tell('calls', JSON.stringify({ named: pending.map((id) => [id, id]), functions: pending })), step.calls);
      } else if (step.answered) {
        tell('answered', step.answered);
      } else if ('next' in step) {
        tell('next', String(step.next));
      } else if ('late' in step) {
        assert.equal(tell('late'), step.late);
      } else if ('now' in step) {
        const told = { now: step.now * 1000, ofEnd: step.ofEnd };
        assert.equal(tell('callbackDeadline', JSON.stringify(told)), step.until * 1000);
      } else if ('stops' in step) {
        assert.equal(tell('isHandled', String(step.stops)), step.isHandled);
      } else if (step.then) {
        const next = tell('nextStep', String(step.stopped === true));
        assert.equal(next.call ? `${next.step} ${next.call}` : (next.step ?? next), step.then);
      } else {
        const { error, aborted, quiet, heard } = step.ends;
        const ending = tell('end', JSON.stringify({ error, isAborted: aborted, isDetached: quiet, hasChanges: heard }));
        const names = ['removes_message', 'notifies', 'raises', 'reports'];
        assert.deepEqual(names.filter((done) => ending[camel(done)]), step.does);
        if (step.outcomes) assert.deepEqual(tell('sum').runs.map(({ outcome }) => outcome), step.outcomes);
      }
    }
  });
}

/** Reacts as the table says, and records each callback with the number of messages. */
function subscriberOf(reactions, told, agent) {
  const callback = ([name, { adds, aborts, raises, stop, state, at, async: isLater, ...reaction }]) => {
    const heard = () => {
      const isFirst = !told.some((entry) => entry.startsWith(name));
      told.push(`${name} ${agent().messages.length}`);
      if (adds && isFirst) agent().addMessage({ id: 'added', role: 'user', content: adds });
      if (aborts) agent().abortRun();
      if (raises) throw new Error('given');
      return stop || state !== undefined ? { stopPropagation: stop, ...(state !== undefined && { state }) } : undefined;
    };
    assert.deepEqual(reaction, {});
    return [camel(name), isLater ? async () => heard() : heard];
  };
  return Object.fromEntries(Object.entries(reactions).map(callback));
}

/** A middleware that sends requests as the table says, and records the result of each. */
const askingAgain = (keeps, passes, seen, waits) =>
  async function* (input, next) {
    const messages = [...input.messages, ...passes];
    for (const isKept of keeps) {
      try {
        for await (const event of next({ ...input, messages })) if (isKept) yield event;
        seen.push(null);
      } catch (error) {
        seen.push(error.code);
        if (isKept) throw error;
      }
    }
    if (waits) await new Promise(() => undefined);
  };

/** Replaces the ids of the script by those of the request. */
function frames(events, { threadId, runId }) {
  const asked = (event) => ({ ...event, ...(event.threadId === 't' && { threadId }), ...(event.runId === 'r' && { runId }) });
  return events.map((event) => Buffer.from(`data: ${JSON.stringify(asked(event))}\n\n`));
}

for (const { name, answers, subscriber, run = {}, said, leave, tools = [], messagesBefore, stateBefore, pendingInterrupts, parentRunId, maxRuns, peer, ends = [], middleware, passes = [], idle, waits, ...wanted } of table.runs) {
  test(name, async () => {
    const [told, requests, errors, seen] = [[], [], [], []];
    const transport = ({ input }) => {
      const end = ends[requests.length];
      requests.push(input);
      if (end === 'refused') throw new AGUIConnectionError('refused', { code: 'connection_failed' });
      return answer(frames(answers[requests.length - 1], input), end);
    };
    const answer = async function* (pieces, end) {
      yield* pieces;
      if (end === 'lost') throw new AGUIConnectionError('lost', { code: 'connection_lost' });
      if (end !== 'aborted') return;
      agent.abortRun();
      await new Promise(() => undefined);
    };
    const agent = new Agent(transport, {
      messages: messagesBefore,
      state: stateBefore,
      tools: tools.map((tool) => ({ ...tool, execute: () => 'done' })),
      maxRuns,
      peer,
      timeouts: { ...(idle && { idle: idle * 1000 }) },
      onError: (error) => errors.push(error),
      middleware: middleware ? [askingAgain(middleware, passes, seen, waits)] : [],
      subscribers: [subscriberOf(subscriber, told, () => agent)],
    });
    agent.pendingInterrupts = interrupts(pendingInterrupts);
    agent.parentRunId = parentRunId;
    const work = async () => {
      if (said !== undefined) return (await agent.ask(said, run)).result;
      if (leave === undefined) return agent.runAgent(run);
      const stream = agent.run(run);
      for await (const { type } of stream) if (type === leave) break;
      return stream.result;
    };
    let failure;
    const result = await work().catch((error) => {
      failure = error;
      return error.run;
    });
    assert.equal(failure?.code, wanted.raises, failure?.stack);
    if (wanted.outcome) assert.deepEqual([result.outcome, result.failure?.code], [wanted.outcome, wanted.failure]);
    if (wanted.told) assert.deepEqual(told, wanted.told);
    if (wanted.seen) assert.deepEqual(seen, wanted.seen);
    assert.deepEqual(agent.messages.map(({ content }) => content ?? null), wanted.messages);
    if ('state' in wanted) assert.deepEqual(agent.state, wanted.state);
    assert.equal(errors.length, wanted.logged ?? 0);
    if (wanted.warnings) assert.deepEqual(result.warnings.map(({ code }) => code), wanted.warnings);
    if (wanted.requests) {
      assert.equal(requests.length, wanted.requests.length);
      const made = [''];
      requests.forEach((request, index) => {
        const expected = wanted.requests[index];
        assert.deepEqual(part(seenOf(request, made, run.runId), expected), expected);
      });
    }
  });
}

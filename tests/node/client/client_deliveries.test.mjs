// tests/fixtures/client/deliveries.json: the notifications of subscribers, their order, and the effect of the values that callbacks
// return.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, native, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');

const table = fixture('deliveries');
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const kinds = { message: 'message_ended', call: 'call_ended' };

/** A step as the scripts have it. */
function stepText(step) {
  if ('notify' in step) return ['notify', step.subscriber, step.notify, ...('subject' in step ? [step.subject] : [])].join(' ');
  if ('reduce' in step) return `reduce ${step.reduce}`;
  if ('raise' in step) return 'raise';
  if ('wait' in step) return 'wait';
  return ['done', ...['stopped', 'messages', 'state'].filter((name) => step[name]), step.done].join(' ');
}

/** Replaces names of the scripts by those of JavaScript. */
const named = (text) => text.replace(/\bon_\w+/, camel).replace('bare_end', 'bareEnd');

/**
 * Returns a function that carries out lines of a script. A plan goes on after a callback that returns nothing, and after a
 * reduction whose changes are not needed.
 */
function scripted(subscribers, reportsChanges) {
  const machine = native.createDelivery(JSON.stringify(subscribers.map((names) => names.map(camel))), reportsChanges);
  let [plan, at] = [[], 0];
  const isNotifying = () => 'notify' in (plan[at] ?? {});
  const isReducing = () => 'reduce' in (plan[at] ?? {});
  return (text) => {
    const [what, ...words] = text.split(' ');
    const answers = ['answered', 'raised', 'absent', 'left'];
    // Planned notifications are carried out in order: a host sends nothing else in between.
    if (what === 'late' || (isNotifying() && ![...answers, 'cut'].includes(what))) return 'wait';
    if (isReducing() && !['reduced', 'cut'].includes(what)) return 'wait';
    if (what === 'answered' && words.length === 0) return stepText(plan[++at]);
    if (what === 'reduced' && at + 1 < plan.length) return stepText(plan[++at]);
    const flags = ['stop', 'messages', 'state'].reduce((sum, name, place) => sum + (words.includes(name) ? 2 ** place : 0), 0);
    const about = what === 'event' ? words[0] : answers.includes(what) ? at : words.flatMap((name) => kinds[name] ?? []).join();
    const number = machine(what, about, flags);
    assert.equal(typeof number, 'number');
    const next = JSON.parse(machine('plan'));
    if ('wait' in next[0]) return 'wait';
    [plan, at] = [next, 0];
    return stepText(plan[0]);
  };
}

/** Returns a step without its statement of changes. */
const withoutChanges = (step) => (step.startsWith('done') ? step.replace(/ (messages|state)\b/g, '') : step);

for (const { name, subscribers, steps } of table.machine) {
  test(name, () => {
    const say = scripted(subscribers, true);
    for (const [input, then] of steps) assert.equal(say(input), named(then), input);
    const lean = scripted(subscribers);
    for (const [input, then] of steps) assert.equal(withoutChanges(lean(input)), withoutChanges(named(then)), input);
  });
}

test('what is told wrongly', () => {
  const machine = native.createDelivery('[["onEvent", "onMesage", 5], 7]');
  for (const input of [['answered', 7], ['reduced', 'unknown'], ['unknown'], ['left', -1]]) {
    machine(...input);
    assert.deepEqual(JSON.parse(machine('plan')), [{ wait: true }]);
  }
  assert.equal(machine('wantsEvents'), 1);
  assert.equal(machine(), undefined);
  const empty = native.createDelivery('no JSON');
  assert.equal(empty('wantsEvents'), 0);
});

test('there is no end of plans', () => {
  const machine = native.createDelivery('[["onNewMessage"]]');
  for (let count = 1; count <= 1100; count++) {
    const number = machine('changed', Array(count).fill('message_ended').join(), 2);
    assert.equal(number, count <= 1000 ? count - 1 : null);
    assert.equal(JSON.parse(machine('plan')).length, count + 1);
  }
  assert.equal(machine('changed', 'message_ended', 2), 0);
});

/** Runs an agent, until an event of this type has come. */
async function run(agent, leave) {
  if (leave === undefined) return agent.runAgent({ runId: 'r' });
  const items = agent.run({ runId: 'r' });
  for await (const { type } of items) if (type === leave) break;
  return items.result;
}

/** A subscriber with the callbacks of a script. */
function subscriberOf(number, reactions, log, agent, slow) {
  const callback = ([name, { at, raises, aborts, hangs, stays, shows, stop, messages, state, ...reaction }]) => {
    const react = (before) => {
      if (at !== undefined && at !== before) return undefined;
      if (raises) throw new Error('given');
      if (aborts) agent().abortRun();
      if (!stop && messages === undefined && state === undefined) return undefined;
      return { stopPropagation: stop, messages, ...(state !== undefined && { state }) };
    };
    const heard = ({ textMessageBuffer, toolCallBuffer = textMessageBuffer }) => {
      const entry = `${number} ${name}`;
      const before = log.filter((told) => told.split(': ')[0] === entry).length;
      log.push(shows ? `${entry}: ${toolCallBuffer}` : entry);
      if (hangs && (at === undefined || at === before)) {
        setImmediate(() => agent().abortRun());
        return new Promise(() => undefined);
      }
      if (stays) return new Promise(() => undefined);
      return slow ? new Promise((resolve) => setImmediate(resolve)).then(() => react(before)) : react(before);
    };
    assert.deepEqual(reaction, {});
    return [camel(name), heard];
  };
  return Object.fromEntries(Object.entries(reactions).map(callback));
}

for (const { name, subscribers, events, leave, hosts = ['node'], told, seconds = Infinity, result: expected } of table.runs) {
  for (const slow of [false, true]) {
    // A run does not wait for a callback that aborts it.
    if (slow && JSON.stringify(subscribers).includes('"aborts"')) continue;
    test(`${name}${slow ? ', later' : ''}`, { skip: !hosts.includes('node') }, async () => {
      const [log, errors] = [[], []];
      const transport = ({ input }) =>
        events.map((event) => Buffer.from(`data: ${JSON.stringify({ ...event, ...(event.threadId && { threadId: input.threadId }) })}\n\n`));
      const agent = new Agent(transport, {
        subscribers: subscribers.map((reactions, number) => subscriberOf(number, reactions, log, () => agent, slow)),
        onError: (error) => errors.push(error),
      });
      let failure;
      const begun = performance.now();
      const result = await run(agent, leave).catch((error) => {
        failure = error;
      });
      const { raises, logged = 0, ...wanted } = structuredClone(expected);
      assert.equal(failure && (failure.code ?? failure.message), raises, failure?.stack);
      assert.deepEqual(log, told);
      const found = {
        outcome: result?.outcome,
        usage: result?.usage,
        pending: result?.pendingToolCallIds,
        result: result?.result ?? null,
        error: result?.error && [result.error.message, result.error.code],
        interrupts: result?.interrupts.map(({ id }) => id),
        newMessages: result?.newMessages.map(({ id }) => id),
        conversation: agent.messages.map(({ id, content }) => [id, content]),
        state: agent.state,
        pendingInterrupts: agent.pendingInterrupts.map(({ id }) => id),
      };
      assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((member) => [member, found[member]])), wanted);
      assert.equal(errors.length, logged);
      assert.ok(performance.now() - begun < seconds * 1000);
    });
  }
}

/** A subscriber that checks that its callbacks run one at a time. */
function listener(number, { adds, runs, stays }, log, agent, slow) {
  let at;
  const callback = (name) => () => {
    const entry = `${number} ${name}`;
    assert.equal(at, undefined, `${entry} while it hears of ${at}`);
    const isNow = (what) => what?.[0] === entry && what[1] === log.filter((heard) => heard === entry).length - 1;
    log.push(entry);
    if (isNow(adds)) agent().addMessage({ id: 'x', role: 'user', content: 'Hi' });
    if (isNow(stays)) return new Promise(() => undefined);
    if (isNow(runs)) return Promise.resolve().then(() => agent().runAgent({ runId: 'r' }));
    if (!slow) return undefined;
    at = entry;
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      at = undefined;
    });
  };
  const names = ['on_run_initialized', 'on_event', 'on_new_message', 'on_messages_changed', 'on_run_finalized'];
  return Object.fromEntries(names.map((name) => [camel(name), callback(name)]));
}

for (const { name, before = 0, events, told, logged = 0, seconds = Infinity, ...script } of table.turns) {
  for (const slow of [false, true]) {
    test(`${name}${slow ? ', later' : ''}`, async () => {
      const [log, errors] = [[], []];
      const transport = ({ input }) =>
        events.map((event) => Buffer.from(`data: ${JSON.stringify({ ...event, ...(event.threadId && { threadId: input.threadId }) })}\n\n`));
      const subscribers = [0, 1].map((number) => listener(number, script, log, () => agent, slow));
      const agent = new Agent(transport, { subscribers, onError: (error) => errors.push(error) });
      for (let number = 0; number < before; number++) agent.addMessage({ id: `m${number}`, role: 'user', content: 'Hi' });
      const begun = performance.now();
      if (script.runs === undefined) await agent.runAgent({ runId: 'r' });
      for (let count = 0; count < 100 && log.length < told.length; count++) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(log, told);
      assert.equal(errors.length, logged);
      assert.ok(performance.now() - begun < seconds * 1000);
    });
  }
}

test('a callback that is taken off during a run is not told any more', async () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hello' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const agent = new Agent(async function* () {
    for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
  });
  const heard = [];
  const subscriber = {
    onRunStartedEvent() {
      subscriber.onMessagesChanged = undefined;
    },
    onMessagesChanged: () => void heard.push('changed'),
    onRunFinalized: () => void heard.push('finalized'),
  };
  agent.subscribe(subscriber);
  assert.equal((await agent.runAgent()).outcome, 'success');
  assert.deepEqual(heard, ['finalized']);
});

test('messages that a callback sets lose nothing of what the event has brought', async () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'look', parentMessageId: 'a' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
    { type: 'TOOL_CALL_RESULT', messageId: 'result', toolCallId: 'c', content: 'found' },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'activity', activityType: 'plan', content: {} },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const agent = new Agent(async function* () {
    for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
  });
  agent.subscribe({
    onNewMessage({ message }) {
      if (message.role === 'assistant') return;
      agent.messages = [...agent.messages, { id: `after ${message.id}`, role: 'user', content: 'More' }];
    },
  });
  await agent.runAgent();
  assert.deepEqual(agent.messages.map(({ id }) => id), ['a', 'result', 'after result', 'activity', 'after activity']);
});

test('what callbacks set beside what others replace is not lost', async () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'CUSTOM', name: 'c', value: 1 },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const message = { id: 'm', role: 'user', content: 'Other' };
  const sets = (name) => ({ agent }) => {
    agent.state = { ...agent.state, [name]: true };
  };
  const both = ({ agent }) => {
    sets('own')({ agent });
    return { messages: [message] };
  };
  for (const callback of ['onRunInitialized', 'onCustomEvent']) {
    let asked;
    const transport = ({ input }) => {
      asked = input;
      return events.map((event) => Buffer.from(`data: ${JSON.stringify({ ...event, ...(event.threadId && { threadId: input.threadId }) })}\n\n`));
    };
    const subscribers = [both, sets('second'), sets('third')].map((answer) => ({ [callback]: answer }));
    const agent = new Agent(transport, { subscribers });
    await agent.runAgent({ runId: 'r' });
    const wanted = { messages: [message], state: { own: true, second: true, third: true } };
    const { messages, state } = agent;
    assert.deepEqual({ messages, state }, wanted, callback);
    if (callback === 'onRunInitialized') assert.deepEqual({ messages: asked.messages, state: asked.state }, wanted);
  }
});

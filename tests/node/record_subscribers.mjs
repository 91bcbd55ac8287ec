// Records the results of subscriber_cases.mjs with the official client. Run by hand, it writes
// tests/fixtures/client/subscriber_cases.json.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { cases } from './subscriber_cases.mjs';

const require = createRequire(new URL('../../node/package.json', import.meta.url));
const { AbstractAgent } = require('@ag-ui/client');
const { Observable } = require('rxjs');

const callbacks = [
  'onRunInitialized', 'onRunFailed', 'onRunFinalized', 'onEvent', 'onRunStartedEvent', 'onRunFinishedEvent', 'onRunErrorEvent',
  'onStepStartedEvent', 'onStepFinishedEvent', 'onSubagentStartedEvent', 'onSubagentFinishedEvent', 'onSubagentErrorEvent',
  'onTextMessageStartEvent', 'onTextMessageContentEvent', 'onTextMessageEndEvent', 'onToolCallStartEvent', 'onToolCallArgsEvent',
  'onToolCallEndEvent', 'onToolCallResultEvent', 'onStateSnapshotEvent', 'onStateDeltaEvent', 'onMessagesSnapshotEvent',
  'onActivitySnapshotEvent', 'onActivityDeltaEvent', 'onRawEvent', 'onCustomEvent', 'onReasoningStartEvent',
  'onReasoningMessageStartEvent', 'onReasoningMessageContentEvent', 'onReasoningMessageEndEvent', 'onReasoningEndEvent',
  'onReasoningEncryptedValueEvent', 'onMessagesChanged', 'onStateChanged', 'onNewMessage', 'onNewToolCall',
];

/** Callbacks that the reference does not wait for. */
const unawaited = new Set(['onMessagesChanged', 'onStateChanged', 'onNewMessage', 'onNewToolCall']);

const tick = () => new Promise((resolve) => setImmediate(resolve));

const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** A message as `[id, content]`, and the arguments of its calls. */
export function digest({ id, content = null, toolCalls }) {
  return plain(toolCalls === undefined ? [id, content] : [id, content, toolCalls.map((call) => call.function.arguments)]);
}

/** Returns the parameters of a callback that are compared. */
export function told(name, params) {
  const { messages, state, agent } = params;
  const says = { messages: messages.map(digest), state: plain(state) };
  const held = agent.messages.map(digest);
  if (JSON.stringify(held) !== JSON.stringify(says.messages)) says.agentMessages = held;
  if (JSON.stringify(agent.state) !== JSON.stringify(state)) says.agentState = plain(agent.state);
  if (params.input === undefined) says.input = null;
  if (name === 'onRunInitialized') says.input = params.input.messages.map(digest);
  if (name === 'onEvent') says.event = params.event.type;
  for (const key of ['textMessageBuffer', 'reasoningMessageBuffer', 'toolCallBuffer', 'toolCallName', 'toolCallArgs', 'outcome', 'result', 'pendingToolCallIds']) {
    if (params[key] !== undefined) says[key] = plain(params[key]);
  }
  if (params.interrupts) says.interrupts = params.interrupts.map(({ id }) => id);
  for (const key of ['message', 'activityMessage', 'existingMessage']) if (params[key]) says[key] = digest(params[key]);
  if (params.toolCall) says.toolCall = [params.toolCall.id, params.toolCall.function.name, params.toolCall.function.arguments];
  return says;
}

/** A subscriber that follows `script`, and passes each call to `note`. */
export function scripted({ answers = {}, slow = false }, note) {
  const subscriber = {};
  for (const name of callbacks) {
    let count = -1;
    const answer = () => {
      const given = (answers[name] ?? []).find((one) => one === null || one.at === undefined || one.at === count);
      if (given === undefined || given === null) return given;
      const { at, throw: words, ...mutation } = structuredClone(given);
      if (words !== undefined) throw new Error(words);
      return mutation;
    };
    subscriber[name] = (params) => {
      count++;
      if (!slow || unawaited.has(name)) {
        note(name, params);
        return answer();
      }
      return tick().then(() => (note(name, params), answer()));
    };
  }
  return subscriber;
}

/** Returns the result of a case with the official client. */
async function record(one) {
  const calls = [];
  let last = 0;
  let sent;
  class Agent extends AbstractAgent {
    run(input) {
      sent = { messages: input.messages.map(digest), state: plain(input.state) };
      return new Observable((observer) => {
        (async () => {
          for (const event of one.events) {
            observer.next(structuredClone(event));
            await settled();
          }
          if (one.fails) observer.error(new Error('lost'));
          else observer.complete();
        })();
      });
    }
  }
  /** Waits until no callback has been called for some time. */
  async function settled() {
    for (let seen = -1; seen !== last; ) {
      seen = last;
      for (let round = 0; round < 4; round++) await tick();
    }
  }
  const { messages = [], state = {} } = structuredClone(one);
  const agent = new Agent({ threadId: 't', agentId: 'a', initialMessages: messages, initialState: state });
  if (one.pendingInterrupts) agent.pendingInterrupts = structuredClone(one.pendingInterrupts);
  one.subscribers.forEach((script, index) => {
    agent.subscribe(scripted(script, (name, params) => {
      last++;
      calls.push([index, name, told(name, params)]);
    }));
  });
  const expected = {};
  const { error, warn } = console;
  console.error = console.warn = () => undefined;
  try {
    if (one.events) {
      const outcome = await agent.runAgent({ runId: 'r', ...(one.resume ? { resume: one.resume } : {}) }).catch(() => undefined);
      if (outcome === undefined) expected.rejects = true;
      else {
        expected.newMessages = outcome.newMessages.map(({ id }) => id);
        if (outcome.result !== undefined) expected.result = plain(outcome.result);
      }
    }
    for (const action of one.actions ?? []) {
      for (const [name, value] of Object.entries(action)) agent[name](structuredClone(value));
      await settled();
    }
    await settled();
  } finally {
    Object.assign(console, { error, warn });
  }
  if (sent) expected.sent = sent;
  Object.assign(expected, { messages: plain(agent.messages), state: plain(agent.state) });
  if (agent.pendingInterrupts.length > 0) expected.pendingInterrupts = agent.pendingInterrupts.map(({ id }) => id);
  return { ...one, expected: { ...expected, calls } };
}

/** Returns the text of the fixture that the current official client gives. */
export async function recorded() {
  const lines = [];
  for (const one of cases) lines.push('  ' + JSON.stringify(await record(one)));
  return `[\n${lines.join(',\n')}\n]\n`;
}

export const file = new URL('../fixtures/client/subscriber_cases.json', import.meta.url);
export const written = () => readFileSync(file, 'utf8');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(file, await recorded());

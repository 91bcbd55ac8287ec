// The stages of @ag-ui/client, one by one and as a whole. Each takes a stream (`events`, and the conversation it starts
// from) and returns an outcome in the form of tests/fixtures/stream/stream-cases.json. `as` takes single departures of the client
// away, for explain.mjs: see there.
import { require } from '../node/packages.mjs';
import { applyPatch } from './rfc6902.mjs';
import { ruleOf } from './rules.mjs';

const client = require('@ag-ui/client');
// The client looks the function up there at each call.
const patches = require('fast-json-patch');
const { from, Observable, Subject } = require('rxjs');

/** A copy of the JSON in a value; the client changes its input, and later changes objects that it has returned. */
function recorded(value) {
  if (value === undefined) return { $undefined: true };
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return { $notJson: true };
  }
}

/** Resolves when all work that waits only for promises is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function failure(error, atIndex) {
  const outcome = { error: true, atIndex, rule: ruleOf(error) };
  if (outcome.rule === 'E01') outcome.paths = error.issues.map((issue) => pointer(issue.path));
  return outcome;
}

const pointer = (path) => path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Applies patches by RFC 6902 while `work` is done. */
async function patching(as, work) {
  const { applyPatch: usual } = patches;
  if (as.rfc6902) patches.applyPatch = applyPatch;
  try {
    return await work();
  } finally {
    patches.applyPatch = usual;
  }
}

/** Gives each place in the list an object of its own; the client does not notice it. */
function unshare({ messages }) {
  messages.forEach((message, at) => {
    if (messages.indexOf(message) < at) messages[at] = structuredClone(message);
  });
}

/** The warnings that the client writes to the console while `work` is done. */
function warningsOf(work) {
  const { warn } = console;
  const lines = [];
  console.warn = (line) => lines.push(String(line));
  try {
    work();
  } finally {
    console.warn = warn;
  }
  return lines;
}

/** Does the work without output on the console. */
async function silently(work) {
  const { warn, error } = console;
  console.warn = console.error = () => {};
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, error });
  }
}

/** Sends the events through a synchronous stage. `note` receives each event that comes out, and its source event. */
function through(stage, events, note = (made) => made) {
  const source = new Subject();
  const out = [];
  let failed;
  let at = -1;
  stage(source).subscribe({
    next: (event) => out.push(note(recorded(event), events[at])),
    error: (error) => (failed = failure(error, at)),
  });
  for (const event of structuredClone(events)) {
    at += 1;
    source.next(event);
    if (failed) break;
  }
  return { out, failed };
}

export function verify({ events }) {
  const { out, failed } = through(client.verifyEvents(), events);
  return failed ?? { accepted: out.length };
}

export function chunks({ events }, as = {}) {
  const carry = (made, { type, timestamp }) =>
    type.endsWith('_CHUNK') && !made.type.endsWith('_END') && timestamp !== undefined ? { ...made, timestamp } : made;
  const { out, failed } = through(client.transformChunks(), events, as.timestamps ? carry : undefined);
  return { ...failed, events: out };
}

/** Returns the rule by which the client refuses an event of the list, with chunks expanded. The events are not changed. */
export function refusalOf(events) {
  let rule;
  const source = new Subject();
  client.verifyEvents()(client.transformChunks()(source)).subscribe({ error: (error) => (rule = ruleOf(error)) });
  for (const event of events) if (!rule) source.next(event);
  return rule;
}

export function enforce({ events }, as = {}) {
  const translate = (source) => new client.CompatibilityBoundary().run({ messages: [] }, { run: () => source });
  const stage = as.translated ? (source) => client.enforceEvents()(translate(source)) : client.enforceEvents();
  let end;
  const lines = warningsOf(() => (end = through(stage, events))).filter((line) => line.startsWith('[ag-ui][enforce]'));
  const stripped = lines.map((line) => {
    const [, dropped] = /Dropping unrecognised event '(.*)': no middleware/s.exec(line) ?? [];
    const [, path, type] = /Removed unrecognised material at '(.*)' on (.*)\. Nothing handled/s.exec(line) ?? [];
    return dropped !== undefined ? `dropped ${dropped}` : `${type} ${path}`;
  });
  const outcome = { ...end.failed, events: end.out };
  if (stripped.length && !end.failed) outcome.stripped = stripped;
  return withNumberedIds(outcome);
}

export function compact({ events }, as = {}) {
  return patching(as, () =>
    silently(() => {
      try {
        return { events: recorded(client.compactEvents(structuredClone(events))) };
      } catch (error) {
        return { ...failure(error, null), events: [] };
      }
    }),
  );
}

/** Returns the callbacks of the client's subscribers, and the messages and state of the agent at the end. */
export function apply(stream, as = {}) {
  return patching(as, () => silently(() => applied(stream, as)));
}

async function applied(stream, as) {
  const { messages = [], state = {}, pendingInterrupts } = structuredClone(stream);
  const agent = { messages, state, pendingInterrupts: pendingInterrupts ?? [] };
  const notes = { finished: [], newMessages: [], newToolCalls: [] };
  const changed = [];
  const subscriber = {
    ...(as.unshared && { onEvent: unshare }),
    onRunFinishedEvent: ({ outcome, result, pendingToolCallIds, interrupts }) =>
      void notes.finished.push(recorded({ outcome, result, pendingToolCallIds, interrupts })),
    onNewMessage: ({ message }) => void notes.newMessages.push(message.id),
    onNewToolCall: ({ toolCall }) => void notes.newToolCalls.push(toolCall.id),
  };
  const input = { threadId: 't', runId: 'r', messages, state, tools: [], context: [] };
  const source = new Subject();
  let failed;
  let at = -1;
  client.defaultApplyEvents(input, source, agent, [subscriber]).subscribe({
    next(report) {
      const parts = ['messages', 'state'].filter((part) => report[part] !== undefined);
      changed.push([at, ...parts]);
      for (const part of parts) agent[part] = report[part];
    },
    error: (error) => (failed = failure(error, at)),
  });
  for (const event of structuredClone(stream.events)) {
    at += 1;
    source.next(event);
    await settled();
    if (failed) break;
  }
  const outcome = { ...failed, messages: recorded(agent.messages), state: recorded(agent.state), changed };
  for (const [name, list] of Object.entries(notes)) if (list.length) outcome[name] = list;
  if (agent.pendingInterrupts.length || pendingInterrupts) outcome.pendingInterrupts = recorded(agent.pendingInterrupts);
  return outcome;
}

/** Returns the conversation that the events make, without the client's known faults. The events must not contain chunks. */
export function reduce(stream) {
  const work = async () => {
    const { messages = [], state = {}, pendingInterrupts = [], events } = structuredClone(stream);
    const agent = { messages, state, pendingInterrupts };
    const input = { threadId: 't', runId: 'r', messages, state, tools: [], context: [] };
    await new Promise((resolve, reject) =>
      client
        .defaultApplyEvents(input, from(events), agent, [{ onEvent: unshare }])
        .subscribe({ next: (report) => Object.assign(agent, report), error: reject, complete: resolve }),
    );
    return recorded(agent);
  };
  return patching({ rfc6902: true }, () => silently(work));
}

/** An agent whose events arrive one at a time: each after the one before is processed. */
class Arriving extends client.AbstractAgent {
  at = -1;

  constructor({ events, messages, state, pendingInterrupts }) {
    super({ threadId: 't', initialMessages: messages, initialState: state });
    this.events = structuredClone(events);
    if (pendingInterrupts) this.pendingInterrupts = structuredClone(pendingInterrupts);
  }

  run() {
    return new Observable((subscriber) => {
      const send = async () => {
        for (const event of this.events) {
          if (subscriber.closed) return;
          this.at += 1;
          subscriber.next(event);
          await settled();
        }
        subscriber.complete();
      };
      send();
    });
  }
}

/** The whole chain, as an agent's run. */
export function pipeline(stream, as = {}) {
  return patching(as, () => silently(() => ran(stream, as)));
}

async function ran(stream, as) {
  const agent = new Arriving(stream);
  if (as.unshared) agent.subscribe({ onEvent: unshare });
  let outcome;
  try {
    const { result, newMessages } = await agent.runAgent({ resume: stream.resume });
    outcome = { newMessages: newMessages.map(({ id }) => id), ...(result !== undefined && { result: recorded(result) }) };
  } catch (error) {
    outcome = failure(error, agent.at);
  }
  outcome.messages = recorded(agent.messages);
  outcome.state = recorded(agent.state);
  if (agent.pendingInterrupts.length || stream.pendingInterrupts) {
    outcome.pendingInterrupts = recorded(agent.pendingInterrupts);
  }
  return withNumberedIds(outcome);
}

/** Replaces random ids by numbers in order of appearance, as the cases have them. Ids of ours begin with their kind. */
export function withNumberedIds({ messages, newMessages, ...rest }) {
  const seen = new Map();
  return JSON.parse(
    JSON.stringify({ messages, ...rest, newMessages }).replaceAll(/(msg-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!seen.has(id)) seen.set(id, `<uuid:${seen.size + 1}>`);
      return seen.get(id);
    }),
  );
}

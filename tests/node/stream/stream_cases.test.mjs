// tests/fixtures/stream/stream-cases.json: every stage has the same results as the reference, except for the exceptions listed
// beside it.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import test from 'node:test';
import { fixture, ours, pointer } from '../packages.mjs';

const { EventPipeline, Reducer, checkResume, compactEvents, decodeEvent, enforceEvents, expandChunks, verifyEvents } = ours.stream;

const { cases } = fixture('stream-cases');
const exceptions = fixture('stream-exceptions');

/** A time in 2026, about when the cases were recorded. */
const NOW = 1_780_000_000_000;

const strict = { profile: 'strict' };
const plain = (value) => JSON.parse(JSON.stringify(value));

function isTypable(event) {
  try {
    decodeEvent(JSON.stringify(event), strict);
    return true;
  } catch {
    return false;
  }
}

/** Runs the cases of a section. Those that come out differently must be the exceptions, and all of them. */
function judge(section, outcome, { typed = true } = {}) {
  test(section, () => {
    const different = [];
    const listed = new Set(exceptions.filter((entry) => entry.section === section).map((entry) => entry.name));
    for (const one of cases.filter((one) => one.section === section)) {
      if (typed && one.schema !== undefined) continue;
      const given = plain(one.input);
      const found = plain(outcome(one));
      assert.deepEqual(one.input, given, `${one.name}: what the caller gave has been changed`);
      if (isDeepStrictEqual(found, one.expected)) continue;
      if (!listed.has(one.name)) assert.deepEqual(found, one.expected, one.name);
      different.push(one.name);
    }
    assert.deepEqual(new Set(different), listed, 'exceptions that are none any more');
  });
}

/** Returns a failure as the cases record it, with the other members that they record. */
function failed(error, rest) {
  if (!(error instanceof ours.AGUIError)) throw error;
  const found = { error: true, atIndex: error.eventIndex ?? -1, rule: error.rule ?? 'E01', ...rest };
  if (error.name === 'AGUIValidationError') found.paths = error.issues.map(({ path }) => pointer(path));
  return found;
}

/** Returns the result of `work`, or its failure with the members that `rest` returns. */
function attempt(work, rest) {
  try {
    return work();
  } catch (error) {
    return failed(error, rest(error));
  }
}

test('the strict profile refuses what the schema does', () => {
  const sections = ['verify', 'chunks', 'apply', 'compact'];
  for (const { section, name, schema, input } of cases) {
    if (sections.includes(section)) assert.equal(input.events.every(isTypable), schema === undefined, name);
  }
});

function verified(events, options) {
  const rest = (error) => {
    assert.deepEqual(error.partial, events.slice(0, error.eventIndex));
    return {};
  };
  return attempt(() => ({ accepted: verifyEvents(events, options).length }), rest);
}

judge('verify', ({ input: { events } }) => {
  const found = verified(events);
  const strictly = verified(events, strict);
  if (!isDeepStrictEqual(strictly, found)) {
    // The recorded client does not judge ids, nor what only producers are held to.
    assert.ok(strictly.rule === 'V14' || strictly.rule >= 'V40');
    assert.deepEqual(verified(events.slice(0, strictly.atIndex)), { accepted: strictly.atIndex });
  }
  return found;
});

judge('chunks', ({ input: { events } }) =>
  attempt(() => ({ events: expandChunks(events, strict) }), ({ partial }) => ({ events: partial })));

judge('compact', ({ input: { events } }) => ({ events: compactEvents(events, strict) }));

judge('enforce', ({ input: { events } }) => {
  const stripped = [];
  const onWarning = ({ code, path, eventIndex }) => {
    const { type } = events[eventIndex];
    if (code === 'unknown_event_type') stripped.push(`dropped ${type}`);
    else if (code === 'unknown_field' || code === 'unknown_variant') stripped.push(`${type} ${path}`);
  };
  const found = attempt(() => ({ events: enforceEvents(events, { onWarning }) }), ({ partial }) => ({ events: partial }));
  return stripped.length > 0 && !found.error ? { ...found, stripped } : found;
}, { typed: false });

test('a pipeline that does nothing else enforces', () => {
  for (const { name, input } of cases.filter(({ section }) => section === 'enforce')) {
    const pipeline = new EventPipeline({ expand: false, verify: false, reduce: false });
    const bytes = Buffer.from(input.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    const outcome = (work) => attempt(() => ({ events: work() }), ({ partial, code }) => ({ events: partial, code }));
    const [{ events, code }, enforced] = [() => pipeline.feed(bytes), () => enforceEvents(input.events)].map(outcome);
    assert.deepEqual({ events, code }, { events: enforced.events, code: enforced.code }, name);
  }
});

/** Records what the reference passed to its subscribers. */
class Notes {
  finished = [];
  newMessages = [];
  newToolCalls = [];
  changed = [];
  result = undefined;

  take(index, event, changes) {
    for (const { kind, target, value } of changes) {
      if (kind === 'message_ended') this.newMessages.push(target.id);
      if (kind === 'call_ended') this.newToolCalls.push(target.id);
      if (kind === 'run_finished') this.finished.push(value);
    }
    const kinds = new Set(changes.map(({ kind }) => kind));
    const state = ['state_set', 'state_patched'].some((kind) => kinds.delete(kind));
    for (const quiet of ['message_ended', 'call_ended', 'run_finished', 'run_failed', 'interrupts_set', 'patch_failed']) kinds.delete(quiet);
    // Some events count as changing messages even where nothing differs.
    const counts = event.type === 'ACTIVITY_SNAPSHOT' || (event.type === 'RUN_STARTED' && event.input?.messages !== undefined);
    const parts = [...(kinds.size > 0 || counts ? ['messages'] : []), ...(state ? ['state'] : [])];
    if (parts.length > 0) this.changed.push([index, ...parts]);
  }
}

function outcomeOf({ messages, state, pendingInterrupts }, input) {
  const shown = pendingInterrupts.length > 0 || input.pendingInterrupts !== undefined;
  return { messages, state, ...(shown && { pendingInterrupts }) };
}

judge('apply', ({ input, expected }) => {
  const notes = new Notes();
  const { events, ...given } = input;
  const reducer = new Reducer({ ...given, ...strict, onPatchFailure: 'flag' });
  const failure = attempt(
    () => events.forEach((event, index) => notes.take(index, event, reducer.apply(event))),
    () => ({}),
  );
  // A change says that a run was interrupted; the interrupts are the conversation's.
  for (const end of expected.finished ?? []) delete end.interrupts;
  const { finished, newMessages, newToolCalls, changed } = notes;
  const lists = Object.entries({ finished, newMessages, newToolCalls }).filter(([, list]) => list.length > 0);
  return { ...failure, ...outcomeOf(reducer, input), changed, ...Object.fromEntries(lists) };
});

judge('pipeline', ({ input }) => {
  const notes = new Notes();
  const before = new Set((input.messages ?? []).map(({ id }) => id));
  const { events, resume, ...given } = input;
  let pipeline = given;
  const failure = attempt(() => {
    checkResume(given.pendingInterrupts ?? [], resume, NOW);
    pipeline = new EventPipeline(given);
    // The reference accepts a stream that ends early; so does a pipeline that is not closed.
    events.forEach((event, index) => notes.take(index, event, pipeline.feed(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))));
  }, () => ({}));
  const { messages = [], state = {}, pendingInterrupts = [] } = pipeline;
  const outcome = outcomeOf({ messages, state, pendingInterrupts }, input);
  if (failure) return numbered({ ...failure, ...outcome });
  const result = notes.finished.at(-1)?.result;
  const newMessages = messages.map(({ id }) => id).filter((id) => !before.has(id));
  return numbered({ ...outcome, ...(result !== undefined && { result }), newMessages });
}, { typed: false });

/** Replaces random ids by numbers in order of appearance, as the cases have them. Ids of ours begin with their kind. */
function numbered(outcome) {
  const seen = new Map();
  const name = (id) => seen.get(id) ?? (seen.set(id, `<uuid:${seen.size + 1}>`), seen.get(id));
  return JSON.parse(JSON.stringify(outcome).replace(/(msg-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name));
}

// The stream functions of `/client` beside those of @ag-ui/client: the same events, the same failures at the same places, at the
// same time.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ruleOf } from '../../differential/rules.mjs';
import { streamOf } from '../../differential/streams.mjs';
import { fixture, require } from '../packages.mjs';

const ours = require('ag-ui-native/operators');
const official = require('@ag-ui/client');
const rxjs = require('rxjs');
console.warn = () => {};

const { cases } = fixture('stream-cases');
const exceptions = fixture('stream-exceptions');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const opened = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const piece = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' };
const closed = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
const chunk = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'x' };
const run = [started, opened, piece, closed, finished];

const { compactEvents: compactAll, enforceEvents: enforceAll, EventVerifier } = require('ag-ui-native/stream');
const strict = { profile: 'strict' };
const relay = { profile: 'relay' };

const attempt = (work) => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

const failure = (work) => {
  try {
    return void work();
  } catch (error) {
    return error;
  }
};

const plain = (value) => JSON.parse(JSON.stringify(value));

/** Returns the result of a stream of these events: events, and the rule and place of the failure. */
function outcome(operator, events) {
  const found = { events: [] };
  let at = -1;
  const source = new rxjs.Observable((subscriber) => {
    for (const event of events) {
      at++;
      subscriber.next(event);
      if (subscriber.closed) return;
    }
    subscriber.complete();
  });
  source.pipe(operator).subscribe({
    next: (event) => found.events.push(plain(event)),
    error: (error) => Object.assign(found, { error, at }),
    complete: () => { found.complete = true; },
  });
  return found;
}

/** Returns a result in a form that can be compared. */
function comparable({ error, ...found }) {
  return error ? { ...found, rule: error.rule ?? (error.name === 'AGUIValidationError' ? 'shape' : ruleOf(error)) } : found;
}

/** Rules about shapes: typed events cannot break them, so our stages report an invalid shape instead. */
const SHAPES = ['V05', 'V06', 'V07', 'V08', 'V09', 'V10', 'V11', 'V27', 'V28', 'V32'];

const different = new Set();

function compare(name, events, what) {
  const expected = comparable(outcome(official[name](), events));
  const found = comparable(outcome(ours[name](), events));
  if (SHAPES.includes(expected.rule)) expected.rule = 'shape';
  // An event with a wrong shape may break other rules, or none.
  if ((found.rule === 'shape') !== (expected.rule === 'shape')) {
    assert.equal(attempt(() => enforceAll(events, strict)), undefined, what);
    different.add(what);
    return found;
  }
  assert.deepEqual(found, expected, what);
  return found;
}

/**
 * Cases of shapes that ours checks less or otherwise: a run event has no tag, and the kind of a subagent's end does not affect the order.
 */
const others = [
  'null tag on RUN_STARTED',
  'subagent outcome of another type',
  'subagent outcome without a type',
  'outcome is also judged on SUBAGENT_STARTED',
  'snapshot message without a string id is skipped before the null check',
  'snapshot with null messages',
];

/** Removes time stamps, which the reference loses in chunks, and null members, which it keeps for absent ones. */
const bare = (events) => events.map((event) => Object.fromEntries(Object.entries(event).filter(([key, value]) => key !== 'timestamp' && value !== null)));

test('verification of the recorded cases', () => {
  const rules = new Set();
  for (const { section, name, input } of cases) {
    if (section !== 'verify') continue;
    rules.add(compare('verifyEvents', input.events, name).rule);
  }
  assert.deepEqual([...different], others);
  assert.ok(rules.size > 25);
});

test('expansion of the recorded cases', () => {
  for (const { section, name, input } of cases) if (section === 'chunks') compare('transformChunks', bare(input.events), name);
});

test('enforcement of the recorded cases', () => {
  const listed = new Set(exceptions.filter(({ section }) => section === 'enforce').map(({ name }) => name));
  for (const { section, name, input } of cases) {
    if (section !== 'enforce' || listed.has(name)) continue;
    const [expected, found] = [official, ours].map((client) => outcome(client.enforceEvents(), input.events));
    assert.deepEqual([found.events, found.at, found.error === undefined], [expected.events, expected.at, expected.error === undefined], name);
  }
});

test('compaction of the recorded cases', () => {
  const listed = new Set(exceptions.filter(({ section }) => section === 'compact').map(({ name }) => name));
  for (const { section, name, input } of cases) {
    if (section !== 'compact') continue;
    const before = plain(input.events);
    const found = plain(ours.compactEvents(input.events));
    assert.deepEqual(plain(input.events), before, name);
    if (!listed.has(name)) assert.deepEqual(found, plain(official.compactEvents(before)), name);
    // Code without core has the same result as core.
    assert.deepEqual(found, plain(compactAll(before, relay)), name);
  }
});

test('random streams', () => {
  const seen = new Set();
  for (let seed = 1; seed <= 600; seed++) {
    const { events } = streamOf(seed);
    if (!Array.isArray(events)) continue;
    const what = `seed ${seed}`;
    const expanded = compare('transformChunks', bare(events), what);
    seen.add(expanded.rule).add(compare('verifyEvents', expanded.events, what).rule);
    seen.add(compare('verifyEvents', events, what).rule);
    const whole = attempt(() => plain(compactAll(events, relay)));
    // Ours reads less of an event, so it refuses less.
    if (whole) assert.deepEqual(plain(ours.compactEvents(events)), whole, what);
  }
  assert.ok(seen.size > 20, [...seen].join());
});

test('what was said of other streams counts for those that begin as they do', () => {
  const custom = { type: 'CUSTOM', name: 'n', value: 1 };
  const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'user', content: 'x' }] };
  const begun = { ...started, input: { ...started, messages: snapshot.messages, tools: [], context: [] } };
  const failed = { type: 'RUN_ERROR', message: 'x' };
  const odd = [started, finished, begun, failed, custom, snapshot, opened, piece, closed, { ...opened, subagentRunId: 's' }];
  let state = 1;
  const next = (below) => (state = (state * 48271) % 0x7fffffff) % below;
  const rules = new Set();
  for (let stream = 0; stream < 2000; stream++) {
    // Of few runs first, then of more than is kept.
    const runs = Array.from({ length: next(stream < 1000 ? 3 : 40) }, () => [started, ...[[], [custom], [snapshot, custom]][next(3)], finished]);
    const events = [...runs.flat(), ...Array.from({ length: 4 }, () => odd[next(odd.length)])];
    const { rule } = compare('verifyEvents', events, JSON.stringify(events));
    rules.add(rule);
    const { error } = outcome(ours.verifyEvents(), events);
    const verifier = new EventVerifier(relay);
    const said = events.map((event) => failure(() => verifier.check(event))).find((failed) => failed);
    assert.deepEqual([error?.rule, error?.eventIndex], [said?.rule, said?.eventIndex], JSON.stringify(events));
  }
  assert.ok(rules.size > 7, [...rules].join());
});

/** Every time something happens. */
function timeline(name, work) {
  const [expected, found] = [official, ours].map((client) => {
    const told = [];
    work(client[name], (...what) => told.push(plain(what)));
    return told;
  });
  assert.deepEqual(found, expected);
  return found;
}

const operators = ['verifyEvents', 'transformChunks', 'enforceEvents'];

test('what comes out is of the class of what goes in', () => {
  for (const name of operators) {
    for (const source of [rxjs.from(run), new rxjs.Subject(), new rxjs.BehaviorSubject(started)]) {
      const made = ours[name]()(source);
      assert.ok(made instanceof rxjs.Observable, name);
      assert.equal(typeof made.pipe, 'function');
    }
  }
});

test('who subscribes for another has what is the other\'s own', () => {
  class Stream {
    constructor(start) {
      this.subscribe = start;
    }
    subscribe() {}
  }
  class Listener {
    closed = false;
    taken = [];
    constructor(name) {
      this.name = name;
    }
    next({ type }) {
      this.taken.push(type);
    }
    error() {}
    complete() {}
    add() {}
    remove() {}
    unsubscribe() {
      this.closed = true;
    }
  }
  const seen = [];
  const source = new Stream((link) => {
    link.next(started);
    seen.push(link instanceof Listener, link.name, link.closed);
    link.name = 'mine';
    link.unsubscribe();
    seen.push(link.name, link.closed);
    return link;
  });
  for (const name of ['one', 'other']) {
    const listener = new Listener(name);
    ours.verifyEvents()(source).subscribe(listener);
    assert.deepEqual([listener.name, listener.closed, listener.taken], [name, true, ['RUN_STARTED']]);
  }
  assert.deepEqual(seen, [true, 'one', false, 'mine', true, true, 'other', false, 'mine', true]);
});

test('events come at once', () => {
  for (const name of operators) {
    timeline(name, (make, tell) => {
      const source = new rxjs.Subject();
      source.pipe(make()).subscribe({ next: ({ type }) => tell(type), complete: () => tell('complete') });
      for (const event of run) {
        tell('before', event.type);
        source.next(event);
      }
      source.complete();
    });
  }
});

test('unsubscribing travels upstream, even while the source is subscribing', () => {
  for (const name of operators) {
    const told = timeline(name, (make, tell) => {
      const endless = new rxjs.Observable((subscriber) => {
        subscriber.add(() => tell('released'));
        for (let at = 0; at < 100 && !subscriber.closed; at++) {
          tell('next');
          subscriber.next(at === 0 ? started : { type: 'CUSTOM', name: 'n', value: at });
        }
        tell('left');
      });
      endless.pipe(make(), rxjs.take(3)).subscribe({ next: ({ type }) => tell(type), complete: () => tell('complete') });
      const subject = new rxjs.Subject();
      const subscription = subject.pipe(make()).subscribe(() => {});
      tell(subject.observed);
      subscription.unsubscribe();
      tell(subject.observed);
    });
    assert.ok(told.length < 15);
  }
});

test('failures end the stream and let the source go', () => {
  const bad = { verifyEvents: closed, transformChunks: { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' }, enforceEvents: { ...piece, delta: 5 } };
  for (const name of operators) {
    timeline(name, (make, tell) => {
      const subject = new rxjs.Subject();
      subject.pipe(make()).subscribe({ next: ({ type }) => tell(type), error: (error) => tell('error', error instanceof Error), complete: () => tell('complete') });
      for (const event of [started, bad[name], piece]) {
        subject.next(event);
        tell(subject.observed);
      }
    });
    timeline(name, (make, tell) => {
      rxjs.concat(rxjs.of(started), rxjs.throwError(() => 'broken')).pipe(make()).subscribe({ next: ({ type }) => tell(type), error: (error) => tell(error) });
    });
  }
});

test('events that are sent while others are taken', () => {
  for (const name of operators) {
    timeline(name, (make, tell) => {
      const subject = new rxjs.Subject();
      subject.pipe(make()).subscribe((event) => {
        tell(event);
        if (event.type === 'RUN_STARTED') subject.next(opened);
        if (event.type === 'TEXT_MESSAGE_START' && name !== 'transformChunks') subject.next(piece);
      });
      subject.next(started);
      subject.next(name === 'transformChunks' ? chunk : closed);
      subject.next(finished);
    });
  }
});

test('an event that passes is the caller\'s own, and none is changed', () => {
  for (const name of operators) {
    const events = [started, opened, piece, piece, { type: 'CUSTOM', name: 'n', value: [1] }, closed, finished].map((event) => Object.freeze({ ...event }));
    const passed = [];
    ours[name]()(rxjs.from(events)).subscribe((event) => passed.push(event));
    assert.equal(passed.length, events.length);
    passed.forEach((event, at) => assert.equal(event, events[at]));
  }
});

test('what verification and expansion do not look at may be anything', () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const events = [started, { type: 'CUSTOM', name: 5, value: 10n }, { type: 'RAW', event: cyclic }, { type: 'NEW', x: () => 1 }, { ...opened, role: 'wizard' }, { ...piece, delta: undefined, rawEvent: cyclic }, closed, finished];
  for (const name of ['verifyEvents', 'transformChunks']) {
    for (const client of [ours, official]) {
      const passed = [];
      rxjs.from(events).pipe(client[name]()).subscribe((event) => passed.push(event));
      assert.deepEqual(passed, events);
    }
  }
  const carried = [];
  rxjs.from([{ ...chunk, rawEvent: cyclic }, { ...chunk, rawEvent: cyclic, delta: undefined }, { ...chunk, rawEvent: cyclic }]).pipe(ours.transformChunks()).subscribe((event) => carried.push(event));
  assert.deepEqual(carried.map(({ rawEvent, delta }) => [rawEvent === cyclic, delta]), [[false, undefined], [true, 'x'], [true, ''], [true, 'x']]);
});

test('errors name the event by its place, whatever has passed before it', () => {
  const pieces = Array.from({ length: 50 }, () => ({ ...piece }));
  const { error, at } = outcome(ours.verifyEvents(), [started, opened, ...pieces, { ...piece, messageId: 'other' }]);
  assert.deepEqual([error.rule, error.eventIndex, at, error.eventType], ['V13', 52, 52, 'TEXT_MESSAGE_CONTENT']);
  const chunks = Array.from({ length: 50 }, () => ({ ...chunk }));
  const lost = outcome(ours.transformChunks(), [...chunks, { type: 'TOOL_CALL_CHUNK', delta: '{' }]).error;
  assert.deepEqual([lost.rule, lost.eventIndex], ['C05', 50]);
});

test('sources without a library', async () => {
  class Minimal {
    constructor(subscribe) {
      this.begin = subscribe;
    }
    subscribe(observer) {
      const subscription = { closed: false, unsubscribe: () => { subscription.closed = true; end?.unsubscribe?.(); } };
      observer.start?.(subscription);
      const end = this.begin({ next: (value) => subscription.closed || observer.next(value), error: (error) => observer.error(error), complete: () => observer.complete(), get closed() { return subscription.closed; } });
      return subscription;
    }
  }
  const minimal = ours.verifyEvents()(new Minimal((observer) => {
    run.forEach((event) => observer.next(event));
    observer.complete();
  }));
  assert.ok(minimal instanceof Minimal);
  const told = [];
  minimal.subscribe({ next: ({ type }) => told.push(type), error: assert.fail, complete: () => told.push('complete') });
  assert.deepEqual(told, [...run.map(({ type }) => type), 'complete']);

  async function* later() {
    yield* run;
  }
  for (const source of [run, later()]) {
    const events = [];
    for await (const event of ours.transformChunks()(source)) events.push(event);
    assert.deepEqual(events, run);
  }
  await assert.rejects(async () => {
    for await (const event of ours.verifyEvents()([started, piece])) assert.equal(event, started);
  }, { rule: 'V13' });
  const three = ours.verifyEvents()(later()).pipe(rxjs.map(({ type }) => type), rxjs.take(3), rxjs.toArray());
  assert.deepEqual(await rxjs.firstValueFrom(rxjs.from(three)), run.slice(0, 3).map(({ type }) => type));
});

test('debug prints what happens', () => {
  const lines = [];
  const { debug } = console;
  console.debug = (...line) => lines.push(line[0]);
  try {
    rxjs.from(run).pipe(ours.verifyEvents(true), ours.transformChunks(false)).subscribe(() => {});
  } finally {
    console.debug = debug;
  }
  assert.deepEqual(lines, Array(5).fill('[VERIFY] Event:'));
  assert.equal(ours.resolveDebugLogger(null), undefined);
  assert.equal(ours.createDebugLogger(ours.resolveAgentDebugConfig({ events: false, lifecycle: false })), undefined);
});

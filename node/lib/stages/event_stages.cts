import { type Projections, projectionsOf, TAG } from './projection.cjs';
import { Engine, FEW_MARKS } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Projection } from '../generated/projections.cjs';
import { type Feed, native } from '../native/native.cjs';
import { readStageOutput } from './stage_output.cjs';
import { MessageOwners } from './message_owners.cjs';

// Stages that take events one at a time as the caller's objects: a stage reads the projection of an event and checks nothing else. An
// event that equals an earlier one since the last change of the stage has the same result without crossing: most events of a stream do.
// Without these classes each event crosses as JSON text: then 29 of the 30 rows of verifyEvents, transformChunks and expandChunks in
// docs/performance.md are slower than the official functions, at 0.004x to 0.74x. Without one part, the row that it helps most takes
// longer: TypeCache 6.3x (text), ContinuedChunk 14x (chunks), ReopenedStream 1.5x (chunks of short messages, 0.69x of the official
// function), MessageOwners 52x (messages snapshots), Engine.step 2.8x (short messages), Form in declared.cts 3.5x (lists).

/** Reads the output of a stage for one event: the caller's object, or events from JSON text. */
export function readStageEvents(text: string, marks: Uint32Array, given: unknown): BaseEvent[] {
  return readStageOutput(text, marks, () => given as BaseEvent);
}

/** The options of the stages. */
const VERIFYING = '{"profile":"relay","refuseNulls":true}';
const EXPANDING = '{"profile":"relay"}';

/** Returns an engine whose stage is made at its first use: a stream without chunks needs no stage that expands them. */
function lazyEngine(name: 'verify' | 'expand', options: string): Engine<BaseEvent> {
  let made: Feed | undefined;
  const feed: Feed = (input, marks, extra, one, two, three) =>
    (made ??= native().createStage(name, options) as Feed)(input, marks, extra, one, two, three);
  return new Engine<BaseEvent>(feed, readStageEvents, undefined, FEW_MARKS);
}

/** Returns true if the projected members of an event equal these values. */
function hasValues(event: BaseEvent, { keys }: Projection, values: readonly unknown[]): boolean {
  for (let at = 0; at < keys.length; at++) if (event[keys[at]!] !== values[at]) return false;
  return true;
}

const valuesOf = (event: BaseEvent, { keys }: Projection): unknown[] => keys.map((key) => event[key]);

/** A stage that takes events one at a time. */
export interface EventStage {
  /** Reads the projection of an event and returns the resulting events. */
  take(event: BaseEvent): readonly BaseEvent[];
  /** Reads a whole event and returns the resulting events. */
  whole(event: BaseEvent): readonly BaseEvent[];
}

/** Validates events by the rules of a profile. Events that are exactly as declared pass unchanged. */
export class EnforceStage implements EventStage {
  readonly #engine: Engine<BaseEvent>;

  constructor(engine: Engine<BaseEvent>) {
    this.#engine = engine;
  }

  take(event: BaseEvent): BaseEvent[] {
    this.#engine.skipped++;
    return [event];
  }

  whole(event: BaseEvent): BaseEvent[] {
    return this.#engine.event(event);
  }
}

/** Verifies the order of events. */
export class VerifyStage implements EventStage {
  readonly #engine: Engine<BaseEvent>;
  readonly #cache = new TypeCache<unknown[]>();
  readonly #owners: MessageOwners;

  constructor(engine = lazyEngine('verify', VERIFYING)) {
    this.#engine = engine;
    this.#owners = new MessageOwners(engine);
  }

  whole(event: BaseEvent): BaseEvent[] {
    this.#cache.clear();
    this.#owners.flush();
    return this.#engine.event(event);
  }

  take(event: BaseEvent): BaseEvent[] {
    if (event.type === 'RUN_STARTED' || event.type === 'RUN_FINISHED') this.#runBoundary(event);
    else this.check(event);
    return [event];
  }

  /**
   * Processes the beginning or the end of a run. Core gets the whole event, because a profile checks ids that do not affect the
   * order.
   */
  #runBoundary(event: BaseEvent): void {
    this.#cache.clear();
    this.#engine.event(event);
    if (event.type === 'RUN_STARTED') this.#owners.begin(event);
  }

  /** @throws AGUISequenceError (a V rule) for an event that is not allowed now; it changes nothing */
  check(event: BaseEvent): void {
    const projection = verifyProjections.get(event.type);
    const update = projection === undefined ? null : projection.ownersUpdate;
    if (update === 'adds') return this.#verify(this.#owners.hold(event) ? NO_MESSAGES : this.#withOwners(event), projection);
    this.#verify(event, projection);
    if (update === 'begins') this.#owners.begin(event);
  }

  /** Passes the held messages to core, before an event that depends on their owners. */
  #withOwners(event: BaseEvent): BaseEvent {
    if (this.#owners.flush()) this.#cache.clear();
    return event;
  }

  #verify(event: BaseEvent, projection: Projection | undefined): void {
    const cached = projection && this.#cache.at(projection.place);
    if (cached !== undefined && hasValues(event, projection!, cached)) {
      this.#engine.skipped++;
      return;
    }
    if (event[TAG] !== undefined) this.#withOwners(event);
    if (projection === undefined || this.#engine.step(event, projection) === undefined) this.#engine.project(event, projection, true);
    if (!this.#engine.isSame) this.#cache.clear();
    else if (projection !== undefined) this.#cache.put(projection.place, valuesOf(event, projection));
  }
}

/** Replaces a snapshot whose messages are held. */
const NO_MESSAGES = { type: 'MESSAGES_SNAPSHOT', messages: [] } as unknown as BaseEvent;

const verifyProjections: Projections = projectionsOf('verify');
const expandProjections: Projections = projectionsOf('expand');

/** The result of a chunk that continued the open stream. */
interface ContinuedChunk {
  values: unknown[];
  /** The members of the chunk, in order. */
  shape: string[];
  /** The resulting event, and the members that are copied from the chunk. */
  event: BaseEvent;
  carried: string[];
}

/** The result of a chunk that closed a stream and opened another of the same form. */
interface ReopenedStream {
  type: BaseEvent['type'];
  projection: Projection;
  /** The member with the id, and the values of the projected members. */
  key: string;
  values: unknown[];
  shape: string[];
  /** The resulting END, START and CONTENT events. */
  events: BaseEvent[];
  /** The id of the stream that is open. */
  id: string;
}

/** Core checks longer ids, because it has a limit for them. */
const LONG = 1_024;

/** Expands chunk events to START, CONTENT and END events. */
export class ExpandStage implements EventStage {
  readonly #engine: Engine<BaseEvent>;
  readonly #unchanged = new TypeCache<unknown[]>();
  readonly #continued = new TypeCache<ContinuedChunk>();
  #reopened: ReopenedStream | undefined;
  /** True if core knows a stream of the same form, but not the one that is open. */
  #isAhead = false;
  /** False before the first chunk: then no stream is open that an event could close. */
  #hasChunks = false;

  constructor(engine = lazyEngine('expand', EXPANDING)) {
    this.#engine = engine;
  }

  whole(event: BaseEvent): BaseEvent[] {
    this.#hasChunks = true;
    this.#catchUp();
    this.#forget();
    return this.#engine.event(event);
  }

  /** @throws AGUISequenceError (a C rule) for a chunk that does not fit; it changes nothing */
  take(event: BaseEvent): BaseEvent[] {
    const projection = expandProjections.get(event.type);
    if (projection !== undefined && projection.marks.length > 0) return this.#chunk(event, projection);
    if (projection === undefined || (!this.#hasChunks && hasValidTag(event, projection))) {
      this.#engine.skipped++;
      return [event];
    }
    const cached = this.#unchanged.at(projection.place);
    if (cached !== undefined && hasValues(event, projection, cached)) {
      this.#engine.skipped++;
      return [event];
    }
    this.#catchUp();
    const events = this.#engine.project(event, projection);
    if (this.#engine.isSame) this.#unchanged.put(projection.place, valuesOf(event, projection));
    else this.#forget();
    return events;
  }

  #chunk(event: BaseEvent, projection: Projection): BaseEvent[] {
    this.#hasChunks = true;
    const cached = this.#continued.at(projection.place);
    if (cached !== undefined && hasValues(event, projection, cached.values) && hasMembers(event, cached.shape)) {
      this.#engine.skipped++;
      const next = { ...cached.event };
      for (const mark of cached.carried) next[mark] = event[mark];
      return [next];
    }
    const reopened = this.#reopen(event, projection);
    if (reopened !== undefined) return reopened;
    this.#catchUp();
    // A member that is null counts as absent. The stage must see undeclared members, because it copies them.
    const plain = hasNulls(event, projection) ? withoutNulls(event, projection) : event;
    if (!hasDeclared(event, projection)) return this.whole(plain);
    const events = this.#engine.project(plain, projection);
    const last = events[events.length - 1];
    const template = last && { ...last };
    for (const mark of projection.marks) {
      const value = event[mark];
      if (value !== undefined) for (const one of events) if (mark in one) one[mark] = value;
    }
    const [isSame, isLast] = [this.#engine.isSame, this.#engine.isLast];
    if (!isSame) this.#forget();
    if (this.#engine.isNext) this.#recordReopened(event, projection, events);
    if (template !== undefined && (isLast || (isSame && events.length === 1))) this.#remember(event, projection, template);
    return events;
  }

  #remember(event: BaseEvent, projection: Projection, template: BaseEvent): void {
    const shape: string[] = [];
    const carried: string[] = [];
    for (const key in event) {
      if (event[key] === undefined) return;
      shape.push(key);
      if (!projection.marks.includes(key)) continue;
      if (!(key in template)) return;
      carried.push(key);
    }
    this.#continued.put(projection.place, { values: valuesOf(event, projection), shape, event: template, carried });
  }

  #recordReopened(event: BaseEvent, projection: Projection, events: readonly BaseEvent[]): void {
    const key = projection.keys.find((key) => key !== TAG)!;
    const shape = Object.keys(event);
    const id = event[key];
    if (typeof id !== 'string' || shape.some((member) => event[member] === undefined)) return;
    this.#reopened = { type: event.type, projection, key, values: valuesOf(event, projection), shape, events: events.map((one) => ({ ...one })), id };
  }

  /** Returns the events of a chunk that closes a stream and opens another of the same form. Undefined if core must expand the chunk. */
  #reopen(event: BaseEvent, projection: Projection): BaseEvent[] | undefined {
    const reopened = this.#reopened;
    if (reopened === undefined || reopened.projection !== projection || !hasMembers(event, reopened.shape)) return undefined;
    const { key, values, events } = reopened;
    const id = event[key];
    if (typeof id !== 'string' || id === reopened.id || id.length > LONG || !isWellFormed(id)) return undefined;
    for (let at = 0; at < values.length; at++) if (projection.keys[at] !== key && event[projection.keys[at]!] !== values[at]) return undefined;
    const made: BaseEvent[] = [];
    for (let at = 0; at < events.length; at++) {
      const one = { ...events[at]!, [key]: at === 0 ? reopened.id : id };
      if (at > 0) for (const mark of projection.marks) if (mark in one) one[mark] = event[mark];
      made.push(one);
    }
    reopened.id = id;
    this.#isAhead = true;
    this.#engine.skipped++;
    const known = this.#continued.at(projection.place);
    if (known !== undefined) this.#continued.put(projection.place, { ...known, values: valuesOf(event, projection), event: { ...known.event, [key]: id } });
    return made;
  }

  /** Opens in core the stream that is open here. */
  #catchUp(): void {
    if (!this.#isAhead) return;
    const { type, projection, key, values, id } = this.#reopened!;
    this.#isAhead = false;
    const chunk: Record<string, unknown> = { type };
    projection.keys.forEach((member, at) => (chunk[member] = member === key ? id : values[at]));
    this.#engine.skipped--;
    this.#engine.project(chunk as unknown as BaseEvent, projection);
  }

  #forget(): void {
    this.#unchanged.clear();
    this.#continued.clear();
    this.#reopened = undefined;
  }
}

/** Returns true if an event has a valid tag, or no tag where none is required. */
function hasValidTag(event: BaseEvent, { strings }: Projection): boolean {
  const tag = event[TAG];
  if (tag === undefined) return strings === null || strings[0] !== TAG;
  return typeof tag === 'string' && tag.length <= LONG && isWellFormed(tag);
}

function hasMembers(event: BaseEvent, shape: readonly string[]): boolean {
  let at = 0;
  for (const key in event) if (key !== shape[at++] || event[key] === undefined) return false;
  return at === shape.length;
}

const isWellFormed = (text: string) => (text as unknown as { isWellFormed(): boolean }).isWellFormed();

function hasNulls(event: BaseEvent, { keys }: Projection): boolean {
  for (let at = 0; at < keys.length; at++) if (event[keys[at]!] === null) return true;
  return false;
}

function withoutNulls(event: BaseEvent, { keys }: Projection): BaseEvent {
  const isNull = (key: string) => keys.includes(key) && event[key] === null;
  return Object.fromEntries(Object.entries(event).filter(([key]) => !isNull(key))) as BaseEvent;
}

function hasDeclared(event: BaseEvent, { keys, marks }: Projection): boolean {
  for (const key in event) if (key !== 'type' && !keys.includes(key) && !marks.includes(key)) return false;
  return true;
}

/** A cache of one entry for each event type. A change of the stage clears it. */
class TypeCache<T> {
  #entries: (T | undefined)[] = [];
  #isEmpty = true;

  at(place: number): T | undefined {
    return this.#entries[place];
  }

  put(place: number, entry: T): void {
    this.#entries[place] = entry;
    this.#isEmpty = false;
  }

  clear(): void {
    if (!this.#isEmpty) this.#entries.fill(undefined);
    this.#isEmpty = true;
  }
}

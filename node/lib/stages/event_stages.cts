import { type Looks, looksOf, TAG } from './projection.cjs';
import { Engine, FEW_MARKS } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Projection } from '../generated/projections.cjs';
import { type Feed, native } from '../native/native.cjs';
import { readStageOutput } from './stage_output.cjs';
import { Seeds } from './message_owners.cjs';
import { Standing } from './transitions.cjs';

// Stages that take events one at a time, as they are: a stage reads what it looks at, and nothing else is judged. An event that
// is as one before, since which nothing has changed for the stage, comes to the same without crossing: most of a stream's do.

/** What a stage makes of one event: the caller's own, or made of JSON text. */
export function readOwn(text: string, marks: Uint32Array, given: unknown): BaseEvent[] {
  return readStageOutput(text, marks, () => given as BaseEvent);
}

/** How stages read what they look at. */
const VERIFYING = '{"profile":"relay","refuseNulls":true}';
const EXPANDING = '{"profile":"relay"}';

/** An engine of a stage that is not made before it is asked. */
function lazyEngine(make: () => Feed | string): Engine<BaseEvent> {
  let made: Feed | undefined;
  const feed: Feed = (input, marks, extra, one, two, three) => (made ??= make() as Feed)(input, marks, extra, one, two, three);
  return new Engine<BaseEvent>(feed, readOwn, undefined, FEW_MARKS);
}

/** True if an event's members are those of one before. */
function isAsBefore(event: BaseEvent, { keys }: Projection, values: readonly unknown[]): boolean {
  for (let at = 0; at < keys.length; at++) if (event[keys[at]!] !== values[at]) return false;
  return true;
}

const valuesOf = (event: BaseEvent, { keys }: Projection): unknown[] => keys.map((key) => event[key]);

/** A stage that takes events one at a time. */
export interface Steps {
  /** Takes an event of which it reads what it looks at, and returns what comes of it. */
  take(event: BaseEvent): readonly BaseEvent[];
  /** Takes an event that is to be read whole. */
  whole(event: BaseEvent): readonly BaseEvent[];
}

/** Reads events by the rules of a profile: what is plainly as declared is left as it is. */
export class Enforcing implements Steps {
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
export class Verifying implements Steps {
  readonly #engine: Engine<BaseEvent>;
  readonly #before = new Before<unknown[]>();
  readonly #seeds: Seeds;
  /** As long as others have stood where this one stands. */
  #standing: Standing | undefined;

  constructor(engine?: Engine<BaseEvent>) {
    this.#standing = engine ? undefined : new Standing();
    this.#engine = engine ?? lazyEngine(() => this.#stage());
    this.#seeds = new Seeds(this.#engine);
  }

  #stage(): Feed {
    const stage = native().createStage('verify', VERIFYING) as Feed;
    this.#engine.skipped -= this.#standing!.show(stage);
    return stage;
  }

  whole(event: BaseEvent): BaseEvent[] {
    this.#before.clear();
    this.#seeds.show();
    return this.#engine.event(event);
  }

  take(event: BaseEvent): BaseEvent[] {
    if (event.type === 'RUN_STARTED' || event.type === 'RUN_FINISHED') this.#bound(event);
    else this.check(event);
    return [event];
  }

  /** The beginning or the end of a run. A profile judges ids, which the order does not depend on, so core sees all of it. */
  #bound(event: BaseEvent): void {
    this.#before.clear();
    this.#engine.event(event);
    if (event.type === 'RUN_STARTED') this.#seeds.begin(event);
  }

  /** @throws AGUISequenceError (a V rule) for an event that may not come next; it changes nothing */
  check(event: BaseEvent): void {
    const look = verifyLooks.get(event.type);
    const seeds = look === undefined ? null : look.ownersUpdate;
    if (seeds === 'adds') return this.#judge(this.#seeds.take(event) ? NO_MESSAGES : this.#shown(event), look);
    this.#judge(event, look);
    if (seeds === 'begins') this.#seeds.begin(event);
  }

  /** An event that depends on whose messages are, or says it. */
  #shown(event: BaseEvent): BaseEvent {
    if (this.#seeds.show()) this.#before.clear();
    return event;
  }

  #judge(event: BaseEvent, look: Projection | undefined): void {
    const before = look && this.#before.at(look.place);
    if (before !== undefined && isAsBefore(event, look!, before)) {
      this.#engine.skipped++;
      return;
    }
    const isBare = look !== undefined && this.#standing !== undefined && hasNothing(event, look);
    let isSame = isBare ? this.#standing!.take(look) : undefined;
    if (isSame !== undefined) {
      this.#engine.skipped++;
    } else {
      if (event[TAG] !== undefined) this.#shown(event);
      if (look === undefined || this.#engine.step(event, look) === undefined) this.#engine.brief(event, look, true);
      isSame = this.#engine.isSame;
      if (isBare) this.#standing!.note(event, look, isSame);
      else if (!isSame) this.#standing = undefined;
    }
    if (!isSame) this.#before.clear();
    else if (look !== undefined) this.#before.put(look.place, valuesOf(event, look));
  }
}

/** True if an event has nothing that is looked at. */
function hasNothing(event: BaseEvent, { keys }: Projection): boolean {
  if (event === NO_MESSAGES) return true;
  for (let at = 0; at < keys.length; at++) if (event[keys[at]!] !== undefined) return false;
  return event[TAG] === undefined;
}

/** A snapshot whose messages are seen later, if at all. */
const NO_MESSAGES = { type: 'MESSAGES_SNAPSHOT', messages: [] } as unknown as BaseEvent;

const verifyLooks: Looks = looksOf('verify');
const expandLooks: Looks = looksOf('expand');

/** What a chunk came to that went on with what was open. */
interface Continued {
  values: unknown[];
  /** The chunk's members, in order. */
  shape: string[];
  /** The event that it came to, and those of its members that are the chunk's. */
  event: BaseEvent;
  carried: string[];
}

/** What a chunk came to that opened a stream in place of another one like it. */
interface Renewed {
  type: BaseEvent['type'];
  look: Projection;
  /** The member that has the id, and what the chunk has of the others. */
  key: string;
  values: unknown[];
  shape: string[];
  /** The END, START and CONTENT that it came to. */
  events: BaseEvent[];
  /** The id of the stream that is open. */
  id: string;
}

/** Longer ids are left to core, which has a limit for them. */
const LONG = 1_024;

/** Turns chunk events into those that they stand for. */
export class Expanding implements Steps {
  readonly #engine: Engine<BaseEvent>;
  readonly #passed = new Before<unknown[]>();
  readonly #continued = new Before<Continued>();
  #renewed: Renewed | undefined;
  /** Core has not been shown the stream that is open: it knows one like it. */
  #isAhead = false;
  /** Before the first chunk nothing is open that an event could close. */
  #hasChunks = false;

  constructor(engine = lazyEngine(() => native().createStage('expand', EXPANDING))) {
    this.#engine = engine;
  }

  whole(event: BaseEvent): BaseEvent[] {
    this.#hasChunks = true;
    this.#catchUp();
    this.#forget();
    return this.#engine.event(event);
  }

  /** @throws AGUISequenceError (a C rule) for a chunk that fits nowhere; it changes nothing */
  take(event: BaseEvent): BaseEvent[] {
    const look = expandLooks.get(event.type);
    if (look !== undefined && look.marks.length > 0) return this.#chunk(event, look);
    if (look === undefined || (!this.#hasChunks && isPlainlyTagged(event, look))) {
      this.#engine.skipped++;
      return [event];
    }
    const before = this.#passed.at(look.place);
    if (before !== undefined && isAsBefore(event, look, before)) {
      this.#engine.skipped++;
      return [event];
    }
    this.#catchUp();
    const events = this.#engine.brief(event, look);
    if (this.#engine.isSame) this.#passed.put(look.place, valuesOf(event, look));
    else this.#forget();
    return events;
  }

  #chunk(event: BaseEvent, look: Projection): BaseEvent[] {
    this.#hasChunks = true;
    const before = this.#continued.at(look.place);
    if (before !== undefined && isAsBefore(event, look, before.values) && hasMembers(event, before.shape)) {
      this.#engine.skipped++;
      const next = { ...before.event };
      for (const mark of before.carried) next[mark] = event[mark];
      return [next];
    }
    const renewed = this.#renew(event, look);
    if (renewed !== undefined) return renewed;
    this.#catchUp();
    // A member that is null is absent. What is not declared goes along, so the stage has to see it.
    const plain = hasNulls(event, look) ? withoutNulls(event, look) : event;
    if (!hasDeclared(event, look)) return this.whole(plain);
    const events = this.#engine.brief(plain, look);
    const last = events[events.length - 1];
    const template = last && { ...last };
    for (const mark of look.marks) {
      const value = event[mark];
      if (value !== undefined) for (const one of events) if (mark in one) one[mark] = value;
    }
    const [isSame, isLast] = [this.#engine.isSame, this.#engine.isLast];
    if (!isSame) this.#forget();
    if (this.#engine.isNext) this.#noteRenewed(event, look, events);
    if (template !== undefined && (isLast || (isSame && events.length === 1))) this.#remember(event, look, template);
    return events;
  }

  #remember(event: BaseEvent, look: Projection, template: BaseEvent): void {
    const shape: string[] = [];
    const carried: string[] = [];
    for (const key in event) {
      if (event[key] === undefined) return;
      shape.push(key);
      if (!look.marks.includes(key)) continue;
      if (!(key in template)) return;
      carried.push(key);
    }
    this.#continued.put(look.place, { values: valuesOf(event, look), shape, event: template, carried });
  }

  #noteRenewed(event: BaseEvent, look: Projection, events: readonly BaseEvent[]): void {
    const key = look.keys.find((key) => key !== TAG)!;
    const shape = Object.keys(event);
    const id = event[key];
    if (typeof id !== 'string' || shape.some((member) => event[member] === undefined)) return;
    this.#renewed = { type: event.type, look, key, values: valuesOf(event, look), shape, events: events.map((one) => ({ ...one })), id };
  }

  /** What a chunk comes to that opens a stream in place of one like it. Nothing if it may not. */
  #renew(event: BaseEvent, look: Projection): BaseEvent[] | undefined {
    const renewed = this.#renewed;
    if (renewed === undefined || renewed.look !== look || !hasMembers(event, renewed.shape)) return undefined;
    const { key, values, events } = renewed;
    const id = event[key];
    if (typeof id !== 'string' || id === renewed.id || id.length > LONG || !isWellFormed(id)) return undefined;
    for (let at = 0; at < values.length; at++) if (look.keys[at] !== key && event[look.keys[at]!] !== values[at]) return undefined;
    const made: BaseEvent[] = [];
    for (let at = 0; at < events.length; at++) {
      const one = { ...events[at]!, [key]: at === 0 ? renewed.id : id };
      if (at > 0) for (const mark of look.marks) if (mark in one) one[mark] = event[mark];
      made.push(one);
    }
    renewed.id = id;
    this.#isAhead = true;
    this.#engine.skipped++;
    const known = this.#continued.at(look.place);
    if (known !== undefined) this.#continued.put(look.place, { ...known, values: valuesOf(event, look), event: { ...known.event, [key]: id } });
    return made;
  }

  /** Shows core the stream that is open. */
  #catchUp(): void {
    if (!this.#isAhead) return;
    const { type, look, key, values, id } = this.#renewed!;
    this.#isAhead = false;
    const chunk: Record<string, unknown> = { type };
    look.keys.forEach((member, at) => (chunk[member] = member === key ? id : values[at]));
    this.#engine.skipped--;
    this.#engine.brief(chunk as unknown as BaseEvent, look);
  }

  #forget(): void {
    this.#passed.clear();
    this.#continued.clear();
    this.#renewed = undefined;
  }
}

/** True if an event has a tag that is one, or none if it may. */
function isPlainlyTagged(event: BaseEvent, { strings }: Projection): boolean {
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

/** What is known of each type's last event, until something changes. */
class Before<T> {
  #known: (T | undefined)[] = [];
  #isEmpty = true;

  at(place: number): T | undefined {
    return this.#known[place];
  }

  put(place: number, known: T): void {
    this.#known[place] = known;
    this.#isEmpty = false;
  }

  clear(): void {
    if (!this.#isEmpty) this.#known.fill(undefined);
    this.#isEmpty = true;
  }
}

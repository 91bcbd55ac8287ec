import { answerOf, describedError } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import { EventType, type JsonPatchOperation, type State, type StateDeltaEvent, type StateSnapshotEvent } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import { checkLimits } from '../options/options.cjs';
import { run } from '../patch/patching.cjs';
import { known } from '../options/option_reader.cjs';
import { checkValue, DEEPEST, isWritten, MOST_VALUES, token } from '../json/value.cjs';

export interface StateTrackerOptions {
  /** The client's state; it is copied. Without one the first event is a snapshot. */
  base?: unknown;
  /** `depth` and `eventBytes` bound the state, `patchOperations` a delta. */
  limits?: Limits | undefined;
}

/** An event of a state: its type, and its `delta` or `snapshot` as JSON text. */
export interface StateUpdate {
  type: 'STATE_DELTA' | 'STATE_SNAPSHOT';
  json: string;
}

/** An update, and the bytes of all that the client has after it. */
type Made = [update: StateUpdate, bytes: number];

/**
 * Sends the update of `flush`, if there is one; with `isWhole` always a snapshot. Where `send` throws, the client still has what it had, and the
 * next update starts from that.
 */
export let flushBy: (tracker: StateTracker<any>, send: (update: StateUpdate) => void, isWhole?: boolean) => void;

/**
 * Applies a delta of the agent's own to the client's state and to this one in place, if it applies to both and `send` throws nothing.
 * It takes as long as the delta is, however large the state.
 *
 * @throws Unpatched
 */
export let passOn: (tracker: StateTracker<any>, delta: readonly JsonPatchOperation[], send: () => void) => void;

/** The count of values in a state at the last look. */
export let valuesOf: (tracker: StateTracker<any>) => number;

/**
 * Follows an agent's state, and makes the events that bring its client to it.
 *
 * The state is any JSON value, to be changed at will between flushes, or what `JSON.stringify` makes one of (`toJSON` is asked, what
 * is undefined is left out). What that would lose in silence is refused: maps and sets, big integers, NaN and infinities.
 */
export class StateTracker<S = State> {
  /** The agent's state. Another may be put in its place. */
  state: S;
  /** A copy of the client's state; undefined if that is not known. */
  #sent: unknown;
  /** Its length as JSON; undefined after a delta of the agent's own, until it is needed. */
  #bytes: number | undefined = 0;
  /** The count of values in the state at the last look. */
  #values = 0;
  #isBusy = false;
  readonly #limits: Limits | undefined;
  readonly #options: string;
  readonly #most: number;

  /** @throws as `flush`, for `base` */
  constructor(state: S, options: StateTrackerOptions = {}) {
    const { base, limits } = known<StateTrackerOptions>({ base: 1, limits: 1 }, options);
    checkLimits(limits);
    this.#limits = limits;
    this.#options = stringify({ limits }) as string;
    this.#most = Math.max(limits?.eventBytes ?? 0, MOST_VALUES);
    this.state = state;
    // The client's state came with the input, and may be longer than an event.
    if (base !== undefined) this.#commit(...this.#snapshot(base, stringify({ limits: { ...limits, eventBytes: Number.MAX_SAFE_INTEGER } })));
  }

  /**
   * The event that brings the client to the state as it is now: of STATE_DELTA and STATE_SNAPSHOT the one that is shorter as
   * JSON; nothing if the client has it.
   *
   * @throws AGUIValidationError with the `path` of what is no JSON value, AGUILimitError for a state that is too deep (the event takes
   * three levels) or too large, and what getters and `toJSON` throw. Nothing has changed then.
   */
  flush(): StateDeltaEvent | StateSnapshotEvent | undefined {
    let event: StateDeltaEvent | StateSnapshotEvent | undefined;
    this.#flushBy(({ type, json }) => {
      const value = JSON.parse(json);
      event = type === 'STATE_DELTA' ? { type: EventType.STATE_DELTA, delta: value } : { type: EventType.STATE_SNAPSHOT, snapshot: value };
    });
    return event;
  }

  #flushBy(send: (update: StateUpdate) => void, isWhole = false): void {
    this.#alone(() => {
      const made = isWhole ? this.#snapshot(this.state) : this.#update();
      if (made === undefined) return;
      send(made[0]);
      this.#commit(...made);
    });
  }

  #alone<R>(work: () => R): R {
    // A getter of the state may ask for it.
    if (this.#isBusy) throw describedError('reentrant_call');
    this.#isBusy = true;
    try {
      return work();
    } finally {
      this.#isBusy = false;
    }
  }

  #passOn(delta: readonly JsonPatchOperation[], send: () => void): void {
    let { state } = this;
    const onState = () => void (state = patchedInPlace(state, delta, this.#limits, send));
    if (this.#sent === undefined) onState();
    else this.#sent = patchedInPlace(this.#sent, delta, unlimited(), onState);
    this.state = state;
    this.#bytes = undefined;
  }

  #update(): Made | undefined {
    if (this.#sent === undefined) return this.#snapshot(this.state);
    const look = { values: 0, length: 0 };
    const places = differ(this.#sent, plain(this.state, ''), '', 0, look);
    this.#values = look.values;
    if (places.length === 0) return undefined;
    this.#bytes ??= Buffer.byteLength(stringify(this.#sent) as string);
    let [answer, bytes, delta] = this.#ask(places, this.#bytes);
    if (answer === 'w') [answer, bytes, delta] = this.#ask([{ place: '', sent: this.#sent, state: this.state }], this.#bytes);
    if (answer === '=') return undefined;
    return answer === 's' ? this.#snapshot(this.state) : [{ type: 'STATE_DELTA', json: delta }, bytes];
  }

  #snapshot(state: unknown, options?: string): Made {
    this.#values = 0;
    const [, bytes, , json] = this.#ask([{ place: '', sent: undefined, state }], 0, options);
    return [{ type: 'STATE_SNAPSHOT', json }, bytes];
  }

  /** Notes that the client has got the update. */
  #commit({ type, json }: StateUpdate, bytes: number): void {
    const value = JSON.parse(json);
    this.#sent = type === 'STATE_SNAPSHOT' ? value : run(this.#sent, value, unlimited(), { owned: undefined, lends: true, ordered: undefined });
    this.#bytes = bytes;
  }

  /**
   * Asks core what is to go out to a client that has so many `bytes`: that, the bytes of all that the client has then, the operations of a delta,
   * the first state as text.
   */
  #ask(places: readonly Place[], bytes: number, options = this.#options): [what: string, bytes: number, delta: string, text: string] {
    const room = { left: this.#most };
    const texts = places.map(({ place, sent, state, around }) => {
      checkPlace(place, state, around?.[0], room);
      return { place, sent: sent === undefined ? undefined : stringify(sent), state: stringify(state) ?? 'null', before: around?.[0], after: around?.[1] };
    });
    this.#values += this.#most - room.left;
    const answer: string = native().stateUpdate(texts, bytes, options);
    if (answer[0] === '{') answerOf(answer);
    const end = answer.indexOf(':');
    return [answer[0]!, Number(answer.slice(1, end)), answer.slice(end + 1), texts[0]!.state];
  }

  static {
    flushBy = (tracker, send, isWhole) => tracker.#flushBy(send, isWhole);
    passOn = (tracker, delta, send) => tracker.#alone(() => tracker.#passOn(delta, send));
    valuesOf = (tracker) => tracker.#values;
    inspectable(this, (tracker) => ({ isSent: tracker.#sent !== undefined }));
  }
}

/** For patches of our own, and of what was read before: what bounds them is checked. A constant would have its modules loaded with every entrance. */
const unlimited = () => ({ patchOperations: Number.MAX_SAFE_INTEGER, patchShifts: Number.MAX_SAFE_INTEGER, depth: DEEPEST });

/** Applies operations of the agent's own to a document in place; leaves it as it was if `then` throws. */
export function patchedInPlace<T>(document: T, delta: readonly JsonPatchOperation[], limits: Limits | undefined, then: () => void): T {
  return run(document, delta, limits, { owned: undefined, lends: false, ordered: undefined }, then) as T;
}

/** A place where a state differs from what was sent. */
interface Place {
  place: string;
  sent: any;
  state: any;
  /** If what both have in common is left out: of lists how many items at the start and at the end, of objects how many members. */
  around?: [before: number, after: number];
}

/** The parts that are equal: the count of their values, and a lower bound of their bytes as JSON. */
interface Look {
  values: number;
  length: number;
}

/** More places than these are one. */
const MOST_PLACES = 64;

/** Refuses what stands at a place and is no JSON; of a list, `before` items are left out. */
function checkPlace(place: string, state: any, before: number | undefined, room: { left: number }): void {
  if (before === undefined) return checkValue(state, place, 0, room);
  for (const key of Object.keys(state)) checkValue(state[key], `${place}/${Array.isArray(state) ? before + Number(key) : token(key)}`, 1, room);
}

const NOWHERE: readonly Place[] = [];

/**
 * The places where a state differs from what was sent, which is plain: the innermost places, or if replacing something around them could make the
 * shorter patch, that; core has the say. Of two that are the same JSON there is none. `isQuick` asks whether there is one only.
 */
function differ(sent: any, state: any, place: string, level: number, look: Look, isQuick = false): readonly Place[] {
  const { values, length } = look;
  look.values++;
  look.length += typeof sent === 'string' ? sent.length : 1;
  if (sent === state) return NOWHERE;
  const found = within(sent, state, place, level, look, isQuick);
  if (found && !couldBeLong(found, look.length - length)) return found;
  look.values = values;
  look.length = length;
  return [{ place, sent, state }];
}

/** The differences within two values that are not identical; nothing if the values differ as a whole. */
function within(sent: any, state: any, place: string, level: number, look: Look, isQuick: boolean): readonly Place[] | undefined {
  if (typeof sent !== 'object' || typeof state !== 'object' || sent === null || state === null) return undefined;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(state) || level > DEEPEST) return undefined;
  return (isList ? withinLists : withinObjects)(sent, state, place, level, look, isQuick);
}

function withinObjects(sent: any, state: any, place: string, level: number, look: Look, isQuick: boolean): readonly Place[] | undefined {
  const found: Place[] = [];
  const [removed, added] = [Object.create(null), Object.create(null)];
  let kept = 0;
  for (const key of Object.keys(sent)) {
    const member = Object.hasOwn(state, key) ? plain(state[key], key) : undefined;
    if (member !== undefined) {
      kept++;
      const inner = differ(sent[key], member, `${place}/${token(key)}`, level + 1, look, isQuick);
      if (inner.length === 0) continue;
      found.push(...inner);
      // A name that grows in a pointer could make replacing its object the shorter patch.
      if (key.split(/[~/]/).length > 4) return undefined;
    } else removed[key] = sent[key];
    if (isQuick) return undefined;
  }
  for (const key of Object.keys(state)) {
    if (Object.hasOwn(sent, key)) continue;
    const value = plain(state[key], key);
    if (value !== undefined) added[key] = value;
  }
  if (Object.keys(removed).length + Object.keys(added).length === 0) return found;
  return kept === 0 ? undefined : [{ place, sent: removed, state: added, around: [kept, 0] }, ...found];
}

/** Leaves out the items at the start and at the end that are the same. */
function withinLists(sent: any[], state: any[], place: string, level: number, look: Look, isQuick: boolean): readonly Place[] | undefined {
  const least = Math.min(sent.length, state.length);
  const isSameLength = sent.length === state.length;
  const compare = (from: number, to: number, isQuick: boolean) =>
    differ(sent[from], plain(state[to], to) ?? null, `${place}/${to}`, level + 1, look, isQuick);
  let found = NOWHERE;
  let head = 0;
  let { values, length } = look;
  while (head < least && (found = compare(head, head, isQuick || !isSameLength)).length === 0) {
    ({ values, length } = look);
    head++;
  }
  if (isSameLength && head === least) return NOWHERE;
  if (isQuick) return undefined;
  const inner = { values: look.values - values, length: look.length - length };
  Object.assign(look, { values, length });
  const most = isSameLength ? least - head - 1 : least - head;
  let tail = 0;
  while (tail < most && compare(sent.length - 1 - tail, state.length - 1 - tail, true).length === 0) tail++;
  if (isSameLength && tail === most) {
    look.values += inner.values;
    look.length += inner.length;
    return found;
  }
  if (head + tail === 0) return undefined;
  const items = Array.from({ length: state.length - head - tail }, (_, at) => plain(state[head + at], head + at) ?? null);
  return [{ place, sent: sent.slice(head, sent.length - tail), state: items, around: [head, tail] }];
}

/** True if the operations at these places could be longer than replacing what holds them and at least so many bytes besides. */
function couldBeLong(places: readonly Place[], length: number): boolean {
  if (places.length > MOST_PLACES) return true;
  // One value is replaced in fewer bytes than what holds it.
  if (places.length === 0 || (places.length === 1 && places[0]!.around === undefined)) return false;
  let most = 0;
  for (const { place, sent, state, around } of places) {
    // An operation without its value, and its pointer where each character takes the most bytes.
    const operation = 40 + 6 * place.length;
    if (around === undefined) most += operation;
    else for (const part of [sent, state]) for (const key of Object.keys(part)) if ((most += operation + 6 * (key.length + 10)) > length) return true;
  }
  return most > length;
}

/** A value as `JSON.stringify` takes it, but for what it contains. */
function plain(value: any, key: string | number): any {
  const asked = typeof value === 'object' && value !== null && typeof value.toJSON === 'function' ? value.toJSON(String(key)) : value;
  return isWritten(asked) ? asked : undefined;
}

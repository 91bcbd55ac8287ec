import { answerOf, describedError } from '../errors.cjs';
import type { Limits } from '../generated/border.cjs';
import { EventType, type State, type StateDeltaEvent, type StateSnapshotEvent } from '../generated/types.cjs';
import { inspectable } from '../inspect.cjs';
import { stringify } from '../json.cjs';
import { native } from '../native.cjs';
import { checkLimits } from '../options.cjs';
import { run } from '../patching.cjs';
import { known } from '../wanted.cjs';
import { checkValue, DEEPEST, isWritten, MOST_VALUES, token } from '../value.cjs';

export interface StateTrackerOptions {
  /** What the client has already; it is copied. Without one the first event is a snapshot. */
  base?: unknown;
  /** `depth` and `eventBytes` bound the state, `patchOperations` a delta. */
  limits?: Limits | undefined;
}

/** An event of a state: its type, and its `delta` or `snapshot` as JSON text. */
export interface StateUpdate {
  type: 'STATE_DELTA' | 'STATE_SNAPSHOT';
  json: string;
}

/** What `flush` does, without an event. */
export let flushText: (tracker: StateTracker<any>) => StateUpdate | undefined;

/** How many values a state had when it was last looked at. */
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
  /** What the client has: a copy that nobody else knows; undefined if that is not known. */
  #sent: unknown;
  /** How long that is as JSON. */
  #bytes = 0;
  /** How many values the state had when it was last looked at. */
  #values = 0;
  #isBusy = false;
  readonly #options: string;
  readonly #most: number;

  /** @throws as `flush`, for `base` */
  constructor(state: S, options: StateTrackerOptions = {}) {
    const { base, limits } = known<StateTrackerOptions>({ base: 1, limits: 1 }, options);
    checkLimits(limits);
    this.#options = stringify({ limits }) as string;
    this.#most = Math.max(limits?.eventBytes ?? 0, MOST_VALUES);
    this.state = state;
    this.#snapshot(base, base !== undefined);
  }

  /**
   * The event that brings the client to the state as it is now: of STATE_DELTA and STATE_SNAPSHOT the one that is shorter as
   * JSON; nothing if the client has it.
   *
   * @throws AGUIValidationError with the `path` of what is no JSON value, AGUILimitError for a state that is too deep (the event takes
   * three levels) or too large, and what somebody else's code throws. Nothing has changed then.
   */
  flush(): StateDeltaEvent | StateSnapshotEvent | undefined {
    const update = this.#flush();
    if (update === undefined) return undefined;
    const value = JSON.parse(update.json);
    return update.type === 'STATE_DELTA' ? { type: EventType.STATE_DELTA, delta: value } : { type: EventType.STATE_SNAPSHOT, snapshot: value };
  }

  #flush(): StateUpdate | undefined {
    // A getter of the state may ask for it.
    if (this.#isBusy) throw describedError('reentrant_call');
    this.#isBusy = true;
    try {
      return this.#update();
    } finally {
      this.#isBusy = false;
    }
  }

  #update(): StateUpdate | undefined {
    if (this.#sent === undefined) return this.#snapshot(this.state);
    const look = { values: 0 };
    const difference = differ(this.#sent, plain(this.state, ''), '', 0, look);
    this.#values = look.values;
    if (difference === undefined) return undefined;
    const { place, sent, state } = difference;
    const [answer, bytes, delta] = this.#ask(place, stringify(sent), state);
    if (answer === '=') return undefined;
    if (answer === 's') return this.#snapshot(this.state);
    const unlimited = { patchOperations: Number.MAX_SAFE_INTEGER, patchShifts: Number.MAX_SAFE_INTEGER, depth: DEEPEST };
    this.#sent = run(this.#sent, JSON.parse(delta), unlimited, { owned: undefined, lends: true, ordered: undefined });
    this.#bytes = bytes;
    return { type: 'STATE_DELTA', json: delta };
  }

  #snapshot(state: unknown, isKnown = true): StateUpdate | undefined {
    if (!isKnown) return undefined;
    this.#values = 0;
    const [, bytes, , json] = this.#ask('', undefined, state);
    this.#sent = JSON.parse(json);
    this.#bytes = bytes;
    return { type: 'STATE_SNAPSHOT', json };
  }

  /** Asks core what is to go out: that, the bytes of all that the client has then, the operations of a delta, the state as text. */
  #ask(place: string, sent: string | undefined, state: unknown): [what: string, bytes: number, delta: string, text: string] {
    const room = { left: this.#most };
    checkValue(state, place, 0, room);
    this.#values += this.#most - room.left;
    const text = stringify(state) ?? 'null';
    const answer = native().stateUpdate(place, sent, text, this.#bytes, this.#options);
    if (answer[0] === '{') answerOf(answer);
    const end = answer.indexOf(':');
    return [answer[0]!, Number(answer.slice(1, end)), answer.slice(end + 1), text];
  }

  static {
    flushText = (tracker) => tracker.#flush();
    valuesOf = (tracker) => tracker.#values;
    inspectable(this, (tracker) => ({ isSent: tracker.#sent !== undefined }));
  }
}

/** The innermost values that hold every difference, and where they stand. */
interface Difference {
  place: string;
  sent: unknown;
  state: unknown;
}

/**
 * The difference between what was sent, which is plain, and a state; nothing if they are the same JSON. `look` counts the values that are
 * not in it.
 */
function differ(sent: any, state: any, place: string, level: number, look: { values: number }): Difference | undefined {
  const { values } = look;
  look.values++;
  if (sent === state) return undefined;
  const difference = within(sent, state, place, level, look);
  if (difference?.state === state) look.values = values;
  return difference;
}

/** The same of two that are not one. */
function within(sent: any, state: any, place: string, level: number, look: { values: number }): Difference | undefined {
  const here = { place, sent, state };
  if (typeof sent !== 'object' || typeof state !== 'object' || sent === null || state === null) return here;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(state) || level > DEEPEST) return here;
  const keys = isList ? undefined : Object.keys(sent);
  const count = keys?.length ?? sent.length;
  if (count !== (isList ? state.length : lengthOf(state))) return here;
  let found: Difference | undefined;
  for (let at = 0; at < count; at++) {
    const key = keys ? keys[at]! : at;
    if (keys && !Object.hasOwn(state, key)) return here;
    const member = plain(state[key], key);
    if (member === undefined && keys) return here;
    const inner = differ(sent[key], member ?? null, `${place}/${keys ? token(key as string) : at}`, level + 1, look);
    if (inner === undefined) continue;
    // A name that grows in a pointer could make replacing its object the shorter patch.
    if (found || (keys && (key as string).split(/[~/]/).length > 4)) return here;
    found = inner;
  }
  return found;
}

/** How many members JSON has of an object. */
function lengthOf(object: any): number {
  let length = 0;
  for (const key of Object.keys(object)) if (isWritten(object[key])) length++;
  return length;
}

/** A value as `JSON.stringify` takes it, but for what it contains. */
function plain(value: any, key: string | number): any {
  const asked = typeof value === 'object' && value !== null && typeof value.toJSON === 'function' ? value.toJSON(String(key)) : value;
  return isWritten(asked) ? asked : undefined;
}

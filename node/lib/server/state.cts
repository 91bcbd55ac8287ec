import { answerOf, describedError } from '../errors/errors.cjs';
import { type Limits, MAX_DEPTH } from '../generated/border.cjs';
import { EventType, type JsonPatchOperation, type State, type StateDeltaEvent, type StateSnapshotEvent } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import { checkLimits } from '../options/options.cjs';
import { run } from '../patch/patching.cjs';
import { known } from '../options/option_reader.cjs';
import { checkValue, isWritten, MOST_VALUES, token } from '../json/value.cjs';

/**
 * The options of a `StateTracker`.
 *
 * @example
 * ```ts
 * import { StateTracker, type StateTrackerOptions } from 'ag-ui-native/server';
 *
 * const options: StateTrackerOptions = { base: { tasks: 2 } };
 * new StateTracker({ tasks: 2 }, options).flush(); // => undefined
 * ```
 */
export interface StateTrackerOptions {
  /** The client's state, which is copied. Without it the first event is a snapshot. */
  base?: unknown;
  /** `depth` and `eventBytes` limit the state, `patchOperations` limits a delta. */
  limits?: Limits | undefined;
}

/** An event of a state: its type, and its `delta` or `snapshot` as JSON text. */
export interface StateUpdate {
  type: 'STATE_DELTA' | 'STATE_SNAPSHOT';
  json: string;
}

/** An update, and the size in bytes of the client's state after it. */
type Made = [update: StateUpdate, bytes: number];

/**
 * Sends the update of `flush`, if there is one; with `isWhole` always a snapshot. If `send` throws, the client's state is
 * unchanged, and the next update starts from it.
 */
export let flushBy: (tracker: StateTracker<any>, send: (update: StateUpdate) => void, isWhole?: boolean) => void;

/**
 * Applies a delta of the agent in place, to the client's state and to this one, if it applies to both and `send` does not throw.
 * The time depends on the delta, not on the state.
 *
 * @throws Unpatched
 */
export let passOn: (tracker: StateTracker<any>, delta: readonly JsonPatchOperation[], send: () => void) => void;

/** The number of values in a state at the last comparison. */
export let valuesOf: (tracker: StateTracker<any>) => number;

/**
 * Tracks an agent's state, and makes the events that bring its client to it.
 *
 * The state is any JSON value, which may change between flushes, or a value that `JSON.stringify` converts (it calls `toJSON` and
 * leaves out undefined members). Values that it would lose silently are refused: maps, sets, bigints, NaN and infinities.
 *
 * @example
 * ```ts
 * import { StateTracker } from 'ag-ui-native/server';
 *
 * const tracker = new StateTracker({ tasks: ['Buy milk', 'Write to Bob'], done: ['Sleep'] });
 * tracker.flush()?.type; // => 'STATE_SNAPSHOT'
 * tracker.state.tasks.push('Call Ada');
 * tracker.flush()?.type; // => 'STATE_DELTA'
 * tracker.flush(); // => undefined
 * ```
 */
export class StateTracker<S = State> {
  /** The agent's state. It can be replaced. */
  state: S;
  /** A copy of the client's state; undefined if it is not known. */
  #sent: unknown;
  /** Its size as JSON; undefined after a delta of the agent, until it is needed. */
  #bytes: number | undefined = 0;
  /** The number of values in the state at the last comparison. */
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
    // The client's state came with the input, so it may be longer than an event.
    if (base !== undefined) this.#commit(...this.#snapshot(base, stringify({ limits: { ...limits, eventBytes: Number.MAX_SAFE_INTEGER } })));
  }

  /**
   * Returns the event that brings the client to the current state: STATE_DELTA or STATE_SNAPSHOT, whichever is shorter as JSON.
   * Undefined if the client has this state.
   *
   * @throws AGUIValidationError with the `path` of a value without a JSON form, AGUILimitError for a state that is too deep (the
   * event takes three levels) or too large, and the errors of getters and `toJSON`. Nothing has changed then.
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
    // A getter of the state may call this again.
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
    const comparison = { values: 0, length: 0 };
    const places = differ(this.#sent, plain(this.state, ''), '', 0, comparison);
    this.#values = comparison.values;
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

  /** Records that the client has received the update. */
  #commit({ type, json }: StateUpdate, bytes: number): void {
    const value = JSON.parse(json);
    this.#sent = type === 'STATE_SNAPSHOT' ? value : run(this.#sent, value, unlimited(), { owned: undefined, lends: true, ordered: undefined });
    this.#bytes = bytes;
  }

  /**
   * Asks core for the update of a client that has `bytes` bytes of state. Returns its type, the size of the client's state after
   * it, the operations of a delta, and the first state as text.
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

/**
 * The limits for our own patches, and for documents that were read before: those are checked already. It is a function, because a
 * constant would load its modules with every entry point.
 */
const unlimited = () => ({ patchOperations: Number.MAX_SAFE_INTEGER, patchShifts: Number.MAX_SAFE_INTEGER, depth: MAX_DEPTH });

/** Applies operations of the agent to a document in place; undoes them if `then` throws. */
export function patchedInPlace<T>(document: T, delta: readonly JsonPatchOperation[], limits: Limits | undefined, then: () => void): T {
  return run(document, delta, limits, { owned: undefined, lends: false, ordered: undefined }, then) as T;
}

/** A place where a state differs from the sent one. */
interface Place {
  place: string;
  sent: any;
  state: any;
  /**
   * Set if the common part is left out: for lists the numbers of equal items at the start and at the end, for objects the number of
   * equal members.
   */
  around?: [before: number, after: number];
}

/** The equal parts: the number of their values, and a lower bound of their size as JSON. */
interface Comparison {
  values: number;
  length: number;
}

/** More places than this are treated as one. */
const MOST_PLACES = 64;

/** Refuses a value without a JSON form at a place; of a list, the first `before` items are skipped. */
function checkPlace(place: string, state: any, before: number | undefined, room: { left: number }): void {
  if (before === undefined) return checkValue(state, place, 0, room);
  for (const key of Object.keys(state)) checkValue(state[key], `${place}/${Array.isArray(state) ? before + Number(key) : token(key)}`, 1, room);
}

const NOWHERE: readonly Place[] = [];

/**
 * Finds the places where a state differs from the sent one, which is plain. They are the innermost places, or a place around them
 * if replacing that could make the shorter patch; core decides. Two values with the same JSON do not differ. With `isQuick`, it stops at
 * the first difference.
 */
function differ(sent: any, state: any, place: string, level: number, comparison: Comparison, isQuick = false): readonly Place[] {
  const { values, length } = comparison;
  comparison.values++;
  comparison.length += typeof sent === 'string' ? sent.length : 1;
  if (sent === state) return NOWHERE;
  const found = within(sent, state, place, level, comparison, isQuick);
  if (found && !couldBeLong(found, comparison.length - length)) return found;
  comparison.values = values;
  comparison.length = length;
  return [{ place, sent, state }];
}

/** Finds the differences inside two values that are not identical; undefined if the values differ as a whole. */
function within(sent: any, state: any, place: string, level: number, comparison: Comparison, isQuick: boolean): readonly Place[] | undefined {
  if (typeof sent !== 'object' || typeof state !== 'object' || sent === null || state === null) return undefined;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(state) || level > MAX_DEPTH) return undefined;
  return (isList ? withinLists : withinObjects)(sent, state, place, level, comparison, isQuick);
}

function withinObjects(sent: any, state: any, place: string, level: number, comparison: Comparison, isQuick: boolean): readonly Place[] | undefined {
  const found: Place[] = [];
  const [removed, added] = [Object.create(null), Object.create(null)];
  let kept = 0;
  for (const key of Object.keys(sent)) {
    const member = Object.hasOwn(state, key) ? plain(state[key], key) : undefined;
    if (member !== undefined) {
      kept++;
      const inner = differ(sent[key], member, `${place}/${token(key)}`, level + 1, comparison, isQuick);
      if (inner.length === 0) continue;
      found.push(...inner);
      // A name with escaped characters gets longer in a pointer, so replacing its object could make the shorter patch.
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

/** Compares lists, without the equal items at the start and at the end. */
function withinLists(sent: any[], state: any[], place: string, level: number, comparison: Comparison, isQuick: boolean): readonly Place[] | undefined {
  const least = Math.min(sent.length, state.length);
  const isSameLength = sent.length === state.length;
  const compare = (from: number, to: number, isQuick: boolean) =>
    differ(sent[from], plain(state[to], to) ?? null, `${place}/${to}`, level + 1, comparison, isQuick);
  let found = NOWHERE;
  let head = 0;
  let { values, length } = comparison;
  while (head < least && (found = compare(head, head, isQuick || !isSameLength)).length === 0) {
    ({ values, length } = comparison);
    head++;
  }
  if (isSameLength && head === least) return NOWHERE;
  if (isQuick) return undefined;
  const inner = { values: comparison.values - values, length: comparison.length - length };
  Object.assign(comparison, { values, length });
  const most = isSameLength ? least - head - 1 : least - head;
  let tail = 0;
  while (tail < most && compare(sent.length - 1 - tail, state.length - 1 - tail, true).length === 0) tail++;
  if (isSameLength && tail === most) {
    comparison.values += inner.values;
    comparison.length += inner.length;
    return found;
  }
  if (head + tail === 0) return undefined;
  const items = Array.from({ length: state.length - head - tail }, (_, at) => plain(state[head + at], head + at) ?? null);
  return [{ place, sent: sent.slice(head, sent.length - tail), state: items, around: [head, tail] }];
}

/**
 * True if the operations at these places could be longer than an operation that replaces the value around them, which has at least
 * `length` bytes besides.
 */
function couldBeLong(places: readonly Place[], length: number): boolean {
  if (places.length > MOST_PLACES) return true;
  // Replacing one value takes fewer bytes than replacing the value around it.
  if (places.length === 0 || (places.length === 1 && places[0]!.around === undefined)) return false;
  let most = 0;
  for (const { place, sent, state, around } of places) {
    // The size of an operation without its value, if every character of the pointer takes the most bytes.
    const operation = 40 + 6 * place.length;
    if (around === undefined) most += operation;
    else for (const part of [sent, state]) for (const key of Object.keys(part)) if ((most += operation + 6 * (key.length + 10)) > length) return true;
  }
  return most > length;
}

/** Returns a value as `JSON.stringify` converts it, without converting its members. */
function plain(value: any, key: string | number): any {
  const asked = typeof value === 'object' && value !== null && typeof value.toJSON === 'function' ? value.toJSON(String(key)) : value;
  return isWritten(asked) ? asked : undefined;
}

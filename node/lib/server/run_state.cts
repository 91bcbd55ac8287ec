import { AGUIError } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { JsonPatchOperation, State, StateDeltaEvent, StateSnapshotEvent } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { Unpatched } from '../patch/patching.cjs';
import { flushBy, passOn, patchedInPlace, StateTracker, type StateUpdate, valuesOf } from './state.cjs';

/** The agent's state, with a tracker of the client's state. */
export class RunState {
  #given: State;
  /** True if the given state is our own copy. */
  #isOwn = false;
  readonly #limits: Limits | undefined;
  /** Undefined before the first access that could have changed the state. */
  #tracker: StateTracker | undefined;

  constructor(given: State, limits: Limits | undefined) {
    this.#given = given;
    this.#limits = limits;
  }

  /** True if the agent may have changed the state. */
  get isTracked(): boolean {
    return this.#tracker !== undefined;
  }

  get current(): State {
    return this.#tracked().state;
  }

  set current(state: State) {
    this.#tracked().state = state;
  }

  /** The number of values in the state at the last comparison. */
  get values(): number {
    return this.#tracker === undefined ? 0 : valuesOf(this.#tracker);
  }

  /** Calls `send` with the event that brings the client to the state, as JSON text. Does nothing if the client has it. */
  flush(send: (event: string) => void): void {
    if (this.#tracker !== undefined) flushBy(this.#tracker, (update) => send(textOf(update)));
  }

  /** Calls `send` with a snapshot of the whole state. */
  snapshot(send: (event: string) => void): void {
    flushBy(this.#tracked(), (update) => send(textOf(update)), true);
  }

  /** Sends an event that the agent has made, and applies it to the state. `flush` sends the state before it, if that is needed. */
  send(event: StateDeltaEvent | StateSnapshotEvent, send: () => void, flush: () => void): void {
    if (event.type === 'STATE_DELTA') return this.#sendDelta(event.delta, send, flush);
    send();
    this.#given = event.snapshot;
    this.#isOwn = true;
    if (this.#tracker !== undefined) this.#tracker = this.#known();
  }

  /** Sends a delta that the agent has made. The time depends on the delta, not on the state. */
  #sendDelta(delta: readonly JsonPatchOperation[], send: () => void, flush: () => void): void {
    if (this.#tracker === undefined) {
      // A copy: the run's input must not change.
      if (!this.#isOwn) this.#given = structuredClone(this.#given ?? {});
      this.#isOwn = true;
      this.#given = patched(() => patchedInPlace(this.#given, delta, this.#limits, send));
    } else if (!isPlainAlong(this.#tracker.state, delta) || !this.#isPassedOn(this.#tracker, delta, send)) {
      this.#passOnPlain(this.#tracker, delta, send, flush);
    }
  }

  /** Applies and sends a delta. Returns false if it must be tried again. */
  #isPassedOn(tracker: StateTracker, delta: readonly JsonPatchOperation[], send: () => void): boolean {
    try {
      patched(() => passOn(tracker, delta, send));
      return true;
    } catch (error) {
      if (error instanceof AGUIError && native().isDeltaSentAgain(error.code ?? '', error.operation)) return false;
      throw error;
    }
  }

  /** Sends the state, then applies and sends a delta to its plain values. */
  #passOnPlain(tracker: StateTracker, delta: readonly JsonPatchOperation[], send: () => void, flush: () => void): void {
    flush();
    const given = tracker.state;
    tracker.state = (new StateTracker(given, { limits: this.#limits }).flush() as StateSnapshotEvent).snapshot;
    try {
      patched(() => passOn(tracker, delta, send));
    } catch (error) {
      tracker.state = given;
      throw error;
    }
  }

  #tracked(): StateTracker {
    return (this.#tracker ??= this.#known());
  }

  /** Makes a tracker of the given state, which the client has. */
  #known(): StateTracker {
    // A client without a state sends none, or null. A copy: the run's input must not change.
    const base = this.#given === undefined ? {} : this.#given;
    return new StateTracker(structuredClone(base ?? {}), { base, limits: this.#limits });
  }
}

/** Applies a patch. Throws core's error if that fails. */
function patched<R>(patch: () => R): R {
  try {
    return patch();
  } catch (thrown) {
    throw thrown instanceof Unpatched ? thrown.error : thrown;
  }
}

/** True if no value on the paths of a delta has a `toJSON` method, which would make its JSON differ from the value. */
function isPlainAlong(state: any, delta: readonly JsonPatchOperation[]): boolean {
  for (const { path, from } of delta as readonly { path: string; from?: string }[]) {
    for (const pointer of from === undefined ? [path] : [path, from]) {
      let at = state;
      if (typeof at?.toJSON === 'function') return false;
      for (const part of pointer.split('/').slice(1)) {
        at = at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
        if (typeof at?.toJSON === 'function') return false;
      }
    }
  }
  return true;
}

function textOf({ type, json }: StateUpdate): string {
  return `{"type":"${type}","${type === 'STATE_DELTA' ? 'delta' : 'snapshot'}":${json}}`;
}

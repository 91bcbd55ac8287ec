import { AGUIError } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { JsonPatchOperation, State, StateDeltaEvent, StateSnapshotEvent } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { Unpatched } from '../patch/patching.cjs';
import { flushBy, passOn, patchedInPlace, StateTracker, type StateUpdate, valuesOf } from './state.cjs';

/** The agent's state, of which a tracker knows what the client has. */
export class RunState {
  #given: State;
  /** True if the given state is a copy of our own. */
  #isOwn = false;
  readonly #limits: Limits | undefined;
  /** Undefined before the first access that could have changed the state. */
  #tracker: StateTracker | undefined;

  constructor(given: State, limits: Limits | undefined) {
    this.#given = given;
    this.#limits = limits;
  }

  /** True if the agent could have changed it. */
  get isTracked(): boolean {
    return this.#tracker !== undefined;
  }

  get current(): State {
    return this.#tracked().state;
  }

  set current(state: State) {
    this.#tracked().state = state;
  }

  /** The count of its values at the last look. */
  get values(): number {
    return this.#tracker === undefined ? 0 : valuesOf(this.#tracker);
  }

  /** Hands the event that brings the client to the state to `send`, as JSON text; none if it is there. */
  flush(send: (event: string) => void): void {
    if (this.#tracker !== undefined) flushBy(this.#tracker, (update) => send(textOf(update)));
  }

  /** Hands over a snapshot of the whole state. */
  snapshot(send: (event: string) => void): void {
    flushBy(this.#tracked(), (update) => send(textOf(update)), true);
  }

  /** Hands over an event that the agent makes itself. The state becomes what the client's does. `flush` brings the client to it before. */
  send(event: StateDeltaEvent | StateSnapshotEvent, send: () => void, flush: () => void): void {
    if (event.type === 'STATE_DELTA') return this.#sendDelta(event.delta, send, flush);
    send();
    this.#given = event.snapshot;
    this.#isOwn = true;
    if (this.#tracker !== undefined) this.#tracker = this.#known();
  }

  /** Hands over a delta of the agent's own. The time depends on the delta, not on the state. */
  #sendDelta(delta: readonly JsonPatchOperation[], send: () => void, flush: () => void): void {
    if (this.#tracker === undefined) {
      // The input stays as it was sent.
      if (!this.#isOwn) this.#given = structuredClone(this.#given ?? {});
      this.#isOwn = true;
      this.#given = patched(() => patchedInPlace(this.#given, delta, this.#limits, send));
    } else if (!isPlainAlong(this.#tracker.state, delta) || !this.#isPassedOn(this.#tracker, delta, send)) {
      this.#passOnPlain(this.#tracker, delta, send, flush);
    }
  }

  /** Passes a delta on; false if it is to be sent again. */
  #isPassedOn(tracker: StateTracker, delta: readonly JsonPatchOperation[], send: () => void): boolean {
    try {
      patched(() => passOn(tracker, delta, send));
      return true;
    } catch (error) {
      if (error instanceof AGUIError && native().isDeltaSentAgain(error.code ?? '', error.operation)) return false;
      throw error;
    }
  }

  /** Passes a delta on to plain values of the state, which goes out first. */
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

  /** A tracker of the state that was given, which the client has. */
  #known(): StateTracker {
    // Clients without a state send none, or null. The input stays as it was sent.
    const base = this.#given === undefined ? {} : this.#given;
    return new StateTracker(structuredClone(base ?? {}), { base, limits: this.#limits });
  }
}

/** Patches; throws core's error where that fails. */
function patched<R>(patch: () => R): R {
  try {
    return patch();
  } catch (thrown) {
    throw thrown instanceof Unpatched ? thrown.error : thrown;
  }
}

/** True if nothing on the way to what a delta names is JSON of another form than it has itself. */
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

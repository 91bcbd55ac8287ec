import type { Limits } from '../generated/border.cjs';
import type { State, StateDeltaEvent, StateSnapshotEvent } from '../generated/types.cjs';
import { applyPatch } from '../patch.cjs';
import { flushText, StateTracker, type StateUpdate, valuesOf } from './state.cjs';

/** The agent's state, of which a tracker knows what the client has. */
export class RunState {
  #given: State;
  readonly #limits: Limits | undefined;
  /** There is none before somebody has had the state in hand, who could have changed it. */
  #tracker: StateTracker | undefined;

  constructor(given: State, limits: Limits | undefined) {
    this.#given = given;
    this.#limits = limits;
  }

  /** Whether anybody could have changed it. */
  get isTracked(): boolean {
    return this.#tracker !== undefined;
  }

  get current(): State {
    return this.#tracked().state;
  }

  set current(state: State) {
    this.#tracked().state = state;
  }

  /** How many values it had when it was last looked at. */
  get values(): number {
    return this.#tracker === undefined ? 0 : valuesOf(this.#tracker);
  }

  /** Hands the event that brings the client to the state to `send`, as JSON text; none if it is there. */
  flush(send: (event: string) => void): void {
    const update = this.#tracker && flushText(this.#tracker);
    if (update === undefined) return;
    try {
      send(textOf(update));
    } catch (error) {
      // The client has not got it, and what it has is not known any more.
      this.#tracker = this.#blank();
      throw error;
    }
  }

  /** The same of the whole state. */
  snapshot(send: (event: string) => void): void {
    const tracker = this.#blank();
    send(textOf(flushText(tracker)!));
    this.#tracker = tracker;
  }

  /** Hands over an event that the agent makes itself, when the client has the state. The state becomes what the client's does. */
  send(event: StateDeltaEvent | StateSnapshotEvent, send: () => void): void {
    const state = event.type === 'STATE_DELTA' ? applyPatch(this.#plain(), event.delta, { limits: this.#limits }) : event.snapshot;
    send();
    this.#given = state;
    if (this.#tracker !== undefined) this.#tracker = this.#known();
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

  /** The state as JSON has it. */
  #plain(): State {
    return this.#tracker === undefined ? (this.#given ?? {}) : JSON.parse(flushText(this.#blank())!.json);
  }

  /** A tracker that does not know what the client has. */
  #blank(): StateTracker {
    return new StateTracker(this.current, { limits: this.#limits });
  }
}

function textOf({ type, json }: StateUpdate): string {
  return `{"type":"${type}","${type === 'STATE_DELTA' ? 'delta' : 'snapshot'}":${json}}`;
}

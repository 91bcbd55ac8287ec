import type { Limits } from '../generated/border.cjs';
import type { State } from '../generated/types.cjs';
import { flushText, StateTracker, type StateUpdate } from './state.cjs';

/** The agent's state, of which a tracker knows what the client has. */
export class RunState {
  readonly #given: State;
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

  #tracked(): StateTracker {
    if (this.#tracker === undefined) {
      // Clients without a state send none, or null. The input stays as it was sent.
      const base = this.#given === undefined ? {} : this.#given;
      this.#tracker = new StateTracker(structuredClone(base ?? {}), { base, limits: this.#limits });
    }
    return this.#tracker;
  }

  /** A tracker that does not know what the client has. */
  #blank(): StateTracker {
    return new StateTracker(this.current, { limits: this.#limits });
  }
}

function textOf({ type, json }: StateUpdate): string {
  return `{"type":"${type}","${type === 'STATE_DELTA' ? 'delta' : 'snapshot'}":${json}}`;
}

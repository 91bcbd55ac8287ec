import { projectionText } from './projection.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { FIRST } from '../generated/border.cjs';
import type { Projection } from '../generated/projections.cjs';
import type { Feed } from '../native/native.cjs';

// Remembers the verdicts of core on bare events, of which a verifier reads only the type. All streams begin in the same state, and some
// have bare events alone, so verifiers share the known transitions between states.

/** A state of verifiers. */
interface State {
  /** The projections of the events that lead to the state. */
  readonly events: readonly string[];
  /** The next states after bare events that core has admitted, by the place of their type. */
  readonly next: (State | undefined)[];
}

const START: State = { events: [], next: [] };

/** States behind more events are not kept: a stream can have any number of runs. */
const MAX_EVENTS = 4;

/** The known transitions of one verifier that has admitted only bare events. Its stage is made when core has to judge. */
export class Transitions {
  #at: State | undefined = START;
  #hasStage = false;

  /** Takes a bare event. Returns true if it changes nothing, and undefined if core has to judge the event. */
  take({ place }: Projection): boolean | undefined {
    const next = this.#hasStage ? undefined : this.#at!.next[place];
    if (next === undefined) return undefined;
    const isSame = next === this.#at;
    this.#at = next;
    return isSame;
  }

  /** Records that core has admitted a bare event; `isSame` is true if it changes nothing. */
  record(event: BaseEvent, projection: Projection, isSame: boolean): void {
    const at = this.#at;
    if (at !== undefined) this.#at = at.next[projection.place] ??= isSame ? at : stateAfter(at, projectionText(event, projection));
  }

  /** Replays the skipped events to a new stage. Returns their count. */
  replay(stage: Feed): number {
    this.#hasStage = true;
    const { events } = this.#at!;
    for (const text of events) stage(text, new Uint32Array(FIRST), true);
    return events.length;
  }
}

function stateAfter({ events }: State, text: string): State | undefined {
  return events.length < MAX_EVENTS ? { events: [...events, text], next: [] } : undefined;
}

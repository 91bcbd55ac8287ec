import { briefText } from './projection.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { FIRST } from '../generated/border.cjs';
import type { Projection } from '../generated/projections.cjs';
import type { Feed } from '../native/native.cjs';

// What core has said to verifiers before. One that has admitted nothing but bare events, of which it looks at no more than the type, stands
// where others have stood, and to it the same comes to the same. All streams begin so, and some are no more than that.

/** Where verifiers stand. */
interface Place {
  /** The events that have led there, in brief. */
  readonly behind: readonly string[];
  /** Where the bare events lead that core has admitted there, by the place of their type. */
  readonly next: (Place | undefined)[];
}

const START: Place = { behind: [], next: [] };

/** Farther places are not kept: a stream may be any number of runs. */
const FAR = 4;

/** Where one verifier stands that has admitted bare events only. Its stage is not made before core is to say something new. */
export class Standing {
  #at: Place | undefined = START;
  #hasStage = false;

  /** Takes a bare event. Whether that changes nothing; no answer if core is to say whether it may come. */
  take({ place }: Projection): boolean | undefined {
    const next = this.#hasStage ? undefined : this.#at!.next[place];
    if (next === undefined) return undefined;
    const isSame = next === this.#at;
    this.#at = next;
    return isSame;
  }

  /** Notes what core has said: that a bare event may come, and whether it changes nothing. */
  note(event: BaseEvent, look: Projection, isSame: boolean): void {
    const at = this.#at;
    if (at !== undefined) this.#at = at.next[look.place] ??= isSame ? at : placeBehind(at, briefText(event, look));
  }

  /** Has a new stage take what core has not been asked about. How many events that is. */
  show(stage: Feed): number {
    this.#hasStage = true;
    const { behind } = this.#at!;
    for (const text of behind) stage(text, new Uint32Array(FIRST), true);
    return behind.length;
  }
}

function placeBehind({ behind }: Place, text: string): Place | undefined {
  return behind.length < FAR ? { behind: [...behind, text], next: [] } : undefined;
}

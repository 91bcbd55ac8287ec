import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Watch } from './watch.cjs';

/** Somebody tells subscribers, until `give`. */
export interface Turn {
  give(): void;
}

/** When subscribers of an agent are told: of one thing after the other, in the order in which it has happened. */
export class Turns {
  /** Nobody else has a turn. */
  #isTaken = false;
  /** Those who wait for theirs. */
  readonly #next: (() => void)[] = [];
  /** What the application tells of, while it does. */
  #telling: object | undefined;
  readonly #own: Turn = { give: () => this.#give() };

  /** A turn, at once or when it comes; a run has a `watch`. One that a callback of the application's telling asks for does not wait for that. */
  take(watch?: Watch): Turn | Promise<Turn> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return this.#own;
    }
    const coming = () => new Promise<Turn>((resolve) => this.#next.push(() => resolve(this.#own)));
    if (watch === undefined) return coming();
    if (this.#telling !== undefined && within?.getStore() === this.#telling) return NONE;
    return this.#wait(coming(), watch);
  }

  /** Calls a callback that the application's telling is about. */
  within<T>(telling: object, call: () => T): T {
    if (this.#telling === undefined) open++;
    this.#telling = telling;
    return within ? within.run(telling, call) : call();
  }

  async #wait(coming: Promise<Turn>, watch: Watch): Promise<Turn> {
    try {
      return await watch.until(coming);
    } catch (error) {
      // It comes all the same.
      coming.then((turn) => turn.give());
      throw error;
    }
  }

  #give(): void {
    // Promises cost more, on older Nodes, as long as somebody asks where they come from.
    if (this.#telling !== undefined && --open === 0) within?.disable();
    this.#telling = undefined;
    const next = this.#next.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}

/** It is nobody's turn: it comes within that of somebody else. */
export const NONE: Turn = { give() {} };

/** How many tellings of applications are at work. */
let open = 0;

/** Which telling a callback belongs to, where the runtime knows that. */
const within = storage();

function storage(): AsyncLocalStorage<object> | undefined {
  try {
    const { AsyncLocalStorage } = require('node:async_hooks') as typeof import('node:async_hooks');
    return new AsyncLocalStorage();
  } catch {
    return undefined;
  }
}

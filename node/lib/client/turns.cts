import type { AsyncLocalStorage } from 'node:async_hooks';
import { PASSED, type Watch } from './watch.cjs';

/** Somebody tells subscribers, until `give`. */
export interface Turn {
  give(): void;
}

/** When subscribers of an agent are told: of one thing after the other, in the order in which it has happened. */
export class Turns {
  /** Whose turn it is. */
  #current: Turn | undefined;
  /** Those who wait for theirs. */
  readonly #next: (() => void)[] = [];
  /** The application's telling, while it is at work. */
  #telling: object | undefined;
  /** That of a run. */
  readonly #own: Turn = { give: () => this.#give(this.#own) };

  /**
   * A turn, at once or when it comes; a run has a `watch`. One that a callback of the application's telling asks for does not wait for that.
   * A run waits for as long as `time` says: then it goes on, and `late` is told.
   */
  take(watch?: Watch, time?: () => number, late?: () => void): Turn | Promise<Turn> {
    const turn = watch ? this.#own : this.#one();
    if (this.#current === undefined) return (this.#current = turn);
    const coming = () => new Promise<Turn>((resolve) => this.#next.push(() => resolve((this.#current = turn))));
    if (watch === undefined) return coming();
    if (this.#telling !== undefined && within?.getStore() === this.#telling) return NONE;
    return this.#wait(coming(), watch, time!(), late!);
  }

  #one(): Turn {
    const turn: Turn = { give: () => this.#give(turn) };
    return turn;
  }

  /** Calls a callback that the application's telling is about. */
  within<T>(telling: object, call: () => T): T {
    if (this.#telling === undefined) open++;
    this.#telling = telling;
    return within ? within.run(telling, call) : call();
  }

  async #wait(coming: Promise<Turn>, watch: Watch, time: number, late: () => void): Promise<Turn> {
    try {
      const turn = await watch.before(coming, performance.now() + time);
      if (turn !== PASSED) return turn;
    } catch (error) {
      // It comes all the same.
      coming.then((turn) => turn.give());
      throw error;
    }
    coming.then((turn) => turn.give());
    late();
    // The others come when they come.
    this.#current?.give();
    return NONE;
  }

  /** Another one is next, unless that is so already. */
  #give(turn: Turn): void {
    if (this.#current !== turn) return;
    // Promises cost more, on older Nodes, as long as somebody asks where they come from.
    if (this.#telling !== undefined && --open === 0) within?.disable();
    this.#telling = undefined;
    this.#current = undefined;
    this.#next.shift()?.();
  }
}

/** It is nobody's turn: it comes within that of somebody else. */
export const NONE: Turn = { give() {} };

/** The number of tellings of applications at work. */
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

import type { AsyncLocalStorage } from 'node:async_hooks';
import { DEADLINE_PASSED, type CancelScope } from './cancel_scope.cjs';

/** The right to notify subscribers, until it is released. */
export interface Lock {
  release(): void;
}

/** Notifies the subscribers of an agent of one occasion after the other, in the order in which the occasions happened. */
export class NotificationQueue {
  #holder: Lock | undefined;
  readonly #waiting: (() => void)[] = [];
  /** The occasion outside of a run that subscribers are being notified of. */
  #outsideRun: object | undefined;
  /** The lock of runs: an agent has one run at a time. */
  readonly #runLock: Lock = { release: () => this.#release(this.#runLock) };

  /**
   * Acquires the lock. A run passes its `scope`: it waits for `time()` milliseconds, then calls `late` and continues without the lock. A
   * run that a callback outside of a run has started does not wait for that callback.
   */
  acquire(scope?: CancelScope, time?: () => number, late?: () => void): Lock | Promise<Lock> {
    const lock = scope ? this.#runLock : this.#newLock();
    if (this.#holder === undefined) return (this.#holder = lock);
    const acquired = () => new Promise<Lock>((resolve) => this.#waiting.push(() => resolve((this.#holder = lock))));
    if (scope === undefined) return acquired();
    if (this.#outsideRun !== undefined && storage?.getStore() === this.#outsideRun) return NO_LOCK;
    return this.#wait(acquired(), scope, time!(), late!);
  }

  #newLock(): Lock {
    const lock: Lock = { release: () => this.#release(lock) };
    return lock;
  }

  /** Calls a callback outside of a run; runs that it starts are recognized by `occasion`. */
  callOutsideRun<T>(occasion: object, callback: () => T): T {
    if (this.#outsideRun === undefined) active++;
    this.#outsideRun = occasion;
    return storage ? storage.run(occasion, callback) : callback();
  }

  async #wait(acquired: Promise<Lock>, scope: CancelScope, time: number, late: () => void): Promise<Lock> {
    try {
      const lock = await scope.waitUntil(acquired, performance.now() + time);
      if (lock !== DEADLINE_PASSED) return lock;
    } catch (error) {
      acquired.then((lock) => lock.release());
      throw error;
    }
    acquired.then((lock) => lock.release());
    late();
    // The others get the lock in their order.
    this.#holder?.release();
    return NO_LOCK;
  }

  /** Passes the lock on, unless it was passed on already. */
  #release(lock: Lock): void {
    if (this.#holder !== lock) return;
    // On older Nodes a storage in use makes every promise slower.
    if (this.#outsideRun !== undefined && --active === 0) storage?.disable();
    this.#outsideRun = undefined;
    this.#holder = undefined;
    this.#waiting.shift()?.();
  }
}

/** The lock of callers that do not wait for one. */
export const NO_LOCK: Lock = { release() {} };

/** The number of queues that are notifying subscribers outside of a run. */
let active = 0;

/** The occasion that the current callback is notified of; undefined on runtimes that do not track it. */
const storage = newStorage();

function newStorage(): AsyncLocalStorage<object> | undefined {
  try {
    const { AsyncLocalStorage } = require('node:async_hooks') as typeof import('node:async_hooks');
    return new AsyncLocalStorage();
  } catch {
    return undefined;
  }
}

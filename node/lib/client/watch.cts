import { CONNECT_TIMEOUT, IDLE_TIMEOUT } from '../generated/border.cjs';
import { after, later } from '../runtime/timers.cjs';
import type { Timeouts } from './options.cjs';
import { met } from './rules.cjs';

/** Waits for what others do: for as long as may be, or until somebody says that nobody waits any longer. */
export class Watch {
  /** Aborted when nobody waits any longer. */
  readonly signal: AbortSignal;
  readonly #timeouts: Timeouts;
  readonly #aborting = new AbortController();
  readonly #within: Watch | undefined;
  /** Those who wait, and watches within this one. */
  readonly #waiting = new Set<(reason: unknown) => void>();
  readonly #refuse = (reason: unknown) => this.stop(reason);
  readonly #total: ReturnType<typeof after>;
  #stopped: { reason: unknown } | undefined;
  #turn = performance.now();

  /** A watch `within` another stops with it, and leaves the timeout `total` to it. */
  constructor(timeouts: Timeouts, within?: Watch) {
    this.#timeouts = timeouts;
    this.#within = within;
    this.signal = this.#aborting.signal;
    if (within === undefined) this.#total = after(timeouts.total, () => this.#expire('total'));
    else if (within.#stopped) this.stop(within.#stopped.reason);
    else within.#waiting.add(this.#refuse);
  }

  /** Has everybody stop, with this reason. */
  stop(reason: unknown): void {
    if (this.#stopped) return;
    this.#stopped = { reason };
    this.done();
    for (const refuse of this.#waiting) refuse(reason);
    this.#aborting.abort(reason);
  }

  /** True if the timeout `total` keeps the process alive: not for a run that nobody waits for. */
  keepsAlive(isWaiting: boolean): void {
    if (isWaiting) this.#total?.ref();
    else this.#total?.unref();
  }

  /** Nobody has to be stopped any more. */
  done(): void {
    clearTimeout(this.#total);
    if (this.#within) this.#within.#waiting.delete(this.#refuse);
  }

  /** Why nobody waits any longer, if so. */
  get stopped(): { reason: unknown } | undefined {
    return this.#stopped;
  }

  /** @throws what it was stopped with */
  check(): void {
    if (this.#stopped) throw this.#stopped.reason;
  }

  /** True if that is what it was stopped with. */
  isReason(error: unknown): boolean {
    return this.#stopped !== undefined && error === this.#stopped.reason;
  }

  /** Waits for what somebody does next, for so many milliseconds at most: then the time `idle` is over. */
  until<T>(work: PromiseLike<T>, left?: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopped) {
        work.then(undefined, () => undefined);
        return reject(this.#stopped.reason);
      }
      const timer = after(left, () => this.#expire('idle'));
      const over = () => {
        clearTimeout(timer);
        this.#waiting.delete(refuse);
      };
      const refuse = (reason: unknown) => (over(), reject(reason));
      this.#waiting.add(refuse);
      try {
        work.then((value) => (over(), resolve(value)), refuse);
      } catch (error) {
        refuse(error);
      }
    });
  }

  /**
   * The same of functions of the application: what has come about by the next turn of the event loop counts although everybody is to stop,
   * since one that says so may be about to return.
   */
  last<T>(work: PromiseLike<T>): Promise<T> {
    return this.until(work).catch((error: unknown) => {
      const fail = () => Promise.reject<never>(error);
      if (!this.isReason(error)) return fail();
      return Promise.race([work.then((value) => value, fail), new Promise<void>(later).then(fail)]);
    });
  }

  /** The same as `until`, no longer than until a moment of `performance.now()`: then it is `PASSED`. How long a run may take is looked at all the same. */
  async before<T>(work: PromiseLike<T>, moment: number | undefined): Promise<T | typeof PASSED> {
    let timer: ReturnType<typeof after>;
    const passed = new Promise<typeof PASSED>((resolve) => {
      timer = after(moment && moment - performance.now(), () => resolve(PASSED));
    });
    try {
      return await this.until(Promise.race([work, passed]));
    } finally {
      clearTimeout(timer!);
    }
  }

  /** Yields to other tasks and timers now and then: code that never really waits leaves them no time. */
  turn(): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#turn < LONGEST_TURN) return undefined;
    this.#turn = now;
    return new Promise((resolve) => later(resolve));
  }

  /** The duration of a timeout. */
  duration(name: keyof Timeouts): number | undefined {
    return this.#timeouts[name] ?? defaultOf(name);
  }

  #expire(name: keyof Timeouts): void {
    this.stop(met('timed_out', String(this.duration(name) ?? ''), `${name}Timeout`));
  }
}

/** The moment is there until which somebody has waited. */
export const PASSED = Symbol('passed');

const defaultOf = (name: keyof Timeouts) => ({ connect: CONNECT_TIMEOUT, idle: IDLE_TIMEOUT } as Timeouts)[name];

/** The milliseconds for which pieces may come in a row before other tasks run. */
const LONGEST_TURN = 10;

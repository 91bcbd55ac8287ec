import { clientError } from '../errors/errors.cjs';
import { CONNECT_TIMEOUT, IDLE_TIMEOUT, YIELD_INTERVAL } from '../generated/border.cjs';
import { after, later } from '../runtime/timers.cjs';

/**
 * The timeouts of an agent, in milliseconds.
 *
 * @example
 * ```ts
 * import { HttpAgent, type Timeouts } from 'ag-ui-native/client';
 *
 * const timeouts: Timeouts = { connect: 5000, idle: 60_000 };
 * new HttpAgent('http://127.0.0.1:8000/', { timeouts }).isRunning; // => false
 * ```
 */
export interface Timeouts {
  /** The time to connect: 10,000 by default. `HttpAgent` leaves it to `fetch`. */
  connect?: number | undefined;
  /** The time from the request to the head of the answer; `idle` by default. */
  firstByte?: number | undefined;
  /** The time to the next piece of the answer or heartbeat: 60,000 by default. After the end of a run, the time until another run begins. */
  idle?: number | undefined;
  /** The time of the whole call with its tools and callbacks: unlimited by default. */
  total?: number | undefined;
}

/** Waits for promises until a timeout expires or the scope is cancelled. */
export class CancelScope {
  /** Aborts when the scope is cancelled. */
  readonly signal: AbortSignal;
  readonly #timeouts: Timeouts;
  readonly #controller = new AbortController();
  readonly #parent: CancelScope | undefined;
  /** Rejects each wait, and cancels each child scope. */
  readonly #rejections = new Set<(reason: unknown) => void>();
  readonly #cancel = (reason: unknown) => this.cancel(reason);
  readonly #total: ReturnType<typeof after>;
  #isCancelled = false;
  #hasExpired = false;
  #reason: unknown;
  #lastYield = performance.now();

  /** A scope with a `parent` is cancelled with it, and leaves the timeout `total` to it. */
  constructor(timeouts: Timeouts, parent?: CancelScope) {
    this.#timeouts = timeouts;
    this.#parent = parent;
    this.signal = this.#controller.signal;
    if (parent === undefined) this.#total = after(timeouts.total, () => this.#expire('total'));
    else if (parent.#isCancelled) this.cancel(parent.#reason);
    else parent.#rejections.add(this.#cancel);
  }

  /** Cancels all waits with this reason. */
  cancel(reason: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.close();
    for (const reject of this.#rejections) reject(reason);
    this.#controller.abort(reason);
  }

  /** Decides if the timeout `total` keeps the process alive: it does only while the caller waits for the run. */
  keepAlive(isAwaited: boolean): void {
    if (isAwaited) this.#total?.ref();
    else this.#total?.unref();
  }

  /** Clears the timeout `total`, and detaches from the parent. */
  close(): void {
    clearTimeout(this.#total);
    if (this.#parent) this.#parent.#rejections.delete(this.#cancel);
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The reason of the cancellation; undefined before. */
  get reason(): unknown {
    return this.#reason;
  }

  /** @throws the reason, if the scope is cancelled */
  throwIfCancelled(): void {
    if (this.#isCancelled) throw this.#reason;
  }

  /** True if an error is the reason of the cancellation. */
  isReason(error: unknown): boolean {
    return this.#isCancelled && error === this.#reason;
  }

  /** Waits for a promise. After `idle` milliseconds the scope is cancelled by the timeout `idle`. */
  wait<T>(promise: PromiseLike<T>, idle?: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isCancelled) {
        promise.then(undefined, () => undefined);
        return reject(this.#reason);
      }
      const timer = after(idle, () => this.#expire('idle'));
      const settle = () => {
        clearTimeout(timer);
        this.#rejections.delete(fail);
      };
      const fail = (reason: unknown) => (settle(), reject(reason));
      this.#rejections.add(fail);
      try {
        promise.then((value) => (settle(), resolve(value)), fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  /**
   * Waits for a function of the application. After a cancellation the function has one more turn of the event loop to return, because
   * a function that aborts its own run returns just afterwards.
   */
  waitWithGrace<T>(promise: PromiseLike<T>): Promise<T> {
    return this.wait(promise).catch((error: unknown) => {
      const fail = () => Promise.reject<never>(error);
      if (!this.isReason(error)) return fail();
      return Promise.race([promise.then((value) => value, fail), new Promise<void>(later).then(fail)]);
    });
  }

  /** Waits for a promise until a moment of `performance.now()`, and returns `DEADLINE_PASSED` then. */
  async waitUntil<T>(promise: PromiseLike<T>, moment: number | undefined): Promise<T | typeof DEADLINE_PASSED> {
    let timer: ReturnType<typeof after>;
    const passed = new Promise<typeof DEADLINE_PASSED>((resolve) => {
      timer = after(moment && moment - performance.now(), () => resolve(DEADLINE_PASSED));
    });
    try {
      return await this.wait(Promise.race([promise, passed]));
    } finally {
      clearTimeout(timer!);
    }
  }

  /** Lets timers and other tasks run every few milliseconds: a source that never waits would starve them. */
  yieldIfDue(): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#lastYield < YIELD_INTERVAL) return undefined;
    this.#lastYield = now;
    return new Promise((resolve) => later(resolve));
  }

  /** True if a timeout of its own has cancelled the scope. */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** The milliseconds of a timeout; undefined for none. */
  timeout(name: keyof Timeouts): number | undefined {
    return this.#timeouts[name] ?? defaults[name];
  }

  #expire(name: keyof Timeouts): void {
    this.#hasExpired = !this.#isCancelled;
    this.cancel(clientError('timed_out', String(this.timeout(name) ?? ''), `${name}Timeout`));
  }
}

/** The reasons of cancellations that leave the run going on its server. */
export const detachments = new WeakSet<object>();

/** The result of a wait whose deadline has passed. */
export const DEADLINE_PASSED = Symbol('deadline passed');

const defaults: Timeouts = { connect: CONNECT_TIMEOUT, idle: IDLE_TIMEOUT };

import type { NativeOccupancy } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { whenAborted } from '../server/shutdown.cjs';
import type { Log } from './log.cjs';

/** What this process does for a log, until it shuts down. All servers with the log share it. */
export class LogWork {
  readonly occupancy: NativeOccupancy = new (native().LogOccupancy)();
  readonly #runs = new Set<() => void>();
  readonly #connections = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];
  #isDraining = false;

  /** Adds a run. `drain` is called when the server or the process shuts down. Returns a function for its end. */
  run(signal: AbortSignal | undefined, drain: () => void): () => void {
    const forget = this.#add(this.#runs, signal, drain);
    return () => {
      forget();
      if (this.#runs.size === 0) for (const done of this.#waiting.splice(0)) done();
    };
  }

  /** Adds a connection that reads a run, as `run` does. */
  connection(signal: AbortSignal | undefined, drain: () => void): () => void {
    return this.#add(this.#connections, signal, drain);
  }

  #add(all: Set<() => void>, signal: AbortSignal | undefined, drain: () => void): () => void {
    all.add(drain);
    const forget = whenAborted(signal, drain);
    // It may have begun while the log was asked.
    if (this.#isDraining || signal?.aborted) queueMicrotask(() => all.has(drain) && drain());
    return () => {
      all.delete(drain);
      forget();
    };
  }

  /** Starts no more runs. Resolves when those that go on have ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.occupancy.drain();
    for (const drain of [...this.#runs, ...this.#connections]) drain();
    if (this.#runs.size > 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }
}

const works = new WeakMap<Log, LogWork>();

/** Returns the work of this process for a log. */
export function workOf(log: Log): LogWork {
  let work = works.get(log);
  if (work === undefined) works.set(log, (work = new LogWork()));
  return work;
}

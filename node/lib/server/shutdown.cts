/** The callbacks of each signal. One listener calls all of them, because Node warns of many listeners. */
const watched = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `stop` when the signal is aborted. Returns a function that cancels this. */
export function whenAborted(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => undefined;
  let stops = watched.get(signal);
  if (stops === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => all.forEach((stop) => stop()), { once: true });
    watched.set(signal, (stops = all));
  }
  stops.add(stop);
  return () => void stops.delete(stop);
}

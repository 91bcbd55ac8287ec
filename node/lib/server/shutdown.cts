/** The callbacks of each signal. One listener calls them all, because Node warns of many listeners. */
const watched = new WeakMap<AbortSignal, Set<() => void>>();

/** Has `stop` called when the signal is aborted. Returns what calls that off. */
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

/** The longest time of a timer. */
const LONGEST = 2 ** 31 - 1;

/** Runs `work` after `duration` milliseconds. Work beyond the longest timer never runs. */
export function after(duration: number | undefined, work: () => void): ReturnType<typeof setTimeout> | undefined {
  return duration === undefined || duration > LONGEST ? undefined : setTimeout(work, duration);
}

/** Runs `work` in the next turn of the event loop. */
export const later: (work: () => void) => void = typeof setImmediate === 'function' ? setImmediate : (work) => setTimeout(work, 0);

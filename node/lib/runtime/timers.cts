/** The longest that timers wait. */
const LONGEST = 2 ** 31 - 1;

/** Does something after so many milliseconds; what is to happen after more than timers wait never happens. */
export function after(duration: number | undefined, work: () => void): ReturnType<typeof setTimeout> | undefined {
  return duration === undefined || duration > LONGEST ? undefined : setTimeout(work, duration);
}

/** In the next turn of the event loop. */
export const later: (work: () => void) => void = typeof setImmediate === 'function' ? setImmediate : (work) => setTimeout(work, 0);

import { type AGUIError, errorFrom } from './errors.cjs';
import { native } from './native.cjs';

/** An error that JavaScript meets, in core's words. `limit` is the name of the setting that was exceeded. */
export function describedError(code: string, detail = '', limit?: string): AGUIError {
  return errorFrom(native().describe(code, detail, limit));
}

/** What is to be made or written is longer than a string of JavaScript can be. */
export function tooLong(): AGUIError {
  return describedError('limit_exceeded', 'longer than a string of JavaScript', 'eventBytes');
}

/** `JSON.stringify`, but what nests or grows beyond what JavaScript holds exceeds a limit. */
export function stringify(value: unknown): string | undefined {
  return limited(() => JSON.stringify(value));
}

/** Runs `work`; where it meets an end of JavaScript's own, the error is that of a limit. */
export function limited<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLimit(error);
  }
}

/** The error of a limit, if an engine said in its own words that its stack or a string is full. */
export function asLimit(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  if (/call stack/i.test(error.message)) return describedError('limit_exceeded', 'deeper than the stack', 'depth');
  return /string length|out of memory/i.test(error.message) ? tooLong() : error;
}

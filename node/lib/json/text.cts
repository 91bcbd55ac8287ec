import { type Loose, own } from './check.cjs';
import { describedError, tooLong } from '../errors/errors.cjs';

/** Characters that JSON escapes, and halves of surrogate pairs that stand alone. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/u;

/** Lists of the caller's may have a method of their own. */
const { slice } = Array.prototype;

/** A string as JSON text, as JSON.stringify writes it. */
export function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : '"' + text + '"';
}

/** A scalar as JSON text; nothing for anything else. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return Number.isFinite(value) ? '' + value : undefined;
    case 'boolean':
      return '' + value;
    default:
      return value === null ? 'null' : undefined;
  }
}

/** A list as JSON text, if all its items can be written. */
export function listText(value: unknown, write: (item: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(value) || 'toJSON' in value) return undefined;
  let out = '';
  for (let at = 0; at < value.length; at++) {
    const text = write(value[at]);
    if (text === undefined) return undefined;
    out += at === 0 ? text : ',' + text;
  }
  return '[' + out + ']';
}

/** Whether JSON.stringify writes an object by its members and nothing else. */
export function isPlain(value: unknown): value is Loose {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return (value as Loose)['toJSON'] === undefined;
}

/** `out` without its own member `key`; a copy is made the first time. */
export function without(value: Loose, out: Loose, key: string): Loose {
  if (!own(value, key)) return out;
  const copy = out === value ? { ...value } : out;
  delete copy[key];
  return copy;
}

/** A list whose items have been walked; the same list if none changed. */
export function omitEach(value: unknown, omit: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  let out = value;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    const next = omit(item);
    if (next === item) continue;
    if (out === value) out = slice.call(value);
    out[at] = next;
  }
  return out;
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

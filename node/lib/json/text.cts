import { type Loose, own } from './check.cjs';
import { describedError, tooLong } from '../errors/errors.cjs';

/** Matches characters that JSON escapes and lone halves of surrogate pairs. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/u;

/** The built-in method: a list of the caller may override its own. */
const { slice } = Array.prototype;

/** Returns a string as JSON text, as JSON.stringify writes it. */
export function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : '"' + text + '"';
}

/** Returns a scalar as JSON text, or undefined for any other value. */
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

/** Returns a list as JSON text, if all its items can be written. */
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

/** Returns true if JSON.stringify writes a value by its own members alone. */
export function isPlain(value: unknown): value is Loose {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return (value as Loose)['toJSON'] === undefined;
}

/** Returns `out` without its own member `key`. The first call copies it. */
export function without(value: Loose, out: Loose, key: string): Loose {
  if (!own(value, key)) return out;
  const copy = out === value ? { ...value } : out;
  delete copy[key];
  return copy;
}

/** Applies `omit` to each item. Returns the same list if no item changed. */
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

/** Calls `JSON.stringify`. Nesting or length beyond JavaScript's capacity is a limit error. */
export function stringify(value: unknown): string | undefined {
  return limited(() => JSON.stringify(value));
}

/** Runs `work`. Errors of JavaScript's own capacity become limit errors. */
export function limited<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLimit(error);
  }
}

/** Returns a limit error if the JavaScript engine reports that its stack or a string is full, otherwise the same error. */
export function asLimit(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  if (/call stack/i.test(error.message)) return describedError('limit_exceeded', 'nested deeper than the stack of JavaScript allows', 'depth');
  return /string length|out of memory/i.test(error.message) ? tooLong() : error;
}

import { MAX_DEPTH } from '../generated/border.cjs';
import { describedError, faultAt, tooLong } from '../errors/errors.cjs';
import { stringify } from './text.cjs';

// Checks values of an application that JSON cannot write, or would change without an error.

/** The maximum number of values. The text of more values would exceed the default limit of events. */
export const MOST_VALUES = 2 ** 24;

/** Escapes a name as a token of a JSON pointer. */
export function token(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** Returns true if JSON writes a value. */
export function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/**
 * Refuses values that JSON would drop without an error (maps, sets, bigints, NaN and infinities) and cycles.
 *
 * @throws AGUIValidationError with the place, AGUILimitError for a value that is too deep or too large
 */
export function checkValue(value: any, place: string, level = 0, room = { left: MOST_VALUES }): void {
  if (--room.left < 0) throw tooLong();
  if (typeof value === 'bigint' && typeof (value as any).toJSON !== 'function') throw noJson('a bigint', place);
  if (typeof value === 'number' && !Number.isFinite(value)) throw noJson(String(value), place);
  if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function') return;
  if (value instanceof Map || value instanceof Set) throw noJson(value instanceof Map ? 'a Map' : 'a Set', place);
  if (level >= MAX_DEPTH) throw describedError('limit_exceeded', `depth is ${MAX_DEPTH}`, 'depth');
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) checkValue(value[at], `${place}/${at}`, level + 1, room);
  else for (const key of Object.keys(value)) checkValue(value[key], `${place}/${token(key)}`, level + 1, room);
}

/** Returns the error for a value that JSON cannot write. */
export function noJson(what: string, path: string): Error {
  return faultAt(path, 'wrong_type', `expected a JSON value, not ${what}, at ${path || 'the root'}`);
}

/** Copies a JSON value. Refuses other values with their place. */
export function copyOf<T>(value: T, place: string): T {
  checkValue(value, place);
  const text = stringify(value);
  if (text === undefined) throw noJson('a value that JSON leaves out', place);
  return JSON.parse(text);
}

/** Returns the JSON text of an application's value, or `null` if JSON does not write it. */
export function textOf(value: unknown): string {
  try {
    return stringify(value) ?? 'null';
  } catch (error) {
    // The engine's message contains parts of the value, so the place is searched here.
    if (error instanceof TypeError) checkValue(value, '');
    throw error;
  }
}

import { isObject, isUint } from '../json/check.cjs';

// Refuses arguments of the wrong kind. The error names the argument and shows none of its contents.

/** The kinds that an argument can be required to have. */
export const kinds = {
  text: { expected: 'a string', accepts: (value) => typeof value === 'string' },
  flag: { expected: 'a boolean', accepts: (value) => typeof value === 'boolean' },
  count: { expected: 'a whole number, 0 or more', accepts: isUint },
  number: { expected: 'a number', accepts: (value) => typeof value === 'number' },
  object: { expected: 'an object', accepts: isObject },
  list: { expected: 'an array', accepts: Array.isArray },
  items: { expected: 'an array or another iterable', accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value },
  callback: { expected: 'a function', accepts: (value) => typeof value === 'function' },
  bytes: { expected: 'a Uint8Array', accepts: (value) => value instanceof Uint8Array },
} satisfies Record<string, { expected: string; accepts: (value: unknown) => boolean }>;

export type KindName = keyof typeof kinds;

/** Refuses an argument of another kind. */
export function expect(kind: KindName, name: string, value: unknown): void {
  const { expected, accepts } = kinds[kind];
  if (!accepts(value)) throw wrongKind(name, expected, value);
}

/** Refuses an argument of another kind, unless it is absent. */
export function expectIfGiven(kind: KindName, name: string, value: unknown): void {
  if (value !== undefined && value !== null) expect(kind, name, value);
}

/** Returns the error for an argument of the wrong kind. */
export function wrongKind(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${name}: expected ${expected}, got ${described(value)}`);
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { isObject, isUint } from '../json/check.cjs';

// One way to refuse an argument of the wrong kind: it is named, and nothing of what it holds is shown.

/** What an argument can be asked to be. */
export const kinds = {
  text: { expected: 'a string', accepts: (value) => typeof value === 'string' },
  flag: { expected: 'a boolean', accepts: (value) => typeof value === 'boolean' },
  count: { expected: 'a whole number from 0', accepts: isUint },
  number: { expected: 'a number', accepts: (value) => typeof value === 'number' },
  object: { expected: 'an object', accepts: isObject },
  list: { expected: 'an array', accepts: Array.isArray },
  items: { expected: 'an array or another iterable', accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value },
  callback: { expected: 'a function', accepts: (value) => typeof value === 'function' },
  bytes: { expected: 'a Uint8Array', accepts: (value) => value instanceof Uint8Array },
} satisfies Record<string, { expected: string; accepts: (value: unknown) => boolean }>;

export type KindName = keyof typeof kinds;

/** Refuses an argument that is not of the kind. */
export function expect(kind: KindName, name: string, value: unknown): void {
  const { expected, accepts } = kinds[kind];
  if (!accepts(value)) throw wrongKind(name, expected, value);
}

/** The same of one that may be absent. */
export function expectIfGiven(kind: KindName, name: string, value: unknown): void {
  if (value !== undefined && value !== null) expect(kind, name, value);
}

/** What is thrown for an argument of the wrong kind. */
export function wrongKind(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${name}: expected ${expected}, got ${described(value)}`);
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { isObject, isUint } from './check.cjs';

// One way to refuse an argument of the wrong kind: it is named, and nothing of what it holds is shown.

/** What an argument can be asked to be. */
const kinds = {
  text: ['a string', (value) => typeof value === 'string'],
  flag: ['a boolean', (value) => typeof value === 'boolean'],
  count: ['a whole number from 0', isUint],
  number: ['a number', (value) => typeof value === 'number'],
  object: ['an object', isObject],
  list: ['an array', Array.isArray],
  items: ['an array or another iterable', (value) => typeof value === 'object' && value !== null && Symbol.iterator in value],
  callback: ['a function', (value) => typeof value === 'function'],
  bytes: ['a Uint8Array', (value) => value instanceof Uint8Array],
} satisfies Record<string, readonly [string, (value: unknown) => boolean]>;

export type KindName = keyof typeof kinds;

/** Refuses an argument that is not of the kind. */
export function expect(kind: KindName, name: string, value: unknown): void {
  const [expected, isOfKind] = kinds[kind];
  if (!isOfKind(value)) throw wrongKind(name, expected, value);
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

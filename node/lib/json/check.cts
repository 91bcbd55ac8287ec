/** An object whose members are not known yet. */
export type Loose = Record<string, unknown>;

/** The result of a check that rejects a value. */
export const INVALID: unique symbol = Symbol('invalid');

/** Returns a checked copy of a value, or `INVALID`. */
export type Check = (value: unknown) => unknown;

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isDict = isObject;

export function isUint(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns true if a value is a JSON Pointer: empty, or starting with `/`, with `~` only in `~0` and `~1`. */
export function isPointer(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value.length === 0) return true;
  return value.charCodeAt(0) === 47 && (!value.includes('~') || !/~(?![01])/.test(value));
}

export function own(value: object, key: string): boolean {
  return Object.prototype.hasOwnProperty.call(value, key);
}

export function list(value: unknown, check: Check, min: number): unknown {
  if (!Array.isArray(value) || value.length < min) return INVALID;
  const out = [];
  for (let at = 0; at < value.length; at++) {
    const item = check(value[at]);
    if (item === INVALID) return INVALID;
    out.push(item);
  }
  return out;
}

export function strings(value: unknown): unknown {
  if (!Array.isArray(value)) return INVALID;
  for (let at = 0; at < value.length; at++) if (typeof value[at] !== 'string') return INVALID;
  return mapped(value, (item) => item);
}

/** Adds to the copy the undeclared members, in order, and the declared ones that are present without a value. */
export function rest(value: Loose, out: Loose, declared: readonly string[]): Loose {
  for (const key in value) {
    if (!declared.includes(key)) put(out, key, value[key]);
    else if (!own(out, key)) out[key] = undefined;
  }
  return out;
}

/** Sets an own member of any name, `__proto__` included. */
export function put(out: Loose, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    out[key] = value;
  }
}

/** Maps a list by its indexes alone: the list may override `map` and its iterator. */
export function mapped<T>(list: readonly any[], make: (item: any) => T): T[] {
  const made: T[] = [];
  for (let at = 0; at < list.length; at++) made.push(make(list[at]));
  return made;
}

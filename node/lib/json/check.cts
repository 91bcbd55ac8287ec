/** An object whose members are not known yet. */
export type Loose = Record<string, unknown>;

/** What a check answers for a value that it does not accept. */
export const INVALID: unique symbol = Symbol('invalid');

/** A value, checked and copied, or `INVALID`. */
export type Check = (value: unknown) => unknown;

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isDict = isObject;

export function isUint(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True if a value is a JSON Pointer: empty, or starting with `/`, with `~` only in `~0` and `~1`. */
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

/** Adds what the copy lacks: undeclared members, in order, and declared ones that are there without a value. */
export function rest(value: Loose, out: Loose, declared: readonly string[]): Loose {
  for (const key in value) {
    if (!declared.includes(key)) put(out, key, value[key]);
    else if (!own(out, key)) out[key] = undefined;
  }
  return out;
}

/** Sets an own member, whatever its name. */
export function put(out: Loose, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    out[key] = value;
  }
}

/** `map` that asks a list for nothing but its items: it may have a `map` and an iterator of its own. */
export function mapped<T>(list: readonly any[], make: (item: any) => T): T[] {
  const made: T[] = [];
  for (let at = 0; at < list.length; at++) made.push(make(list[at]));
  return made;
}

import { mapped } from '../json/check.cjs';
import { type AGUIError, errorFrom } from '../errors/errors.cjs';
import { type Limits, PatchFunction, TOO_DEEP, TOO_MANY } from '../generated/border.cjs';
import type { JsonPatchOperation } from '../generated/types.cjs';
import { limited, stringify } from '../json/text.cjs';
import { native, type Patch } from '../native/native.cjs';

/** A patch that did not apply. Other exceptions come from the caller's code. */
export class Unpatched {
  constructor(readonly error: AGUIError) {}
}

/**
 * Applies a patch for a caller that keeps the document. Containers in `owned` are changed in place. All others are copied, and the
 * copies are added to `owned`. Values of operations become part of the document without a copy, and are not owned.
 *
 * @throws Unpatched
 */
export function patchOwned(
  document: unknown,
  operations: readonly JsonPatchOperation[],
  owned: WeakSet<object> | Set<object>,
  limits?: Limits,
): any {
  return run(document, operations, limits, { owned, lends: true, ordered: undefined });
}

/** The data of one patch. */
interface Context {
  /** The containers that may be changed; without a set, all that can be changed. */
  owned: WeakSet<object> | Set<object> | undefined;
  /** True if values of operations are inserted without a copy. */
  lends: boolean;
  /** The objects whose order of members has been recorded. */
  ordered: Set<object> | undefined;
}

let patch: Patch | undefined;

/** The built-in methods: a list of the caller may override its own. */
const { push, slice, splice } = Array.prototype;

/** Runs core's patch on JavaScript objects. `then` belongs to the patch: if it throws, the document is restored. */
export function run(document: unknown, operations: readonly any[], limits: Limits | undefined, context: Context, then?: () => void): unknown {
  patch ??= native().createPatch(functions());
  const flat: unknown[] = [];
  if (Array.isArray(operations)) {
    for (let index = 0; index < operations.length; index++) {
      const operation = operations[index];
      if (typeof operation !== 'object' || operation === null) flat.push(null, null, null, null);
      else flat.push(operation.op, operation.path, operation.from, operation.value);
    }
  }
  const settings = limits && stringify({ limits });
  try {
    return patch(document, Array.isArray(operations) ? flat : (operations as never), settings, context, then);
  } catch (error) {
    if (!(error instanceof Error) || (error as AGUIError).code !== 'AGUI') throw error;
    throw new Unpatched(coreError(error));
  }
}

/** Returns the error that core describes. An error of the caller's code that only looks like one is thrown. */
function coreError(error: Error): AGUIError {
  try {
    return errorFrom(error.message);
  } catch {
    throw error;
  }
}

// The functions below do the steps of core: see `PatchFunction`. An undefined member counts as absent, an undefined item as null.

/** The functions, each at its index. */
function functions(): unknown[] {
  const places: Record<PatchFunction, unknown> = {
    [PatchFunction.Own]: own,
    [PatchFunction.Get]: get,
    [PatchFunction.Reach]: reach,
    [PatchFunction.Set]: set,
    [PatchFunction.Replace]: replace,
    [PatchFunction.Insert]: insert,
    [PatchFunction.Remove]: remove,
    [PatchFunction.Copy]: copy,
    [PatchFunction.Measure]: measure,
    [PatchFunction.Equal]: equal,
    [PatchFunction.Length]: lengthOf,
    [PatchFunction.Array]: Array,
  };
  return Object.values(places);
}

export type Key = string | number;
export type Container = Record<Key, unknown>;

/** Returns the length of a list. It recognizes proxies of lists, which native code takes for objects. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

export function own(container: Container, { owned }: Context): Container {
  if (owned ? owned.has(container) : Object.isExtensible(container)) return container;
  const copy = (Array.isArray(container) ? slice.call(container) : { ...container }) as Container;
  owned?.add(copy);
  return copy;
}

export function get(container: Container, key: Key): unknown {
  if (Array.isArray(container)) return (key as number) < container.length ? (container[key as number] ?? null) : undefined;
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

export function reach(container: Container, key: Key, context: Context): unknown {
  const child = get(container, key);
  if (typeof child !== 'object' || child === null) return child;
  const mine = own(child as Container, context);
  // Defined as an own member, even if its name is `__proto__`.
  if (mine !== child) container[key] = mine;
  return mine;
}

/** Sets a member or item of the container itself, never of its prototype. */
function put(container: Container, key: Key, value: unknown): void {
  if (key in container && !Object.hasOwn(container, key)) {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    container[key] = value;
  }
}

function set(container: Container, key: Key, value: unknown): unknown {
  const old = get(container, key);
  put(container, key, value);
  return old;
}

function replace(container: Container, key: Key, value: unknown): unknown {
  const old = get(container, key);
  if (old !== undefined) container[key] = value;
  return old;
}

export function insert(container: Container, key: Key, value: unknown, order: string[] | null): void {
  if (Array.isArray(container)) {
    if (key === container.length) push.call(container, value);
    else splice.call(container, key as number, 0, value);
    return;
  }
  put(container, key, value);
  for (const name of order ?? []) {
    const member = container[name];
    delete container[name];
    put(container, name, member);
  }
}

function remove(container: Container, key: Key, context: Context): [value: unknown, order: string[] | null] | undefined {
  const old = get(container, key);
  if (old === undefined) return undefined;
  if (Array.isArray(container)) {
    splice.call(container, key as number, 1);
    return [old, null];
  }
  const isFirst = !context.ordered?.has(container);
  const order = isFirst ? Object.keys(container) : null;
  if (isFirst) (context.ordered ??= new Set()).add(container);
  delete container[key];
  return [old, order];
}

function copy(value: object, levels: number, values: number, context?: Context): [copy: unknown, values: number] | number {
  const count = measure(value, levels, values);
  if (count < 0 || context?.lends) return count < 0 ? count : [value, count];
  // Getters may have enlarged the value since it was measured.
  return [limited(() => copied(value)), count];
}

/** Returns a deep copy of the parts that `JSON.stringify` writes. */
function copied(value: any): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.toJSON === 'function') return copied(value.toJSON());
  if (Array.isArray(value)) return mapped(value, (item) => copied(item) ?? null);
  const copy: Container = {};
  for (const key of Object.keys(value)) if (value[key] !== undefined) put(copy, key, copied(value[key]));
  return copy;
}

/** Counts the values in a value, itself included. */
function measure(value: any, levels: number, values: number): number {
  if (values < 1) return TOO_MANY;
  if (typeof value !== 'object' || value === null) return 1;
  if (levels < 1) return TOO_DEEP;
  let count = 1;
  const items = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < items.length; at++) {
    const inner = measure(items[at], levels - 1, values - count);
    if (inner < 0) return inner;
    count += inner;
  }
  return count;
}

/** Returns 1 if both are the same JSON, otherwise 0. */
export function equal(one: any, other: any, levels: number): number {
  if (one === other) return 1;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return 0;
  if (levels < 1) return TOO_DEEP;
  if (typeof one.toJSON === 'function' || typeof other.toJSON === 'function') return +(stringify(one) === stringify(other));
  if (Array.isArray(one) !== Array.isArray(other)) return 0;
  if (Array.isArray(one)) return one.length === other.length ? equalAt(one, other, one.length, undefined, levels - 1) : 0;
  const keys = names(one);
  return keys.length === names(other).length ? equalAt(one, other, keys.length, keys, levels - 1) : 0;
}

/** Compares items, or the members called `keys`, in the same way. */
function equalAt(one: any, other: any, count: number, keys: string[] | undefined, levels: number): number {
  for (let at = 0; at < count; at++) {
    const key = keys ? keys[at]! : at;
    const inner = equal(get(one, key), get(other, key), levels);
    if (inner !== 1) return inner;
  }
  return 1;
}

function names(object: Container): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

import { errorFrom } from './errors/errors.cjs';
import { type Limits, MAX_DEPTH } from './generated/border.cjs';
import type { JsonPatchOperation } from './generated/types.cjs';
import { stringify } from './json/text.cjs';
import { expectIfGiven } from './options/kinds.cjs';
import { known } from './options/option_reader.cjs';
import { native } from './native/native.cjs';
import { checkLimits } from './options/options.cjs';
import { equal, run, Unpatched } from './patch/patching.cjs';

export { AGUIError, AGUIInternalError, AGUILimitError, AGUIPatchError, AGUIValidationError } from './errors/errors.cjs';
export type { JsonPatchOperation } from './generated/types.cjs';
export type { Limits } from './generated/border.cjs';

/**
 * The options of `applyPatch`.
 *
 * @example
 * ```ts
 * import { applyPatch, type PatchOptions } from 'ag-ui-native/patch';
 *
 * const options: PatchOptions = { inPlace: true };
 * const state = { tasks: ['Buy milk'] };
 * applyPatch(state, [{ op: 'remove', path: '/tasks/0' }], options);
 * state; // => { tasks: [] }
 * ```
 */
export interface PatchOptions {
  /** The limits of a patch: `patchOperations`, `patchCopies`, `depth`. */
  limits?: Limits | undefined;
  /** Changes objects and lists in place, instead of copying those along the paths. Frozen ones are copied anyway. */
  inPlace?: boolean | undefined;
}

/**
 * Applies a JSON Patch (RFC 6902) and returns the result: all of it, or nothing.
 *
 * The document, any JSON value, is not changed; the result shares its unchanged parts. With `inPlace` the document is changed and returned,
 * unless an operation replaces the root. Values of the operations are copied. `__proto__` is an ordinary member.
 *
 * @throws AGUIPatchError with `operation`, the index of the failed operation; AGUILimitError. The document is then unchanged, with
 * `inPlace` too, including the order of members
 *
 * @example
 * ```ts
 * import { applyPatch } from 'ag-ui-native/patch';
 *
 * applyPatch({ tasks: ['Buy milk'] }, [{ op: 'add', path: '/tasks/-', value: 'Call Ada' }]); // => { tasks: ['Buy milk', 'Call Ada'] }
 * ```
 */
export function applyPatch<T = any>(document: any, operations: readonly JsonPatchOperation[], options: PatchOptions = {}): T {
  known<PatchOptions>({ limits: 1, inPlace: 1 }, options);
  checkLimits(options.limits);
  expectIfGiven('flag', 'inPlace', options.inPlace);
  const owned = options.inPlace ? undefined : new Set<object>();
  try {
    return run(document, operations, options.limits, { owned, lends: false, ordered: undefined }) as T;
  } catch (thrown) {
    throw thrown instanceof Unpatched ? thrown.error : thrown;
  }
}

/**
 * Returns a patch that turns `old` into `changed`. It is empty if they are equal, and never longer as JSON than a patch that
 * replaces the whole document. Values without a JSON form are left out as `JSON.stringify` does.
 *
 * @throws AGUIValidationError for text that is not Unicode, AGUILimitError for documents that are too deep
 *
 * @example
 * ```ts
 * import { diff } from 'ag-ui-native/patch';
 *
 * diff({ title: 'Groceries', done: false }, { title: 'Groceries', done: true }); // => [{ op: 'replace', path: '/done', value: true }]
 * ```
 */
export function diff(old: any, changed: any): JsonPatchOperation[] {
  const [place, before, after] = narrowed(old, changed);
  const answer = native().diff(place, stringify(before) ?? 'null', stringify(after) ?? 'null');
  if (answer.startsWith('{"error":')) throw errorFrom(answer.slice('{"error":'.length, -1));
  return JSON.parse(answer);
}

/** Returns the innermost values that contain every difference, and their place. Only these are passed to native code. */
function narrowed(old: any, changed: any): [place: string, old: unknown, changed: unknown] {
  let place = '';
  for (let level = 0; level < MAX_DEPTH && isContainer(old) && isContainer(changed); level++) {
    if (Array.isArray(old) ? old.length !== changed.length : Array.isArray(changed)) break;
    const [keys, others] = [Object.keys(old), Object.keys(changed)];
    if (keys.length !== others.length || keys.some((key, index) => key !== others[index])) break;
    const isDifferent = (key: string) => equal(old[key], changed[key], MAX_DEPTH) !== 1;
    const at = keys.findIndex(isDifferent);
    if (at < 0) return [place, null, null];
    const key = keys[at]!;
    // A name with escaped characters gets longer in a pointer, so replacing its object could make the shorter patch.
    if (keys.slice(at + 1).some(isDifferent) || key.split(/[~/]/).length > 4) break;
    place += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    [old, changed] = [old[key], changed[key]];
  }
  return [place, old, changed];
}

function isContainer(value: any): boolean {
  return typeof value === 'object' && value !== null && typeof value.toJSON !== 'function';
}

import { END, MAX_SCALAR_SHIFTS, Part } from '../generated/border.cjs';
import type { JsonPatchOperation } from '../generated/types.cjs';
import { type Container, get, insert, type Key, own, reach } from './patching.cjs';

/** A step that means the place after the last item of a list, or a member with this name. */
const LAST = '-';

/**
 * A small patch that native code passes in parts: a few operations that set scalars, with their paths split by core. It is applied
 * here because a delta of one operation takes half as long as by core's patch, which makes a call for every step. Tests run both on
 * the same suite.
 */
export class ScalarPatch {
  readonly operations: JsonPatchOperation[] = [];
  /** The steps of the path of each operation: a number is the index of an item or the name of a member. */
  readonly #steps: Key[][] = [];

  /** Adds a part: an operation, a step of the last operation's path, or the value of that operation. */
  add(part: Part, slot: number, piece: string): void {
    const last = this.operations.length - 1;
    switch (part) {
      case Part.Operation:
        this.operations.push({ op: slot === 1 ? 'replace' : 'add', path: piece, value: undefined });
        this.#steps.push([]);
        break;
      case Part.Step:
        this.#steps[last]!.push(slot === 0 ? piece : slot === END ? LAST : slot - 1);
        break;
      case Part.Value:
        (this.operations[last] as { value: unknown }).value = slot === 1 ? piece : JSON.parse(piece);
        break;
    }
  }

  /**
   * Returns the patched document. Containers that are not in `owned` are copied, see `patchOwned`. If an operation does not apply, it
   * returns undefined and the document is unchanged; core's patch finds the reason.
   */
  apply(document: unknown, owned: Set<object>): Container | undefined {
    const done: Done[] = [];
    try {
      return this.#apply(document, owned, done) ?? undo(done);
    } catch (error) {
      // The caller has added a getter to an object of the document.
      undo(done);
      throw error;
    }
  }

  #apply(document: unknown, owned: Set<object>, done: Done[]): Container | undefined {
    const context = { owned, lends: true, ordered: undefined };
    let root = document;
    for (let index = 0; index < this.operations.length; index++) {
      const { op, value } = this.operations[index] as { op: string; value: unknown };
      const steps = this.#steps[index]!;
      let at: unknown = isContainer(root) ? (root = own(root, context)) : undefined;
      const end = steps.length - 1;
      for (let step = 0; step < end && isContainer(at); step++) at = reach(at, keyIn(at, steps[step]!), context);
      if (!isContainer(at)) return undefined;
      const key = keyIn(at, steps[end]!);
      const old = get(at, key);
      const inserts = op === 'add' && (old === undefined || Array.isArray(at));
      if (!inserts && old === undefined) return undefined;
      // Core's patch handles long lists: it counts the moves of items.
      if (inserts && Array.isArray(at) && !((key as number) <= at.length && (key as number) > at.length - MAX_SCALAR_SHIFTS)) return undefined;
      if (inserts) insert(at, key, value, null);
      else at[key] = value;
      done.push([at, key, inserts ? undefined : old]);
    }
    return root as Container;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Returns the key of a step. A name matches no item of a list. */
function keyIn(container: Container, step: Key): Key {
  if (!Array.isArray(container) || typeof step === 'number') return step;
  return step === LAST ? container.length : NaN;
}

/** A change, with the old value. */
type Done = [container: Container, key: Key, old: unknown];

function undo(done: Done[]): undefined {
  for (const [container, key, old] of done.reverse()) {
    if (old !== undefined) container[key] = old;
    else if (Array.isArray(container)) Array.prototype.splice.call(container, key as number, 1);
    else delete container[key];
  }
}

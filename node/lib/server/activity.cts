import type { JsonPatchOperation } from '../generated/types.cjs';
import { inspectable } from '../inspect.cjs';
import { stringify } from '../json.cjs';
import { expect } from '../kinds.cjs';
import { applyPatch, diff } from '../patch.cjs';
import { idOr } from './entities.cjs';
import type { Session } from './session.cjs';

export interface ActivityOptions {
  /** Made if it is absent. */
  id?: string | undefined;
  /** Whether a message with this id is replaced; true by default. */
  replace?: boolean | undefined;
}

/** A message that shows what the agent is at. */
export class Activity<Content extends object = Record<string, any>> {
  /** The id of its message. */
  readonly id: string;
  /** What kind of activity it is. */
  readonly type: string;
  readonly #session: Session;
  readonly #tag: string | undefined;
  /** What the client has, if that is known. */
  #sent: unknown;

  /** @internal */
  constructor(session: Session, tag: string | undefined, type: string, id: string | undefined) {
    this.#session = session;
    this.#tag = tag;
    expect('text', 'type', type);
    this.type = type;
    this.id = idOr(id, () => session.ids.messageId());
  }

  /** Sends its content as a whole. */
  snapshot(content: Content, replace?: boolean): PromiseLike<void> {
    const copy = copyOf(content);
    const named = { messageId: this.id, activityType: this.type };
    const answer = this.#session.send({ type: 'ACTIVITY_SNAPSHOT', ...named, content: copy, replace }, this.#tag);
    // What the client has already it keeps.
    if (replace !== false) this.#sent = copy;
    return answer;
  }

  /**
   * Changes its content by a JSON Patch.
   *
   * @throws AGUIPatchError if it does not apply to what has been sent
   */
  patch(operations: readonly JsonPatchOperation[]): PromiseLike<void> {
    const patch = copyOf(operations) as JsonPatchOperation[];
    const changed = this.#sent === undefined ? undefined : applyPatch(this.#sent, patch, { limits: this.#session.settings.limits });
    const answer = this.#session.send({ type: 'ACTIVITY_DELTA', messageId: this.id, activityType: this.type, patch }, this.#tag);
    this.#sent = changed;
    return answer;
  }

  /** Has the client show this content: sends what has changed, if anything has. */
  update(content: Content): PromiseLike<void> {
    // Its getters may write, too: first the content as it is now, then what the client has.
    const copy = copyOf(content) as Content;
    if (this.#sent === undefined) return this.snapshot(copy);
    const operations = diff(this.#sent, copy);
    return operations.length === 0 ? this.#session.sent : this.patch(operations);
  }

  static {
    inspectable(this, ({ id, type }) => ({ id, type }));
  }
}

function copyOf(value: unknown): unknown {
  return JSON.parse(stringify(value) ?? 'null');
}

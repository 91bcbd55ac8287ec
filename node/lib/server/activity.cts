import { jsonOf } from '../json/encode.cjs';
import type { JsonPatchOperation } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { idOr } from './entities.cjs';
import type { Session } from './session.cjs';

export interface ActivityOptions {
  /** Made if it is absent. */
  id?: string | undefined;
  /** True if a message with this id is replaced; true by default. */
  replace?: boolean | undefined;
}

/** A message that shows what the agent is at. */
export class Activity<Content extends object = Record<string, any>> {
  /** The id of its message. */
  readonly id: string;
  /** The type of the activity. */
  readonly type: string;
  readonly #session: Session;
  readonly #tag: string | undefined;
  /** The client's content of it, as core has said. */
  #known: string | undefined;

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
    return this.#show({ type: 'ACTIVITY_SNAPSHOT', content, replace });
  }

  /**
   * Changes its content by a JSON Patch.
   *
   * @throws AGUIPatchError if it does not apply to what has been sent
   */
  patch(operations: readonly JsonPatchOperation[]): PromiseLike<void> {
    return this.#show({ type: 'ACTIVITY_DELTA', patch: operations });
  }

  /** Has the client show this content: sends what has changed, if anything has. */
  update(content: Content): PromiseLike<void> {
    return this.#show({ type: 'ACTIVITY_SNAPSHOT', content }, true);
  }

  #show({ type, ...what }: { type: string; [name: string]: unknown }, isUpdate = false): PromiseLike<void> {
    // Getters of the content may write, too: first the content as it is now, then what the client has.
    const event = jsonOf({ type, messageId: this.id, activityType: this.type, ...what });
    this.#known = this.#session.writer.show(event, isUpdate, this.#known, this.#tag);
    return this.#session.sent;
  }

  static {
    inspectable(this, ({ id, type }) => ({ id, type }));
  }
}

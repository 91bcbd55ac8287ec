import { jsonOf } from '../json/encode.cjs';
import type { JsonPatchOperation } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { idOr } from './entities.cjs';
import type { Session } from './session.cjs';

/**
 * The options of an activity.
 *
 * @example
 * ```ts
 * import type { ActivityOptions, Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: ActivityOptions = { id: 'm4' };
 * (await runAgent((run: Run) => run.activity('search', { found: 0 }, options).id)).result; // => 'm4'
 * ```
 */
export interface ActivityOptions {
  /** The default is a new id. */
  id?: string | undefined;
  /** Replaces a message with this id. The default is true. */
  replace?: boolean | undefined;
}

/**
 * A message that shows an activity of the agent.
 *
 * @example
 * ```ts
 * import type { Activity, Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const search = async (run: Run) => {
 *   const activity: Activity<{ found: number }> = run.activity('search', { found: 0 });
 *   await activity.patch([{ op: 'replace', path: '/found', value: 3 }]);
 *   await activity.snapshot({ found: 5 });
 *   await activity.update({ found: 6 });
 * };
 * (await runAgent(search)).messages[0]?.content; // => { found: 6 }
 * ```
 */
export class Activity<Content extends object = Record<string, any>> {
  /** The id of its message. */
  readonly id: string;
  /** The type of the activity. */
  readonly type: string;
  readonly #session: Session;
  readonly #tag: string | undefined;
  /** The client's content of the activity, as JSON text from core. */
  #known: string | undefined;

  /** @internal */
  constructor(session: Session, tag: string | undefined, type: string, id: string | undefined) {
    this.#session = session;
    this.#tag = tag;
    expect('text', 'type', type);
    this.type = type;
    this.id = idOr(id, () => session.ids.messageId());
  }

  /** Sends the whole content. */
  snapshot(content: Content, replace?: boolean): PromiseLike<void> {
    return this.#show({ type: 'ACTIVITY_SNAPSHOT', content, replace });
  }

  /**
   * Changes the content by a JSON Patch.
   *
   * @throws AGUIPatchError if the patch does not apply to the content that has been sent
   */
  patch(operations: readonly JsonPatchOperation[]): PromiseLike<void> {
    return this.#show({ type: 'ACTIVITY_DELTA', patch: operations });
  }

  /** Replaces the content: sends only the changes, if there are any. */
  update(content: Content): PromiseLike<void> {
    return this.#show({ type: 'ACTIVITY_SNAPSHOT', content }, true);
  }

  #show({ type, ...what }: { type: string; [name: string]: unknown }, isUpdate = false): PromiseLike<void> {
    // Getters of the content may write to the run, so the content is read first, and `#known` after it.
    const event = jsonOf({ type, messageId: this.id, activityType: this.type, ...what });
    this.#known = this.#session.writer.show(event, isUpdate, this.#known, this.#tag);
    return this.#session.sent;
  }

  static {
    inspectable(this, ({ id, type }) => ({ id, type }));
  }
}

import type { Interrupt, JsonPatchOperation, Message, Metadata, TokenUsage, ToolCall } from '../generated/types.cjs';

/**
 * The end of a run.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { applyEvents, type RunEnd } from 'ag-ui-native/stream';
 *
 * const end = { type: EventType.RUN_FINISHED, threadId: 't1', runId: 'r1', result: 42 };
 * for (const change of applyEvents([end]).changes) {
 *   if (change.kind === 'run_finished') {
 *     const end: RunEnd = change.value;
 *     end.outcome === 'success' && end.result; // => 42
 *   }
 * }
 * ```
 */
export type RunEnd = {
  /** The token usage that the run reported. */
  usage?: TokenUsage[];
} & (
  | {
      outcome: 'success';
      /** The result of the run. */
      result?: any;
      /** The calls that the application must answer. */
      pendingToolCallIds: string[];
    }
  | {
      outcome: 'interrupt';
      /** The interrupts that must be answered before the conversation continues. */
      interrupts: Interrupt[];
    }
  | { outcome: 'cancelled' }
);

interface ChangeOf<Kind extends string, Target = undefined, Value = undefined> {
  /** The kind of the change. */
  kind: Kind;
  /** Index of the event that caused the change, counting from 0. */
  eventIndex: number;
  /**
   * The changed message or call. An inserted, replaced or added one has its content at that time; others have their content after
   * the call that reports the change. The object is never changed later.
   */
  target: Target;
  /** The value that was added or set. */
  value: Value;
}

/**
 * One change of a conversation. It has been carried out already; this is for showing it.
 *
 * | kind | target | value |
 * | --- | --- | --- |
 * | `message_inserted` | the message | |
 * | `message_replaced` | the new message | |
 * | `messages_arranged` | | the messages, in order |
 * | `message_ended` | the message | |
 * | `call_added` | the call | |
 * | `call_ended` | the call | |
 * | `text_appended` | message or call | the text |
 * | `member_set` | message or call | `{ name, value }`; no value: it was removed |
 * | `content_set` | the activity | the content |
 * | `content_patched` | the activity | the operations |
 * | `metadata_merged` | message or call | the new metadata |
 * | `state_set` | | |
 * | `state_patched` | | the operations |
 * | `patch_failed` | the activity, or nothing: the state | the operations |
 * | `interrupts_set` | | |
 * | `run_finished` | | a `RunEnd` |
 * | `run_failed` | | `{ message, code, usage }` |
 *
 * State and interrupts are read from the conversation: they are as the call that reports the change left them.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { applyEvents, type Change } from 'ag-ui-native/stream';
 *
 * const texts: string[] = [];
 * const show = (change: Change) => {
 *   if (change.kind === 'text_appended') texts.push(change.value);
 * };
 * applyEvents([
 *   { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' },
 *   { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'Hello' },
 * ]).changes.forEach(show);
 * texts; // => ['Hello']
 * ```
 */
export type Change =
  | ChangeOf<'message_inserted', Message>
  | ChangeOf<'message_replaced', Message>
  | ChangeOf<'messages_arranged', undefined, Message[]>
  | ChangeOf<'message_ended', Message>
  | ChangeOf<'call_added', ToolCall>
  | ChangeOf<'call_ended', ToolCall>
  | ChangeOf<'text_appended', Message | ToolCall, string>
  | ChangeOf<'member_set', Message | ToolCall, { name: string; value?: string }>
  | ChangeOf<'content_set', Message, Record<string, any>>
  | ChangeOf<'content_patched', Message, JsonPatchOperation[]>
  | ChangeOf<'metadata_merged', Message | ToolCall, Metadata>
  | ChangeOf<'state_set'>
  | ChangeOf<'state_patched', undefined, JsonPatchOperation[]>
  | ChangeOf<'patch_failed', Message | undefined, JsonPatchOperation[]>
  | ChangeOf<'interrupts_set'>
  | ChangeOf<'run_finished', undefined, RunEnd>
  | ChangeOf<'run_failed', undefined, { message: string; code?: string; usage?: TokenUsage[] }>;

import type { MessageParam, Tool as ToolParam } from '@anthropic-ai/sdk/resources/messages';
import type { Message, Tool } from '../generated/types.cjs';
import type { Scope } from '../server/scope.cjs';
import type { Reply } from './reply.cjs';
import { modelMessages, modelTools, type StreamOptions, streamReply } from './streaming.cjs';

export { ModelCall, type Reply } from './reply.cjs';
export type { StreamOptions } from './streaming.cjs';

/**
 * An event of a message's stream.
 *
 * @example
 * ```ts
 * import type { MessageEventLike } from 'ag-ui-native/adapters/anthropic';
 *
 * const event: MessageEventLike = { type: 'message_stop' };
 * ```
 */
export interface MessageEventLike {
  type: string;
}

/**
 * The members of a request that are a conversation.
 *
 * @example
 * ```ts
 * import { messageParams, type MessageParams } from 'ag-ui-native/adapters/anthropic';
 *
 * const params: MessageParams = messageParams([{ id: 'm1', role: 'user', content: 'Hello!' }]);
 * params.messages[0]?.role; // => 'user'
 * ```
 */
export interface MessageParams {
  /** What was said: roles alternate. */
  messages: MessageParam[];
  /** The instructions of system and developer messages, if there are any. */
  system?: string;
}

/**
 * Returns a conversation as the `messages` of a request, and its instructions as `system`, if it has any. Images and documents are blocks of
 * the request. Thinking goes back with its signature. What the API does not know is left out: other reasoning, activities, messages of
 * subagents, and calls without a result.
 *
 * @throws AGUIValidationError `unsupported_part` with the path, for a part that the API does not take
 *
 * @example
 * ```ts
 * import { messageParams } from 'ag-ui-native/adapters/anthropic';
 *
 * messageParams([{ id: 'm1', role: 'system', content: 'Be brief.' }, { id: 'm2', role: 'user', content: 'Hello!' }]).system; // => 'Be brief.'
 * ```
 */
export function messageParams(messages: readonly Message[]): MessageParams {
  return modelMessages('anthropic', messages);
}

/**
 * Returns tools as the `tools` of a request.
 *
 * @example
 * ```ts
 * import { messageTools } from 'ag-ui-native/adapters/anthropic';
 *
 * messageTools([{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' } }])[0]?.name; // => 'weather'
 * ```
 */
export function messageTools(tools: readonly Tool[] = []): ToolParam[] {
  return modelTools('anthropic', tools);
}

/**
 * Writes the stream of a message to a run, or to a subagent, and returns the whole reply: text, thinking with its signature, calls of tools
 * with their arguments, and token usage, as they arrive. Open messages and calls are ended and the stream is closed in any case, also if
 * the run is aborted. Errors of the SDK are passed on.
 *
 * @throws AGUIStreamError `model_failed` for an error of the provider in the stream, `model_truncated` for a stream that ends before the
 * reply
 *
 * @example
 * ```ts
 * import { streamMessage } from 'ag-ui-native/adapters/anthropic';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * // As `client.messages.create({ ..., stream: true })` returns it.
 * async function* events() {
 *   yield { type: 'message_start', message: { model: 'large', usage: { input_tokens: 3 } } };
 *   yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
 *   yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello!' } };
 *   yield { type: 'content_block_stop', index: 0 };
 *   yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } };
 *   yield { type: 'message_stop' };
 * }
 * (await runAgent(async (run: Run) => (await streamMessage(run, events())).text)).result; // => 'Hello!'
 * ```
 */
export function streamMessage(run: Scope, stream: AsyncIterable<MessageEventLike>, options: StreamOptions = {}): Promise<Reply> {
  return streamReply('anthropic', run, stream, options);
}

import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import type { Message, Tool } from '../generated/types.cjs';
import type { Scope } from '../server/scope.cjs';
import type { Reply } from './reply.cjs';
import { modelMessages, modelTools, type StreamOptions, streamReply } from './streaming.cjs';

export { ModelCall, type Reply } from './reply.cjs';
export type { StreamOptions } from './streaming.cjs';

/**
 * A chunk of a chat completion, of OpenAI or of a server that speaks like it.
 *
 * @example
 * ```ts
 * import type { ChatChunkLike } from 'ag-ui-native/adapters/openai';
 *
 * const chunk: ChatChunkLike = { choices: [] };
 * ```
 */
export interface ChatChunkLike {
  choices: unknown;
}

/**
 * An event of a response.
 *
 * @example
 * ```ts
 * import type { ResponseEventLike } from 'ag-ui-native/adapters/openai';
 *
 * const event: ResponseEventLike = { type: 'response.created' };
 * ```
 */
export interface ResponseEventLike {
  type: string;
}

/**
 * Returns a conversation as the `messages` of a chat completion. Images, documents and sounds are parts of the request. What the API
 * does not know is left out: reasoning, activities, messages of subagents, and calls without a result.
 *
 * @throws AGUIValidationError `unsupported_part` with the path, for a part that the API does not take
 *
 * @example
 * ```ts
 * import { chatMessages } from 'ag-ui-native/adapters/openai';
 *
 * chatMessages([{ id: 'm1', role: 'user', content: 'Hello!' }]); // => [{ role: 'user', content: 'Hello!' }]
 * ```
 */
export function chatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  return modelMessages('openai_chat', messages);
}

/**
 * Returns tools as the `tools` of a chat completion.
 *
 * @example
 * ```ts
 * import { chatTools } from 'ag-ui-native/adapters/openai';
 *
 * chatTools([{ name: 'weather', description: 'Tells the weather.' }])[0]?.function.name; // => 'weather'
 * ```
 */
export function chatTools(tools: readonly Tool[] = []): ChatCompletionFunctionTool[] {
  return modelTools('openai_chat', tools);
}

/**
 * Writes the stream of a chat completion to a run, or to a subagent, and returns the whole reply: text, reasoning, calls of tools with
 * their arguments, and token usage, as they arrive. Open messages and calls are ended and the stream is closed in any case, also if the
 * run is aborted. Errors of the SDK are passed on.
 *
 * @throws AGUIStreamError `model_failed` for an error of the provider in the stream, `model_truncated` for a stream that ends before the
 * reply, `unsupported_output` for a part that is not translated and that you would miss
 *
 * @example
 * ```ts
 * import { streamChat } from 'ag-ui-native/adapters/openai';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * // As `client.chat.completions.create({ ..., stream: true })` returns it.
 * async function* chunks() {
 *   yield { choices: [{ index: 0, delta: { content: 'Hello!' }, finish_reason: 'stop' }] };
 * }
 * (await runAgent(async (run: Run) => (await streamChat(run, chunks())).text)).result; // => 'Hello!'
 * ```
 */
export function streamChat(run: Scope, stream: AsyncIterable<ChatChunkLike>, options: StreamOptions = {}): Promise<Reply> {
  return streamReply('openai_chat', run, stream, options);
}

/**
 * Returns a conversation as the `input` of a response. Images and documents are parts of the request. Reasoning goes back in its
 * encrypted form, if the stream had it: ask for it by `include: ['reasoning.encrypted_content']`. What the API does not know is left out:
 * other reasoning, activities, messages of subagents, and calls without a result.
 *
 * @throws AGUIValidationError `unsupported_part` with the path, for a part that the API does not take
 *
 * @example
 * ```ts
 * import { responseInput } from 'ag-ui-native/adapters/openai';
 *
 * responseInput([{ id: 'm1', role: 'user', content: 'Hello!' }]).length; // => 1
 * ```
 */
export function responseInput(messages: readonly Message[]): ResponseInputItem[] {
  return modelMessages('openai_responses', messages);
}

/**
 * Returns tools as the `tools` of a response.
 *
 * @example
 * ```ts
 * import { responseTools } from 'ag-ui-native/adapters/openai';
 *
 * responseTools([{ name: 'weather', description: 'Tells the weather.' }])[0]?.name; // => 'weather'
 * ```
 */
export function responseTools(tools: readonly Tool[] = []): FunctionTool[] {
  return modelTools('openai_responses', tools);
}

/**
 * Writes the stream of a response to a run, or to a subagent, and returns the whole reply, as `streamChat` does. Summaries of the reasoning
 * are written as reasoning, with its encrypted form.
 *
 * @throws AGUIStreamError as `streamChat` does
 *
 * @example
 * ```ts
 * import { streamResponse } from 'ag-ui-native/adapters/openai';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * // As `client.responses.create({ ..., stream: true })` returns it.
 * async function* events() {
 *   yield { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: 'Hello!' };
 *   yield { type: 'response.completed', response: { status: 'completed', output: [] } };
 * }
 * (await runAgent(async (run: Run) => (await streamResponse(run, events())).text)).result; // => 'Hello!'
 * ```
 */
export function streamResponse(run: Scope, stream: AsyncIterable<ResponseEventLike>, options: StreamOptions = {}): Promise<Reply> {
  return streamReply('openai_responses', run, stream, options);
}

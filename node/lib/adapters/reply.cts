import { answerOf } from '../errors/errors.cjs';
import type { Message, TokenUsage, ToolMessage } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { resultContent } from '../server/entities.cjs';
import { Scope } from '../server/scope.cjs';

/**
 * A call of a tool by a model.
 *
 * @example
 * ```ts
 * import { type ModelCall, streamChat } from 'ag-ui-native/adapters/openai';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * async function* chunks() {
 *   const call = { index: 0, id: 'c1', function: { name: 'weather', arguments: '{"city": "Paris"}' } };
 *   yield { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
 * }
 * const look = async (run: Run) => {
 *   const call: ModelCall | undefined = (await streamChat(run, chunks())).toolCalls[0];
 *   call?.arguments; // => { city: 'Paris' }
 *   await call?.answer('clear');
 * };
 * (await runAgent(look)).messages.at(-1)?.content; // => 'clear'
 * ```
 */
export class ModelCall {
  /** The arguments as the model has written them: JSON text, unless the reply was cut. */
  readonly argumentsText: string;
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  readonly #scope: Scope;

  /** @internal */
  constructor(id: string, name: string, argumentsText: string, scope: Scope) {
    this.id = id;
    this.name = name;
    this.argumentsText = argumentsText;
    this.#scope = scope;
  }

  /**
   * The arguments.
   *
   * @throws TypeError if they are not a JSON object; its text can be the answer to the model
   */
  get arguments(): Record<string, any> {
    const read = answerOf<Record<string, any> | string>(native().readArguments(this.argumentsText, '{}'));
    if (typeof read === 'string') throw new TypeError(read);
    return read;
  }

  /**
   * Writes the result of the tool to the run: text, content parts, or any other JSON value, which is sent as text. Resolves to its
   * message, for the next request.
   */
  async answer(content: unknown): Promise<ToolMessage> {
    const id = Scope.writing(this.#scope).session.ids.messageId();
    const given = resultContent(content);
    await this.#scope.toolResult(this.id, given, { messageId: id });
    return { id, role: 'tool', toolCallId: this.id, content: given };
  }

  static {
    inspectable(this, ({ id, name }) => ({ id, name }));
  }
}

/**
 * The whole reply of a model.
 *
 * @example
 * ```ts
 * import { type Reply, streamChat } from 'ag-ui-native/adapters/openai';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * async function* chunks() {
 *   yield { choices: [{ index: 0, delta: { content: 'Hello!' }, finish_reason: 'stop' }] };
 * }
 * const answer = async (run: Run) => {
 *   const reply: Reply = await streamChat(run, chunks());
 *   return [reply.text, reply.finishReason, reply.messages.length];
 * };
 * (await runAgent(answer)).result; // => ['Hello!', 'stop', 1]
 * ```
 */
export interface Reply {
  /** The text, without reasoning. */
  text: string;
  /** True if the text is the model's refusal to answer. */
  isRefusal: boolean;
  /** The calls of tools, in the order of their starts; without those of tools that the provider has run. */
  toolCalls: ModelCall[];
  /** Why the model has stopped: `stop`, `length`, `tool_calls`, `content_filter`, or another word of the provider. */
  finishReason: string;
  /**
   * The messages of the reply, as the client has them; results of the provider's own tools are among them. Add them to the messages of
   * the next request, and the answers of the tools behind them.
   */
  messages: Message[];
  /** The tokens that the provider has counted. They are added to those of the run already. */
  usage: TokenUsage | undefined;
}

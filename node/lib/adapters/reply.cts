import { answerOf } from '../errors/errors.cjs';
import type { Message, TokenUsage, ToolMessage } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { resultContent } from '../server/entities.cjs';
import { Scope } from '../server/scope.cjs';

/** A call of a tool by a model. */
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

/** The whole reply of a model. */
export interface Reply {
  /** The text, without reasoning. */
  text: string;
  /** True if the text is the model's refusal to answer. */
  isRefusal: boolean;
  /** The calls of tools, in the order of their starts. */
  toolCalls: ModelCall[];
  /** Why the model has stopped: `stop`, `length`, `tool_calls`, `content_filter`, or another word of the provider. */
  finishReason: string;
  /**
   * The messages of the reply, as the client has them. Add them to the messages of the next request, and the answers of the tools
   * behind them.
   */
  messages: Message[];
  /** The tokens that the provider has counted. They are added to those of the run already. */
  usage: TokenUsage | undefined;
}

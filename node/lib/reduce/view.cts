import type { Change } from './changes.cjs';
import { Conversation, startText } from './conversation.cjs';
import { Engine } from '../native/engine.cjs';
import { Ask } from '../generated/border.cjs';
import type { Interrupt, Message, State, ToolCall } from '../generated/types.cjs';
import { expect, expectIfGiven } from '../options/kinds.cjs';
import type { Carry, Feed } from '../native/native.cjs';
import { checkOptions, type ConversationOptions, type PipelineOptions, optionsText, type Taker, type Warning } from '../options/options.cjs';
import type { PartialArguments } from '../json/partial.cjs';

/** An engine that changes a conversation, and the conversation. */
export interface Reducing {
  engine: Engine<any>;
  conversation: Conversation;
  carry: Carry;
}

/** Makes an engine and the conversation that it begins with. It returns changes, unless `make` makes something else. */
export function reducing(
  create: (options: string, start: string) => Feed | string,
  options: PipelineOptions,
  taker: Taker,
  make?: (text: string, marks: Uint32Array) => unknown[],
): Reducing {
  checkOptions(options, taker);
  const start = startText(options);
  const take = (text: string): Change[] => conversation.take(text, engine);
  const engine = new Engine<any>(create(optionsText(options), start), make ?? take, options.onWarning);
  const conversation = new Conversation(engine.ask(Ask.Start), start, options.limits);
  return { engine, conversation, carry: (text) => conversation.carry(text, engine) };
}

/** The view of a conversation that reducers and pipelines share. */
export abstract class ConversationView<S = State> {
  readonly #engine: Engine<any>;
  readonly #conversation: Conversation;

  protected constructor({ engine, conversation }: Reducing) {
    this.#engine = engine;
    this.#conversation = conversation;
  }

  /** Returns the members that `util.inspect` shows. */
  protected summary(): object {
    return { ...this.#conversation.summary(), warnings: this.warnings.length };
  }

  /**
   * Returns a reader that follows the arguments of a tool call to their end, or undefined if no call has this id.
   *
   * @throws AGUIValidationError if the arguments so far are not JSON
   */
  partialArguments(toolCallId: string): PartialArguments | undefined {
    expect('text', 'toolCallId', toolCallId);
    return this.#conversation.partialArguments(toolCallId, this.#engine);
  }

  /**
   * Goes on with other messages or another state, as an application that edits the history wants it; they are copied.
   *
   * @throws AGUIValidationError for messages that are none and a state that is no JSON, which changes nothing
   */
  replace({ messages, state }: Pick<ConversationOptions<S>, 'messages' | 'state'>): void {
    expectIfGiven('list', 'messages', messages);
    this.#conversation.replace({ messages, state }, this.#engine);
  }

  /** @internal Goes on with more messages at the end. */
  append(messages: readonly Message[]): void {
    this.#conversation.append(messages, this.#engine);
  }

  /** @internal The first message with this id. */
  messageOf(id: string): Message | undefined {
    return this.#conversation.messageOf(id, this.#engine);
  }

  /** @internal The first tool call with this id. */
  callOf(id: string): ToolCall | undefined {
    return this.#conversation.callOf(id, this.#engine);
  }

  /** @internal The runs after the first, and the index of the run that brought each message. */
  get laterRuns(): { ids: string[]; messages: Record<string, number> } {
    return JSON.parse(this.#engine.ask(Ask.Later));
  }

  /**
   * The messages. The list is a new one after each change, which costs by its length. The `target` of a change costs nothing.
   */
  get messages(): Message[] {
    return this.#conversation.messages;
  }

  /** The state. */
  get state(): S {
    return this.#conversation.state;
  }

  /** The interrupts that wait for an answer. */
  get pendingInterrupts(): Interrupt[] {
    return this.#conversation.pendingInterrupts;
  }

  /** True if the state is the agent's: no patch of it has failed since the last snapshot. */
  get stateInSync(): boolean {
    return this.#conversation.stateInSync;
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }
}

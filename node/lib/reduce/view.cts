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
   * Returns a reader of the arguments of a tool call, which reads them as they arrive; undefined if no call has this id.
   *
   * @throws AGUIValidationError if the arguments so far are not JSON
   */
  partialArguments(toolCallId: string): PartialArguments | undefined {
    expect('text', 'toolCallId', toolCallId);
    return this.#conversation.partialArguments(toolCallId, this.#engine);
  }

  /**
   * Replaces the messages or the state, for applications that edit the history. The new values are copied.
   *
   * @throws AGUIValidationError for invalid messages and for a state that is not JSON; then nothing has changed
   */
  replace({ messages, state }: Pick<ConversationOptions<S>, 'messages' | 'state'>): void {
    expectIfGiven('list', 'messages', messages);
    this.#conversation.replace({ messages, state }, this.#engine);
  }

  /** @internal Appends messages. */
  append(messages: readonly Message[]): void {
    this.#conversation.append(messages, this.#engine);
  }

  /** @internal Returns the first message with this id. */
  messageOf(id: string): Message | undefined {
    return this.#conversation.messageOf(id, this.#engine);
  }

  /** @internal Returns the first tool call with this id. */
  callOf(id: string): ToolCall | undefined {
    return this.#conversation.callOf(id, this.#engine);
  }

  /** @internal The runs after the first, and for each message the index of the run that added it. */
  get laterRuns(): { ids: string[]; messages: Record<string, number> } {
    return JSON.parse(this.#engine.ask(Ask.Later));
  }

  /** The messages. After each change it is a new list, whose cost depends on its length. The `target` of a change has no such cost. */
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

  /** True if the state equals the agent's: no patch of it has failed since the last snapshot. */
  get stateInSync(): boolean {
    return this.#conversation.stateInSync;
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }
}

import type { Change } from './changes.cjs';
import { Conversation, startText } from './conversation.cjs';
import { Engine } from './engine.cjs';
import type { BaseEvent } from './events.cjs';
import { Ask } from './generated/border.cjs';
import type { Event, Interrupt, Message } from './generated/types.cjs';
import { expect } from './kinds.cjs';
import { type Carry, native } from './native.cjs';
import { optionsText, type ReducerOptions, type Warning } from './options.cjs';
import type { PartialArguments } from './partial.cjs';

/**
 * Turns events into changes of a conversation.
 *
 * Messages and state that it hands out (by its getters, or as the target of a change) are never changed afterwards: what
 * no event has touched is the same object as before, what one has touched is a new one. Chunk events must have been
 * expanded.
 */
export class Reducer {
  readonly #engine: Engine<Change>;
  readonly #conversation: Conversation;
  readonly #carry: Carry;

  /** @throws AGUIValidationError for messages or interrupts that are none */
  constructor(options: ReducerOptions = {}) {
    const start = startText(options);
    const take = (text: string) => this.#conversation.take(text, this.#engine);
    this.#engine = new Engine(native().createReducer(optionsText(options), start), take, options.onWarning);
    this.#conversation = new Conversation(this.#engine.ask(Ask.Start), start, options.limits);
    this.#carry = (text) => this.#conversation.carry(text, this.#engine);
  }

  /**
   * Applies one event and returns its changes.
   *
   * @throws AGUIValidationError for what is no event, AGUISequenceError (rule A01) for a chunk, AGUIPatchError under the
   * policy `error`
   */
  apply(event: Event | BaseEvent): Change[] {
    return this.#engine.event(event, this.#carry);
  }

  /** Applies several events, as `apply` does; on failure, `partial` has the changes of those before. */
  applyAll(events: Iterable<Event | BaseEvent>): Change[] {
    expect('items', 'events', events);
    return this.#engine.events([...events], this.#carry);
  }

  /**
   * The arguments of a tool call as they arrive, a reader that follows the call to its end; nothing if no call has this id.
   *
   * @throws AGUIValidationError if what has come so far is no JSON
   */
  partialArguments(toolCallId: string): PartialArguments | undefined {
    expect('text', 'toolCallId', toolCallId);
    return this.#conversation.partialArguments(toolCallId);
  }

  /**
   * The messages: the same list until something changes, and then a new one, which costs by its length. What has changed stands in
   * the changes too (`target`), at no such cost.
   */
  get messages(): Message[] {
    return this.#conversation.messages;
  }

  /** The state. */
  get state(): any {
    return this.#conversation.state;
  }

  /** The interrupts that wait for an answer. */
  get pendingInterrupts(): Interrupt[] {
    return this.#conversation.pendingInterrupts;
  }

  /** Whether the state is the agent's: no patch of it has failed since the last snapshot. */
  get stateInSync(): boolean {
    return this.#conversation.stateInSync;
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }
}

/** What events have made of a conversation. */
export interface Reduced {
  messages: Message[];
  state: any;
  /** The interrupts that wait for an answer. */
  pendingInterrupts: Interrupt[];
  /** Whether the state is the agent's: no patch of it has failed since the last snapshot. */
  stateInSync: boolean;
  /** What the events did, one by one. */
  changes: Change[];
  /** The warnings, if there is no `onWarning` to take them. */
  warnings: Warning[];
}

/**
 * Applies events to a conversation. Chunk events must have been expanded.
 *
 * @throws as `Reducer.apply`, for the first event that fails; `partial` has the changes of those before
 */
export function applyEvents(events: Iterable<Event | BaseEvent>, options: ReducerOptions = {}): Reduced {
  const reducer = new Reducer(options);
  const changes = reducer.applyAll(events);
  const { messages, state, pendingInterrupts, stateInSync, warnings } = reducer;
  return { messages, state, pendingInterrupts, stateInSync, changes, warnings };
}

import type { Change } from './changes.cjs';
import { Conversation, startText } from './conversation.cjs';
import { Engine } from './engine.cjs';
import { Ask } from './generated/border.cjs';
import type { Event, Interrupt, Message } from './generated/types.cjs';
import { expect } from './kinds.cjs';
import { type Carry, native } from './native.cjs';
import { optionsText, type PipelineOptions, type Warning } from './options.cjs';
import type { PartialArguments } from './partial.cjs';
import { readTape, readTexts } from './tape.cjs';

/**
 * Takes a stream of events from bytes to changes of a conversation: decodes, translates 0.x, enforces, expands, verifies
 * and reduces, in one crossing for each chunk. With `reduce: false` it returns events instead of changes, and the
 * conversation stays as it begins.
 *
 * A failure ends the stream: everything before it has been applied, and the error's `partial` has what the failing call
 * had made. Messages and state that it hands out are never changed afterwards, see `Reducer`.
 */
export class EventPipeline<Reduce extends boolean = true> {
  readonly #engine: Engine<Change | Event>;
  readonly #conversation: Conversation;
  /** Nothing if the pipeline makes events. */
  readonly #carry: Carry | undefined;

  /**
   * @throws AGUIStreamError `wrong_content_type` if the response is not an event stream, AGUIValidationError for messages
   * or interrupts that are none
   */
  constructor(options: PipelineOptions & { /** Reduce events to changes; true by default. */ reduce?: Reduce } = {}) {
    const start = startText(options);
    const feed = native().createPipeline(optionsText(options), start);
    const carry: Carry = (text) => this.#conversation.carry(text, this.#engine as Engine<Change>);
    this.#carry = options.reduce === false ? undefined : carry;
    const take = (text: string) => this.#conversation.take(text, this.#engine as Engine<Change>);
    this.#engine = new Engine<Change | Event>(feed, options.reduce === false ? (options.text ? readTexts : readTape) : take, options.onWarning);
    this.#conversation = new Conversation(this.#engine.ask(Ask.Start), start, options.limits);
  }

  /**
   * Reads a chunk and returns the changes it brings, or the events it completes.
   *
   * @throws AGUIError for the first event that fails; `partial` has what came of those before it in the chunk
   */
  feed(chunk: Uint8Array): (Reduce extends false ? Event : Change)[] {
    return this.#engine.feed(chunk, this.#carry) as (Reduce extends false ? Event : Change)[];
  }

  /**
   * Ends the stream and returns what a last event brings that lacked only its blank line.
   *
   * @throws AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does
   */
  close(): (Reduce extends false ? Event : Change)[] {
    return this.#engine.run(Ask.Close, this.#carry) as (Reduce extends false ? Event : Change)[];
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

  /** The id last set in the stream, to resume from; empty if none was. */
  get lastEventId(): string {
    return this.#engine.resumePoint().lastEventId;
  }

  /** How long the server asks to wait before connecting again, in milliseconds. */
  get retry(): number | undefined {
    return this.#engine.resumePoint().retry ?? undefined;
  }
}

import type { Change, RunEnd } from '../reduce/changes.cjs';
import type { Event, Message, State, ToolCall } from '../generated/types.cjs';
import { applyAt, type Reducer } from '../reduce/reducer.cjs';
import type { Callback } from './subscriber.cjs';
import type { Conversation } from './conversation.cjs';

/** The members of a callback's parameters that other callbacks do not have. */
export type About = object;

/** The occasion that subscribers are notified of: an event, a step of the run, or a change by the application. */
export class Notification<S = State> {
  /** The changes of the event. */
  changes: Change[] = [];
  /** True if the messages count as changed. */
  touched = false;
  readonly #conversation: Conversation<S>;
  readonly #event: Event | undefined;
  /** The index of the event in its stream. */
  readonly #index: number;
  readonly #reducer: Reducer<S> | undefined;
  readonly #about: About;
  readonly #complete: readonly About[] | undefined;
  #isReduced = false;
  #typed: { about: About | undefined } | undefined;

  /** `complete` has the messages and calls that the application has added. */
  constructor(
    conversation: Conversation<S>,
    { event, index = 0, reducer, about = {}, complete }: { event?: Event; index?: number; reducer?: Reducer<S>; about?: About; complete?: readonly About[] },
  ) {
    this.#conversation = conversation;
    this.#event = event;
    this.#index = index;
    this.#reducer = reducer;
    this.#about = event ? { event } : about;
    this.#complete = complete;
  }

  /** Applies the event, once. The end of a run is applied as a whole or in two parts. */
  reduce(how: 'whole' | 'begin' | 'end', wantsChanges: boolean): void {
    const [event, reducer] = [this.#event!, this.#reducer!];
    if (how === 'whole' && announces(event)) this.#conversation.hold();
    if (!this.#isReduced) this.changes = applyAt(reducer, how === 'begin' ? withoutInput(event) : event, this.#index);
    this.#isReduced = true;
    this.touched = wantsChanges && reducer.touched;
    if (how !== 'end') keepInterrupts(this.changes, this.#conversation, reducer);
  }

  /** The kinds of the event's changes, joined with commas. */
  get kinds(): string {
    return this.changes.map(({ kind }) => kind).join();
  }

  /** Returns the parameters of a callback, or undefined if its subject does not exist. */
  about(callback: Callback, subject: number | undefined): About | undefined {
    switch (callback) {
      case 'onNewMessage':
      case 'onNewToolCall':
        return subject === undefined ? this.#target() : this.#completed(callback, subject);
      case 'onMessagesChanged':
      case 'onStateChanged':
        return {};
      case 'onEvent':
      case 'onRunInitialized':
      case 'onRunFailed':
      case 'onRunFinalized':
        return this.#about;
      default:
        // Later subscribers get the same parameters, even if an earlier one removes the subject.
        return (this.#typed ??= { about: this.#ofItsType() }).about;
    }
  }

  #completed(callback: 'onNewMessage' | 'onNewToolCall', subject: number): About {
    if (this.#complete) return this.#complete[subject]!;
    const { target } = this.changes[subject]!;
    return callback === 'onNewMessage' ? { message: target as Message } : { toolCall: target as ToolCall };
  }

  /** Returns the message or call that the event ends. */
  #target(): About | undefined {
    const [event, reducer] = [this.#event!, this.#reducer!];
    if (event.type === 'TOOL_CALL_END') {
      const toolCall = reducer.callOf(event.toolCallId);
      return toolCall && { toolCall };
    }
    const message = textTarget((event as { messageId: string }).messageId, reducer);
    return message && { message };
  }

  /** Returns the parameters of the callback for the event's type, or undefined if its subject does not exist. */
  #ofItsType(): About | undefined {
    const [event, reducer] = [this.#event!, this.#reducer!];
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_END': {
        const message = textTarget(event.messageId, reducer);
        return message && { event, textMessageBuffer: bufferOf(message) };
      }
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_END': {
        const message = textTarget(event.messageId, reducer);
        return message && { event, reasoningMessageBuffer: bufferOf(message) };
      }
      case 'TOOL_CALL_ARGS': {
        const call = reducer.callOf(event.toolCallId);
        if (call === undefined) return undefined;
        const { name: toolCallName, arguments: toolCallBuffer } = call.function;
        return { event, toolCallBuffer, toolCallName, partialToolCallArgs: partial(event.toolCallId, reducer) };
      }
      case 'TOOL_CALL_END': {
        const call = reducer.callOf(event.toolCallId);
        return call && { event, toolCallName: call.function.name, toolCallArgs: parsed(call.function.arguments) };
      }
      case 'ACTIVITY_SNAPSHOT': {
        const message = reducer.messageOf(event.messageId);
        return { event, ...(message && { existingMessage: message }), ...(message?.role === 'activity' && { activityMessage: message }) };
      }
      case 'ACTIVITY_DELTA': {
        const message = reducer.messageOf(event.messageId);
        return message?.role === 'activity' ? { event, activityMessage: message } : undefined;
      }
      case 'RUN_FINISHED': {
        const { usage, ...end } = this.changes.find(({ kind }) => kind === 'run_finished')!.value as RunEnd;
        return { event, ...end };
      }
      default:
        return { event };
    }
  }
}

/** Sets the interrupts that an event has changed. */
export function keepInterrupts<S>(changes: readonly Change[], conversation: Conversation<S>, reducer: Reducer<S>): void {
  if (changes.some(({ kind }) => kind === 'interrupts_set')) conversation.pendingInterrupts = reducer.pendingInterrupts;
}

function withoutInput({ input, ...event }: Event & { input?: unknown }): Event {
  return event as Event;
}

/** Returns true if subscribers are notified of an event's effect before the agent shows it. */
function announces({ type, metadata }: Event): boolean {
  return type === 'TOOL_CALL_RESULT' || type === 'ACTIVITY_SNAPSHOT' || (type.endsWith('_END') && metadata !== undefined);
}

/** Returns the message that text is appended to. An activity takes no text. */
function textTarget(id: string, reducer: Reducer<any>): Message | undefined {
  const message = reducer.messageOf(id);
  return message?.role === 'activity' ? undefined : message;
}

function bufferOf({ content }: Message): string {
  return typeof content === 'string' ? content : '';
}

/** Parses arguments. Returns `{}` for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Parses incomplete arguments. */
function partial(toolCallId: string, reducer: Reducer<any>): unknown {
  try {
    return reducer.partialArguments(toolCallId)?.value ?? {};
  } catch {
    return {};
  }
}

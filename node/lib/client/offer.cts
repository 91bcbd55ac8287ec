import type { Change, RunEnd } from '../changes.cjs';
import type { Event, Message, RunAgentInput, State } from '../generated/types.cjs';
import { wrongKind } from '../kinds.cjs';
import type { Reducer } from '../reducer.cjs';
import type { Agent } from './agent.cjs';
import { isThenable } from './quiet.cjs';
import type { AgentStateMutation, Callback, Subscribers } from './subscriber.cjs';
import { callbackOf } from './subscribers.cjs';
import type { Thread } from './thread.cjs';
import type { Watch } from './watch.cjs';

/** What of a conversation is to be told. */
interface Touched {
  messages: boolean;
  state: boolean;
}

/** The run that subscribers are told of. */
interface During {
  input(): RunAgentInput;
  /** Waits for them. */
  readonly watch: Watch;
  /** They are told of its end. */
  readonly isEnd?: boolean;
}

/** What a callback is shown of a conversation. */
interface Shown<S> {
  readonly messages: readonly Message[];
  readonly state: S;
}

/** Offers what happens to subscribers, in order, and has their answers take effect. */
export class Offering<S = State> {
  /** The last end of a run. */
  end: RunOver | undefined;
  readonly #agent: Agent<S>;
  readonly #thread: Thread<S>;
  readonly #subscribers: Subscribers<S>;
  readonly #report: (error: unknown) => void;
  readonly #during: During | undefined;

  constructor(
    { agent, thread, report }: { agent: Agent<S>; thread: Thread<S>; report(error: unknown): void },
    subscribers: Subscribers<S>,
    during?: During,
  ) {
    this.#agent = agent;
    this.#thread = thread;
    this.#report = report;
    this.#subscribers = subscribers;
    this.#during = during;
  }

  /** Offers an event, and reduces it unless somebody stops it. */
  async event(event: Event, reducer: Reducer<S>): Promise<Change[]> {
    const touched = { messages: false, state: false };
    const isStopped = await this.#ask('onEvent', { event }, touched);
    // The end of a run changes neither messages nor state, says what its callback is told, and is one even where it is stopped.
    const end = isEnd(event) ? reducer.apply(event) : undefined;
    if (end !== undefined) this.end = endOf(end, isStopped);
    const changes = isStopped ? [] : await this.#step(event, reducer, touched, end);
    for (const change of changes) {
      if (change.kind === 'message_ended') await this.#tell('onNewMessage', { message: change.target });
      else if (change.kind === 'call_ended') await this.#tell('onNewToolCall', { toolCall: change.target });
    }
    await this.#commit(touched);
    return changes;
  }

  /** Offers the run as a whole: what a callback returns takes effect at once. */
  async lifecycle(callback: Callback, more: object = {}): Promise<Touched & { isStopped: boolean }> {
    const touched = { messages: false, state: false };
    const isStopped = await this.#ask(callback, more, touched);
    await this.#commit(touched);
    return { ...touched, isStopped };
  }

  /** Tells of messages that the application has added. */
  async added(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      await this.#tell('onNewMessage', { message });
      if (message.role !== 'assistant') continue;
      for (const toolCall of message.toolCalls ?? []) await this.#tell('onNewToolCall', { toolCall });
    }
    await this.#tell('onMessagesChanged', {});
  }

  /** Tells that the application has replaced messages or the state. */
  replaced(callback: 'onMessagesChanged' | 'onStateChanged'): Promise<void> {
    return this.#tell(callback, {});
  }

  /** The event's own callback, and its effect. */
  async #step(event: Event, reducer: Reducer<S>, touched: Touched, end: Change[] | undefined): Promise<Change[]> {
    const callback = callbackOf(event.type) as Callback;
    const about = this.#subscribers.has(callback) ? this.#about(event, reducer) : undefined;
    if (about !== undefined && (await this.#ask(callback, about, touched))) return this.#stopped(event, reducer);
    if (this.#announces(event)) this.#thread.hold();
    const changes = end ?? reducer.apply(event);
    for (const { kind } of changes) {
      if (kind === 'state_set' || kind === 'state_patched') touched.state = true;
      // Whether a patch applies core does not know yet when it says what an event touches.
      if (kind === 'content_patched') touched.messages = true;
      if (kind === 'interrupts_set') this.#thread.pendingInterrupts = reducer.pendingInterrupts;
    }
    touched.messages ||= this.#subscribers.has('onMessagesChanged') && reducer.touched;
    return changes;
  }

  /** Whether the effect of an event is told before the agent shows it. */
  #announces({ type, metadata }: Event): boolean {
    const isWhole = type === 'TOOL_CALL_RESULT' || type === 'ACTIVITY_SNAPSHOT' || (type.endsWith('_END') && metadata !== undefined);
    return isWhole && (this.#subscribers.has('onNewMessage') || this.#subscribers.has('onNewToolCall'));
  }

  /** What happens although the event was stopped. */
  #stopped(event: Event, reducer: Reducer<S>): Change[] {
    switch (event.type) {
      case 'RUN_STARTED': {
        // The calls of the run before count no more.
        const { input, ...bare } = event;
        return reducer.apply(bare as Event);
      }
      case 'TEXT_MESSAGE_END':
      case 'REASONING_MESSAGE_END': {
        const message = textTarget(event.messageId, reducer);
        return message ? [{ kind: 'message_ended', eventIndex: 0, target: message, value: undefined }] : [];
      }
      case 'TOOL_CALL_END': {
        const call = reducer.callOf(event.toolCallId);
        return call ? [{ kind: 'call_ended', eventIndex: 0, target: call, value: undefined }] : [];
      }
      default:
        return [];
    }
  }

  /** What the event's own callback is told; nothing if what the event is about is missing. */
  #about(event: Event, reducer: Reducer<S>): object | undefined {
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
        const { usage, ...end } = this.end!.value as RunEnd;
        return { event, ...end, ...(end.outcome === 'interrupt' && { interrupts: reducer.pendingInterrupts }) };
      }
      default:
        return { event };
    }
  }

  /** Asks subscribers in order. True if one has stopped the step. */
  async #ask(callback: Callback, more: object, touched: Touched): Promise<boolean> {
    for (const subscriber of this.#subscribers.with(callback)) {
      try {
        const params = this.#params(more);
        const given = (subscriber[callback] as (params: object) => unknown).call(subscriber, params);
        const answer = isThenable(given) ? await this.#wait(given) : given;
        if (answer === undefined) continue;
        if (typeof answer !== 'object' || answer === null) throw wrongKind(callback, 'nothing or an object', answer);
        this.#mutate(answer as AgentStateMutation<S>, touched);
        if ((answer as AgentStateMutation<S>).stopPropagation === true) return true;
      } catch (error) {
        if (this.#during?.watch.isReason(error)) throw error;
        this.#report(error);
      }
    }
    return false;
  }

  /**
   * Waits for a callback. When nobody waits any longer, the run ends here, and the callback goes on by itself; of the end all the others are
   * told all the same.
   */
  async #wait(given: PromiseLike<unknown>): Promise<unknown> {
    if (this.#during === undefined) return given;
    const { watch, isEnd } = this.#during;
    try {
      return await watch.until(given);
    } catch (error) {
      if (!watch.isReason(error)) throw error;
      Promise.resolve(given).catch(this.#report);
      if (isEnd) return undefined;
      throw error;
    }
  }

  #mutate({ messages, state }: AgentStateMutation<S>, touched: Touched): void {
    const { current } = this.#thread;
    const next: AgentStateMutation<S> = {};
    if (messages !== undefined && messages !== current.messages) next.messages = messages;
    if (state !== undefined && state !== current.state) next.state = state;
    if (!('messages' in next || 'state' in next)) return;
    this.#thread.hold();
    this.#thread.replace(next);
    touched.messages ||= 'messages' in next;
    touched.state ||= 'state' in next;
  }

  /** Tells subscribers in order; what they throw is not caught here. */
  async #tell(callback: Callback, more: object, shown?: Shown<S>): Promise<void> {
    for (const subscriber of this.#subscribers.with(callback)) {
      const given = (subscriber[callback] as (params: object) => unknown).call(subscriber, this.#params(more, shown));
      if (isThenable(given)) await this.#wait(given);
    }
  }

  /** The agent shows what there is, and tells. */
  async #commit({ messages, state }: Touched): Promise<void> {
    this.#thread.commitMessages();
    try {
      if (messages) await this.#tell('onMessagesChanged', {}, this.#thread);
    } finally {
      this.#thread.commit();
    }
    if (state) await this.#tell('onStateChanged', {}, this.#thread);
  }

  #params(more: object, current: Shown<S> = this.#thread.current): object {
    const agent = this.#agent;
    const during = this.#during;
    if (during === undefined) return { ...more, agent, messages: current.messages, state: current.state };
    return {
      ...more,
      agent,
      // Who does not look at them does not have the list made.
      get input(): RunAgentInput {
        return during.input();
      },
      get messages(): readonly Message[] {
        return current.messages;
      },
      get state(): S {
        return current.state;
      },
    };
  }
}

/** The end of a run, as an event. */
export function isEnd({ type }: Event): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR';
}

/** The end of a run, as a change. */
export type RunOver = Extract<Change, { kind: 'run_finished' | 'run_failed' }>;

export function isOver(change: Change): change is RunOver {
  return change.kind === 'run_finished' || change.kind === 'run_failed';
}

/** How a run has ended. Where nobody is to hear of it, no more than that is said; an error is one all the same. */
function endOf(changes: readonly Change[], isStopped: boolean): RunOver | undefined {
  const end = changes.find(isOver);
  if (!isStopped || end?.kind !== 'run_finished') return end;
  return { ...end, value: { outcome: end.value.outcome } as RunEnd };
}

/** The message that text goes to: an activity is none. */
function textTarget(id: string, reducer: Reducer<any>): Message | undefined {
  const message = reducer.messageOf(id);
  return message?.role === 'activity' ? undefined : message;
}

function bufferOf({ content }: Message): string {
  return typeof content === 'string' ? content : '';
}

/** Arguments as a value: those that are no JSON are none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The same of those that are still to grow. */
function partial(toolCallId: string, reducer: Reducer<any>): unknown {
  try {
    return reducer.partialArguments(toolCallId)?.value ?? {};
  } catch {
    return {};
  }
}

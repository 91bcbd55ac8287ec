import type { Change, RunEnd } from '../changes.cjs';
import { isObject } from '../check.cjs';
import type { BaseEvent } from '../events.cjs';
import type { Message, RunAgentInput, State, ToolCall } from '../generated/types.cjs';
import { applyLoosely, Reducer, shareIds } from '../reducer.cjs';
import { type DebugLogger, type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import { classOf, connect, type Source, subscribable, type Subscribable, type Subscriber } from './observable.cjs';
import type { AgentSubscriber as SubscriberOfAgents } from './subscriber.cjs';
import { type AgentStateMutation, type AgentSubscriber, callbackOf, tell, type Told } from './subscribers.cjs';

/** The agent whose conversation it is: what is read of it, and what is set. */
export interface ApplyingAgent {
  messages: Message[];
  pendingInterrupts?: any;
}

/**
 * Applies events to an agent's conversation: tells subscribers of each, one event after the other, and reports the messages and the
 * state when they have changed. What is reported is not to be changed in place: it shares what no event has touched. Chunk events
 * must have been expanded. Every event before one that fails is applied.
 */
export function defaultApplyEvents<R = Subscribable<AgentStateMutation>>(
  input: RunAgentInput,
  events$: Source<any>,
  agent: ApplyingAgent,
  subscribers: readonly (AgentSubscriber | SubscriberOfAgents<any>)[],
  debug?: DebugLoggerInput,
): R {
  const from = subscribable<BaseEvent>(events$);
  const log = resolveDebugLogger(debug);
  return new (classOf<Subscribable<AgentStateMutation>>(from))((subscriber: Subscriber<AgentStateMutation>) => {
    let queue: (() => void | Promise<void>)[] = [];
    const applying = new Applying(input, agent, subscribers as readonly AgentSubscriber[], log, (report) => subscriber.next(report));
    let isWorking = false;
    const work = async () => {
      try {
        while (queue.length > 0) {
          const jobs = queue;
          queue = [];
          for (const job of jobs) {
            if (subscriber.closed) return;
            await job();
          }
        }
      } catch (error) {
        subscriber.error(error);
      }
      isWorking = false;
    };
    const add = (job: () => void | Promise<void>) => {
      queue.push(job);
      if (isWorking) return;
      isWorking = true;
      queueMicrotask(work);
    };
    return connect(from, subscriber, {
      next: (event) => add(() => applying.take(event)),
      error: (error) => add(() => subscriber.error(error)),
      complete: () => add(() => {
        if (!applying.hasReported && subscribers.length > 0) subscriber.next({});
        subscriber.complete();
      }),
    });
  }) as R;
}

/** Changes that are no one's but the program's to know. */
const QUIET = new Set<Change['kind']>(['message_ended', 'call_ended', 'run_finished', 'run_failed', 'interrupts_set', 'patch_failed']);
const STATE = new Set<Change['kind']>(['state_set', 'state_patched']);

/** A conversation to which events are applied. */
class Applying {
  hasReported = false;
  #reducer: Reducer<State>;
  /** What the run has called, whatever subscribers make of the messages. */
  readonly #calls = new Reducer({ onWarning: () => {} });
  readonly #input: RunAgentInput;
  readonly #agent: ApplyingAgent;
  readonly #subscribers: readonly AgentSubscriber[];
  readonly #log: DebugLogger | undefined;
  readonly #report: (mutation: AgentStateMutation) => void;

  constructor(
    input: RunAgentInput,
    agent: ApplyingAgent,
    subscribers: readonly AgentSubscriber[],
    log: DebugLogger | undefined,
    report: (mutation: AgentStateMutation) => void,
  ) {
    this.#input = input;
    this.#agent = agent;
    this.#subscribers = subscribers;
    this.#log = log;
    this.#report = report;
    this.#reducer = this.#begin(agent.messages, input.state as State);
  }

  #begin(messages: readonly Message[], state: State): Reducer<State> {
    const onWarning = ({ message }: { message: string }) => this.#log?.event('APPLY', 'Warning:', message);
    const reducer = new Reducer<State>({ messages, state, onWarning });
    // As the function of that name does.
    shareIds(reducer);
    return reducer;
  }

  /** Takes the next event. */
  async take(event: BaseEvent): Promise<void> {
    const changed = { messages: false, state: false };
    const told = this.#isAwaited('onEvent') ? await this.#tell('onEvent', { event }, changed) : undefined;
    this.#log?.event('APPLY', told?.isStopped ? 'Event dropped:' : 'Event applied:', event, { type: event.type });
    if (!told?.isStopped) await this.#apply(event, changed);
    if (!changed.messages && !changed.state) return;
    this.hasReported = true;
    const { messages, state } = this.#reducer;
    this.#report({ ...(changed.messages && { messages: [...messages] }), ...(changed.state && { state }) });
  }

  #isAwaited(callback: `on${string}`): boolean {
    return this.#subscribers.some((subscriber) => subscriber[callback] !== undefined);
  }

  async #apply(event: BaseEvent, changed: Changed): Promise<void> {
    const callback = callbackOf(event.type);
    if (this.#isAwaited(callback)) {
      const about = this.#about(event);
      const told = about && (await this.#tell(callback, { event, ...about }, changed));
      if (told?.isStopped) return this.#stopped(event, about!);
    }
    this.#note(event);
    const changes = applyLoosely(this.#reducer, event);
    for (const { kind } of changes) {
      if (STATE.has(kind)) changed.state = true;
      else if (!QUIET.has(kind)) changed.messages = true;
      if (kind === 'interrupts_set') this.#agent.pendingInterrupts = [...(interruptsOf(event) ?? this.#reducer.pendingInterrupts)];
    }
    const counts = event.type === 'ACTIVITY_SNAPSHOT' || (event.type === 'RUN_STARTED' && isObject(event['input']) && Array.isArray(event['input']['messages']));
    if (counts) changed.messages = true;
    for (const change of changes) {
      if (change.kind === 'message_ended') await this.#announce('onNewMessage', { message: change.target });
      if (change.kind === 'call_ended') await this.#announce('onNewToolCall', { toolCall: change.target });
    }
  }

  /** An event that a subscriber has stopped still ends what it ends, and begins a run. */
  async #stopped(event: BaseEvent, { message, toolCall }: About): Promise<void> {
    if (event.type === 'RUN_STARTED') this.#note(event);
    if (event.type.endsWith('MESSAGE_END') && message) await this.#announce('onNewMessage', { message });
    if (event.type === 'TOOL_CALL_END' && toolCall) await this.#announce('onNewToolCall', { toolCall });
  }

  /** Tells subscribers of an event, and goes on with what they have replaced. */
  async #tell(callback: `on${string}`, params: object, changed: Changed): Promise<Told> {
    const { messages, state } = this.#reducer;
    const { message: _, toolCall: __, ...shown } = params as About;
    const told = await tell(this.#subscribers, callback, { messages, state }, { ...shown, agent: this.#agent, input: this.#input });
    if (told.hasMessages || told.hasState) this.#reducer = this.#begin(told.messages, told.state);
    changed.messages ||= told.hasMessages;
    changed.state ||= told.hasState;
    return told;
  }

  async #announce(callback: 'onNewMessage' | 'onNewToolCall', params: object): Promise<void> {
    if (!this.#isAwaited(callback)) return;
    const { messages, state } = this.#reducer;
    const all = { ...params, messages, state, agent: this.#agent, input: this.#input };
    await Promise.all(this.#subscribers.map((subscriber) => subscriber[callback]?.(all as any)));
  }

  #note(event: BaseEvent): Change[] {
    const counted = ['RUN_STARTED', 'TOOL_CALL_START', 'TOOL_CALL_RESULT', 'RUN_FINISHED'].includes(event.type);
    return counted ? applyLoosely(this.#calls, { ...event, input: undefined } as BaseEvent) : [];
  }

  /** What the callback for this event is told of besides; nothing if there is not what the event is about. */
  #about(event: BaseEvent): About | undefined {
    const messageOf = () => this.#reducer.messages.find(({ id }) => id === event['messageId']);
    switch (event.type as string) {
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_END':
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_END': {
        const message = messageOf();
        if (message === undefined || message.role === 'activity') return undefined;
        const buffer = typeof message.content === 'string' ? message.content : '';
        return event.type.startsWith('TEXT') ? { message, textMessageBuffer: buffer } : { message, reasoningMessageBuffer: buffer };
      }
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END':
        return this.#aboutCall(event);
      case 'ACTIVITY_SNAPSHOT': {
        const existingMessage = messageOf();
        return { existingMessage, activityMessage: existingMessage?.role === 'activity' ? existingMessage : undefined };
      }
      case 'ACTIVITY_DELTA': {
        const activityMessage = messageOf();
        return activityMessage?.role === 'activity' ? { activityMessage } : undefined;
      }
      case 'RUN_FINISHED':
        return this.#end(event);
      default:
        return {};
    }
  }

  #aboutCall(event: BaseEvent): About | undefined {
    const id = event['toolCallId'] as string;
    const calls = (message: Message) => ('toolCalls' in message ? (message.toolCalls ?? []) : []);
    const toolCall = this.#reducer.messages.flatMap(calls).find((call) => call.id === id);
    if (toolCall === undefined) return undefined;
    const { name: toolCallName, arguments: buffer } = toolCall.function;
    if (event.type === 'TOOL_CALL_END') return { toolCall, toolCallName, toolCallArgs: parsed(() => JSON.parse(buffer)) };
    const partialToolCallArgs = parsed(() => this.#reducer.partialArguments(id)?.value);
    return { toolCall, toolCallName, toolCallBuffer: buffer, partialToolCallArgs };
  }

  #end(event: BaseEvent): About {
    const [end] = this.#note(event).flatMap((change) => (change.kind === 'run_finished' ? [change.value] : [])) as [RunEnd];
    if (end.outcome === 'interrupt') return { outcome: end.outcome, interrupts: interruptsOf(event) };
    if (end.outcome === 'cancelled') return { outcome: end.outcome };
    return { outcome: end.outcome, result: event['result'], pendingToolCallIds: end.pendingToolCallIds };
  }
}

/** What is to be reported. */
interface Changed {
  messages: boolean;
  state: boolean;
}

/** What a callback is told of besides, and what the event is about. */
interface About {
  message?: Message;
  toolCall?: ToolCall;
  [name: string]: unknown;
}

function parsed(read: () => any): any {
  try {
    return read() ?? {};
  } catch {
    return {};
  }
}

/** The interrupts that an event brings, as they are: the reducer knows their ids. */
function interruptsOf(event: BaseEvent): unknown[] | undefined {
  const outcome: unknown = event.type === 'RUN_FINISHED' ? event['outcome'] : undefined;
  return isObject(outcome) && outcome['type'] === 'interrupt' ? (outcome['interrupts'] as unknown[]) : undefined;
}

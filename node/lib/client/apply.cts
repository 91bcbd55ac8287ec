import type { Change, RunEnd } from '../reduce/changes.cjs';
import { isObject } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Event, Interrupt, Message, RunAgentInput, State, ToolCall } from '../generated/types.cjs';
import { applyLoosely, Reducer, shareIds } from '../reduce/reducer.cjs';
import { type DebugLogger, type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import { Delivery } from './delivery.cjs';
import { classOf, connect, type Source, subscribable, type Subscribable, type Subscriber } from './observable.cjs';
import { type AgentSubscriber as SubscriberOfAgents, Subscribers } from './subscriber.cjs';
import { Thread } from './thread.cjs';

/** The agent whose conversation it is: what is read of it, and what is set. */
export interface ApplyingAgent {
  messages: Message[];
  pendingInterrupts?: any;
}

/** What a subscriber changes: the messages or the state are replaced; with `stopPropagation` nobody else is told of the event, and it has no effect. */
export interface AgentStateMutation {
  messages?: Message[];
  state?: State;
  stopPropagation?: boolean;
}

/** What subscribers are told of a conversation. They must not change it in place. */
interface AgentSubscriberParams {
  messages: readonly Message[];
  state: State;
  agent: any;
  input: RunAgentInput;
}

type Returned = AgentStateMutation | void | Promise<AgentStateMutation | void>;

/** One who is told of events: of all by `onEvent`, of those of one type by `onTextMessageStartEvent` and so on. */
export interface AgentSubscriber {
  onEvent?(params: AgentSubscriberParams & { event: BaseEvent }): Returned;
  onNewMessage?(params: AgentSubscriberParams & { message: Message }): unknown;
  onNewToolCall?(params: AgentSubscriberParams & { toolCall: ToolCall }): unknown;
  [callback: `on${string}`]: ((params: any) => any) | undefined;
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
    const applying = new Applying(input, agent, subscribers, log, (report) => subscriber.next(report));
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

/** A conversation to which events are applied. */
class Applying {
  hasReported = false;
  /** How many events have come. */
  #count = 0;
  readonly #agent: ApplyingAgent;
  readonly #reducer: LooseReducer;
  readonly #delivery: Delivery;
  readonly #log: DebugLogger | undefined;
  readonly #report: (mutation: AgentStateMutation) => void;

  constructor(
    input: RunAgentInput,
    agent: ApplyingAgent,
    subscribers: readonly object[],
    log: DebugLogger | undefined,
    report: (mutation: AgentStateMutation) => void,
  ) {
    this.#agent = agent;
    this.#log = log;
    this.#report = report;
    const onWarning = ({ message }: { message: string }) => log?.event('APPLY', 'Warning:', message);
    this.#reducer = new LooseReducer({ messages: agent.messages, state: input.state as State, onWarning });
    const host = { agent: agent as any, thread: new AppliedThread(this.#reducer), report: (error: unknown) => console.error('Subscriber error:', error) };
    // Of what is reported the agent tells.
    this.#delivery = new Delivery(host, new Subscribers(subscribers, ['onMessagesChanged', 'onStateChanged']), { input, wantsChanges: true });
  }

  /** Takes the next event. */
  async take(event: BaseEvent): Promise<void> {
    const reducer = this.#reducer;
    const { changes, stopped, messages, state } = await this.#delivery.event(event as Event, this.#count++, reducer);
    this.#log?.event('APPLY', stopped ? 'Event dropped:' : 'Event applied:', event, { type: event.type });
    if (changes.some(({ kind }) => kind === 'interrupts_set')) this.#agent.pendingInterrupts = [...reducer.pendingInterrupts];
    if (!messages && !state) return;
    this.hasReported = true;
    this.#report({ ...(messages && { messages: [...reducer.messages] }), ...(state && { state: reducer.state }) });
  }
}

/** Reads no more of events than what the conversation depends on. */
class LooseReducer extends Reducer<State> {
  #interrupts: Interrupt[] | undefined;

  constructor(options: ConstructorParameters<typeof Reducer<State>>[0]) {
    super(options);
    // As the function of that name does.
    shareIds(this);
  }

  override apply(event: BaseEvent): Change[] {
    this.#interrupts = interruptsOf(event);
    const changes = applyLoosely(this, event);
    // Core has not seen them.
    const unseen = (end: RunEnd) => (end.outcome === 'success' ? { result: event['result'] } : this.#interrupts && { interrupts: this.#interrupts });
    return changes.map((change) => (change.kind === 'run_finished' ? ({ ...change, value: { ...change.value, ...unseen(change.value) } } as Change) : change));
  }

  /** Those that the event brings are as they are: core knows their ids. */
  override get pendingInterrupts(): Interrupt[] {
    return this.#interrupts ?? super.pendingInterrupts;
  }
}

/** What subscribers replace is read as what the agent had before. */
class AppliedThread extends Thread<State> {
  readonly #reducer: Reducer<State>;

  constructor(reducer: Reducer<State>) {
    super([], {});
    this.#reducer = reducer;
    this.begin(reducer);
  }

  override replace(given: Parameters<Thread<State>['replace']>[0]): void {
    this.#reducer.replace(given as { messages?: Message[]; state?: State });
  }
}

function interruptsOf(event: BaseEvent): Interrupt[] | undefined {
  const outcome: unknown = event.type === 'RUN_FINISHED' ? event['outcome'] : undefined;
  return isObject(outcome) && outcome['type'] === 'interrupt' ? (outcome['interrupts'] as Interrupt[]) : undefined;
}

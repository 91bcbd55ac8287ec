import type { BaseEvent } from '../types/events.cjs';
import type { Message, RunAgentInput, State, ToolCall } from '../generated/types.cjs';
import { type AgentStateMutation, Applying, type ApplyingAgent } from './applying.cjs';
import { type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import { classOf, connect, type ObservableInput, subscribable, type Subscribable, type Subscriber } from './observable.cjs';
import type { AgentSubscriber as SubscriberOfAgents } from '../client/subscriber.cjs';

/** The parameters of callbacks. They must not be changed in place. */
interface AgentSubscriberParams {
  messages: readonly Message[];
  state: State;
  agent: any;
  input: RunAgentInput;
}

type Returned = AgentStateMutation | void | Promise<AgentStateMutation | void>;

/** Callbacks for events: `onEvent` for all events, others such as `onTextMessageStartEvent` for one type. */
export interface AgentSubscriber {
  onEvent?(params: AgentSubscriberParams & { event: BaseEvent }): Returned;
  onNewMessage?(params: AgentSubscriberParams & { message: Message }): unknown;
  onNewToolCall?(params: AgentSubscriberParams & { toolCall: ToolCall }): unknown;
  [callback: `on${string}`]: ((params: any) => any) | undefined;
}

/**
 * Applies events to an agent's conversation one after the other: notifies subscribers of each, and emits the messages and the state when
 * they have changed. The emitted objects share unchanged parts and must not be changed in place. Chunk events must be expanded before.
 * All events before a failing one are applied.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { defaultApplyEvents, Observable } from 'ag-ui-native/operators';
 *
 * const input = { threadId: 't1', runId: 'r1', messages: [], tools: [], context: [], state: {} };
 * const events = [{ type: EventType.STATE_SNAPSHOT, snapshot: { tasks: 2 } }];
 * const states: unknown[] = [];
 * await new Promise<void>((resolve) => {
 *   const mutations = defaultApplyEvents(input, events, { messages: [] }, []);
 *   mutations.subscribe({ next: ({ state }) => states.push(state), error() {}, complete: resolve });
 * });
 * states; // => [{ tasks: 2 }]
 * ```
 */
export function defaultApplyEvents<R = Subscribable<AgentStateMutation>>(
  input: RunAgentInput,
  events$: ObservableInput<any>,
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

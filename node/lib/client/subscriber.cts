import { callbacks } from '../generated/border.cjs';
import type * as events from '../generated/types.cjs';
import type { ActivityMessage, Event, Interrupt, Message, RunAgentInput, State, ToolCall } from '../generated/types.cjs';
import { isObject } from '../json/check.cjs';
import { token } from '../json/value.cjs';
import { type Names, unknownName, type OptionReader } from '../options/option_reader.cjs';
import type { AgentHandle } from './agent_handle.cjs';

/**
 * The changes that a callback may make.
 *
 * @example
 * ```ts
 * import { type AgentStateMutation, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const onRunInitialized = (): AgentStateMutation => ({ state: { tasks: 2 } });
 * const agent = new LocalAgent(scriptedAgent([]), { subscribers: [{ onRunInitialized }] });
 * await agent.runAgent();
 * agent.state; // => { tasks: 2 }
 * ```
 */
export interface AgentStateMutation<S = State> {
  /** Replaces the messages; they are copied. */
  messages?: readonly Message[] | undefined;
  /** Replaces the state; it is copied. */
  state?: S | undefined;
  /** Calls no further subscriber and prevents the step. After `onEvent`, prevents the event's own callbacks and its effect. */
  stopPropagation?: boolean | undefined;
}

/**
 * The parameters of every callback. They must not be changed in place.
 *
 * @example
 * ```ts
 * import { type AgentSubscriberParams, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const onRunInitialized = ({ agent, input, messages, state }: AgentSubscriberParams) => {
 *   [agent.threadId, input.runId, messages, state]; // => ['t1', 'r1', [], {}]
 * };
 * await new LocalAgent(scriptedAgent([]), { threadId: 't1', subscribers: [{ onRunInitialized }] }).runAgent({ runId: 'r1' });
 * ```
 */
export interface AgentSubscriberParams<S = State> {
  readonly messages: readonly Message[];
  readonly state: S;
  readonly agent: AgentHandle<S>;
  readonly input: RunAgentInput;
}

type Notice<S> = Omit<AgentSubscriberParams<S>, 'input'> & { readonly input?: RunAgentInput };
type Returned<T> = T | void | PromiseLike<T | void>;
type Mutation<S> = Returned<AgentStateMutation<S>>;
type On<S, E, More = unknown> = (params: { readonly event: E } & More & AgentSubscriberParams<S>) => Mutation<S>;

/**
 * The end of a run, for `onRunFinishedEvent`.
 *
 * @example
 * ```ts
 * import type { Finish } from 'ag-ui-native/client';
 * import { LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const onRunFinishedEvent = (finish: Finish) => {
 *   finish.outcome === 'success' && finish.result; // => 'done'
 * };
 * await new LocalAgent(scriptedAgent([{ result: 'done' }]), { subscribers: [{ onRunFinishedEvent }] }).runAgent();
 * ```
 */
export type Finish =
  | { readonly outcome: 'success'; readonly result?: any; /** The calls that the application is to answer. */ readonly pendingToolCallIds: string[] }
  | { readonly outcome: 'interrupt'; readonly interrupts: Interrupt[] }
  | { readonly outcome: 'cancelled' };

/**
 * Callbacks for the events of an agent's runs. All are optional and may be asynchronous. Their errors go to the agent's `onError` and
 * change nothing, except those of the last four callbacks, which fail the run.
 *
 * @example
 * ```ts
 * import { type AgentSubscriber, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const seen: unknown[] = [];
 * const subscriber: AgentSubscriber = {
 *   onTextMessageContentEvent: ({ event, textMessageBuffer }) => void seen.push(textMessageBuffer + event.delta),
 *   onRunFinalized: () => void seen.push('over'),
 * };
 * await new LocalAgent(scriptedAgent([{ text: ['Hel', 'lo!'] }])).runAgent({}, subscriber);
 * seen; // => ['Hel', 'Hello!', 'over']
 * ```
 */
export interface AgentSubscriber<S = State> {
  /** Before the request. */
  onRunInitialized?(params: AgentSubscriberParams<S>): Mutation<S>;
  /** After the run has failed or was aborted. With `stopPropagation` it ends without an error. */
  onRunFailed?(params: { readonly error: Error } & AgentSubscriberParams<S>): Mutation<S>;
  /** At the end of every run. */
  onRunFinalized?(params: AgentSubscriberParams<S>): Mutation<S>;
  /** Before the callback for the event's type. */
  onEvent?(params: { readonly event: Event } & AgentSubscriberParams<S>): Mutation<S>;

  onRunStartedEvent?: On<S, events.RunStartedEvent>;
  onRunFinishedEvent?: On<S, events.RunFinishedEvent, Finish>;
  onRunErrorEvent?: On<S, events.RunErrorEvent>;
  onStepStartedEvent?: On<S, events.StepStartedEvent>;
  onStepFinishedEvent?: On<S, events.StepFinishedEvent>;
  onSubagentStartedEvent?: On<S, events.SubagentStartedEvent>;
  onSubagentFinishedEvent?: On<S, events.SubagentFinishedEvent>;
  onSubagentErrorEvent?: On<S, events.SubagentErrorEvent>;
  onTextMessageStartEvent?: On<S, events.TextMessageStartEvent>;
  /** The buffer has the text before this event. */
  onTextMessageContentEvent?: On<S, events.TextMessageContentEvent, { readonly textMessageBuffer: string }>;
  onTextMessageEndEvent?: On<S, events.TextMessageEndEvent, { readonly textMessageBuffer: string }>;
  onToolCallStartEvent?: On<S, events.ToolCallStartEvent>;
  /** The buffer has the arguments before this event. `partialToolCallArgs` is their value with everything open closed. */
  onToolCallArgsEvent?: On<
    S,
    events.ToolCallArgsEvent,
    { readonly toolCallBuffer: string; readonly toolCallName: string; readonly partialToolCallArgs: Record<string, any> }
  >;
  /** The arguments are `{}` if they are not valid JSON. */
  onToolCallEndEvent?: On<S, events.ToolCallEndEvent, { readonly toolCallName: string; readonly toolCallArgs: Record<string, any> }>;
  onToolCallResultEvent?: On<S, events.ToolCallResultEvent>;
  onStateSnapshotEvent?: On<S, events.StateSnapshotEvent>;
  onStateDeltaEvent?: On<S, events.StateDeltaEvent>;
  onMessagesSnapshotEvent?: On<S, events.MessagesSnapshotEvent>;
  onActivitySnapshotEvent?: On<S, events.ActivitySnapshotEvent, { readonly activityMessage?: ActivityMessage; readonly existingMessage?: Message }>;
  onActivityDeltaEvent?: On<S, events.ActivityDeltaEvent, { readonly activityMessage?: ActivityMessage }>;
  onRawEvent?: On<S, events.RawEvent>;
  onCustomEvent?: On<S, events.CustomEvent>;
  onReasoningStartEvent?: On<S, events.ReasoningStartEvent>;
  onReasoningMessageStartEvent?: On<S, events.ReasoningMessageStartEvent>;
  onReasoningMessageContentEvent?: On<S, events.ReasoningMessageContentEvent, { readonly reasoningMessageBuffer: string }>;
  onReasoningMessageEndEvent?: On<S, events.ReasoningMessageEndEvent, { readonly reasoningMessageBuffer: string }>;
  onReasoningEndEvent?: On<S, events.ReasoningEndEvent>;
  onReasoningEncryptedValueEvent?: On<S, events.ReasoningEncryptedValueEvent>;

  /** A message is complete. */
  onNewMessage?(params: { readonly message: Message } & Notice<S>): Returned<void>;
  /** A tool call is complete. */
  onNewToolCall?(params: { readonly toolCall: ToolCall } & Notice<S>): Returned<void>;
  /** The messages may have changed. */
  onMessagesChanged?(params: Notice<S>): Returned<void>;
  /** The state may have changed. */
  onStateChanged?(params: Notice<S>): Returned<void>;
}

export type Callback = keyof AgentSubscriber;

const names: Names<AgentSubscriber> = callbacks;

/** Reads a subscriber: every member named like a callback is one, and a function. */
export const subscriberLike: OptionReader = {
  fault(given: any) {
    if (!isObject(given)) return { pointer: '', expected: 'an object with callbacks', found: given };
    for (const name of namesOf(given)) {
      if (!/^on[A-Z_]/.test(name)) continue;
      if (!Object.hasOwn(names, name)) return unknownName(`/${token(name)}`, name, Object.keys(names), 'callback');
      const callback = given[name];
      if (callback !== undefined && callback !== null && typeof callback !== 'function') return { pointer: `/${name}`, expected: 'a function', found: callback };
    }
    return undefined;
  },
};

/** Subscribers, and the names of the callbacks of each. */
export class Subscribers<S = State> {
  readonly all: readonly AgentSubscriber<S>[];
  readonly callbacks: readonly (readonly Callback[])[];

  /** The callbacks in `ignored` are never called. */
  constructor(all: readonly AgentSubscriber<S>[], ignored: readonly Callback[] = []) {
    this.all = all;
    const heard = (Object.keys(names) as Callback[]).filter((name) => !ignored.includes(name));
    this.callbacks = all.map((one) => heard.filter((name) => typeof one[name] === 'function'));
  }

  /** Returns true if a subscriber has this callback. */
  has(callback: Callback): boolean {
    return this.callbacks.some((names) => names.includes(callback));
  }
}

function namesOf(object: object): string[] {
  const names: string[] = [];
  for (let at: object | null = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) names.push(...Object.getOwnPropertyNames(at));
  return names;
}

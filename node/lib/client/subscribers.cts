import type { BaseEvent } from '../events.cjs';
import type { Message, RunAgentInput, State, ToolCall } from '../generated/types.cjs';

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

/** What subscribers look at while they are told of an event, and whether one has stopped it. */
export interface Told {
  messages: readonly Message[];
  state: State;
  hasMessages: boolean;
  hasState: boolean;
  isStopped: boolean;
}

/** Tells subscribers, one after the other: what one has replaced, the next is shown. An error of theirs is printed, and the next is told. */
export async function tell(
  subscribers: readonly AgentSubscriber[],
  callback: `on${string}`,
  shown: { messages: readonly Message[]; state: State },
  params: object,
): Promise<Told> {
  const told: Told = { ...shown, hasMessages: false, hasState: false, isStopped: false };
  for (const subscriber of subscribers) {
    if (typeof subscriber[callback] !== 'function') continue;
    try {
      const answer = (await subscriber[callback]({ ...params, messages: told.messages, state: told.state })) as AgentStateMutation | void;
      if (!answer) continue;
      if (answer.messages !== undefined && answer.messages !== told.messages) Object.assign(told, { messages: answer.messages, hasMessages: true });
      if (answer.state !== undefined && answer.state !== told.state) Object.assign(told, { state: answer.state, hasState: true });
      told.isStopped = answer.stopPropagation === true;
      if (told.isStopped) break;
    } catch (error) {
      console.error('Subscriber error:', error);
    }
  }
  return told;
}

const callbacks = new Map<string, `on${string}`>();

/** The name of the callback for events of a type. */
export function callbackOf(type: string): `on${string}` {
  const known = callbacks.get(type);
  if (known !== undefined) return known;
  const words = type.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  const name = `on${words.join('')}Event` as const;
  // Types of events that AG-UI does not know come in any number.
  if (callbacks.size < 100) callbacks.set(type, name);
  return name;
}

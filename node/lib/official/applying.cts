import type { Change, RunEnd } from '../reduce/changes.cjs';
import { isObject } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Event, Interrupt, Message, RunAgentInput, State } from '../generated/types.cjs';
import { applyLoosely, Reducer, shareIds } from '../reduce/reducer.cjs';
import type { DebugLogger } from './debug.cjs';
import { Notifier } from '../client/notifier.cjs';
import { Subscribers } from '../client/subscriber.cjs';
import { Conversation } from '../client/conversation.cjs';

/**
 * The members of an agent that are read and set.
 *
 * @example
 * ```ts
 * import type { ApplyingAgent } from 'ag-ui-native/operators';
 *
 * const agent: ApplyingAgent = { messages: [{ id: 'm1', role: 'user', content: 'Hi' }] };
 * ```
 */
export interface ApplyingAgent {
  messages: Message[];
  pendingInterrupts?: any;
}

/** The changes by a subscriber: replaced messages or a replaced state. With `stopPropagation` no further subscriber gets the event, and it has no effect. */
export interface AgentStateMutation {
  messages?: Message[];
  state?: State;
  stopPropagation?: boolean;
}

/** Applies events to a conversation. */
export class Applying {
  hasReported = false;
  /** The number of events so far. */
  #count = 0;
  readonly #agent: ApplyingAgent;
  readonly #reducer: LooseReducer;
  readonly #notifier: Notifier;
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
    const parts = { agent: agent as any, conversation: new AppliedConversation(this.#reducer), report: (error: unknown) => console.error('Subscriber error:', error) };
    // The agent calls these two callbacks for the changes that it gets.
    this.#notifier = new Notifier(parts, new Subscribers(subscribers, ['onMessagesChanged', 'onStateChanged']), { input, wantsChanges: true });
  }

  /** Takes the next event. */
  async take(event: BaseEvent): Promise<void> {
    const reducer = this.#reducer;
    const { changes, stopped, messages, state } = await this.#notifier.event(event as Event, this.#count++, reducer);
    this.#log?.event('APPLY', stopped ? 'Event dropped:' : 'Event applied:', event, { type: event.type });
    if (changes.some(({ kind }) => kind === 'interrupts_set')) this.#agent.pendingInterrupts = [...reducer.pendingInterrupts];
    if (!messages && !state) return;
    this.hasReported = true;
    this.#report({ ...(messages && { messages: [...reducer.messages] }), ...(state && { state: reducer.state }) });
  }
}

/** A reducer that validates only the members that it reads. */
class LooseReducer extends Reducer<State> {
  #interrupts: Interrupt[] | undefined;

  constructor(options: ConstructorParameters<typeof Reducer<State>>[0]) {
    super(options);
    // The official function shares ids in the same way.
    shareIds(this);
  }

  override apply(event: BaseEvent): Change[] {
    this.#interrupts = interruptsOf(event);
    const changes = applyLoosely(this, event);
    // Core does not know results and the members of interrupts.
    const unseen = (end: RunEnd) => (end.outcome === 'success' ? { result: event['result'] } : this.#interrupts && { interrupts: this.#interrupts });
    return changes.map((change) => (change.kind === 'run_finished' ? ({ ...change, value: { ...change.value, ...unseen(change.value) } } as Change) : change));
  }

  /** The interrupts of the event, unchanged; core knows only their ids. */
  override get pendingInterrupts(): Interrupt[] {
    return this.#interrupts ?? super.pendingInterrupts;
  }
}

/** A conversation that does not validate replaced messages and states. */
class AppliedConversation extends Conversation<State> {
  readonly #reducer: Reducer<State>;

  constructor(reducer: Reducer<State>) {
    super([], {});
    this.#reducer = reducer;
    this.begin(reducer);
  }

  override replace(given: Parameters<Conversation<State>['replace']>[0]): void {
    this.#reducer.replace(given as { messages?: Message[]; state?: State });
  }
}

function interruptsOf(event: BaseEvent): Interrupt[] | undefined {
  const outcome: unknown = event.type === 'RUN_FINISHED' ? event['outcome'] : undefined;
  return isObject(outcome) && outcome['type'] === 'interrupt' ? (outcome['interrupts'] as Interrupt[]) : undefined;
}

import { errorFrom } from '../errors/errors.cjs';
import type { Interrupt, Message, State } from '../generated/types.cjs';
import { checkValue, copyOf, textOf } from '../json/value.cjs';
import { native } from '../native/native.cjs';
import { Reducer } from '../reduce/reducer.cjs';
import type { ConversationView } from '../reduce/view.cjs';
import { NotificationQueue } from './notification_queue.cjs';
import { Runs } from './runs.cjs';

/** The reason why the caller has ended a run. Subscribers are notified of it, except for `detach`. */
export interface Cancellation {
  readonly how: 'abort' | 'leave' | 'detach';
  readonly reason?: unknown;
}

/** The call that runs the agent. */
interface ActiveCall {
  /** The id of the run that is read. */
  readonly runId: string | undefined;
  cancel(cancellation: Cancellation): void;
  /** Stops reading and waits for the end. */
  close(): Promise<void>;
}

/** The messages and the state of an agent: those of a run while one is active, otherwise its own. */
export class Conversation<S = State> {
  pendingInterrupts: Interrupt[] = [];
  /** The machine of the agent's calls. */
  runs = new Runs();
  readonly queue = new NotificationQueue();
  /** The active run. */
  running: ActiveCall | undefined;
  /** The last cancellation while no run was active: it applies to calls that were made before it and have not begun. */
  cancellation: Cancellation | undefined;
  #messages: Message[];
  #state: S;
  #view: ConversationView<S> | undefined;
  /** The messages and the state that the agent shows until an event is processed. */
  #shown: { messages: Message[]; state: S } | undefined;

  constructor(messages: readonly Message[], state: S) {
    this.#messages = copiedMessages(messages);
    this.#state = copiedState(state);
  }

  /** The messages that the agent shows. */
  get messages(): Message[] {
    return this.#shown?.messages ?? this.current.messages;
  }

  /** The state that the agent shows. */
  get state(): S {
    return this.#shown === undefined ? this.current.state : this.#shown.state;
  }

  /** The current messages and state, also while an event is processed. */
  get current(): { readonly messages: Message[]; readonly state: S } {
    return this.#view ?? { messages: this.#messages, state: this.#state };
  }

  /** Begins a run, whose view carries the conversation on. */
  begin(view: ConversationView<S>): void {
    this.#view = view;
  }

  /** Ends a run, and keeps its messages and its state. */
  end(): void {
    const view = this.#view;
    if (view === undefined) return;
    [this.#messages, this.#state] = [view.messages, view.state];
    this.#view = undefined;
    this.#shown = undefined;
  }

  /** Keeps the shown messages and state unchanged until `commit`. */
  hold(): void {
    this.#shown ??= { messages: this.messages, state: this.state };
  }

  /** Shows the current messages. */
  commitMessages(): void {
    if (this.#shown) this.#shown.messages = this.current.messages;
  }

  /** Shows the current messages and state. */
  commit(): void {
    this.#shown = undefined;
  }

  /** Replaces the messages or the state by copies of these. */
  replace({ messages, state }: { messages?: readonly Message[] | undefined; state?: S | undefined }): void {
    const next = { messages: messages && copiedMessages(messages), state: state === undefined ? undefined : copiedState(state) };
    if (this.#view) return this.#view.replace(next);
    if (next.messages !== undefined) this.#messages = next.messages;
    if (next.state !== undefined) this.#state = next.state;
  }

  /** Replaces the messages or the state, and shows them at once, also while an event is processed. */
  set({ messages, state }: { messages?: readonly Message[]; state?: S }): void {
    this.replace({ messages: messages && this.#merged(messages), state });
    if (this.#shown && messages !== undefined) this.#shown.messages = this.current.messages;
    if (this.#shown && state !== undefined) this.#shown.state = this.current.state;
  }

  /** Merges messages made of those shown with changes by an event that are not shown yet. */
  #merged(given: readonly Message[]): readonly Message[] {
    if (this.#shown === undefined) return given;
    const shown = new Map(this.#shown.messages.map((message) => [message.id, message]));
    const now = this.current.messages;
    const changed = new Map(now.map((message) => [message.id, message]));
    // Values that are no messages are refused afterwards.
    const list = given.map((message) => (message === shown.get(message?.id) ? (changed.get(message.id) ?? message) : message));
    now.forEach(({ id }, at) => {
      if (shown.has(id) || list.some((message) => message?.id === id)) return;
      const before = list.findIndex((message) => message?.id === now[at - 1]?.id);
      list.splice(before < 0 ? list.length : before + 1, 0, now[at]!);
    });
    return list;
  }

  /** Removes a message from its place. It is known by its id: a run copies messages. */
  remove({ id }: Message, place: number): void {
    if (this.#messages[place]?.id === id) this.#messages = this.#messages.toSpliced(place, 1);
  }

  /** Adds copies of messages at the end. */
  add(messages: readonly Message[]): Message[] {
    const added = copiedMessages(messages);
    if (this.#view) this.#view.append(added);
    else this.#messages = [...this.#messages, ...added];
    return added;
  }
}

/** @throws AGUIValidationError with the place of a value that is no message, or that AG-UI 1.1 does not declare */
function copiedMessages(messages: readonly Message[]): Message[] {
  checkValue(messages, '/messages');
  for (let at = 0; at < messages.length; at++) checkStrictly('Message', messages[at], `/messages/${at}`);
  return new Reducer({ messages }).messages;
}

/** @throws AGUIValidationError with the place of a value that is no JSON */
function copiedState<S>(state: S): S {
  const copy = copyOf(state, '/state');
  checkStrictly('State', copy, '/state');
  return copy;
}

function checkStrictly(kind: string, value: unknown, place: string): void {
  const described = native().check(kind, textOf(value), 'sending', false, place);
  if (described !== null) throw errorFrom(described);
}

/** @throws AGUIValidationError with the place of a value that is no interrupt */
export function copiedInterrupts(pendingInterrupts: readonly Interrupt[]): Interrupt[] {
  checkValue(pendingInterrupts, '/pendingInterrupts');
  return new Reducer({ pendingInterrupts }).pendingInterrupts;
}

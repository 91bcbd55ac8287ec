import type { Interrupt, Message, State } from '../generated/types.cjs';
import type { ConversationView } from '../reduce/view.cjs';
import type { Left, RunLoop } from './loop.cjs';
import { messagesOf, stateOf } from './read.cjs';
import { Runs } from './runs.cjs';
import { Turns } from './turns.cjs';

/** The conversation of an agent: its own between runs, that of the run while one is at work. */
export class Thread<S = State> {
  pendingInterrupts: Interrupt[] = [];
  /** The machine of its calls. */
  runs = new Runs();
  /** Of who tells subscribers. */
  readonly turns = new Turns();
  /** The run at work. */
  running: RunLoop<S> | undefined;
  /** The last time that somebody ended what had not begun yet. */
  left: Left | undefined;
  #messages: Message[];
  #state: S;
  #view: ConversationView<S> | undefined;
  /** The messages and state that the agent shows until an event is done with. */
  #shown: { messages: Message[]; state: S } | undefined;

  constructor(messages: readonly Message[], state: S) {
    this.#messages = messagesOf(messages);
    this.#state = stateOf(state);
  }

  /** The messages that the agent shows. */
  get messages(): Message[] {
    return this.#shown?.messages ?? this.current.messages;
  }

  get state(): S {
    return this.#shown === undefined ? this.current.state : this.#shown.state;
  }

  /** The current messages and state, also in the midst of an event. */
  get current(): { readonly messages: Message[]; readonly state: S } {
    return this.#view ?? { messages: this.#messages, state: this.#state };
  }

  /** A run carries the conversation on. */
  begin(view: ConversationView<S>): void {
    this.#view = view;
  }

  /** The run is over: nothing of it is needed any more. */
  end(): void {
    const view = this.#view;
    if (view === undefined) return;
    [this.#messages, this.#state] = [view.messages, view.state];
    this.#view = undefined;
    this.#shown = undefined;
  }

  /** Has the agent go on showing what it shows now. */
  hold(): void {
    this.#shown ??= { messages: this.messages, state: this.state };
  }

  /** Has the agent show the messages that there are. */
  commitMessages(): void {
    if (this.#shown) this.#shown.messages = this.current.messages;
  }

  /** Has the agent show what there is. */
  commit(): void {
    this.#shown = undefined;
  }

  /** Goes on with other messages or another state. */
  replace({ messages, state }: { messages?: readonly Message[] | undefined; state?: S | undefined }): void {
    const next = { messages: messages && messagesOf(messages), state: state === undefined ? undefined : stateOf(state) };
    if (this.#view) return this.#view.replace(next);
    if (next.messages !== undefined) this.#messages = next.messages;
    if (next.state !== undefined) this.#state = next.state;
  }

  /** The application goes on with others amid an event, say: the agent shows them at once. */
  set({ messages, state }: { messages?: readonly Message[]; state?: S }): void {
    this.replace({ messages: messages && this.#withNews(messages), state });
    if (this.#shown && messages !== undefined) this.#shown.messages = this.current.messages;
    if (this.#shown && state !== undefined) this.#shown.state = this.current.state;
  }

  /** Messages made of those shown, with what an event has brought that is not shown yet. */
  #withNews(given: readonly Message[]): readonly Message[] {
    if (this.#shown === undefined) return given;
    const shown = new Map(this.#shown.messages.map((message) => [message.id, message]));
    const now = this.current.messages;
    const changed = new Map(now.map((message) => [message.id, message]));
    // What is no message is refused afterwards.
    const list = given.map((message) => (message === shown.get(message?.id) ? (changed.get(message.id) ?? message) : message));
    now.forEach(({ id }, at) => {
      if (shown.has(id) || list.some((message) => message?.id === id)) return;
      const before = list.findIndex((message) => message?.id === now[at - 1]?.id);
      list.splice(before < 0 ? list.length : before + 1, 0, now[at]!);
    });
    return list;
  }

  /** Leaves out what was said at a place and was not heard. A run has copies of the messages: it is known by its id. */
  takeBack({ id }: Message, place: number): void {
    if (this.#messages[place]?.id === id) this.#messages = this.#messages.toSpliced(place, 1);
  }

  /** Adds messages at the end. */
  add(messages: readonly Message[]): Message[] {
    const added = messagesOf(messages);
    if (this.#view) this.#view.append(added);
    else this.#messages = [...this.#messages, ...added];
    return added;
  }
}

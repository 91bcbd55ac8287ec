import type { Interrupt, Message, ResumeEntry, State } from '../generated/types.cjs';
import type { Answers } from './resume.cjs';

/**
 * The agent as its subscribers, tools and transports get it: the conversation, and how to end the run. It is the `Agent` itself; cast it to
 * your class for more.
 */
export interface AgentHandle<S = State> {
  threadId: string;
  agentId: string | undefined;
  description: string;
  /** An earlier run that the next runs branch from. */
  parentRunId: string | undefined;
  /** The messages. The list is a new one after each change. */
  get messages(): Message[];
  set messages(messages: readonly Message[]);
  state: S;
  /** The interrupts that wait for an answer. */
  get pendingInterrupts(): Interrupt[];
  set pendingInterrupts(interrupts: readonly Interrupt[]);
  /** True while a run is active, also while its tools and its last callbacks are. */
  readonly isRunning: boolean;
  /** Adds a message at the end, and notifies subscribers. */
  addMessage(message: Message): void;
  /** Adds messages at the end, and notifies subscribers. */
  addMessages(messages: readonly Message[]): void;
  /** Replaces the messages, and notifies subscribers. */
  setMessages(messages: readonly Message[]): void;
  /** Replaces the state, and notifies subscribers. */
  setState(state: S): void;
  /** Returns the parameter `resume` for answers to all pending interrupts. */
  buildResume(answers: Answers): ResumeEntry[];
  /** Aborts the run and closes the connection. */
  abortRun(reason?: unknown): void;
  /** Stops reading the run. Subscribers are not notified of a failure. Resolves when the run is over. */
  detachActiveRun(): Promise<void>;
}

import type { Interrupt, Message, ResumeEntry, State } from '../generated/types.cjs';
import type { Answers } from './resume.cjs';

/**
 * The agent as its subscribers, tools and transports get it: the conversation, and how to end the run. It is the `Agent` itself; cast it to
 * your class for more.
 *
 * @example
 * ```ts
 * import { type AgentHandle, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const lastOf = (agent: AgentHandle) => agent.messages.at(-1)?.content;
 * const agent = new LocalAgent(scriptedAgent(['Hello!']));
 * await agent.runAgent();
 * lastOf(agent); // => 'Hello!'
 * ```
 */
export interface AgentHandle<S = State> {
  threadId: string;
  agentId: string | undefined;
  description: string;
  /** An earlier run that the next runs branch from. */
  parentRunId: string | undefined;
  /**
   * The messages. The list is a new one after each change.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent(['Hello!']));
   * agent.messages = [{ id: 'm1', role: 'user', content: 'Hi' }];
   * await agent.runAgent();
   * agent.messages.map(({ content }) => content); // => ['Hi', 'Hello!']
   * ```
   */
  get messages(): Message[];
  set messages(messages: readonly Message[]);
  state: S;
  /**
   * The interrupts that wait for an answer.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([{ interrupt: [{ id: 'i1', reason: 'confirmation' }] }]));
   * await agent.runAgent();
   * agent.pendingInterrupts.map(({ id }) => id); // => ['i1']
   * ```
   */
  get pendingInterrupts(): Interrupt[];
  set pendingInterrupts(interrupts: readonly Interrupt[]);
  /**
   * True while a run is active, also while its tools and its last callbacks are.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([]));
   * for await (const event of agent.run()) {
   *   agent.isRunning; // => true
   * }
   * agent.isRunning; // => false
   * ```
   */
  readonly isRunning: boolean;
  /**
   * Adds a message at the end, and notifies subscribers.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([]));
   * agent.addMessage({ id: 'm1', role: 'system', content: 'Answer in one sentence.' });
   * agent.addMessages([{ id: 'm2', role: 'user', content: 'Hi' }]);
   * agent.messages.length; // => 2
   * agent.setMessages([]);
   * agent.messages; // => []
   * ```
   */
  addMessage(message: Message): void;
  /** Adds messages at the end, and notifies subscribers. */
  addMessages(messages: readonly Message[]): void;
  /** Replaces the messages, and notifies subscribers. */
  setMessages(messages: readonly Message[]): void;
  /**
   * Replaces the state, and notifies subscribers.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([]));
   * agent.setState({ tasks: 2 });
   * agent.state; // => { tasks: 2 }
   * ```
   */
  setState(state: S): void;
  /**
   * Returns the parameter `resume` for answers to all pending interrupts.
   *
   * @example
   * ```ts
   * import { approve, LocalAgent } from 'ag-ui-native/client';
   * import type { Run } from 'ag-ui-native/server';
   *
   * const agent = new LocalAgent(async (run: Run) => {
   *   const answer = run.answer('i1');
   *   if (answer) await run.write(`Approved: ${answer.payload.approved}`);
   *   else await run.interrupt({ id: 'i1', reason: 'confirmation' });
   * });
   * await agent.runAgent();
   * (await agent.runAgent({ resume: agent.buildResume({ i1: approve() }) })).text; // => 'Approved: true'
   * ```
   */
  buildResume(answers: Answers): ResumeEntry[];
  /**
   * Aborts the run and closes the connection.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([{ wait: 60_000 }]));
   * const events = agent.run();
   * for await (const event of events) agent.abortRun();
   * events.result?.outcome; // => 'aborted'
   * ```
   */
  abortRun(reason?: unknown): void;
  /**
   * Stops reading the run. Subscribers are not notified of a failure. Resolves when the run is over.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([{ wait: 60_000 }]));
   * for await (const event of agent.run()) await agent.detachActiveRun();
   * agent.isRunning; // => false
   * ```
   */
  detachActiveRun(): Promise<void>;
}

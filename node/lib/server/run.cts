import type { Interrupt, Message, ResumeEntry, RunAgentInput, State, TokenUsage } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import type { Warning } from '../options/options.cjs';
import { codeOf, type FailOptions, Scope } from './scope.cjs';
import type { Session } from './session.cjs';
import type { Ending } from './writer.cjs';

/**
 * A function that answers a request. It writes to the run, and returns or promises the run's result: any JSON value, or nothing.
 *
 * @example
 * ```ts
 * import { type AgentFunction, fetchHandler } from 'ag-ui-native/server';
 *
 * const greet: AgentFunction = async (run) => {
 *   await run.write('Hello!');
 * };
 * const handler = fetchHandler(greet);
 * ```
 */
export type AgentFunction<S = State> = (run: Run<S>) => any;

/**
 * A run of an agent. It has begun when the agent gets it. When the agent returns or throws, open entities are closed and the run
 * ends.
 *
 * Each write is checked at once: the call of an event that is not allowed now throws an error with the rule. The result of a write
 * can be awaited: then the waiting frames are sent, and the promise waits while the client is slow.
 *
 * @example
 * ```ts
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const greet = async (run: Run) => {
 *   await run.write(`Hello! This is ${run.runId} of ${run.threadId}.`);
 *   return { words: 6, input: run.input.messages.length };
 * };
 * const done = await runAgent(greet, { runId: 'r1', threadId: 't1' });
 * done.text; // => 'Hello! This is r1 of t1.'
 * done.result; // => { words: 6, input: 0 }
 * ```
 */
export class Run<S = State> extends Scope {
  /** @internal */
  constructor(session: Session) {
    super(session, undefined);
  }

  /** The input of the run. */
  get input(): RunAgentInput {
    return this.session.input;
  }

  get threadId(): string {
    return this.session.input.threadId;
  }

  get runId(): string {
    return this.session.input.runId;
  }

  /** The messages of the conversation, as the client has sent them. */
  get messages(): Message[] {
    return this.session.input.messages;
  }

  /**
   * The client's state. It may be changed at any time, or replaced: the changes are sent.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const add = async (run: Run<{ tasks: string[] }>) => {
   *   run.state.tasks.push('Buy milk');
   * };
   * (await runAgent(add, { state: { tasks: [] } })).state; // => { tasks: ['Buy milk'] }
   * ```
   */
  get state(): S {
    return this.session.state.current as S;
  }

  set state(state: S) {
    this.session.setState(state as State);
  }

  /** The answers to the interrupts of the previous run. */
  get resume(): ResumeEntry[] {
    return this.session.input.resume ?? [];
  }

  /**
   * Returns the answer to an interrupt; undefined if there is none.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const send = async (run: Run) => {
   *   const answer = run.answer('i1');
   *   if (answer) return `${answer.status}, ${run.resume.length} answer`;
   *   await run.interrupt({ id: 'i1', reason: 'confirmation', message: 'Send the mail?' });
   * };
   * (await runAgent(send)).interrupts.map(({ message }) => message); // => ['Send the mail?']
   * const resume = [{ interruptId: 'i1', status: 'resolved' as const }];
   * (await runAgent(send, { resume })).result; // => 'resolved, 1 answer'
   * ```
   */
  answer(interruptId: string): ResumeEntry | undefined {
    return this.resume.find((entry) => entry.interruptId === interruptId);
  }

  /**
   * The warnings about repairs and translations of the request.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const look = (run: Run) => run.warnings.length;
   * (await runAgent(look)).result; // => 0
   * ```
   */
  get warnings(): Warning[] {
    return this.session.warnings;
  }

  /**
   * True if the run has not ended.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const greet = async (run: Run) => {
   *   run.isRunning; // => true
   *   await run.finish('done');
   *   run.isRunning; // => false
   * };
   * (await runAgent(greet)).result; // => 'done'
   * ```
   */
  get isRunning(): boolean {
    return this.session.writer.isRunning;
  }

  /**
   * Aborted when the agent must stop: the client has disconnected, the time limit is over, or the server shuts down.
   *
   * @example
   * ```ts
   * import { setTimeout } from 'node:timers/promises';
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const wait = (run: Run) => setTimeout(60_000, undefined, { signal: run.signal });
   * (await runAgent(wait, {}, { timeLimit: 10 })).outcome; // => 'error'
   * ```
   */
  get signal(): AbortSignal {
    return this.session.signal;
  }

  /**
   * Sends the changes of the state.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const count = async (run: Run) => {
   *   run.state.count = 1;
   *   await run.flushState();
   *   await run.stateSnapshot();
   * };
   * (await runAgent(count)).events.length; // => 4
   * ```
   */
  flushState(): PromiseLike<void> {
    this.session.flushState();
    return this.session.sent;
  }

  /** Sends the whole state. */
  stateSnapshot(): PromiseLike<void> {
    this.session.snapshotState();
    return this.session.sent;
  }

  /**
   * Replaces the client's messages.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const forget = async (run: Run) => run.messagesSnapshot([]);
   * (await runAgent(forget, 'Hi')).messages; // => []
   * ```
   */
  messagesSnapshot(messages: readonly Message[]): PromiseLike<void> {
    return this.session.send({ type: 'MESSAGES_SNAPSHOT', messages }, undefined);
  }

  /**
   * Adds token usage; the end of the run reports the sums.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { assertEvents, runAgent } from 'ag-ui-native/testing';
   *
   * const greet = (run: Run) => {
   *   run.usage({ model: 'large', inputTokens: 120 });
   *   run.usage([{ model: 'large', inputTokens: 80 }]);
   * };
   * const { events } = await runAgent(greet);
   * assertEvents(events, ['RUN_STARTED', { type: 'RUN_FINISHED', usage: [{ model: 'large', inputTokens: 200 }] }]);
   * ```
   */
  usage(usage: TokenUsage | readonly TokenUsage[]): void {
    this.session.writer.addUsage(Array.isArray(usage) ? usage : [usage]);
  }

  /** Ends the run with interrupts, which the next run of the conversation must answer. */
  interrupt(...interrupts: Interrupt[]): PromiseLike<void> {
    return this.#end({ outcome: { type: 'interrupt', interrupts } });
  }

  /** Ends the run with a result. */
  finish(result?: unknown): PromiseLike<void> {
    return this.#end({ result });
  }

  /**
   * Ends the run as cancelled.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * (await runAgent((run: Run) => run.cancel())).outcome; // => 'cancelled'
   * ```
   */
  cancel(): PromiseLike<void> {
    return this.#end({ outcome: { type: 'cancelled' } });
  }

  /**
   * Ends the run as failed.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { assertEvents, runAgent } from 'ag-ui-native/testing';
   *
   * const giveUp = async (run: Run) => run.fail('The model does not answer.', { code: 'model_timeout' });
   * assertEvents((await runAgent(giveUp)).events, ['RUN_STARTED', { type: 'RUN_ERROR', code: 'model_timeout' }]);
   * ```
   */
  fail(message: string, options: FailOptions = {}): PromiseLike<void> {
    return this.#end({ message, code: codeOf(options) });
  }

  #end(ending: Ending): PromiseLike<void> {
    return this.session.end(ending);
  }

  static {
    inspectable<Run<any>>(this, (run) => {
      const { threadId, runId, isRunning } = run;
      return { threadId, runId, isRunning };
    });
  }
}

import type { Interrupt, Message, ResumeEntry, RunAgentInput, State, TokenUsage } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import type { Warning } from '../options/options.cjs';
import { codeOf, type FailOptions, Scope } from './scope.cjs';
import type { Session } from './session.cjs';
import type { Ending } from './writer.cjs';

/** A function that answers a request. It writes to the run, and returns or promises the run's result: any JSON value, or nothing. */
export type AgentFunction<S = State> = (run: Run<S>) => any;

/**
 * A run of an agent. It has begun when the agent gets it. When the agent returns or throws, open entities are closed and the run
 * ends.
 *
 * Each write is checked at once: the call of an event that is not allowed now throws an error with the rule. The result of a write
 * can be awaited: then the waiting frames are sent, and the promise waits while the client is slow.
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

  /** The client's state. It may be changed at any time, or replaced: the changes are sent. */
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

  /** Returns the answer to an interrupt; undefined if there is none. */
  answer(interruptId: string): ResumeEntry | undefined {
    return this.resume.find((entry) => entry.interruptId === interruptId);
  }

  /** The warnings about repairs and translations of the request. */
  get warnings(): Warning[] {
    return this.session.warnings;
  }

  /** True if the run has not ended. */
  get isRunning(): boolean {
    return this.session.writer.isRunning;
  }

  /** Aborted when the agent must stop: the client has disconnected, the time limit is over, or the server shuts down. */
  get signal(): AbortSignal {
    return this.session.signal;
  }

  /** Sends the changes of the state. */
  flushState(): PromiseLike<void> {
    this.session.flushState();
    return this.session.sent;
  }

  /** Sends the whole state. */
  stateSnapshot(): PromiseLike<void> {
    this.session.snapshotState();
    return this.session.sent;
  }

  /** Replaces the client's messages. */
  messagesSnapshot(messages: readonly Message[]): PromiseLike<void> {
    return this.session.send({ type: 'MESSAGES_SNAPSHOT', messages }, undefined);
  }

  /** Adds token usage; the end of the run reports the sums. */
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

  /** Ends the run as cancelled. */
  cancel(): PromiseLike<void> {
    return this.#end({ outcome: { type: 'cancelled' } });
  }

  /** Ends the run as failed. */
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

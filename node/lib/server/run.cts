import type { Interrupt, Message, ResumeEntry, RunAgentInput, State, TokenUsage } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import type { Warning } from '../options/options.cjs';
import { codeOf, type FailOptions, Scope } from './scope.cjs';
import type { Session } from './session.cjs';
import type { Ending } from './writer.cjs';

/** A function that answers a request: it writes to the run, and returns or promises the run's result: any JSON value or nothing. */
export type Agent<S = State> = (run: Run<S>) => any;

/**
 * A run of an agent. It has begun when the agent gets it; when the agent returns or throws, what is open is closed and the run ends.
 *
 * Whatever is written is judged at once: what may not come now is refused by the call, with the rule. What a writing call returns
 * can be awaited: what waits is sent then, and the promise waits while the client is slow.
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

  /** The messages that the client has sent. */
  get messages(): Message[] {
    return this.session.input.messages;
  }

  /** The client's state, to be changed as you like or replaced: what has changed is sent. */
  get state(): S {
    return this.session.state.current as S;
  }

  set state(state: S) {
    this.session.setState(state as State);
  }

  /** The answers to the interrupts of the run before. */
  get resume(): ResumeEntry[] {
    return this.session.input.resume ?? [];
  }

  /** The answer to an interrupt, if there is one. */
  answer(interruptId: string): ResumeEntry | undefined {
    return this.resume.find((entry) => entry.interruptId === interruptId);
  }

  /** The repairs and translations of the request. */
  get warnings(): Warning[] {
    return this.session.warnings;
  }

  /** True if the run has not ended. */
  get isRunning(): boolean {
    return this.session.writer.isRunning;
  }

  /** Aborted when the agent is to stop: the client has gone, time is up, the server goes down. */
  get signal(): AbortSignal {
    return this.session.signal;
  }

  /** Sends what has changed in the state. */
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

  /** Adds to the tokens that the end of the run reports. */
  usage(usage: TokenUsage | readonly TokenUsage[]): void {
    this.session.writer.addUsage(Array.isArray(usage) ? usage : [usage]);
  }

  /** Ends the run: the next one of the conversation answers these. */
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

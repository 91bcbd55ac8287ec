import type { RunEnd } from '../reduce/changes.cjs';
import { AGUIError, answerOf, codeOf } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Interrupt, Message, TokenUsage } from '../generated/types.cjs';
import { native, type RunsFunction } from '../native/native.cjs';
import { optionsText, type Profile, type Warning } from '../options/options.cjs';
import { textOf as text } from '../json/value.cjs';

/** An input that is ready to be sent, as JSON text; and warnings about the parts that were left out. */
export interface Prepared {
  body: string;
  warnings: Warning[];
}

/** Parses a prepared input: a line of warnings, and the body. */
export function preparedOf(answer: string): Prepared {
  const end = answer.indexOf('\n');
  if (end < 0) return answerOf(answer);
  return { ...(JSON.parse(answer.slice(0, end)) as { warnings: Warning[] }), body: answer.slice(end + 1) };
}

/**
 * The outcome of a run: the agent's own (`success`, `interrupt`, `cancelled`, `error`), `aborted` by the application, or `failed` because of
 * the network, the stream or a subscriber.
 *
 * @example
 * ```ts
 * import { LocalAgent, type Outcome } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const agent = new LocalAgent(scriptedAgent([{ throw: new Error('no model') }]), { server: { onError() {} } });
 * const outcome: Outcome = (await agent.runAgent()).outcome;
 * outcome; // => 'error'
 * ```
 */
export type Outcome = 'success' | 'interrupt' | 'cancelled' | 'error' | 'aborted' | 'failed';

/** The sum of one run. */
export interface RunSum {
  runId: string;
  outcome: Outcome;
  usage: TokenUsage[];
  pendingToolCallIds: string[];
}

/** The steps to take when a call ends early. */
export interface EarlyEnd {
  /** The prompt is removed from the conversation, because a caller that asks again sends it again. */
  readonly removesMessage: boolean;
  /** Subscribers are notified that the run has failed. */
  readonly notifies: boolean;
  /** The error is thrown, unless a subscriber handles it: then the result has it. */
  readonly raises: boolean;
  /** The error goes to `onError`, because it has not ended the call. */
  readonly reports: boolean;
}

/** The members that an agent adds to every input. */
interface Own {
  readonly parentRunId?: string | undefined;
  /** The tools that it has functions for. */
  readonly tools?: readonly object[];
  readonly pending?: readonly Interrupt[];
}

interface Sending {
  readonly peer?: string | undefined;
  readonly limits?: Limits | undefined;
}

/** What a server with a log keeps of a thread. */
export interface OpenedThread {
  /** Absent, like the state, if no run has ended: the client keeps its own. */
  messages?: Message[];
  state?: any;
  interrupts: Interrupt[];
  activeRunId?: string;
  lastRunId?: string;
}

/** Reads the answer of a server about a thread. */
export function readThread(json: string, threadId: string, { profile, limits }: { profile?: Profile | undefined; limits?: Limits | undefined }): OpenedThread {
  return answerOf(native().readThread(json, threadId, optionsText({ profile, limits })));
}

/** Core's machine for the calls of an agent: it gets the events of a call and returns the next step. */
export class Runs {
  readonly #runs: RunsFunction;

  /** `past` is the record of the agent that is cloned. */
  constructor(past?: string) {
    this.#runs = native().createRuns(past);
  }

  /** The record with which a clone of the agent begins. */
  get past(): string {
    return this.#runs('past');
  }

  /** Begins a call, which may run the agent `maxRuns` times. */
  next(maxRuns: number): void {
    this.#call('next', String(maxRuns));
  }

  /** Makes it the call of a client that reads a run which was started elsewhere: no interrupts are answered and no tools called. */
  observe(): void {
    this.#call('observe');
  }

  /**
   * Prepares the input of the next run. A repeated call before the run begins prepares the same run. `members` come from the call, `own` from
   * its agent.
   *
   * @throws AGUISequenceError L01, L02 for pending interrupts without an answer; AGUIValidationError for an invalid input
   */
  prepare(members: object, options: Sending, own: Own = {}): Prepared {
    return this.#prepare('prepare', members, options, own.parentRunId, own.tools && text(own.tools), own.pending && text(own.pending));
  }

  /** Records that a thread without an active run was opened. */
  opened(lastRunId: string | undefined, waitsForAnswers: boolean): void {
    this.#call('opened', JSON.stringify({ lastRunId, waitsForAnswers }));
  }

  /** Prepares an input that middleware has passed on. */
  prepareFromMiddleware(members: object, options: Sending): Prepared {
    return this.#prepare('passed', members, options);
  }

  #prepare(what: string, members: object, { peer, limits }: Sending, ...own: (string | undefined)[]): Prepared {
    return preparedOf(this.#runs(what, text(members), peer, optionsText({ limits }), String(Date.now()), ...own));
  }

  /** Records the end of a run, the value of a change. */
  ended(end: RunEnd | { message: string; usage?: TokenUsage[] }): void {
    this.#call('ended', JSON.stringify({ ...end, result: undefined, message: undefined, interrupts: undefined }));
  }

  /** Ends the call early, by an error if there is one. Returns the steps to take. */
  end(error: unknown, how: { isAborted: boolean; isDetached: boolean; hasChanges: boolean }): EarlyEnd {
    return this.#call('end', JSON.stringify({ ...how, error: error === undefined ? undefined : codeOf(error) }));
  }

  /** Returns the milliseconds to wait for callbacks. Those that are notified of the end of the call (`ofEnd`) share one deadline. */
  callbackTime(ofEnd: boolean): number {
    const now = performance.now();
    return this.#call('callbackDeadline', JSON.stringify({ now, ofEnd })) - now;
  }

  /** Returns true if a subscriber has handled the failure. `stops`: one of the subscribers that were notified of the end has stopped it. */
  isHandled(stops: boolean): boolean {
    return this.#call('isHandled', String(stops));
  }

  /** Records that a callback missed the shared deadline. Returns the error to report, the first time. */
  late(): AGUIError | undefined {
    try {
      this.#call('late');
    } catch (error) {
      return error as AGUIError;
    }
    return undefined;
  }

  /** The ids of the tool calls without a result. */
  get pending(): string[] {
    return this.#call('pending');
  }

  /** Names the calls that functions of the application answer, if they have these names. `nextStep` returns them one by one. */
  calls(named: readonly { id: string; function: { name: string } }[], functions: readonly string[]): void {
    this.#call('calls', JSON.stringify({ named: named.map((call) => [call.id, call.function.name]), functions }));
  }

  /** Records that a tool call has a result. */
  answered(toolCallId: string): void {
    this.#call('answered', toolCallId);
  }

  /**
   * Returns the next step: answer a tool call, run the agent again, finish, or stop with the error that has cancelled the call.
   *
   * @throws AGUILimitError `too_many_runs`
   */
  nextStep(isStopped: boolean): { step: 'answer'; call: string } | { step: 'ask' | 'finish' | 'stop' } {
    return this.#call('nextStep', String(isStopped));
  }

  /** Names the runs that began in the last answer after its first run. */
  nameLater(runIds: readonly string[]): void {
    this.#call('nameLater', JSON.stringify(runIds));
  }

  /** The sums of all runs, and their token usage with one entry for each model. */
  get sum(): { runs: RunSum[]; usage: TokenUsage[] } {
    return this.#call('sum');
  }

  #call(what: string, about?: string): any {
    return answerOf(this.#runs(what, about));
  }
}

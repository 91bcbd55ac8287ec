import type { RunEnd } from '../reduce/changes.cjs';
import { AGUIError, answerOf, codeOf } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Interrupt, TokenUsage } from '../generated/types.cjs';
import { native, type RunsFunction } from '../native/native.cjs';
import { optionsText, type Warning } from '../options/options.cjs';
import { textOf as text } from '../json/value.cjs';
import type { Outcome } from './result.cjs';

/** An input that is ready to be sent, as JSON text; and warnings about what was left out of it. */
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

/** The sum of one run. */
export interface RunSum {
  runId: string;
  outcome: Outcome;
  usage: TokenUsage[];
  pendingToolCallIds: string[];
}

/** The steps to take when a call ends early. */
export interface EarlyEnd {
  /** The message that it began with is taken out of the conversation: a caller that asks again says it again. */
  readonly removesMessage: boolean;
  /** Subscribers are told that the run has failed. */
  readonly notifies: boolean;
  /** The error is thrown, unless a subscriber takes it on: then the result has it. */
  readonly raises: boolean;
  /** The error has not ended the call: it is reported. */
  readonly reports: boolean;
}

/** The members that an agent adds to each input. */
interface Own {
  readonly parentRunId?: string | undefined;
  /** Those that it has functions for. */
  readonly tools?: readonly object[];
  readonly pending?: readonly Interrupt[];
}

interface Sending {
  readonly peer?: string | undefined;
  readonly limits?: Limits | undefined;
}

/** The machine of an agent's calls, run by run: inputs are what happens, outputs what comes next. Core decides. */
export class Runs {
  readonly #runs: RunsFunction;

  /** Those of an agent, or of a copy of one: `past` is that one's. */
  constructor(past?: string) {
    this.#runs = native().createRuns(past);
  }

  /** The record with which a copy of the agent begins. */
  get past(): string {
    return this.#runs('past');
  }

  /** The next call: the agent may be asked `maxRounds` times. */
  next(maxRounds: number): void {
    this.#tell('next', String(maxRounds));
  }

  /**
   * Makes the input of the next run ready, and asks for it. Again before the next one, it is the same run. `members` are what the call says;
   * `own` is what its agent has.
   *
   * @throws AGUISequenceError L01, L02 for interrupts that wait and are not answered; AGUIValidationError for what is no input
   */
  prepare(members: object, options: Sending, own: Own = {}): Prepared {
    return this.#prepare('prepare', members, options, own.parentRunId, own.tools && text(own.tools), own.pending && text(own.pending));
  }

  /** The same of what middleware asks for. */
  preparePassed(members: object, options: Sending): Prepared {
    return this.#prepare('passed', members, options);
  }

  #prepare(what: string, members: object, { peer, limits }: Sending, ...own: (string | undefined)[]): Prepared {
    return preparedOf(this.#runs(what, text(members), peer, optionsText({ limits }), String(Date.now()), ...own));
  }

  /** The agent says that the run has ended: the value of a change. */
  ended(end: RunEnd | { message: string; usage?: TokenUsage[] }): void {
    this.#tell('ended', JSON.stringify({ ...end, result: undefined, message: undefined, interrupts: undefined }));
  }

  /** The call ends early, by an error if there is one: what is done then. */
  end(error: unknown, how: { isAborted: boolean; isDetached: boolean; hasChanges: boolean }): EarlyEnd {
    return this.#tell('end', JSON.stringify({ ...how, error: error === undefined ? undefined : codeOf(error) }));
  }

  /** The milliseconds to wait for callbacks from now on. All that are told of the end of the call (`ofEnd`) share one moment. */
  callbackTime(ofEnd: boolean): number {
    const now = performance.now();
    return this.#tell('callbackDeadline', JSON.stringify({ now, ofEnd })) - now;
  }

  /** Subscribers were told of the end. Whether one of them, who `stops` it, has taken a failure on. */
  isHandled(stops: boolean): boolean {
    return this.#tell('isHandled', String(stops));
  }

  /** A callback has not returned within the time that callbacks share at an end. The error to be reported, unless it was. */
  late(): AGUIError | undefined {
    try {
      this.#tell('late');
    } catch (error) {
      return error as AGUIError;
    }
    return undefined;
  }

  /** The calls that wait. */
  get pending(): string[] {
    return this.#tell('pending');
  }

  /** Of calls those that are answered here, if there are functions of these names: `nextStep` says when. */
  calls(named: readonly { id: string; function: { name: string } }[], functions: readonly string[]): void {
    this.#tell('calls', JSON.stringify({ named: named.map((call) => [call.id, call.function.name]), functions }));
  }

  /** A call waits no longer. */
  answered(toolCallId: string): void {
    this.#tell('answered', toolCallId);
  }

  /**
   * The next step: answer a call of a tool, ask the agent again, finish, or stop with the error that has stopped the call.
   *
   * @throws AGUILimitError `too_many_rounds`
   */
  nextStep(isStopped: boolean): { step: 'answer'; call: string } | { step: 'ask' | 'finish' | 'stop' } {
    return this.#tell('nextStep', String(isStopped));
  }

  /** These runs have begun behind the first of the last answer, as far as has come. */
  nameLater(runIds: readonly string[]): void {
    this.#tell('nameLater', JSON.stringify(runIds));
  }

  /** The sums of all runs, and their tokens, one entry a model. */
  get sum(): { runs: RunSum[]; usage: TokenUsage[] } {
    return this.#tell('sum');
  }

  #tell(what: string, about?: string): any {
    return answerOf(this.#runs(what, about));
  }
}

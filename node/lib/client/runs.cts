import type { RunEnd } from '../changes.cjs';
import { answerOf } from '../errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Interrupt, TokenUsage } from '../generated/types.cjs';
import { native, type RunsFunction } from '../native.cjs';
import { optionsText } from '../options.cjs';
import { textOf as text } from '../value.cjs';
import type { Outcome } from './result.cjs';
import { type Prepared, preparedOf } from './rules.cjs';

/** What one run has come to. `asks` says whether interrupts wait. */
export interface RunSum {
  runId: string;
  outcome: Outcome;
  usage: TokenUsage[];
  pendingToolCallIds: string[];
  asks: boolean;
}

/** What an agent's calls come to, run by run: what happens goes in, what comes next comes out. Core decides. */
export class Runs {
  readonly #runs: RunsFunction;

  /** Those of an agent, or of a copy of one: `past` is that one's. */
  constructor(past?: string) {
    this.#runs = native().createRuns(past);
  }

  /** What a copy of the agent begins with. */
  get past(): string {
    return this.#runs('past');
  }

  /** The next call: the agent may be asked `maxRounds` times; `declared` are the names of the tools that it declares without a function. */
  next(maxRounds: number, declared: readonly string[]): void {
    this.#tell('next', JSON.stringify({ maxRounds, declared }));
  }

  /**
   * An input ready to be sent, with warnings of how the call goes on from the last one.
   *
   * @throws AGUISequenceError L01, L02 for interrupts of `pending` that are not answered; AGUIValidationError for what is no input
   */
  prepare(members: object, pending: readonly Interrupt[], peer?: string, limits?: Limits): Prepared {
    return preparedOf(this.#runs('prepare', text(members), text(pending), peer, optionsText({ limits }), String(Date.now())));
  }

  /** The agent is asked for a run. */
  ask(runId: string): void {
    this.#tell('ask', runId);
  }

  /** RUN_STARTED has come: behind the end of a run it begins another one in the same answer. */
  started(runId: string): void {
    this.#tell('started', runId);
  }

  /** The agent says that the run has ended: the value of a change. */
  ended(end: RunEnd | { message: string; usage?: TokenUsage[] }): void {
    this.#tell('ended', JSON.stringify({ ...end, result: undefined, message: undefined }));
  }

  /** The call ends early. Whether that cuts anything off. */
  stop(how: 'aborted' | 'failed'): boolean {
    return this.#tell('stop', how);
  }

  /** The calls that wait. */
  get pending(): string[] {
    return this.#tell('pending');
  }

  /** Of calls those that are answered here, if there are functions of these names. */
  calls(named: readonly { id: string; function: { name: string } }[], functions: readonly string[]): string[] {
    return this.#tell('calls', JSON.stringify({ named: named.map((call) => [call.id, call.function.name]), functions }));
  }

  /** A call waits no longer. */
  answered(toolCallId: string): void {
    this.#tell('answered', toolCallId);
  }

  /**
   * Whether the agent is asked again.
   *
   * @throws AGUILimitError `too_many_rounds`
   */
  goesOn(): boolean {
    return this.#tell('goesOn');
  }

  /** These runs have begun behind the first of the last answer, as far as has come. */
  nameLater(runIds: readonly string[]): void {
    this.#tell('nameLater', JSON.stringify(runIds));
  }

  /** What all have come to, and their tokens, one entry a model. */
  get sum(): { runs: RunSum[]; usage: TokenUsage[] } {
    return this.#tell('sum');
  }

  #tell(what: string, about?: string): any {
    return answerOf(this.#runs(what, about));
  }
}

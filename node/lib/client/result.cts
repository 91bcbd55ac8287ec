import { AGUIError, errorFrom } from '../errors/errors.cjs';
import type { Interrupt, Message, TokenUsage } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import type { Runs } from './runs.cjs';

/**
 * The outcome of a run: the agent's own (`success`, `interrupt`, `cancelled`, `error`), `aborted` here, or `failed`: the network,
 * the stream or a subscriber has ended it.
 */
export type Outcome = 'success' | 'interrupt' | 'cancelled' | 'error' | 'aborted' | 'failed';

/** An object that states how a run has ended. */
export interface Ended {
  /**
   * Itself, unless the run was to end in another way: with the outcome `success`, or with an `interrupt`, which is a question.
   *
   * @throws AGUIError with the result as `run`: `run_failed` for an `error` of the agent, `run_cancelled`, `run_aborted`; and the
   * `failure`, if a subscriber has taken one on
   */
  throwForOutcome(): this;
}

/** The result of a run, or of several if tools of the application were called. */
export interface RunResult extends Ended {
  outcome: Outcome;
  /** The agent's return value. */
  result?: any;
  /** The agent's own error. */
  error?: { message: string; code?: string };
  /** The error of the run, if a subscriber has taken it on. */
  failure?: Error;
  /** The messages that were not there before, in the order of the list. */
  newMessages: Message[];
  /** The interrupts that wait for an answer. */
  interrupts: Interrupt[];
  /** The calls that the application is to answer. */
  pendingToolCallIds: string[];
  /** The tokens that were used, as far as the agent says: those of all runs, one entry a model. */
  usage: TokenUsage[];
  runId: string;
  threadId: string;
  /** The warnings: what was repaired or left out. */
  warnings: Warning[];
  /** The id last set in the stream; empty if none was. */
  lastEventId: string;
  /** The text of the new messages of the assistant. */
  text: string;
  /**
   * Each run by itself: several if tools of the application were called, or an answer has several. What is known of an answer as a whole, such
   * as its warnings, stands with its last run.
   */
  runs: RunResult[];
}

/** The text of the messages of the assistant among these. */
export function textOf(messages: readonly Message[]): string {
  return messages.map((message) => (message.role === 'assistant' ? (message.content ?? '') : '')).join('');
}

/** Puts what came before to an error of ours; those of the application are not ours to write upon. */
export function withRun<E>(error: E, run: RunResult | undefined): E {
  if (run !== undefined && error instanceof AGUIError && Object.isExtensible(error)) Object.assign(error, { run });
  return error;
}

/** A run of which nothing is known yet. */
export function blank(ids: { runId: string; threadId: string }): RunResult {
  const lists = { newMessages: [], interrupts: [], pendingToolCallIds: [], usage: [], warnings: [], runs: [] };
  return ended({ ...ids, ...lists, outcome: 'failed', lastEventId: '', text: '' });
}

/** The result of runs one after the other, which core sums up. */
export function summed(runs: RunResult[], sum: Runs['sum'], newMessages: Message[]): RunResult {
  runs.forEach((run, index) => Object.assign(run, sum.runs[index]));
  const warnings = runs.flatMap((run) => run.warnings);
  return ended({ ...runs.at(-1)!, newMessages, usage: sum.usage, warnings, text: textOf(newMessages), runs });
}

/** Gives what says how a run has ended the methods that judge that. They are no members to be copied, compared or written. */
export function ended<T extends object>(shown: T, resultOf: (shown: T) => RunResult = (shown) => shown as unknown as RunResult): T & Ended {
  const throwForOutcome = () => {
    const result = resultOf(shown);
    const error = result.failure ?? outcomeError(result);
    if (error !== undefined) throw withRun(error, result);
    return shown;
  };
  return Object.defineProperty(shown, 'throwForOutcome', { value: throwForOutcome }) as T & Ended;
}

/** Makes the error of an outcome; nothing for success and interrupt. */
export function outcomeError({ outcome, error }: RunResult): AGUIError | undefined {
  const described = native().describeOutcome(outcome, error?.code);
  return described === null ? undefined : errorFrom(described);
}

/** An error that ends a run, with what came before. */
export type RunFailure = AGUIError & { readonly run?: RunResult };

import { AGUIError, errorFrom } from '../errors/errors.cjs';
import type { Interrupt, Message, TokenUsage } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import type { Outcome, Runs } from './runs.cjs';

/** An object with the outcome of a run. */
export interface Ended {
  /**
   * Returns the object if the outcome is `success` or `interrupt`.
   *
   * @throws AGUIError with the result as `run`: `run_failed` for an `error` of the agent, `run_cancelled`, `run_aborted`; or the
   * `failure` that a subscriber has handled
   */
  throwForOutcome(): this;
}

/**
 * The result of a run, or of several if tools of the application were called.
 *
 * @example
 * ```ts
 * import { LocalAgent, type RunResult } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const result: RunResult = await new LocalAgent(scriptedAgent(['Hello!'])).runAgent();
 * [result.outcome, result.text, result.newMessages.length]; // => ['success', 'Hello!', 1]
 * ```
 */
export interface RunResult extends Ended {
  outcome: Outcome;
  /** The agent's return value. */
  result?: any;
  /** The agent's own error. */
  error?: { message: string; code?: string };
  /** The error that ended the run, if a subscriber has handled it. */
  failure?: Error;
  /** The new messages, in the order of the list. */
  newMessages: Message[];
  /** The interrupts that wait for an answer. */
  interrupts: Interrupt[];
  /** The tool calls that the application has to answer. */
  pendingToolCallIds: string[];
  /** The token usage that the agent reported, with one entry for each model. */
  usage: TokenUsage[];
  runId: string;
  threadId: string;
  /** The warnings about repaired and dropped parts. */
  warnings: Warning[];
  /** The last event id of the stream, or an empty string. */
  lastEventId: string;
  /** The text of the new messages of the assistant. */
  text: string;
  /**
   * The single runs: several if tools of the application were called, or if one answer had several. The last run of an answer has the warnings
   * of the whole answer.
   */
  runs: RunResult[];
}

/** Returns the text of the assistant's messages. */
export function textOf(messages: readonly Message[]): string {
  return messages.map((message) => (message.role === 'assistant' ? (message.content ?? '') : '')).join('');
}

/** Adds the result to an error of this package. Errors of the application stay as they are. */
export function withRun<E>(error: E, run: RunResult | undefined): E {
  if (run !== undefined && error instanceof AGUIError && Object.isExtensible(error)) Object.assign(error, { run });
  return error;
}

/** Returns the result of a run that has not begun. */
export function blank(ids: { runId: string; threadId: string }): RunResult {
  const lists = { newMessages: [], interrupts: [], pendingToolCallIds: [], usage: [], warnings: [], runs: [] };
  return ended({ ...ids, ...lists, outcome: 'failed', lastEventId: '', text: '' });
}

/** Returns the result of several runs, with the sums that core has made. */
export function summed(runs: RunResult[], sum: Runs['sum'], newMessages: Message[]): RunResult {
  runs.forEach((run, index) => Object.assign(run, sum.runs[index]));
  const warnings = runs.flatMap((run) => run.warnings);
  return ended({ ...runs.at(-1)!, newMessages, usage: sum.usage, warnings, text: textOf(newMessages), runs });
}

/** Adds `throwForOutcome` to an object, as a member that is not enumerable. */
export function ended<T extends object>(shown: T, resultOf: (shown: T) => RunResult = (shown) => shown as unknown as RunResult): T & Ended {
  const throwForOutcome = () => {
    const result = resultOf(shown);
    const error = result.failure ?? outcomeError(result);
    if (error !== undefined) throw withRun(error, result);
    return shown;
  };
  return Object.defineProperty(shown, 'throwForOutcome', { value: throwForOutcome }) as T & Ended;
}

/** Returns the error of an outcome, or undefined for `success` and `interrupt`. */
export function outcomeError({ outcome, error }: RunResult): AGUIError | undefined {
  const described = native().describeOutcome(outcome, error?.code);
  return described === null ? undefined : errorFrom(described);
}

/**
 * An error that has ended a run, with the result of the run until then.
 *
 * @example
 * ```ts
 * import { HttpAgent, type RunFailure } from 'ag-ui-native/client';
 *
 * try {
 *   await new HttpAgent('http://127.0.0.1:1/').runAgent({ runId: 'r1' });
 * } catch (error) {
 *   (error as RunFailure).run?.outcome; // => 'failed'
 * }
 * ```
 */
export type RunFailure = AGUIError & { readonly run?: RunResult };

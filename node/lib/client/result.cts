import { AGUIError } from '../errors.cjs';
import type { Interrupt, Message, TokenUsage } from '../generated/types.cjs';
import type { Warning } from '../options.cjs';

/**
 * How a run has ended: as the agent says (`success`, `interrupt`, `cancelled`, `error`), `aborted` here, or `failed`: the network,
 * the stream or a subscriber has ended it.
 */
export type Outcome = 'success' | 'interrupt' | 'cancelled' | 'error' | 'aborted' | 'failed';

/** What has become of a run: or of several, if tools of the application were called. */
export interface RunResult {
  outcome: Outcome;
  /** What the agent has returned. */
  result?: any;
  /** What the agent says of its error. */
  error?: { message: string; code?: string };
  /** What has failed the run, where a subscriber has taken that on. */
  failure?: Error;
  /** The messages that were not there before, in the order of the list. */
  newMessages: Message[];
  /** The interrupts that wait for an answer. */
  interrupts: Interrupt[];
  /** The calls that the application is to answer. */
  pendingToolCallIds: string[];
  /** The tokens that were used, as far as the agent says. */
  usage: TokenUsage[];
  runId: string;
  threadId: string;
  /** What was repaired or left out. */
  warnings: Warning[];
  /** The id last set in the stream; empty if none was. */
  lastEventId: string;
  /** The text of the new messages of the assistant. */
  text: string;
  /** Each run by itself, where tools of the application were called. */
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

/** The result of runs one after the other. */
export function joined(runs: RunResult[], newMessages: Message[]): RunResult {
  const usage = runs.flatMap((run) => run.usage);
  const warnings = runs.flatMap((run) => run.warnings);
  return { ...runs.at(-1)!, newMessages, usage, warnings, text: textOf(newMessages), runs };
}

/** An error that ends a run, with what came before. */
export type RunFailure = AGUIError & { readonly run?: RunResult };

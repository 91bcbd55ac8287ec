import { errorFrom } from '../errors/errors.cjs';
import type { Interrupt, ResumeEntry } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expect, expectIfGiven } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';

/**
 * Checks the answers to interrupts, before the run that carries them is requested.
 *
 * @param pending the interrupts that wait for an answer
 * @param resume the answers
 * @param now the time in milliseconds; the default is the current time
 * @throws AGUISequenceError rule L01 if an interrupt has no answer, L02 if an expired one is not cancelled
 *
 * @example
 * ```ts
 * import { AGUISequenceError } from 'ag-ui-native';
 * import { checkResume } from 'ag-ui-native/stream';
 *
 * try {
 *   checkResume([{ id: 'i1', reason: 'confirmation' }], []);
 * } catch (error) {
 *   if (!(error instanceof AGUISequenceError)) throw error;
 *   error.rule; // => 'L01'
 * }
 * ```
 */
export function checkResume(
  pending: readonly Interrupt[],
  resume: readonly ResumeEntry[] | undefined,
  now: number = Date.now(),
): void {
  expect('list', 'pending', pending);
  expectIfGiven('list', 'resume', resume);
  expect('number', 'now', now);
  const described = native().checkResume(stringify(pending) ?? 'null', stringify(resume ?? []) ?? 'null', Math.floor(now));
  if (described !== null) throw errorFrom(described);
}

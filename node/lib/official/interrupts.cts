import type { Interrupt, ResumeEntry, RunFinishedEvent, RunFinishedOutcome } from '../generated/types.cjs';

/**
 * Returns the outcome of a run; nothing if the event does not state it.
 *
 * @example
 * ```ts
 * import { EventType, type RunFinishedEvent } from 'ag-ui-native';
 * import { getRunOutcome } from 'ag-ui-native/operators';
 *
 * const end: RunFinishedEvent = { type: EventType.RUN_FINISHED, threadId: 't1', runId: 'r1', outcome: { type: 'success' } };
 * getRunOutcome(end)?.type; // => 'success'
 * ```
 */
export function getRunOutcome(event: RunFinishedEvent): RunFinishedOutcome | undefined {
  return event.outcome;
}

/**
 * True if an interrupt can no longer be answered.
 *
 * @example
 * ```ts
 * import { isInterruptExpired } from 'ag-ui-native/operators';
 *
 * isInterruptExpired({ id: 'i1', reason: 'confirmation', expiresAt: '2026-01-01T00:00:00Z' }, new Date('2026-01-02')); // => true
 * ```
 */
export function isInterruptExpired(interrupt: Interrupt, now: Date = new Date()): boolean {
  return interrupt.expiresAt !== undefined && new Date(interrupt.expiresAt) <= now;
}

/**
 * An answer to an interrupt.
 *
 * @example
 * ```ts
 * import { buildResumeArray, type ResumeResponse } from 'ag-ui-native/operators';
 *
 * const response: ResumeResponse = { status: 'resolved', payload: 'blue' };
 * buildResumeArray([{ id: 'i1', reason: 'confirmation' }], { i1: response }).length; // => 1
 * ```
 */
export type ResumeResponse = Omit<ResumeEntry, 'interruptId'>;

/**
 * The answers to a run's interrupts, in the interrupts' order.
 *
 * @throws Error if an interrupt has no answer, or an answer no interrupt
 *
 * @example
 * ```ts
 * import { buildResumeArray } from 'ag-ui-native/operators';
 *
 * const [entry] = buildResumeArray([{ id: 'i1', reason: 'confirmation' }], { i1: { status: 'cancelled' } });
 * entry; // => { interruptId: 'i1', status: 'cancelled' }
 * ```
 */
export function buildResumeArray(interrupts: Interrupt[], responses: Record<string, ResumeResponse>): ResumeEntry[] {
  const ids = new Set(interrupts.map(({ id }) => id));
  const answered = new Set(Object.keys(responses));
  const missing = [...ids].filter((id) => !answered.has(id));
  if (missing.length > 0) throw new Error(`buildResumeArray: missing responses for open interrupts: ${missing.join(', ')}`);
  const unknown = [...answered].filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`buildResumeArray: responses reference unknown interrupt ids: ${unknown.join(', ')}`);
  return interrupts.map(({ id }) => {
    const { status, payload, metadata } = responses[id]!;
    const entry: ResumeEntry = { interruptId: id, status };
    if (status === 'resolved' && payload !== undefined) entry.payload = payload;
    if (metadata !== undefined) entry.metadata = metadata;
    return entry;
  });
}

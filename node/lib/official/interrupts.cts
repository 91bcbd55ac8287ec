import type { Interrupt, ResumeEntry, RunFinishedEvent, RunFinishedOutcome } from '../generated/types.cjs';

/** Returns the outcome of a run; nothing if the event does not state it. */
export function getRunOutcome(event: RunFinishedEvent): RunFinishedOutcome | undefined {
  return event.outcome;
}

/** True if an interrupt can no longer be answered. */
export function isInterruptExpired(interrupt: Interrupt, now: Date = new Date()): boolean {
  return interrupt.expiresAt !== undefined && new Date(interrupt.expiresAt) <= now;
}

/** An answer to an interrupt. */
export type ResumeResponse = Omit<ResumeEntry, 'interruptId'>;

/**
 * The answers to a run's interrupts, in the interrupts' order.
 *
 * @throws Error if an interrupt has no answer, or an answer no interrupt
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

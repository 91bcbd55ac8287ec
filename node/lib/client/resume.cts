import type { Interrupt, ResumeEntry } from '../generated/types.cjs';
import { expect } from '../options/kinds.cjs';
import { answerOf } from '../errors/errors.cjs';
import { native } from '../native/native.cjs';
import { checkValue, textOf } from '../json/value.cjs';

/** An answer to an interrupt, without its id. */
export type InterruptAnswer = Omit<ResumeEntry, 'interruptId'>;

const made = new WeakSet<object>();

function answer(answer: InterruptAnswer): InterruptAnswer {
  made.add(answer);
  return answer;
}

/** Approves the request of an interrupt. */
export function approve(more: Record<string, any> = {}): InterruptAnswer {
  return answer({ status: 'resolved', payload: { ...more, approved: true } });
}

/** Rejects the request of an interrupt. */
export function reject(reason?: string): InterruptAnswer {
  return answer({ status: 'resolved', payload: { approved: false, ...(reason !== undefined && { reason }) } });
}

/** Approves a call with other arguments. */
export function edit(editedArgs: Record<string, any>): InterruptAnswer {
  return answer({ status: 'resolved', payload: { approved: true, editedArgs } });
}

/** Answers with any JSON value. */
export function respond(payload?: any): InterruptAnswer {
  return answer({ status: 'resolved', ...(payload !== undefined && { payload }) });
}

/** Cancels an interrupt. An expired one can only be cancelled. */
export function cancel(): InterruptAnswer {
  return answer({ status: 'cancelled' });
}

/** Answers by the ids of their interrupts: payloads, or results of `approve`, `reject` and the others. Or a list of entries. */
export type Answers = Readonly<Record<string, unknown>> | readonly ResumeEntry[];

/** Returns the entries for answers, in the order of the interrupts. */
export function resumeOf(pending: readonly Interrupt[], answers: Answers): ResumeEntry[] {
  if (Array.isArray(answers)) return buildResume(pending, answers as ResumeEntry[]);
  expect('object', 'answers', answers);
  const entries = Object.entries(answers).map(([interruptId, given]): ResumeEntry => {
    const isMade = typeof given === 'object' && given !== null && made.has(given);
    return { interruptId, ...(isMade ? (given as InterruptAnswer) : { status: 'resolved', payload: given }) };
  });
  return buildResume(pending, entries);
}

/** Sorts entries into the order of the pending interrupts. */
function buildResume(pending: readonly Interrupt[], entries: readonly ResumeEntry[]): ResumeEntry[] {
  checkValue(entries, '');
  return answerOf(native().buildResume(textOf(pending), textOf(entries), Date.now()));
}

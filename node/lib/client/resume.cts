import type { Interrupt, ResumeEntry } from '../generated/types.cjs';
import { expect } from '../options/kinds.cjs';
import { answerOf } from '../errors/errors.cjs';
import { native } from '../native/native.cjs';
import { checkValue, textOf } from '../json/value.cjs';

/**
 * An answer to an interrupt, without its id.
 *
 * @example
 * ```ts
 * import { type InterruptAnswer, respond } from 'ag-ui-native/client';
 *
 * const answer: InterruptAnswer = respond('blue');
 * answer.payload; // => 'blue'
 * ```
 */
export type InterruptAnswer = Omit<ResumeEntry, 'interruptId'>;

const made = new WeakSet<object>();

function answer(answer: InterruptAnswer): InterruptAnswer {
  made.add(answer);
  return answer;
}

/**
 * Approves the request of an interrupt.
 *
 * @example
 * ```ts
 * import { approve } from 'ag-ui-native/client';
 *
 * approve({ comment: 'Go on.' }).payload; // => { comment: 'Go on.', approved: true }
 * ```
 */
export function approve(more: Record<string, any> = {}): InterruptAnswer {
  return answer({ status: 'resolved', payload: { ...more, approved: true } });
}

/**
 * Rejects the request of an interrupt.
 *
 * @example
 * ```ts
 * import { reject } from 'ag-ui-native/client';
 *
 * reject('Too expensive.').payload; // => { approved: false, reason: 'Too expensive.' }
 * ```
 */
export function reject(reason?: string): InterruptAnswer {
  return answer({ status: 'resolved', payload: { approved: false, ...(reason !== undefined && { reason }) } });
}

/**
 * Approves a call with other arguments.
 *
 * @example
 * ```ts
 * import { edit } from 'ag-ui-native/client';
 *
 * edit({ to: 'ada@example.org' }).payload; // => { approved: true, editedArgs: { to: 'ada@example.org' } }
 * ```
 */
export function edit(editedArgs: Record<string, any>): InterruptAnswer {
  return answer({ status: 'resolved', payload: { approved: true, editedArgs } });
}

/**
 * Answers with any JSON value.
 *
 * @example
 * ```ts
 * import { respond } from 'ag-ui-native/client';
 *
 * respond({ colour: 'blue' }).payload; // => { colour: 'blue' }
 * ```
 */
export function respond(payload?: any): InterruptAnswer {
  return answer({ status: 'resolved', ...(payload !== undefined && { payload }) });
}

/**
 * Cancels an interrupt. An expired one can only be cancelled.
 *
 * @example
 * ```ts
 * import { cancel } from 'ag-ui-native/client';
 *
 * cancel().status; // => 'cancelled'
 * ```
 */
export function cancel(): InterruptAnswer {
  return answer({ status: 'cancelled' });
}

/**
 * Answers by the ids of their interrupts: payloads, or results of `approve`, `reject` and the others. Or a list of entries.
 *
 * @example
 * ```ts
 * import { type Answers, approve, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const agent = new LocalAgent(scriptedAgent([{ interrupt: [{ id: 'i1', reason: 'confirmation' }] }]));
 * await agent.runAgent();
 * const answers: Answers = { i1: approve() };
 * agent.buildResume(answers); // => [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }]
 * ```
 */
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

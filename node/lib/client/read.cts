import type { Interrupt, Message } from '../generated/types.cjs';
import { Reducer } from '../reducer.cjs';
import { checkValue } from '../value.cjs';

// What an application gives of a conversation, as a run would read it: copies, without what is not declared.

/** @throws AGUIValidationError with the place of what is no message */
export function messagesOf(messages: readonly Message[]): Message[] {
  checkValue(messages, '/messages');
  return new Reducer({ messages }).messages;
}

/** @throws AGUIValidationError with the place of what is no interrupt */
export function interruptsOf(pendingInterrupts: readonly Interrupt[]): Interrupt[] {
  checkValue(pendingInterrupts, '/pendingInterrupts');
  return new Reducer({ pendingInterrupts }).pendingInterrupts;
}

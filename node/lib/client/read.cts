import type { Interrupt, Message } from '../generated/types.cjs';
import { errorFrom } from '../errors/errors.cjs';
import { native } from '../native/native.cjs';
import { Reducer } from '../reduce/reducer.cjs';
import { checkValue, copyOf, textOf } from '../json/value.cjs';

// What an application gives of a conversation, copied. What a client sends is read strictly.

/** @throws AGUIValidationError with the place of what is no message, or of what AG-UI 1.0 does not declare */
export function messagesOf(messages: readonly Message[]): Message[] {
  checkValue(messages, '/messages');
  for (let at = 0; at < messages.length; at++) checkStrictly('Message', messages[at], `/messages/${at}`);
  return new Reducer({ messages }).messages;
}

/** @throws AGUIValidationError with the place of what is no JSON */
export function stateOf<S>(state: S): S {
  const copy = copyOf(state, '/state');
  checkStrictly('State', copy, '/state');
  return copy;
}

function checkStrictly(kind: string, value: unknown, place: string): void {
  const described = native().check(kind, textOf(value), 'sending', false, place);
  if (described !== null) throw errorFrom(described);
}

/** @throws AGUIValidationError with the place of what is no interrupt */
export function interruptsOf(pendingInterrupts: readonly Interrupt[]): Interrupt[] {
  checkValue(pendingInterrupts, '/pendingInterrupts');
  return new Reducer({ pendingInterrupts }).pendingInterrupts;
}

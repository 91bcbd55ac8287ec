import { errorFrom } from './errors.cjs';
import { omitEvent, omitMessage, omitRunAgentInput } from './generated/writers.cjs';
import { native } from './native.cjs';

/** What an object of the protocol is, by the members that tell. */
function nameOf(value: any): 'Event' | 'Message' | 'RunAgentInput' {
  if (typeof value?.type === 'string') return 'Event';
  return typeof value?.role === 'string' ? 'Message' : 'RunAgentInput';
}

const omit = { Event: omitEvent, Message: omitMessage, RunAgentInput: omitRunAgentInput };

/**
 * Checks an event, a message or a run input by the strict profile: everything that AG-UI 1.0 does not say is wrong,
 * undeclared members too. With `nonEmpty`, ids, names, texts, patches and states must also say something.
 *
 * @throws AGUIValidationError with everything found wrong
 */
export function validate(value: object, options?: { nonEmpty?: boolean }): void {
  const json = JSON.stringify(value) ?? 'null';
  const described = native().check(nameOf(value), json, 'strict', options?.nonEmpty === true);
  if (described !== null) throw errorFrom(described, undefined, `U${nameOf(value)}`, value);
}

/** The JSON text of an event, a message or a run input, without optional members that are null. Not validated. */
export function toJson(value: object): string {
  return JSON.stringify(omit[nameOf(value)](value));
}

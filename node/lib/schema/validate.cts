import { errorFrom } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { omit } from '../types/lazy.cjs';
import { native } from '../native/native.cjs';
import { known } from '../options/option_reader.cjs';

/** Returns the type of a protocol object by the members that identify it. */
function nameOf(value: any): 'Event' | 'Message' | 'RunAgentInput' {
  if (typeof value?.type === 'string') return 'Event';
  return typeof value?.role === 'string' ? 'Message' : 'RunAgentInput';
}

/**
 * Checks an event, a message or a run input by the strict profile: everything that AG-UI 1.1 does not declare is an error,
 * undeclared members too. With `nonEmpty`, ids, names, texts, patches and states must not be empty.
 *
 * @throws AGUIValidationError with all faults
 *
 * @example
 * ```ts
 * import { AGUIValidationError, validate } from 'ag-ui-native';
 *
 * try {
 *   validate({ type: 'TEXT_MESSAGE_END' });
 * } catch (error) {
 *   if (!(error instanceof AGUIValidationError)) throw error;
 *   error.path; // => '/messageId'
 * }
 * ```
 */
export function validate(value: object, options?: { nonEmpty?: boolean }): void {
  if (typeof value === 'bigint') throw wrongKind('value', 'an object', value);
  if (options !== undefined && options !== null) known<{ nonEmpty?: boolean }>({ nonEmpty: 1 }, options);
  expectIfGiven('flag', 'nonEmpty', options?.nonEmpty);
  const json = stringify(value) ?? 'null';
  const name = nameOf(value);
  const described = native().check(name, json, 'strict', options?.nonEmpty === true);
  if (described !== null) throw errorFrom(described, undefined, (name === 'RunAgentInput' ? 'T' : 'U') + name, value);
}

/**
 * Returns the JSON text of an event, a message or a run input, without optional members that are null. It does not validate.
 *
 * @example
 * ```ts
 * import { toJson } from 'ag-ui-native';
 *
 * toJson({ type: 'TEXT_MESSAGE_END', messageId: 'm1', timestamp: undefined }); // => '{"type":"TEXT_MESSAGE_END","messageId":"m1"}'
 * ```
 */
export function toJson(value: object): string {
  expect('object', 'value', value);
  return stringify(omit()[`omit${nameOf(value)}`](value)) as string;
}

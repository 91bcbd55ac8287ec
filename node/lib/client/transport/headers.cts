import { own, put } from '../../json/check.cjs';
import { answerOf } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { token } from '../../json/value.cjs';
import { wrongOption } from '../../options/option_reader.cjs';

/**
 * Headers of requests: an object, a Headers, a Map or a list of pairs.
 *
 * @example
 * ```ts
 * import { type HeadersGiven, HttpAgent } from 'ag-ui-native/client';
 *
 * const headers: HeadersGiven = { Authorization: 'Bearer secret' };
 * new HttpAgent('http://127.0.0.1:8000/', { headers }).url; // => 'http://127.0.0.1:8000/'
 * ```
 */
export type HeadersGiven = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/**
 * Headers of every request, or a function that returns them for each one, for tokens that expire.
 *
 * @example
 * ```ts
 * import { type HeadersOption, HttpAgent } from 'ag-ui-native/client';
 *
 * const headers: HeadersOption = async () => ({ Authorization: 'Bearer secret' });
 * new HttpAgent('http://127.0.0.1:8000/', { headers }).url; // => 'http://127.0.0.1:8000/'
 * ```
 */
export type HeadersOption = HeadersGiven | (() => HeadersGiven | PromiseLike<HeadersGiven>);

/**
 * Returns the headers of the application by their names in lower case, without those that the client sets itself. The values of a repeated
 * header are joined with commas.
 *
 * @throws AGUIValidationError `invalid_header`, or `wrong_type` for values that are no headers
 */
export function headersOf(given: HeadersGiven): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairsOf(given)) {
    if (typeof value !== 'string') throw wrongOption(`/headers/${token(name)}`, 'a string', value);
    const isReserved = answerOf<boolean>(native().checkHeader(name, value));
    const key = name.toLowerCase();
    if (!isReserved) put(headers, key, own(headers, key) ? `${headers[key]}, ${value}` : value);
  }
  return headers;
}

/** Returns a copy of headers. */
export function ownHeaders(given: HeadersOption): HeadersOption {
  if (typeof given === 'function') return given;
  const headers = headersOf(given);
  return Symbol.iterator in given ? headers : { ...given };
}

function pairsOf(given: unknown): readonly (readonly [string, unknown])[] {
  if (typeof given !== 'object' || given === null) throw wrongOption('/headers', 'an object of strings, a Headers, a Map or a list of pairs', given);
  if (!(Symbol.iterator in given)) return Object.entries(given);
  return Array.from(given as Iterable<unknown>, (pair, at) => {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') throw wrongOption(`/headers/${at}`, 'a name and a value', pair);
    return pair as [string, unknown];
  });
}

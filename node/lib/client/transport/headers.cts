import { own, put } from '../../json/check.cjs';
import { answerOf } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { token } from '../../json/value.cjs';
import { wrongOption } from '../../options/option_reader.cjs';

/** Headers of requests, in the shapes that `fetch` takes, or a map. */
export type HeadersGiven = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** Headers of every request: as they are, or asked for each time, for tokens that expire. */
export type HeadersOption = HeadersGiven | (() => HeadersGiven | PromiseLike<HeadersGiven>);

/**
 * The headers of a request, by their names in lower case: those of the application, but for what only the client can say. One that is
 * given twice is a list, as `fetch` has it.
 *
 * @throws AGUIValidationError `invalid_header`, or `wrong_type` for what are no headers
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

/** Headers of an agent, as they are now and from now on nobody else's. */
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

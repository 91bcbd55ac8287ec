import { LONGEST_PAYLOAD, MOST_PAYLOAD } from '../generated/border.cjs';
import { after } from '../runtime/timers.cjs';
import { Observable, type ObservableClass, type Subscriber } from './observable.cjs';
import { ignoreErrors } from '../client/promises.cjs';
import type { ResponseReader } from '../client/transport/transport.cjs';

/**
 * The parts of a response in order: its head, then its body piece by piece.
 *
 * @example
 * ```ts
 * import { HttpEventType } from 'ag-ui-native/operators';
 *
 * HttpEventType.DATA; // => 'data'
 * ```
 */
export enum HttpEventType {
  HEADERS = 'headers',
  DATA = 'data',
}

/**
 * A piece of the body of a response.
 *
 * @example
 * ```ts
 * import { type HttpDataEvent, HttpEventType } from 'ag-ui-native/operators';
 *
 * const event: HttpDataEvent = { type: HttpEventType.DATA, data: new TextEncoder().encode(': ping\n\n') };
 * ```
 */
export interface HttpDataEvent {
  type: HttpEventType.DATA | 'data';
  data?: Uint8Array;
}

/**
 * The status and the headers of a response.
 *
 * @example
 * ```ts
 * import { type HttpHeadersEvent, HttpEventType } from 'ag-ui-native/operators';
 *
 * const event: HttpHeadersEvent = { type: HttpEventType.HEADERS, status: 200, headers: new Headers() };
 * ```
 */
export interface HttpHeadersEvent {
  type: HttpEventType.HEADERS | 'headers';
  status: number;
  headers: Headers;
}

/**
 * A part of a response: its headers, then pieces of its body.
 *
 * @example
 * ```ts
 * import type { HttpEvent } from 'ag-ui-native/operators';
 *
 * const event: HttpEvent = { type: 'headers', status: 200, headers: new Headers() };
 * ```
 */
export type HttpEvent = HttpDataEvent | HttpHeadersEvent;

/**
 * The error of a response that is no success.
 *
 * @example
 * ```ts
 * import { type HttpError, runHttpRequest } from 'ag-ui-native/operators';
 *
 * const error = await new Promise<HttpError>((resolve) => {
 *   runHttpRequest(async () => new Response('{"error": "busy"}', { status: 503 })).subscribe({ error: (failure) => resolve(failure as HttpError) });
 * });
 * error.status; // => 503
 * ```
 */
export interface HttpError extends Error {
  status: number;
  /** The beginning of the body: a parsed value if it is JSON, otherwise text. */
  payload: unknown;
}

/**
 * Sends a request at the subscription and emits the parts of its response. A response that is no success is the stream's error, with its
 * `status` and `payload`. Unsubscribing cancels the body. `Class` is the class of the returned observable: that of this package by default.
 *
 * @example
 * ```ts
 * import { runHttpRequest } from 'ag-ui-native/operators';
 *
 * const types: string[] = [];
 * for await (const event of runHttpRequest(async () => new Response(': ping\n\n'))) types.push(event.type);
 * types; // => ['headers', 'data']
 * ```
 */
export function runHttpRequest<R = Observable<HttpEvent>>(
  fetchResponse: () => Promise<Response>,
  Class: ObservableClass<R> = Observable as unknown as ObservableClass<R>,
): R {
  return new Class((subscriber: Subscriber<HttpEvent>) => {
    let cancel = () => {};
    const failed = (error: unknown) => subscriber.error(error);
    fetchResponse().then(async (response) => {
      if (subscriber.closed) return void response.body?.cancel().catch(() => {});
      if (!response.ok) throw await errorOf(response);
      const reader = response.body?.getReader();
      if (!reader) throw new Error('The response has no body: the server has to send the events of the run.');
      cancel = () => void reader.cancel().catch(() => {});
      subscriber.next({ type: HttpEventType.HEADERS, status: response.status, headers: response.headers });
      while (!subscriber.closed) {
        const { done, value } = await reader.read();
        if (done) return subscriber.complete();
        subscriber.next({ type: HttpEventType.DATA, data: value });
      }
    }).catch(failed);
    return () => cancel();
  });
}

/** Returns the error of a response that is no success. */
export async function errorOf(response: Response): Promise<HttpError> {
  const reader = response.body?.getReader();
  const read = async () => (await reader?.read())?.value;
  const text = new TextDecoder().decode(await payloadOf({ read, cancel: () => void reader?.cancel().catch(() => {}) }));
  let payload: unknown = text;
  if ((response.headers.get('content-type') ?? '').includes('application/json')) {
    try {
      payload = JSON.parse(text);
    } catch {
      // The payload stays text.
    }
  }
  const shown = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return Object.assign(new Error(`HTTP ${response.status}: ${shown}`), { status: response.status, payload });
}

/** Reads the body of an answer without events, up to a limited length and for a limited time. */
async function payloadOf(reader: Pick<ResponseReader, 'read' | 'cancel'>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof after>;
  const late = new Promise<undefined>((resolve) => (timer = after(LONGEST_PAYLOAD, () => resolve(undefined))));
  try {
    while (length < MOST_PAYLOAD) {
      const piece = await Promise.race([reader.read(), late]);
      if (piece === undefined) break;
      read.push(piece);
      length += piece.length;
    }
  } catch {
    // The part of the body that has arrived is still shown.
  } finally {
    clearTimeout(timer!);
    ignoreErrors(() => reader.cancel());
  }
  return joined(read, length).subarray(0, MOST_PAYLOAD);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

import { Engine } from '../native/engine.cjs';
import { AGUIError, describedError } from '../errors/errors.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { AGUI_MEDIA_TYPE, Ask, FIRST, LENGTH } from '../generated/border.cjs';
import { native } from '../native/native.cjs';
import { EventDecoder } from '../stream.cjs';
import { type DebugLogger, type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import type { HttpEvent } from './http.cjs';
import { Listeners } from './hot_observable.cjs';
import type { ObservableInput, Subscribable } from './observable.cjs';

/** A parser of a response's body. */
interface Parser<R> {
  feed(chunk: Uint8Array): R[];
  close(): R[];
}

/** The texts of frames. */
function readFrames(text: string, marks: Uint32Array): string[] {
  const frames: string[] = [];
  const end = FIRST + marks[LENGTH]!;
  let start = 0;
  for (let at = FIRST; at < end; at++) frames.push(text.slice(start, (start = marks[at]!)));
  return frames;
}

/** Returns a parser of server-sent events with JSON documents, or undefined for the binary transport. */
function textParser(contentType: string | null): Parser<unknown> | undefined {
  const feed = native().createFrames(JSON.stringify({ contentType: contentType ?? undefined }));
  if (feed === null) return undefined;
  const frames = new Engine<string>(feed, readFrames);
  return {
    feed: (chunk) => parsed(frames, () => frames.feed(chunk), 'invalid_json'),
    close: () => parsed(frames, () => frames.run(Ask.Close), 'stream_truncated'),
  };
}

/** Returns the documents of frames. An error has the documents before the first invalid one as `partial`. */
function parsed(frames: Engine<string>, read: () => string[], code: string): unknown[] {
  frames.warnings.length = 0;
  let texts: readonly string[];
  let failure: AGUIError | undefined;
  try {
    texts = read();
  } catch (error) {
    if (!(error instanceof AGUIError)) throw error;
    failure = error;
    texts = error.partial ?? [];
  }
  const values: unknown[] = [];
  for (const text of texts) {
    try {
      values.push(JSON.parse(text));
    } catch (cause) {
      failure = Object.assign(describedError(code, (cause as Error).message), { cause });
      break;
    }
  }
  if (failure) throw Object.assign(failure, { partial: values });
  return values;
}

/** Passes the values that a parser returns to `take`, also those before a failure. */
function pass<R>(read: () => R[], take: (value: R) => void): void {
  let values: readonly R[];
  let failure: { error: unknown } | undefined;
  try {
    values = read();
  } catch (error) {
    failure = { error };
    values = error instanceof AGUIError ? ((error.partial ?? []) as R[]) : [];
  }
  for (const value of values) take(value);
  if (failure) throw failure.error;
}

const binaryParser = (): Parser<BaseEvent> => new EventDecoder({ contentType: AGUI_MEDIA_TYPE }) as unknown as Parser<BaseEvent>;

/** Passes the body of a response to a parser as it arrives. */
function parse<R>(source: ObservableInput<HttpEvent>, parser: Parser<R>, prefix: string, log: DebugLogger | undefined): Subscribable<R> {
  const listeners = new Listeners<R>();
  const take = (value: R) => {
    log?.event(prefix, 'Event received:', value, { type: (value as { type?: unknown } | null)?.type });
    listeners.next(value);
  };
  return listeners.read(source, {
    next(event) {
      if (event.type === 'data' && event.data) pass(() => parser.feed(event.data!), take);
    },
    error: (error) => listeners.error(error),
    complete() {
      pass(() => parser.close(), take);
      listeners.complete();
    },
  });
}

/**
 * Returns the JSON documents of a response with server-sent events. The response is read at once, also without a subscription. Documents
 * are not validated.
 *
 * @example
 * ```ts
 * import { type Observable, parseSSEStream, runHttpRequest } from 'ag-ui-native/operators';
 *
 * const response = new Response('data: {"answer": 42}\n\n');
 * const documents = parseSSEStream<Observable<any>>(runHttpRequest(async () => response));
 * for await (const document of documents) {
 *   document; // => { answer: 42 }
 * }
 * ```
 */
export function parseSSEStream<R = Subscribable<any>>(source: ObservableInput<HttpEvent>, debug?: DebugLoggerInput): R {
  return parse(source, textParser(null)!, 'SSE', resolveDebugLogger(debug)) as R;
}

/**
 * Returns the events of a response with protobuf messages. The response is read at once, also without a subscription. Events of a type that
 * AG-UI 1.0 does not know are left out.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { EventEncoder } from 'ag-ui-native/encoder';
 * import { type Observable, parseProtoStream, runHttpRequest } from 'ag-ui-native/operators';
 *
 * const frame = new EventEncoder().encodeProtobuf({ type: EventType.TEXT_MESSAGE_END, messageId: 'm1' });
 * const events = parseProtoStream<Observable<any>>(runHttpRequest(async () => new Response(frame as BodyInit)));
 * for await (const event of events) {
 *   event.messageId; // => 'm1'
 * }
 * ```
 */
export function parseProtoStream<R = Subscribable<BaseEvent>>(source: ObservableInput<HttpEvent>, debug?: DebugLoggerInput): R {
  return parse(source, binaryParser(), 'PROTO', resolveDebugLogger(debug)) as R;
}

/**
 * Returns the events of a response, by its content type. The response is read at once, also without a subscription. Events of the text
 * transport are only checked for a type. If the request is aborted while text is read, the last event is a RUN_ERROR with the code `abort`.
 *
 * @example
 * ```ts
 * import { type Observable, runHttpRequest, transformHttpEventStream } from 'ag-ui-native/operators';
 *
 * const headers = { 'Content-Type': 'text/event-stream' };
 * const response = new Response('data: {"type": "TEXT_MESSAGE_END", "messageId": "m1"}\n\n', { headers });
 * const events = transformHttpEventStream<Observable<any>>(runHttpRequest(async () => response));
 * for await (const event of events) {
 *   event.messageId; // => 'm1'
 * }
 * ```
 */
export function transformHttpEventStream<R = Subscribable<BaseEvent>>(source: ObservableInput<HttpEvent>, debug?: DebugLoggerInput): R {
  const log = resolveDebugLogger(debug);
  const listeners = new Listeners<BaseEvent>();
  let parser: Parser<unknown> | undefined;
  let isText = false;
  const take = (value: unknown) => {
    if (listeners.hasEnded) return;
    if (isText) checkShape(value);
    log?.event('HTTP', 'Event received:', value, { type: (value as BaseEvent).type });
    listeners.next(value as BaseEvent);
  };
  return listeners.read(source, {
    next(event) {
      if (event.type === 'headers' && parser === undefined) {
        const contentType = event.headers.get('content-type');
        const text = textParser(contentType);
        isText = text !== undefined;
        parser = text ?? binaryParser();
        log?.lifecycle('HTTP', 'Stream format detected:', { contentType, parser: isText ? 'sse' : 'protobuf' });
      } else if (parser === undefined) {
        throw describedError('wrong_content_type', 'the observable gave data before the head of the response');
      } else if (event.type === 'data' && event.data) {
        pass(() => parser!.feed(event.data!), take);
      }
    },
    error(error) {
      const { name, message } = (error ?? {}) as { name?: unknown; message?: string };
      if (name !== 'AbortError' || !isText) return listeners.error(error);
      listeners.next({ type: 'RUN_ERROR', message: message || 'Request aborted', code: 'abort', rawEvent: error } as unknown as BaseEvent);
      listeners.complete();
    },
    complete() {
      if (parser !== undefined) pass(() => parser!.close(), take);
      listeners.complete();
    },
  }) as R;
}

/** @throws AGUIValidationError for a document without a type, which operators cannot process */
function checkShape(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw describedError('not_an_object', 'a frame of the stream');
  const { type } = value as { type?: unknown };
  if (typeof type !== 'string' || type === '') throw describedError('missing_event_type', 'a frame of the stream');
}

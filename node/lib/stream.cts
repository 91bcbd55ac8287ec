import { Engine } from './native/engine.cjs';
import { AGUIError, answerOf } from './errors/errors.cjs';
import { Ask } from './generated/border.cjs';
import type { Event } from './generated/types.cjs';
import { inspectable } from './runtime/inspect.cjs';
import { expect, wrongKind } from './options/kinds.cjs';
import { native } from './native/native.cjs';
import { checkOptions, type DecodeOptions, type DecoderOptions, optionsText, type Warning } from './options/options.cjs';
import { readEvents } from './stream/event_reader.cjs';
import { readEventsWithText } from './stream/event_text.cjs';

export {
  AGUIError,
  AGUIInternalError,
  AGUILimitError,
  AGUIPatchError,
  AGUISequenceError,
  AGUIStreamError,
  AGUIValidationError,
} from './errors/errors.cjs';
export type { Change, RunEnd } from './reduce/changes.cjs';
export type {
  ConversationOptions,
  DecodeOptions,
  DecoderOptions,
  EventOptions,
  PipelineOptions,
  Profile,
  ReducerOptions,
  Warning,
} from './options/options.cjs';
export type { Limits } from './generated/border.cjs';
export { PartialArguments } from './json/partial.cjs';
export { EventPipeline } from './stream/pipeline.cjs';
export { applyEvents, type Reduced, Reducer } from './reduce/reducer.cjs';
export { checkResume } from './types/resume.cjs';
export { textOf } from './stream/event_text.cjs';
export {
  ChunkExpander,
  compactEvents,
  enforceEvents,
  EventVerifier,
  expandChunks,
  type OpenEntity,
  type OpenKind,
  verifyEvents,
} from './stages/stages.cjs';

/**
 * Decodes a stream of server-sent events that arrives in pieces of any size. A failure ends the stream.
 *
 * @throws AGUIStreamError `wrong_content_type` if the response is not an event stream
 *
 * @example
 * ```ts
 * import { EventDecoder } from 'ag-ui-native/stream';
 *
 * const bytes = new TextEncoder().encode('id: 7\nretry: 3000\ndata: {"type": "TEXT_MESSAGE_END", "messageId": "m1"}\n\n');
 * const decoder = new EventDecoder({ contentType: 'text/event-stream' });
 * decoder.feed(bytes.subarray(0, 30)); // => []
 * decoder.feed(bytes.subarray(30)); // => [{ type: 'TEXT_MESSAGE_END', messageId: 'm1' }]
 * decoder.close(); // => []
 * [decoder.lastEventId, decoder.retry, decoder.warnings]; // => ['7', 3000, []]
 * ```
 */
export class EventDecoder {
  readonly #engine: Engine<Event>;

  constructor(options: DecoderOptions = {}) {
    this.#engine = new Engine(native().createDecoder(optionsText(options, 'decoder')), options.text ? readEventsWithText : readEvents, options.onWarning);
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }

  /**
   * Reads a chunk and returns the events that it completes.
   *
   * @throws AGUIValidationError, AGUIStreamError or AGUILimitError for the first bad event; `partial` has the events
   * of the chunk before it
   */
  feed(chunk: Uint8Array): Event[] {
    return this.#engine.feed(chunk);
  }

  /**
   * Ends the stream and returns a last event that lacked only its blank line.
   *
   * @throws AGUIStreamError `stream_truncated` if the stream ends inside an event
   */
  close(): Event[] {
    return this.#engine.run(Ask.Close);
  }

  /** The id that the stream has set last, to resume from; empty if there is none. */
  get lastEventId(): string {
    return this.#engine.resumePoint().lastEventId;
  }

  /** The time that the server asks clients to wait before they connect again, in milliseconds. */
  get retry(): number | undefined {
    return this.#engine.resumePoint().retry ?? undefined;
  }

  static {
    inspectable(this, (decoder) => {
      const { events } = decoder.#engine.resumePoint();
      return { events, warnings: decoder.warnings.length };
    });
  }
}

/**
 * A stream of bytes: the body of a response, a file, or a list of chunks.
 *
 * @example
 * ```ts
 * import { type ByteSource, decodeEvents } from 'ag-ui-native/stream';
 *
 * const source: ByteSource = [new TextEncoder().encode('data: {"type": "TEXT_MESSAGE_END", "messageId": "m1"}\n\n')];
 * for await (const event of decodeEvents(source)) {
 *   event.type; // => 'TEXT_MESSAGE_END'
 * }
 * ```
 */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * The events of a stream, as they arrive.
 *
 * @example
 * ```ts
 * import { decodeEvents, type EventStream } from 'ag-ui-native/stream';
 *
 * const events: EventStream = decodeEvents([new TextEncoder().encode(': ping\n\n')]);
 * for await (const event of events) console.log(event.type);
 * events.warnings; // => []
 * ```
 */
export interface EventStream extends AsyncGenerator<Event, void, undefined> {
  /** The warnings so far, if there is no `onWarning` to take them. */
  readonly warnings: Warning[];
}

/**
 * Yields the events of a stream as they arrive. The content type of a response is checked first.
 *
 * @throws the errors of `EventDecoder` and of `onWarning`, after every event before them
 *
 * @example
 * ```ts
 * import { decodeEvents } from 'ag-ui-native/stream';
 *
 * const response = new Response('data: {"type": "TEXT_MESSAGE_END", "messageId": "m1"}\n\n', {
 *   headers: { 'Content-Type': 'text/event-stream' },
 * });
 * for await (const event of decodeEvents(response)) {
 *   event.type; // => 'TEXT_MESSAGE_END'
 * }
 * ```
 */
export function decodeEvents(source: ByteSource | Response, options: DecoderOptions = {}): EventStream {
  checkOptions(options, 'decoder');
  let decoder: EventDecoder | undefined;
  async function* events(): AsyncGenerator<Event, void, undefined> {
    const response = typeof Response === 'function' && source instanceof Response ? source : undefined;
    const contentType = options.contentType ?? response?.headers.get('content-type') ?? null;
    decoder = new EventDecoder({ ...options, contentType });
    const chunks = response ? response.body : (source as ByteSource);
    if (!response || chunks) for await (const chunk of iterate(chunks!)) yield* decoded(decoder, () => decoder!.feed(chunk));
    yield* decoded(decoder, () => decoder!.close());
  }
  return Object.defineProperty(events(), 'warnings', { get: () => decoder?.warnings ?? [] }) as EventStream;
}

/** Yields the events of a step of a decoder. If the step fails, it yields the events that came before the error. */
function* decoded(decoder: EventDecoder, step: () => Event[]): Generator<Event, void, undefined> {
  let events: Event[];
  try {
    events = step();
  } catch (error) {
    // The decoder still has events that were held back because a callback threw an exception.
    for (const event of error instanceof AGUIError && error.partial ? (error.partial as Event[]) : decoder.feed(NOTHING)) yield event;
    throw error;
  }
  // Not `yield*`: the iterator of a list has no `throw`, so an error that is thrown into the stream would become a TypeError.
  for (const event of events) yield event;
}

const NOTHING = new Uint8Array();

/** Returns an iterable of the stream. Streams of older runtimes are not async iterable. */
function iterate(source: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof source === 'object' && source !== null) {
    const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now, getReader } = source as Iterable<Uint8Array> & ReadableStream<Uint8Array>;
    if (typeof (later ?? now) === 'function') return source as Iterable<Uint8Array>;
    if (typeof getReader === 'function') return readAll(source as ReadableStream<Uint8Array>);
  }
  throw wrongKind('source', 'a response or chunks of bytes', source);
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if ((finished = done)) return;
      yield value!;
    }
  } finally {
    if (!finished) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/**
 * Reads one event from its JSON text. Undefined if the profile drops the event.
 *
 * @throws AGUIValidationError if it is not an event
 *
 * @example
 * ```ts
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * decodeEvent('{"type": "TEXT_MESSAGE_END", "messageId": "m1"}')?.type; // => 'TEXT_MESSAGE_END'
 * ```
 */
export function decodeEvent(text: string, options: DecodeOptions = {}): Event | undefined {
  expect('text', 'text', text);
  const { event, warnings } = answerOf<{ event?: Event; warnings: Warning[] }>(
    native().decodeEvent(text, optionsText(options, 'decode')),
  );
  for (const warning of warnings) options.onWarning?.(warning);
  return event;
}

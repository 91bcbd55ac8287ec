import { AGUIError, errorFrom } from './errors.cjs';
import type { Event } from './generated/types.cjs';
import { Ask, type Feed, native } from './native.cjs';
import { FAILED, LENGTH, readTape, SHORT, STATUS, WARNED } from './tape.cjs';

export { AGUIError, AGUIInternalError, AGUILimitError, AGUIStreamError, AGUIValidationError } from './errors.cjs';

/** How strictly a stream is read: see the profiles in the documentation. */
export type Profile = 'strict' | 'tolerant' | 'relay';

/** What input may cost. */
export interface Limits {
  /** Largest event, in bytes of its text; 16 MiB by default. */
  eventBytes?: number;
  /** Deepest nesting of lists and objects; 200 by default, 1000 at most. */
  depth?: number;
}

/** Something that was mended or left out. */
export interface Warning {
  /** What: the codes of errors. */
  code: string;
  /** JSON pointer to the place. */
  path: string;
  /** What happened, as a sentence. */
  message: string;
  /** Index of the event in its stream, from 0. */
  eventIndex: number;
}

export interface DecodeOptions {
  /** How strictly events are read; `tolerant` by default. */
  profile?: Profile;
  limits?: Limits;
  /** Replace what is not Unicode instead of refusing it. */
  lossy?: boolean;
  /** Also read the member names that only the Go document has. */
  goNames?: boolean;
  /** Called for every warning; without it a decoder collects them. */
  onWarning?: (warning: Warning) => void;
}

export interface DecoderOptions extends DecodeOptions {
  /** The response's `Content-Type`; what is not an event stream is refused. */
  contentType?: string | null;
}

/**
 * Decodes a stream of server-sent events that arrives in pieces of any size. A failure ends the stream.
 *
 * @throws AGUIStreamError `wrong_content_type` if the response is not an event stream
 */
export class EventDecoder {
  /** The warnings so far, if there is no `onWarning` to take them. */
  readonly warnings: Warning[] = [];
  readonly #feed: Feed;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  #marks = new Uint32Array(256);

  constructor(options: DecoderOptions = {}) {
    const feed = native().createDecoder(optionsText(options));
    if (typeof feed === 'string') throw errorFrom(feed);
    this.#feed = feed;
    this.#onWarning = options.onWarning;
  }

  /**
   * Reads a chunk and returns the events that it completes.
   *
   * @throws AGUIValidationError, AGUIStreamError or AGUILimitError for the first bad event; `partial` has the events
   * of the chunk before it
   */
  feed(chunk: Uint8Array): Event[] {
    return this.#read(chunk instanceof Uint8Array ? chunk : bytesOf(chunk));
  }

  /**
   * Ends the stream and returns a last event that lacked only its blank line.
   *
   * @throws AGUIStreamError `stream_truncated` if the stream ends inside an event
   */
  close(): Event[] {
    return this.#read(Ask.Close);
  }

  /** The id last set in the stream, to resume from; empty if none was. */
  get lastEventId(): string {
    return this.#resume().lastEventId;
  }

  /** How long the server asks to wait before connecting again, in milliseconds. */
  get retry(): number | undefined {
    return this.#resume().retry ?? undefined;
  }

  #resume(): { lastEventId: string; retry: number | null } {
    return JSON.parse(this.#feed(Ask.Resume, this.#marks)!);
  }

  #read(input: Uint8Array | Ask): Event[] {
    let text = this.#feed(input, this.#marks);
    // Memory that another thread may write to is not read in place.
    if (text === undefined) text = this.#feed(bytesOf(input), this.#marks)!;
    const marks = this.#marks;
    if (marks[STATUS] !== 0) {
      if (marks[STATUS]! & SHORT) {
        this.#marks = new Uint32Array(2 * marks[LENGTH]! + 2);
        text = this.#feed(Ask.Again, this.#marks)!;
      }
      if (this.#marks[STATUS]! & WARNED) this.#warn(JSON.parse(this.#feed(Ask.Warnings, NO_MARKS)!));
      if (this.#marks[STATUS]! & FAILED) {
        throw errorFrom(this.#feed(Ask.Error, NO_MARKS)!, readTape(text, this.#marks));
      }
    }
    return readTape(text, this.#marks);
  }

  #warn(warnings: Warning[]): void {
    if (this.#onWarning) for (const warning of warnings) this.#onWarning(warning);
    else this.warnings.push(...warnings);
  }
}

/** The bytes of another kind of view, copied, or of an array buffer. */
function bytesOf(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError('feed expects a Uint8Array');
}

const NO_MARKS = new Uint32Array(2);

/** A stream of bytes: a response's body, a file, a list of chunks. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * The events of a stream, as they arrive. A response is checked for its content type first.
 *
 * @throws as `EventDecoder`; every event before the failure is delivered
 */
export async function* decodeEvents(
  source: ByteSource | Response,
  options: DecoderOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const response = typeof Response === 'function' && source instanceof Response ? source : undefined;
  const contentType = options.contentType ?? response?.headers.get('content-type') ?? null;
  const decoder = new EventDecoder({ onWarning: () => undefined, ...options, contentType });
  const chunks = response ? response.body : (source as ByteSource);
  try {
    if (chunks) for await (const chunk of iterate(chunks)) yield* decoder.feed(chunk);
    yield* decoder.close();
  } catch (error) {
    if (error instanceof AGUIError && error.partial) yield* error.partial as Event[];
    throw error;
  }
}

/** Older runtimes' streams are not async iterable. */
function iterate(source: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (Symbol.asyncIterator in source || Symbol.iterator in source) return source as AsyncIterable<Uint8Array>;
  return readAll(source as ReadableStream<Uint8Array>);
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
 * Reads one event from its JSON text; nothing if the profile leaves it out.
 *
 * @throws AGUIValidationError if it is not an event
 */
export function decodeEvent(text: string, options: DecodeOptions = {}): Event | undefined {
  const answer = native().decodeEvent(text, optionsText(options));
  if (answer.startsWith('{"error":')) throw errorFrom(answer.slice('{"error":'.length, -1));
  const { event, warnings } = JSON.parse(answer) as { event?: Event; warnings: Warning[] };
  for (const warning of warnings) options.onWarning?.(warning);
  return event;
}

function optionsText({ contentType, profile, limits, lossy, goNames }: DecoderOptions): string {
  return JSON.stringify({ contentType, profile, eventBytes: limits?.eventBytes, depth: limits?.depth, lossy, goNames });
}


import { isObject } from './json/check.cjs';
import { generalText } from './json/encode.cjs';
import { type BaseEvent } from './types/events.cjs';
import { AGUI_MEDIA_TYPE, SSE_MEDIA_TYPE } from './generated/border.cjs';
import { writeLiteral } from './generated/writers.cjs';
import { inspectable } from './runtime/inspect.cjs';
import { isPlain } from './json/text.cjs';
import { expect, expectIfGiven, wrongKind } from './options/kinds.cjs';
import { native } from './native/native.cjs';
import type { Profile, Warning } from './options/options.cjs';
import { known, type Names } from './options/option_reader.cjs';
import type { ProtobufEncoder } from './proto.cjs';

// Encoding stays in JavaScript: handing an event object to native code costs more (474 ns and up) than writing it
// here (110 ns), and JSON.stringify is as fast as native code for free values.

export { AGUI_MEDIA_TYPE };

/**
 * The options of an `EventEncoder`.
 *
 * @example
 * ```ts
 * import { EventEncoder, type EventEncoderParams } from 'ag-ui-native/encoder';
 *
 * const params: EventEncoderParams = { accept: 'application/vnd.ag-ui.event+proto', timestamps: true };
 * new EventEncoder(params).getContentType(); // => 'application/vnd.ag-ui.event+proto'
 * ```
 */
export interface EventEncoderParams {
  /** The request's `Accept` header. It chooses between the text transport and the binary one, as in the official package. */
  accept?: string | undefined;
  /** Lets wildcards in `accept` ask for protobuf; true by default, as in the official package. Browsers send them. */
  acceptWildcards?: boolean | undefined;
  /** Adds the current time to events without a timestamp. The event itself is not changed. */
  timestamps?: boolean | undefined;
  /** The profile that validates events before they become protobuf; `strict` by default. */
  profile?: Profile | undefined;
  /** Called with the warnings of the profile `tolerant`. */
  onWarning?: ((warning: Warning) => void) | undefined;
}

const encoderParams: Names<EventEncoderParams> = { accept: 1, acceptWildcards: 1, timestamps: 1, profile: 1, onWarning: 1 };

/**
 * Writes events for the wire. On the text transport each is a server-sent event without validation; optional members that are `null` are
 * left out. On the binary transport each is a protobuf message after its length, and invalid events are refused.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { EventEncoder } from 'ag-ui-native/encoder';
 *
 * const encoder = new EventEncoder();
 * const event = { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' };
 * encoder.getContentType(); // => 'text/event-stream'
 * encoder.encode(event); // => 'data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}\n\n'
 * encoder.encodeSSE(event) === encoder.encode(event); // => true
 * encoder.encodeBinary(event).length; // => 52
 * encoder.encodeProtobuf(event).length; // => 14
 * encoder.encodeInto(event, new Uint8Array(64)); // => 52
 * encoder.warnings; // => []
 * ```
 */
export class EventEncoder {
  readonly #timestamps: boolean;
  readonly #isBinary: boolean;
  readonly #params: EventEncoderParams | undefined;
  #protobuf: ProtobufEncoder | undefined;

  constructor(params?: EventEncoderParams) {
    if (params !== undefined && params !== null) known(encoderParams, params, 'params');
    expectIfGiven('text', 'accept', params?.accept);
    expectIfGiven('flag', 'acceptWildcards', params?.acceptWildcards);
    expectIfGiven('flag', 'timestamps', params?.timestamps);
    expectIfGiven('text', 'profile', params?.profile);
    expectIfGiven('callback', 'onWarning', params?.onWarning);
    this.#timestamps = params?.timestamps === true;
    this.#params = params;
    const accept = params?.accept;
    // Most requests can be decided without loading the addon.
    this.#isBinary =
      typeof accept === 'string' &&
      accept !== SSE_MEDIA_TYPE &&
      native().acceptsProtobuf(accept, params?.acceptWildcards !== false);
  }

  /** The value for the response's header `Content-Type` if `encodeBinary` writes the body. */
  getContentType(): string {
    return this.#isBinary ? AGUI_MEDIA_TYPE : SSE_MEDIA_TYPE;
  }

  /** The warnings of the `tolerant` profile so far, if there is no `onWarning`. */
  get warnings(): Warning[] {
    return this.#protobuf?.warnings ?? [];
  }

  /** Returns the event as text: `data: {…}` and a blank line. Throws a TypeError for values that JSON cannot hold (bigint, cycles) and for non-objects. */
  encode(event: BaseEvent): string {
    return this.encodeSSE(event);
  }

  /** Returns the event as a server-sent event. */
  encodeSSE(event: BaseEvent): string {
    return 'data: ' + eventText(this.#timestamps ? stamped(event) : event) + '\n\n';
  }

  /**
   * Returns the event as bytes of the selected transport.
   *
   * @throws on the binary transport as `encodeProtobuf`
   */
  encodeBinary(event: BaseEvent): Uint8Array {
    return this.#isBinary ? this.encodeProtobuf(event) : toBytes(this.encodeSSE(event));
  }

  /**
   * Returns the event as a frame of the binary transport, whatever transport is selected: its length in four bytes, and the
   * message.
   *
   * @throws AGUIValidationError as `encode` of `ag-ui-native/proto`
   */
  encodeProtobuf(event: BaseEvent): Uint8Array {
    return this.#binary().encode(this.#timestamps ? stamped(event) : event, true);
  }

  /**
   * Writes the bytes of `encodeBinary` into the caller's memory at `at`, and returns their number. Returns undefined if there is no
   * room; the contents after `at` are then undefined. This saves a buffer for each event, and several events make one piece for the
   * network.
   *
   * @throws as `encodeBinary`
   */
  encodeInto(event: BaseEvent, bytes: Uint8Array, at = 0): number | undefined {
    expect('bytes', 'bytes', bytes);
    expect('count', 'at', at);
    if (this.#isBinary) return this.#binary().encodeInto(this.#timestamps ? stamped(event) : event, bytes, at);
    const text = this.encodeSSE(event);
    const { read, written } = utf8.encodeInto(text, at === 0 ? bytes : bytes.subarray(at));
    return read === text.length ? written : undefined;
  }

  static {
    inspectable(this, (encoder) => ({ contentType: encoder.getContentType() }));
  }

  #binary(): ProtobufEncoder {
    if (this.#protobuf === undefined) {
      const { ProtobufEncoder } = require('./proto.cjs') as typeof import('./proto.cjs');
      const { profile, onWarning } = this.#params ?? {};
      this.#protobuf = new ProtobufEncoder({ ...(profile && { profile }), ...(onWarning && { onWarning }) });
    }
    return this.#protobuf;
  }
}

/** The JSON text of an event; optional members that are `null` are left out. */
function eventText(event: BaseEvent): string {
  return (isPlain(event) ? writeLiteral(event) : undefined) ?? otherText(event);
}

/** Returns the JSON text of an event that is no object literal. A value that JSON does not write as an object is refused. */
function otherText(event: BaseEvent): string {
  const text = generalText(event);
  if (text?.[0] !== '{') throw wrongKind('event', 'an event, which is an object', event);
  return text;
}

function stamped(event: BaseEvent): BaseEvent {
  if (!isObject(event) || (event.timestamp !== undefined && event.timestamp !== null)) return event;
  const timestamp = Date.now();
  // The first member determines the place of `timestamp`, after the tag.
  const head = { type: event.type, timestamp };
  return { ...head, ...event, timestamp };
}

const utf8 = new TextEncoder();

/** True if the last text was ASCII: then the next text is probably ASCII too. */
let ascii = true;

/** Returns UTF-8 in a buffer of its own, so that it can be transferred. ASCII is faster because its length is known. */
function toBytes(text: string): Uint8Array {
  if (ascii) {
    const bytes = new Uint8Array(text.length);
    const { read, written } = utf8.encodeInto(text, bytes);
    if (read === text.length && written === read) return bytes;
  }
  const bytes = utf8.encode(text);
  ascii = bytes.length === text.length;
  return bytes;
}

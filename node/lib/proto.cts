import { generalText } from './json/encode.cjs';
import { bytesOf } from './runtime/bytes.cjs';
import { Engine } from './native/engine.cjs';
import { AGUIError, AGUIUnknownEventTypeError } from './errors/errors.cjs';
import type { BaseEvent } from './types/events.cjs';
import { FIRST } from './generated/border.cjs';
import type { Event } from './generated/types.cjs';
import { expect } from './options/kinds.cjs';
import { native } from './native/native.cjs';
import { checkOptions, type EventOptions, optionsText, type Warning } from './options/options.cjs';
import { readEvents } from './stream/event_reader.cjs';

export { AGUI_MEDIA_TYPE } from './generated/border.cjs';
export { AGUIUnknownEventTypeError } from './errors/errors.cjs';

/** The byte offset of the message among the marks. */
const BYTES = 4 * (FIRST + 1);

/**
 * Writes events as protobuf.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { decode, ProtobufEncoder } from 'ag-ui-native/proto';
 *
 * const encoder = new ProtobufEncoder();
 * const event = { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' };
 * decode(encoder.encode(event)); // => event
 * encoder.encodeInto(event, new Uint8Array(64), 0); // => 14
 * encoder.warnings; // => []
 * ```
 */
export class ProtobufEncoder {
  readonly #engine: Engine;
  /** The marks of the engine, as bytes. */
  #bytes = new Uint8Array();

  constructor(options: EventOptions = {}) {
    checkOptions(options, 'event');
    const text = optionsText({ ...options, profile: options.profile ?? 'strict' });
    this.#engine = new Engine(native().createProtobufEncoder(text), nothing, options.onWarning);
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }

  /** Encodes an event as a message. With `framed`, its length precedes it. */
  encode(event: BaseEvent, framed = false): Uint8Array {
    const end = this.#run(event, framed);
    return this.#bytes.slice(BYTES, end);
  }

  /** Writes the message, after its length, into the caller's memory. Returns the number of bytes, or undefined if there is no room. */
  encodeInto(event: BaseEvent, bytes: Uint8Array, at: number): number | undefined {
    expect('bytes', 'bytes', bytes);
    expect('count', 'at', at);
    const end = this.#run(event, true);
    const length = end - BYTES;
    if (at + length > bytes.length) return undefined;
    bytes.set(this.#bytes.subarray(BYTES, end), at);
    return length;
  }

  /** Encodes an event. Returns the byte offset in the marks at which the message ends. */
  #run(event: BaseEvent, framed: boolean): number {
    const engine = this.#engine;
    engine.event(event, framed, generalText);
    // The marks contain the number of bytes, then the bytes.
    if (this.#bytes.buffer !== engine.marks.buffer) this.#bytes = new Uint8Array(engine.marks.buffer);
    return BYTES + engine.marks[FIRST]!;
  }
}

/** The result is in the marks, so no objects are made. */
const nothing = (): never[] => [];

let encoder: ProtobufEncoder | undefined;
let decoder: Engine<Event> | undefined;

/**
 * The options of `decode`.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { decode, encode, type MessageOptions } from 'ag-ui-native/proto';
 *
 * const options: MessageOptions = { profile: 'strict', replaceInvalidText: true };
 * decode(encode({ type: EventType.TEXT_MESSAGE_END, messageId: 'm1' }), options).type; // => 'TEXT_MESSAGE_END'
 * ```
 */
export interface MessageOptions extends EventOptions {
  /** Replaces invalid UTF-8 and lone surrogates with U+FFFD instead of refusing them. */
  replaceInvalidText?: boolean | undefined;
}

const decoderFor = (options: MessageOptions) =>
  new Engine(native().createProtobufDecoder(optionsText(options, 'message')), readEvents, options.onWarning ?? (() => undefined));

/**
 * Returns an event as a protobuf message, without the length that frames have. Optional members that are `null` are left out. The
 * profile is `strict` by default. With `tolerant`, values that protobuf cannot hold are left out or rounded with a warning, and an event
 * of an unknown type gives no bytes.
 *
 * @throws AGUIValidationError with the path of an invalid value, or of a value that protobuf cannot hold: numbers beyond 2^53,
 * undeclared members, unknown types
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { decode, encode } from 'ag-ui-native/proto';
 *
 * decode(encode({ type: EventType.TEXT_MESSAGE_END, messageId: 'm1' })); // => { type: 'TEXT_MESSAGE_END', messageId: 'm1' }
 * ```
 */
export function encode(event: BaseEvent, options?: EventOptions): Uint8Array {
  if (options !== undefined) return new ProtobufEncoder(options).encode(event);
  return (encoder ??= new ProtobufEncoder()).encode(event);
}

/**
 * Returns the event of a protobuf message without the length that frames have. It is read like an event of the text transport. The
 * profile is `tolerant` by default.
 *
 * @throws AGUIUnknownEventTypeError for an unknown type; AGUIValidationError (`invalid_protobuf`, with the offset of the fault) for
 * malformed bytes
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { decode, encode } from 'ag-ui-native/proto';
 *
 * decode(encode({ type: EventType.RUN_ERROR, message: 'No model.' })).type; // => 'RUN_ERROR'
 * ```
 */
export function decode(message: Uint8Array, options?: MessageOptions): Event {
  const engine = options !== undefined ? decoderFor(options) : (decoder ??= decoderFor({}));
  const bytes = message instanceof Uint8Array ? message : bytesOf(message, 'message');
  try {
    return engine.run(bytes)[0]!;
  } catch (error) {
    if (!(error instanceof AGUIError) || error.code !== 'unknown_event_type') throw error;
    throw new AGUIUnknownEventTypeError(error.message, { ...error });
  }
}

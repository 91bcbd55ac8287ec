/** The addon, as this package uses it. Values cross as text and bytes, never as objects. */
export interface Native {
  /** Version of the addon; must be the package's. */
  version(): string;
  /** Judges the JSON text of a value of the named type; an error's description as JSON text if it is refused. */
  check(name: string, json: string, profile: string, nonEmpty: boolean): string | null;
  /** Reads one event by the decoder's options. JSON text: `{"event": …, "warnings": […]}` or `{"error": …}`. */
  decodeEvent(json: string, options: string): string;
  /** A stream decoder, or an error's description as JSON text. */
  createDecoder(options: string): Feed | string;
  /** Panics: for the test that a panic stays inside. */
  panic(): void;
}

/**
 * One stream decoder. `input` is a chunk of the stream, or what is asked for; `marks` is filled as `tape.cts`
 * describes, and the answer is the text that the marks point into; nothing if the chunk is memory that threads share.
 */
export type Feed = (input: Uint8Array | Ask, marks: Uint32Array) => string | undefined;

/** What a decoder can be asked for besides reading a chunk. */
export const enum Ask {
  /** Ends the stream. */
  Close = 0,
  /** Hands the last result over again, into marks that are large enough. */
  Again = 1,
  /** Describes the failure, as JSON text. */
  Error = 2,
  /** The warnings since the last time, as JSON text. */
  Warnings = 3,
  /** The stream's last event id and retry time, as JSON text. */
  Resume = 4,
}

let addon: Native | undefined;

/** The addon, loaded when it is first needed: encoding and most checks do without. */
export function native(): Native {
  return (addon ??= require('../native.cjs') as Native);
}

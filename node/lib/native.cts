import { loadAddon } from './addon.cjs';
import type { Ask } from './generated/border.cjs';

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
  /** What makes protobuf messages of events; or an error's description. */
  createProtobufEncoder(options: string): Feed | string;
  /** What makes events of protobuf messages; or an error's description. */
  createProtobufDecoder(options: string): Feed | string;
  /** Whether an `Accept` header asks for the binary transport, by wildcards too if they count. */
  acceptsProtobuf(accept: string, wildcards: boolean): boolean;
  /** A pipeline for a conversation that begins as `start` says; or an error's description. */
  createPipeline(options: string, start: string): Feed | string;
  /** A reducer for a conversation that begins as `start` says; or an error's description. */
  createReducer(options: string, start: string): Feed | string;
  /** One stage for events that are objects: `enforce`, `expand`, `verify` or `compact`; or an error's description. */
  createStage(name: string, options: string): Feed | string;
  /** What reads the arguments of a tool call as they arrive; or an error's description. */
  createPartial(options: string): Feed | string;
  /** Judges the answers to interrupts, all as JSON text; an error's description if they do not do. */
  checkResume(pending: string, answers: string, now: number): string | null;
  /** An input for an older peer. JSON text: `{"input": …, "warnings": […]}` or `{"error": …}`. */
  downgradeInput(json: string, peer: string): string;
  /** An input of an older peer as 1.0 has it, in the same form. */
  upgradeInput(json: string): string;
  /** The body of a request as a run's input, in the same form. */
  readRunInput(body: Uint8Array, options: string): string;
  /** What is to be said about a peer's version: a list of one warning as JSON text, or nothing. */
  checkProtocolVersion(declared: string): string | null;
  /** The function that patches objects, by functions that do what core says; see `patching.cts`. */
  createPatch(functions: readonly unknown[]): Patch;
  /**
   * A patch that turns one document into another, or `{"error": …}`. They differ at the pointer `place` only: the values
   * there and the patch are JSON texts.
   */
  diff(place: string, old: string, changed: string): string;
  /** An error of this code, described: for what JavaScript meets and core words. */
  describe(code: string, detail: string, limit?: string): string;
  /** Token usage summed up, entries and sums as JSON text; or `{"error": …}`. */
  aggregateUsage(entries: string): string;
  /** Panics: for the test that a panic stays inside. */
  panic(): void;
}

/**
 * One engine: decoder, pipeline, reducer, stage or partial arguments. `input` is a chunk of the stream, events as JSON text
 * (one a line), a piece of arguments, or what is asked for. `marks` is filled as `tape.cts` describes, and the answer is the text that the marks point into;
 * nothing if the chunk is memory that threads share. What `extra` is depends on the engine.
 */
export type Feed = (
  input: Uint8Array | string | Ask | number,
  marks: Uint32Array,
  extra?: Carry | boolean | string,
  ...strings: (string | undefined)[]
) => string | undefined;

/**
 * Carries out the changes that stand on the tape, for an engine that cannot go on before it knows what became of the last
 * of them, or whose tape is full. The answer is JSON text about the last of them, a patch, if that did not apply.
 */
export type Carry = (text: string) => string | undefined;

/**
 * Patches a document and returns the result. Of every operation four values stand in `flat`: op, path, from, value. Throws
 * an error with the code `AGUI` and an error's description as its message.
 */
export type Patch = (document: unknown, flat: readonly unknown[], options: string | undefined, context: object) => unknown;

/** Loaded at once: that it is missing is to be known before the first request comes. */
const addon = loadAddon<Native>();

export function native(): Native {
  return addon;
}

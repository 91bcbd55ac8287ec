import type { AdapterNative } from './adapters.cjs';
import { loadAddon } from './addon.cjs';
import type { Ask, RunCall } from '../generated/border.cjs';
import type { DurableNative } from './durable.cjs';
import type { ResumableNative } from './resumable.cjs';

/** A place where a state differs from the client's. `sent` is the client's value there, absent if the client has none. Both are JSON text. */
export interface StatePlace {
  place: string;
  sent?: string | undefined;
  state: string;
  /** If common parts are left out: the number of items at the start of a list, or of members of an object. */
  before?: number | undefined;
  /** The number of items that are left out at the end of a list. */
  after?: number | undefined;
}

/** The functions of the addon that this package calls. Values cross as text and bytes, never as objects. */
export interface Native extends AdapterNative, DurableNative, ResumableNative {
  /** Version of the addon; must be the package's. */
  version(): string;
  /** Validates the JSON text of a value of the named type. Returns an error's description as JSON text, or null. */
  check(name: string, json: string, profile: string, nonEmpty: boolean, place?: string): string | null;
  /** Reads one event by the decoder's options. JSON text: `{"event": …, "warnings": […]}` or `{"error": …}`. */
  decodeEvent(json: string, options: string): string;
  /** Makes a stream decoder, in front of a client's middleware if `beforeMiddleware`; or returns an error's description as JSON text. */
  createDecoder(options: string, beforeMiddleware?: boolean): Feed | string;
  /** Makes a splitter of a text stream into frames. Returns null for the content type of the binary transport, or an error's description. */
  createFrames(options: string): Feed | string | null;
  /** Makes an encoder of events to protobuf messages; or returns an error's description. */
  createProtobufEncoder(options: string): Feed | string;
  /** Makes a decoder of protobuf messages; or returns an error's description. */
  createProtobufDecoder(options: string): Feed | string;
  /** Returns true if a content type is that of the binary transport, with or without parameters. */
  isProtobuf(contentType: string): boolean;
  /** Returns true if an `Accept` header asks for the binary transport; `acceptWildcards` lets wildcards count. */
  acceptsProtobuf(accept: string, acceptWildcards: boolean): boolean;
  /** Makes a pipeline for a conversation that begins with `start`; or returns an error's description. */
  createPipeline(options: string, start: string): Feed | string;
  /** Makes a reducer for a conversation that begins with `start`; or returns an error's description. */
  createReducer(options: string, start: string): Feed | string;
  /** Makes a filter of tool calls for events that are objects; `names` is a list as JSON text. Or returns an error's description. */
  createToolFilter(names: string, allows: boolean): Feed | string;
  /**
   * Makes a stage for events that are objects: `enforce`, `expand`, `verify`, `compact` or `plan`; or `intake`, the stages behind a
   * client's middleware. Or returns an error's description.
   */
  createStage(name: string, options: string): Feed | string;
  /** Makes the function that plans the compaction of events. */
  createCompaction(): CompactionFunction;
  /** Makes a guard for events that are objects, and for bytes of a stream; `input` is the run's input as JSON text, or empty. Or returns an error's description. */
  createGuard(mode: string, input: string, options: string): Feed | string;
  /** Makes a reader of the arguments of a tool call that arrive in pieces; or returns an error's description. */
  createPartial(options: string): Feed | string;
  /** Validates the answers to interrupts, all as JSON text. Returns an error's description, or null. */
  checkResume(pending: string, answers: string, now: number): string | null;
  /** Translates an input for an older peer. JSON text: `{"input": …, "warnings": […]}` or `{"error": …}`. */
  downgradeInput(json: string, peer: string): string;
  /** Translates an input of an older peer to 1.0. Returns the same form. */
  upgradeInput(json: string): string;
  /** Reads the body of a request as the input of a run. Returns the same form. */
  readRunInput(body: Uint8Array, options: string): string;
  /** Returns a list of one warning about a peer's version as JSON text, or null. */
  checkProtocolVersion(declared: string): string | null;
  /** Makes the writer of a run in a wire format; or returns an error's description. The options are a decoder's. */
  createRun(wireFormat: string, options: string, stateFlush?: string, showErrors?: boolean): RunFunction | string;
  /** Returns the answer to a request with this head (JSON text): `{"wireFormat": …, "headers": …, "cors": …}` or `{"answer": …}`. */
  negotiate(head: string, options: string): string;
  /** Returns the answer to a WebSocket request with this head (JSON text): `{"wireFormat": …, "protocol": …, "inputBytes": …}` or `{"refusal": …}`. */
  negotiateSocket(head: string, options: string): string;
  /** Returns the start and the end of each WebSocket message in frames of a run. */
  socketMessages(frames: Uint8Array, isBinary: boolean): number[];
  /** Validates the answers to interrupts of a request, all as JSON text. Returns the refusal as JSON text. */
  judgeResume(pending: string, answers: string, now: number): string;
  /**
   * True if a STATE_DELTA of the agent that failed with this code, and perhaps at an operation, is tried again after sending the
   * state.
   */
  isDeltaSentAgain(code: string, operation?: number): boolean;
  /** Returns the refusal of a request with an error of this code, as JSON text. */
  refuse(code: string, detail?: string): string;
  /** Makes the function that patches objects. It calls `functions` for each step of core; see `patch/patching.cts`. */
  createPatch(functions: readonly unknown[]): Patch;
  /**
   * Returns a patch that turns one document into another, or `{"error": …}`. They differ at the pointer `place` only: the values
   * there and the patch are JSON texts.
   */
  diff(place: string, old: string, changed: string): string;
  /**
   * Returns the update of a client whose state differs at these places only. `bytes` is the size of the client's state. The answer
   * is `=` for no update. It is `d` or `s`, the size of the client's state after the update, `:`, and for a delta the operations.
   * It is `w` if the caller must ask about one place that contains all of them. Or it is `{"error": …}`.
   */
  stateUpdate(places: readonly StatePlace[], bytes: number, options: string): string;
  /** Makes the function that joins adjacent deltas up to `maxBytes` or for `maxDelay` milliseconds. */
  createCoalescer(maxBytes: number, maxDelay: number): CoalesceFunction;
  /** Makes the record of the runs of an agent's calls; `past` is the record of the agent that it copies. */
  createRuns(past?: string): RunsFunction;
  /**
   * Makes the function that plans the calls of subscribers. `subscribers` has the names of the callbacks of each, as JSON text. With
   * `reportsChanges` it reports the changes of events, even if no subscriber is notified of them.
   */
  createDelivery(subscribers: string, reportsChanges?: boolean): DeliveryFunction;
  /** Returns the arguments of a call, which are an object, as JSON text; for other arguments, the answer to the agent as a JSON string; or `{"error": …}`. */
  readArguments(text: string, options: string, schema?: string): string;
  /** Returns the answer to the agent for arguments that a schema refuses; places and reasons are pairs, as JSON text. */
  misfit(issues: string): string;
  /** Prepares an input for sending: `{"warnings": …}` and the body, a line each, or `{"error": …}`. All are JSON texts. */
  prepareInput(members: string, pending: string, peer: string | undefined, options: string, now: number): string;
  /** Returns the answers in the order of the pending interrupts, all as JSON text; or `{"error": …}`. */
  buildResume(pending: string, answers: string, now: number): string;
  /**
   * Returns what a server keeps of a thread, from its answer; both are JSON texts. Or the error:
   * `{"error": …}`.
   */
  readThread(json: string, threadId: string, options: string): string;
  /** Returns `true` if the client sets this header itself, otherwise `false`, as JSON text; or `{"error": …}` if it cannot be sent. */
  checkHeader(name: string, value: string): string;
  /** Splits an address: `{"url": …, "authorization": …}`, as JSON text. */
  addressOf(url: string, before: string | undefined, sameOrigin: boolean): string;
  /** Makes the state machine of a client's request; the options are JSON text. */
  createRequest(options: string): RequestFunction;
  /** Returns the failure for an answer without events: `{"error": …, "payload": …}`. */
  responseFailure(status: number, contentType: string | null, body: Uint8Array): string;
  /** Describes an error that a client finds; `limit` names the timeout or setting. */
  describeFailure(code: string, detail: string, limit?: string): string;
  /** Describes the error of a run's outcome, or returns null. */
  describeOutcome(outcome: string, agentCode?: string): string | null;
  /** Returns a message of a socket as a frame of a stream. Throws an error whose message is an error's description. */
  frameMessage(message: Uint8Array, isBinary: boolean, isFirstBinary: boolean, options: string): Uint8Array;
  /** Describes the refusal of a server that closes a socket before its first message, or returns null. */
  closeFailure(code: number, reason: string): string | null;
  /** Returns the message that answers a tool call, as JSON text. */
  answerTool(toolCallId: string, answer: string, failed: boolean, options: string): string;
  /** Returns the text of a call's arguments, which are JSON text, as a JSON string; or `{"error": …}`. */
  argumentsText(json: string): string;
  /** Returns the result of a tool, JSON text, as text in a JSON string; `null` for content parts; or `{"error": …}`. */
  resultText(json: string): string;
  /** Returns the address of the documentation of a broken rule or of a code; null if the code is not of this package. */
  documentationOf(code: string, rule?: string): string | null;
  /** Describes an error of this code that JavaScript finds. */
  describe(code: string, detail: string, limit?: string): string;
  /** Sums up token usage; entries and sums are JSON text. Or returns `{"error": …}`. */
  aggregateUsage(entries: string): string;
  /** Panics, for the test that a panic does not end the process. */
  panic(): void;
}

/**
 * One engine: decoder, pipeline, reducer, stage or partial arguments. `input` is a chunk of the stream, events as JSON text
 * (one a line), a piece of arguments, or a request. `marks` is filled as `stream/event_reader.cts` describes, and the answer is the text
 * that the marks point into, or undefined if the chunk is memory that threads share. The use of `extra` depends on the engine.
 */
export type Feed = (
  input: Uint8Array | string | Ask | number,
  marks: Uint32Array,
  extra?: Carry | boolean | string,
  ...strings: (string | undefined)[]
) => string | undefined;

/**
 * Carries out the changes in the buffer, for an engine that needs the result of the last one, or whose buffer is full. The answer is
 * JSON text about the last change, a patch, if it did not apply.
 */
export type Carry = (text: string) => string | undefined;

/** Writes a run: see `RunCall`. The answer is a number, or text: the requested text, or an error's description. */
export type RunFunction = (
  call: RunCall,
  about?: number | string | boolean | Uint8Array,
  text?: string | boolean,
  lengths?: Uint32Array | boolean | string,
) => number | string;

/**
 * Advances a request. The input is JSON text: the kind `input`, the times `now` and `wall` (since the Unix epoch) in milliseconds, the
 * random number `chance`, and the members of that kind; or bytes of a refusal. The answer is the next command, as JSON text: `Command`
 * in `client/transport/request.cts`.
 */
export type RequestFunction = (input: string | Uint8Array) => string;

/**
 * Plans compaction: `words` holds `rows` rows of a table with numbers below `count`; `listed` holds the messages of lists
 * if the table is full. The plan overwrites the rows. The answer is its length, or `MISSING_TABLE` or `MISSING_EVENTS`.
 */
export type CompactionFunction = (words: Uint32Array, rows: number, count: number, listed?: Uint32Array) => number;

/**
 * Takes a delta as JSON text; undefined for any other event; `true` to flush. `now` is in whole microseconds. The answer is JSON text:
 * the events to send before another event, each an event or the number of the call that brought the delta; the number of the delta
 * that waits without change; and the time to send it. Or `{"error": …}`.
 */
export type CoalesceFunction = (now: number, event?: string | true) => string;

/**
 * Records what happens to the runs of a call, or asks for the next step: see `client/runs.cts`. Ids are plain text, everything else is
 * JSON text. Or the answer is `{"error": …}`.
 */
export type RunsFunction = (
  what: string,
  about?: string,
  peer?: string,
  options?: string,
  now?: string,
  parentRunId?: string,
  tools?: string,
  pending?: string,
) => string;

/**
 * Plans the calls of a run's subscribers for an event, or takes the result of a call. `about` is the type of an event, the kinds of changes
 * with commas between them, or the place of a call in the last plan; `flags` are 1 for a stop, 2 and 4 for messages and state. The answer
 * is the number of the next plan, or `null`: then `plan` returns it, as JSON text: `Step[]` of `client/notifier.cts`. `wantsEvents` is 1
 * if a subscriber has a callback for more than the run as a whole.
 */
export type DeliveryFunction = (what: string, about?: string | number, flags?: number) => number | string | null;

/**
 * Patches a document and returns the result. `flat` has four values for every operation: op, path, from, value. Throws
 * an error with the code `AGUI` and an error's description as its message.
 */
export type Patch = (document: unknown, flat: readonly unknown[], options: string | undefined, context: object, then?: () => void) => unknown;

/** The addon is loaded with this module, so that a missing addon is found before the first request. */
const addon = loadAddon<Native>();

/** Returns the addon. */
export function native(): Native {
  return addon;
}

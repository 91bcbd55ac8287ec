import { loadAddon } from './addon.cjs';
import type { Ask, RunCall } from '../generated/border.cjs';

/** The addon, as this package uses it. Values cross as text and bytes, never as objects. */
/** A place where a state differs from what the client has, which is what `sent` is there; nothing if it has nothing at all. Both are JSON text. */
export interface StatePlace {
  place: string;
  sent?: string | undefined;
  state: string;
  /** If what both have in common is left out: of lists how many items at the start, of objects how many members. */
  before?: number | undefined;
  /** Of lists, how many items are left out at the end. */
  after?: number | undefined;
}

export interface Native {
  /** Version of the addon; must be the package's. */
  version(): string;
  /** Judges the JSON text of a value of the named type; an error's description as JSON text if it is refused. */
  check(name: string, json: string, profile: string, nonEmpty: boolean, place?: string): string | null;
  /** Reads one event by the decoder's options. JSON text: `{"event": …, "warnings": […]}` or `{"error": …}`. */
  decodeEvent(json: string, options: string): string;
  /** A stream decoder, for a client's middleware if that is so; or an error's description as JSON text. */
  createDecoder(options: string, beforeMiddleware?: boolean): Feed | string;
  /** What takes a text stream apart into frames; null if the content type is the binary transport's; or an error's description. */
  createFrames(options: string): Feed | string | null;
  /** What makes protobuf messages of events; or an error's description. */
  createProtobufEncoder(options: string): Feed | string;
  /** What makes events of protobuf messages; or an error's description. */
  createProtobufDecoder(options: string): Feed | string;
  /** True if an `Accept` header asks for the binary transport, by wildcards too if they count. */
  acceptsProtobuf(accept: string, wildcards: boolean): boolean;
  /** A pipeline for a conversation that begins as `start` says; or an error's description. */
  createPipeline(options: string, start: string): Feed | string;
  /** A reducer for a conversation that begins as `start` says; or an error's description. */
  createReducer(options: string, start: string): Feed | string;
  /** A filter of tool calls for events that are objects; `names` is a list as JSON text. Or an error's description. */
  createToolFilter(names: string, allows: boolean): Feed | string;
  /**
   * One stage for events that are objects: `enforce`, `expand`, `verify`, `compact` or `plan`; or `intake`, all that stand behind a client's
   * middleware. Or an error's description.
   */
  createStage(name: string, options: string): Feed | string;
  /** What decides on the compaction of events. */
  createCompaction(): CompactionFunction;
  /** A guard for events that are objects; `input` is the run's as JSON text, or empty. Or an error's description. */
  createGuard(mode: string, input: string, options: string): Feed | string;
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
  /** What is written of a run over a transport; or an error's description. The options are a decoder's. */
  createRun(transport: string, options: string, stateFlush?: string, showErrors?: boolean): RunFunction | string;
  /** How a request with this head (JSON text) is answered: `{"transport": …, "headers": …}` or `{"refusal": …}`; of origins, `preflight` and the headers `cors`. */
  negotiate(head: string, options: string): string;
  /** How a request with this head (JSON text) for a WebSocket is answered: `{"transport": …, "protocol": …, "inputBytes": …}` or `{"refusal": …}`. */
  negotiateSocket(head: string, options: string): string;
  /** Where the messages of a WebSocket stand in frames of a run: where each begins, and where it ends. */
  socketMessages(frames: Uint8Array, isBinary: boolean): number[];
  /** Whether so many bytes of a request's body may come; the refusal as JSON text if not. */
  checkLength(length: number, options: string): string | null;
  /** Judges the answers to interrupts, all as JSON text; the refusal as JSON text if they do not do. */
  judgeResume(pending: string, answers: string, now: number): string;
  /** The refusal of a request by an error of this code, as JSON text. */
  refuse(code: string, detail?: string): string;
  /** The function that patches objects, by functions that do what core says; see `patching.cts`. */
  createPatch(functions: readonly unknown[]): Patch;
  /**
   * A patch that turns one document into another, or `{"error": …}`. They differ at the pointer `place` only: the values
   * there and the patch are JSON texts.
   */
  diff(place: string, old: string, changed: string): string;
  /**
   * What brings a client to a state that differs from what it has at these places only. `bytes` are those of all that it has. The
   * answer is `=`; or `d` or `s`, the bytes of all that the client has then, `:` and of a delta its operations; or `w` if one place
   * that holds them all is to be asked about; or `{"error": …}`.
   */
  stateUpdate(places: readonly StatePlace[], bytes: number, options: string): string;
  /** What joins adjacent deltas to so many bytes, in so many milliseconds. */
  createCoalescer(maxBytes: number, maxDelay: number): CoalesceFunction;
  /** What the runs of an agent's calls come to; `past` is that of the agent whose copy it is. */
  createRuns(past?: string): RunsFunction;
  /** Tells subscribers; of each the names of the callbacks that it has, as JSON text. */
  createDelivery(subscribers: string): DeliveryFunction;
  /** The arguments of a call, which are an object, as JSON text; or a JSON string, what the agent is told of anything else; or `{"error": …}`. */
  readArguments(text: string, options: string, schema?: string): string;
  /** What the agent is told of arguments that do not fit; places and reasons are pairs, as JSON text. */
  misfit(issues: string): string;
  /** An input ready to be sent: `{"warnings": …}` and the body, a line each, or `{"error": …}`. All are JSON texts. */
  prepareInput(members: string, pending: string, peer: string | undefined, options: string, now: number): string;
  /** Answers in the order of the interrupts that wait, all as JSON text; or `{"error": …}`. */
  buildResume(pending: string, answers: string, now: number): string;
  /** Whether the client sets this header itself, as JSON text; or `{"error": …}` if it cannot be sent. */
  checkHeader(name: string, value: string): string;
  /** Takes an address apart: `{"url": …, "authorization": …}`, as JSON text. */
  addressOf(url: string, before: string | undefined, sameOrigin: boolean): string;
  /** A request of a client's on its way; the options are JSON text. */
  createRequest(options: string): RequestFunction;
  /** The failure that an answer without events is: `{"error": …, "payload": …}`. */
  responseFailure(status: number, contentType: string | null, body: Uint8Array): string;
  /** An error that a client meets, described; `limit` names the timeout or setting. */
  describeFailure(code: string, detail: string, limit?: string): string;
  describeOutcome(outcome: string, agentCode?: string): string | null;
  /** A message of a socket as a frame of a stream. Throws an error whose message is an error's description. */
  frameMessage(message: Uint8Array, isBinary: boolean, options: string): Uint8Array;
  /** Why a server has closed a socket before its first message, described; null if it has refused nothing. */
  closeFailure(code: number, reason: string): string | null;
  /** The message that answers a call of a tool, as JSON text. */
  answerTool(toolCallId: string, answer: string, failed: boolean, options: string): string;
  /** The text of a call's arguments, which are JSON text, as a JSON string; or `{"error": …}`. */
  argumentsText(json: string): string;
  /** What a tool has returned, JSON text, as text in a JSON string; `null` for content parts; or `{"error": …}`. */
  resultText(json: string): string;
  /** An error of this code, described: for what JavaScript meets and core words. */
  describe(code: string, detail: string, limit?: string): string;
  /** Token usage summed up, entries and sums as JSON text; or `{"error": …}`. */
  aggregateUsage(entries: string): string;
  /** Panics: for the test that a panic stays inside. */
  panic(): void;
}

/**
 * One engine: decoder, pipeline, reducer, stage or partial arguments. `input` is a chunk of the stream, events as JSON text
 * (one a line), a piece of arguments, or what is asked for. `marks` is filled as `stream/event_reader.cts` describes, and the answer is the text that the marks point into;
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

/** A run that is written: see `RunCall`. The answer is a number, or text: what was asked for, or an error's description. */
export type RunFunction = (
  call: RunCall,
  about?: number | string | boolean | Uint8Array,
  text?: string | boolean,
  lengths?: Uint32Array | boolean | string,
) => number | string;

/**
 * A request on its way. The input is JSON text: which `input` it is, when (`now`, and `wall` since the Unix epoch, in milliseconds), what
 * `chance` has given, and what belongs to it; or bytes of a refusal. The answer is the next command, as JSON text: `Command` in `client/request.cts`.
 */
export type RequestFunction = (input: string | Uint8Array) => string;

/**
 * Decides on compaction: `words` holds so many rows of a table, in which there are numbers below `count`; `listed` the messages of lists
 * if it is full. The plan is written over the rows. The answer is how many words it has, or `MISSING_TABLE` or `MISSING_EVENTS`.
 */
export type CompactionFunction = (words: Uint32Array, rows: number, count: number, listed?: Uint32Array) => number;

/**
 * Takes a delta as JSON text; nothing for any other event; `true` to have what waits. `now` is in whole microseconds. JSON text:
 * what goes out before another event, each the number of the call with a delta that brought it or an event; the number of the one
 * that waits as it came; and when that is to go out. Or `{"error": …}`.
 */
export type CoalesceFunction = (now: number, event?: string | true) => string;

/**
 * Tells what happens to the runs of a call, or asks what comes next: see `client/runs.cts`. Ids are text as they are, everything else is JSON text. Or
 * `{"error": …}`.
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
 * Says what happens to subscribers of a run, or what has come of telling them. `about` is the type of an event, the kinds of changes with commas
 * between them, or the place of a telling in the last plan; `flags` are 1 for a stop, 2 and 4 for messages and state. The answer is the number of
 * the plan that comes of it, or `null`: then `plan` has to be asked for. `plan` is the last plan, as JSON text: `Step[]` of `client/delivery.cts`.
 * `wantsEvents` is 1 if somebody has a callback that is not about the run as a whole.
 */
export type DeliveryFunction = (what: string, about?: string | number, flags?: number) => number | string | null;

/**
 * Patches a document and returns the result. Of every operation four values stand in `flat`: op, path, from, value. Throws
 * an error with the code `AGUI` and an error's description as its message.
 */
export type Patch = (document: unknown, flat: readonly unknown[], options: string | undefined, context: object, then?: () => void) => unknown;

/** Loaded at once: that it is missing is to be known before the first request comes. */
const addon = loadAddon<Native>();

export function native(): Native {
  return addon;
}

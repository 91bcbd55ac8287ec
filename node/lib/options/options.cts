import type { Limits } from '../generated/border.cjs';
import type { Interrupt, Message, State } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expectIfGiven, type KindName } from './kinds.cjs';
import { known } from './option_reader.cjs';

/**
 * The profile that validates a stream: see the profiles in the documentation.
 *
 * @example
 * ```ts
 * import type { Profile } from 'ag-ui-native';
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * const profile: Profile = 'relay';
 * decodeEvent('{"type": "WEATHER_CHANGED"}', { profile }); // => { type: 'WEATHER_CHANGED' }
 * ```
 */
export type Profile = 'strict' | 'tolerant' | 'relay';

/**
 * A repair or an omission.
 *
 * @example
 * ```ts
 * import type { Warning } from 'ag-ui-native';
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * const paths: string[] = [];
 * const onWarning = (warning: Warning) => void paths.push(warning.path);
 * decodeEvent('{"type": "TEXT_MESSAGE_END", "messageId": "m1", "mood": "fine"}', { onWarning });
 * paths; // => ['/mood']
 * ```
 */
export interface Warning {
  /** The code; errors have the same codes. */
  code: string;
  /** JSON pointer to the place. */
  path: string;
  /** The message, as a sentence. */
  message: string;
  /** Index of the event in its stream, counting from 0. */
  eventIndex: number;
  /** The rule of event streams that was broken. */
  rule?: string;
}

/**
 * The options of reading one event.
 *
 * @example
 * ```ts
 * import { decodeEvent, type DecodeOptions } from 'ag-ui-native/stream';
 *
 * const options: DecodeOptions = { profile: 'strict', replaceInvalidText: true };
 * decodeEvent('{"type": "TEXT_MESSAGE_END", "messageId": "m1"}', options)?.type; // => 'TEXT_MESSAGE_END'
 * ```
 */
export interface DecodeOptions {
  /** The profile that validates events; `tolerant` by default. */
  profile?: Profile | undefined;
  limits?: Limits | undefined;
  /** Replaces bytes that are not valid Unicode, instead of refusing them. */
  replaceInvalidText?: boolean | undefined;
  /** Also reads the member names that only the Go document has. */
  goMemberNames?: boolean | undefined;
  /** Keeps the JSON text of each event for `textOf`, so that relays can pass on every digit in the same order. */
  text?: boolean | undefined;
  /**
   * The treatment of numbers in free values (a state, a `value`, metadata) that JavaScript cannot hold: integers beyond 2^53 - 1 and numbers
   * out of range. `allow`, the default, reads them as JSON.parse does, and gives a warning `number_out_of_range` only for a fraction that
   * becomes infinite. `warn` gives this warning for each, up to 100 of an event, with its path. `error` fails the stream. Members that the
   * profile leaves out are not checked; protobuf holds doubles there, so nothing is lost.
   */
  unsafeIntegers?: 'allow' | 'warn' | 'error' | undefined;
  /** Called for every warning; without it a decoder collects them. */
  onWarning?: ((warning: Warning) => void) | undefined;
}

/**
 * The options of reading a stream of events.
 *
 * @example
 * ```ts
 * import { type DecoderOptions, EventDecoder } from 'ag-ui-native/stream';
 *
 * const options: DecoderOptions = { contentType: 'text/event-stream', profile: 'strict' };
 * new EventDecoder(options).warnings; // => []
 * ```
 */
export interface DecoderOptions extends DecodeOptions {
  /** The response's `Content-Type`; other types than event streams are refused. */
  contentType?: string | null | undefined;
}

/**
 * The initial content of a conversation, and the treatment of failed patches.
 *
 * @example
 * ```ts
 * import { applyEvents, type ConversationOptions } from 'ag-ui-native/stream';
 *
 * const start: ConversationOptions = { messages: [{ id: 'm1', role: 'user', content: 'Hi' }], state: { tasks: 2 } };
 * applyEvents([], start).state; // => { tasks: 2 }
 * ```
 */
export interface ConversationOptions<S = State> {
  /** The first messages; they are copied. */
  messages?: readonly Message[] | undefined;
  /** The first state; it is copied. `{}` by default. */
  state?: S | undefined;
  /** The interrupts that wait for an answer; they are copied. */
  pendingInterrupts?: readonly Interrupt[] | undefined;
  /**
   * The treatment of a patch of the state or of an activity that does not apply. `flag`: there is a warning, the run goes on,
   * and `stateInSync` is false until the next snapshot. `error`: the stream fails with `patch_failed`. By default `flag`,
   * in the profile `strict` `error`.
   */
  onPatchFailure?: 'flag' | 'error' | undefined;
}

/**
 * Options of functions that take events as objects.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { type EventOptions, verifyEvents } from 'ag-ui-native/stream';
 *
 * const options: EventOptions = { profile: 'strict', limits: { openEntities: 100 } };
 * verifyEvents([{ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }], options).length; // => 1
 * ```
 */
export interface EventOptions {
  /** The profile that validates events; `tolerant` by default. */
  profile?: Profile | undefined;
  limits?: Limits | undefined;
  /** Called for every warning. */
  onWarning?: ((warning: Warning) => void) | undefined;
}

/**
 * The options of a `Reducer` and of `applyEvents`.
 *
 * @example
 * ```ts
 * import { Reducer, type ReducerOptions } from 'ag-ui-native/stream';
 *
 * const options: ReducerOptions = { state: { tasks: 2 }, onPatchFailure: 'error' };
 * new Reducer(options).state; // => { tasks: 2 }
 * ```
 */
export interface ReducerOptions<S = State> extends EventOptions, ConversationOptions<S> {}

/**
 * The options of an `EventPipeline`.
 *
 * @example
 * ```ts
 * import { EventPipeline, type PipelineOptions } from 'ag-ui-native/stream';
 *
 * const options: PipelineOptions = { contentType: 'text/event-stream', peer: '0.0.39' };
 * new EventPipeline(options).messages; // => []
 * ```
 */
export interface PipelineOptions<S = State> extends DecoderOptions, ConversationOptions<S> {
  /** The newest version that the peer is assumed to speak, such as `0.0.57`. The default is ours. */
  peer?: string | undefined;
  /** Expands chunk events to START, CONTENT and END events. The default is true. */
  expand?: boolean | undefined;
  /** Verifies the order of events. The default is true, except in the profile `relay`. */
  verify?: boolean | undefined;
}

const event = { profile: 1, limits: 1, onWarning: 1 };
const decode = { ...event, replaceInvalidText: 1, goMemberNames: 1, text: 1, unsafeIntegers: 1 };
const conversation = { messages: 1, state: 1, pendingInterrupts: 1, onPatchFailure: 1 };
const decoder = { ...decode, contentType: 1 };

/** The options of each function. */
const takes = {
  event,
  message: { ...event, replaceInvalidText: 1 },
  decode,
  decoder,
  conversation,
  reducer: { ...event, ...conversation },
  pipeline: { ...decoder, ...conversation, peer: 1, expand: 1, verify: 1, reduce: 1 },
  input: { profile: 1, limits: 1 },
  limits: { limits: 1 },
} satisfies Record<string, Record<string, number>>;

export type Taker = keyof typeof takes;

/** The kind of every option. */
const members: Record<string, KindName> = {
  contentType: 'text',
  profile: 'text',
  limits: 'object',
  replaceInvalidText: 'flag',
  goMemberNames: 'flag',
  text: 'flag',
  unsafeIntegers: 'text',
  onWarning: 'callback',
  messages: 'list',
  pendingInterrupts: 'list',
  onPatchFailure: 'text',
  peer: 'text',
  expand: 'flag',
  verify: 'flag',
  reduce: 'flag',
};

/** Refuses options of the wrong kind and options that the function does not have. */
export function checkOptions(options: PipelineOptions & { reduce?: boolean | undefined }, taker: Taker): void {
  known<object>(takes[taker], options);
  for (const name in members) expectIfGiven(members[name]!, name, options[name as keyof PipelineOptions]);
  checkLimits(options.limits);
}

/** Refuses limits that are no numbers. Core checks their names. */
export function checkLimits(limits: Limits | undefined): void {
  expectIfGiven('object', 'limits', limits);
  for (const name in limits) expectIfGiven('number', `limits.${name}`, limits[name as keyof Limits]);
}

/** Returns the options as the JSON text that the addon reads. */
export function optionsText(options: PipelineOptions & { reduce?: boolean | undefined }, taker: Taker = 'pipeline'): string {
  checkOptions(options, taker);
  const { contentType, profile, limits, replaceInvalidText, goMemberNames, unsafeIntegers, peer, expand, verify, reduce, onPatchFailure } = options;
  const read = { contentType, profile, replaceInvalidText, goMemberNames, unsafeIntegers, limits };
  return stringify({ ...read, peer, expand, verify, reduce, onPatchFailure }) as string;
}

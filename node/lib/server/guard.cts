import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask, FIRST, LENGTH } from '../generated/border.cjs';
import type { Limits } from '../generated/border.cjs';
import type { RunAgentInput } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { optionsText, type Warning } from '../options/options.cjs';
import { readEvents } from '../stages/stages.cjs';
import { known, type Names } from '../options/option_reader.cjs';
import { messageOf, report } from '../errors/failure.cjs';

/**
 * The reaction of a guard to events that break a rule: see `guard`.
 *
 * @example
 * ```ts
 * import { AGUISequenceError, EventType } from 'ag-ui-native';
 * import { guard, type GuardMode } from 'ag-ui-native/server';
 *
 * const mode: GuardMode = 'error';
 * try {
 *   [...guard([{ type: EventType.TEXT_MESSAGE_END, messageId: 'm1' }], { mode })];
 * } catch (error) {
 *   error instanceof AGUISequenceError; // => true
 * }
 * ```
 */
export type GuardMode = 'fix' | 'report' | 'error' | 'off';

/**
 * The options of `guard`.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { guard, type GuardOptions } from 'ag-ui-native/server';
 *
 * const options: GuardOptions = { mode: 'report', onWarning: (warning) => console.warn(warning.message) };
 * [...guard([{ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }], options)].length; // => 1
 * ```
 */
export interface GuardOptions {
  /** The default is `fix`. */
  mode?: GuardMode | undefined;
  /** The input of the run: if the agent does not begin the run, the guard does. */
  input?: RunAgentInput | undefined;
  /** The media type of events in wire format. The default is server-sent events. */
  contentType?: string | undefined;
  /** Sends the message of the agent's error to the client. */
  showErrors?: boolean | undefined;
  /** Called with an error of the agent that ends the run with RUN_ERROR. The default is `console.error`. */
  onError?: ((error: unknown) => void) | undefined;
  limits?: Limits | undefined;
  /** Called for every warning. */
  onWarning?: ((warning: Warning) => void) | undefined;
}

const guardOptions: Names<GuardOptions> = { mode: 1, input: 1, contentType: 1, showErrors: 1, onError: 1, limits: 1, onWarning: 1 };

type Item = BaseEvent | string | Uint8Array;

/**
 * Passes the events of an agent on to a client, as a generator of the same kind, and checks them.
 *
 * Accepts event objects, or the wire format: text or bytes in pieces of any size, of the given `contentType`. Legal events are
 * passed on unchanged; of the wire format, as whole frames.
 *
 * `fix` repairs, each time with a warning. It closes open entities before one is opened twice and before the run finishes. It
 * leaves out events that are not allowed, such as a second end of the run. It ends a run that the agent leaves open, begins the run
 * of `input` if the agent does not, and sets the ids of runs that must be given. If the agent throws, or sends what is no event, the
 * run ends with RUN_ERROR (code `agent_failed`).
 *
 * `report` changes nothing and warns. `error` throws for the first event that breaks a rule. `off` does nothing. What came before a
 * failure is yielded before the failure is thrown.
 *
 * @throws AGUISequenceError in the mode `error`; in other modes than `fix`, the errors of the agent
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { guard } from 'ag-ui-native/server';
 *
 * const start = { type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' };
 * const events = [...guard([start, { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' }], { onWarning() {} })];
 * events.map(({ type }) => type); // => ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'RUN_FINISHED']
 * ```
 */
export function guard<T extends Item>(events: AsyncIterable<T>, options?: GuardOptions): AsyncGenerator<T, void, undefined>;
export function guard<T extends Item>(events: Iterable<T>, options?: GuardOptions): Generator<T, void, undefined>;
export function guard(events: Iterable<Item> | AsyncIterable<Item>, options: GuardOptions = {}): Generator<Item> | AsyncGenerator<Item> {
  known(guardOptions, options);
  const guarding = new Guarding(options);
  const isObject = typeof events === 'object' && events !== null;
  if (isObject && Symbol.asyncIterator in events) return guardAsync(events as AsyncIterable<Item>, guarding);
  if (!isObject || !(Symbol.iterator in events)) throw wrongKind('events', 'an iterable', events);
  return guardSync(events as Iterable<Item>, guarding);
}

function* guardSync(events: Iterable<Item>, guarding: Guarding): Generator<Item> {
  const iterator = events[Symbol.iterator]();
  let isOver = false;
  try {
    while (!guarding.isOver) {
      let passed: Item[];
      try {
        isOver = true;
        const next = iterator.next();
        isOver = next.done === true;
        passed = next.done ? guarding.finish() : guarding.push(next.value);
      } catch (error) {
        passed = guarding.fail(error);
      }
      for (const item of passed) yield item;
      guarding.check();
    }
  } finally {
    if (!isOver) iterator.return?.();
  }
}

async function* guardAsync(events: AsyncIterable<Item>, guarding: Guarding): AsyncGenerator<Item> {
  const iterator = events[Symbol.asyncIterator]();
  let isOver = false;
  try {
    while (!guarding.isOver) {
      let passed: Item[];
      try {
        isOver = true;
        const next = await iterator.next();
        isOver = next.done === true;
        passed = next.done ? guarding.finish() : guarding.push(next.value);
      } catch (error) {
        passed = guarding.fail(error);
      }
      for (const item of passed) yield item;
      guarding.check();
    }
  } finally {
    if (!isOver) await iterator.return?.();
  }
}

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array();

/** The native guard, and the failure that ends it. */
class Guarding {
  /** True behind the end of the events, and behind a failure. */
  isOver = false;
  readonly #mode: GuardMode;
  readonly #options: GuardOptions;
  /** The guard for events that are objects, and the same one for encoded events. Undefined if it is off. */
  readonly #events: Engine<Item> | undefined;
  readonly #frames: Engine<Item> | undefined;
  /** The form of the frames; undefined until an encoded event has come. */
  #wire: 'text' | 'bytes' | undefined;
  /** The first half of a surrogate pair, if the last piece of text ended in it. */
  #half = '';
  #count = 0;
  #thrown: { error: unknown } | undefined;

  constructor(options: GuardOptions) {
    const { mode = 'fix', input, contentType, limits, onWarning } = options;
    expect('text', 'mode', mode);
    expectIfGiven('object', 'input', input);
    expectIfGiven('flag', 'showErrors', options.showErrors);
    expectIfGiven('callback', 'onError', options.onError);
    this.#mode = mode;
    this.#options = options;
    const settings = optionsText({ profile: 'relay', contentType, limits, onWarning });
    if (mode === 'off') return;
    const feed = native().createGuard(mode, input ? stringify(input)! : '', settings);
    const isBinary = contentType !== undefined && native().isProtobuf(contentType);
    this.#events = new Engine<Item>(feed, (text, marks, given) => readEvents(text, marks, [given], this.#count++), onWarning);
    this.#frames = new Engine<Item>(feed, (text, marks) => this.#read(text, marks, isBinary), onWarning);
  }

  push(item: Item): Item[] {
    if (typeof item !== 'string' && !ArrayBuffer.isView(item)) return this.#events?.event(item) ?? [item];
    if (this.#frames === undefined) return [item];
    // From here on, all that is made is encoded, too.
    if (this.#wire === undefined) this.#frames.run(NOTHING);
    this.#wire = typeof item === 'string' ? 'text' : 'bytes';
    return this.#frames.feed(typeof item === 'string' ? this.#encode(item) : item);
  }

  finish(): Item[] {
    this.isOver = true;
    // A half that is left is encoded as an invalid character: the stream was cut.
    if (this.#half) this.#frames?.feed(utf8.encode(this.#half));
    return this.#engine?.run(Ask.Close) ?? [];
  }

  /** Ends the stream because of an error. Returns what is left to send; in the mode `fix`, the end of the run, too. */
  fail(error: unknown): Item[] {
    this.isOver = true;
    if (this.#mode === 'fix') report(this.#options, error);
    else this.#thrown = { error };
    if (this.#engine === undefined) return [];
    const text = this.#options.showErrors === true ? messageOf(error) : undefined;
    return this.#engine.partialOf(error).concat(this.#engine.run(Ask.Failed, text));
  }

  /** Throws the error, behind what was sent, if no RUN_ERROR tells of it. */
  check(): void {
    if (this.#thrown) throw this.#thrown.error;
  }

  get #engine(): Engine<Item> | undefined {
    return this.#wire === undefined ? this.#events : this.#frames;
  }

  /** Encodes a piece of text. A surrogate pair that is split between two pieces is encoded when its second half arrives. */
  #encode(piece: string): Uint8Array {
    const text = this.#half + piece;
    const whole = /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
    this.#half = text.slice(whole.length);
    return utf8.encode(whole);
  }

  /** Reads frames. Those of protobuf cross as text with a character for each byte. */
  #read(text: string, marks: Uint32Array, isBinary: boolean): Item[] {
    const frames: Item[] = [];
    const end = FIRST + marks[LENGTH]!;
    let start = 0;
    for (let at = FIRST; at < end; at++) {
      const frame = text.slice(start, (start = marks[at]!));
      if (isBinary) frames.push(bytesOfCharacters(frame));
      else frames.push(this.#wire === 'text' ? frame : utf8.encode(frame));
    }
    return frames;
  }
}

function bytesOfCharacters(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

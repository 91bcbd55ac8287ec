import { EventEncoder } from '../encoder.cjs';
import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { AGUI_MEDIA_TYPE, Ask, SSE_MEDIA_TYPE } from '../generated/border.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Event, RunAgentInput } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { optionsText, type Warning } from '../options/options.cjs';
import { readEvents } from '../stages/stages.cjs';
import { known, type Names } from '../options/option_reader.cjs';
import { EventDecoder, textOf } from '../stream.cjs';
import { messageOf, report } from '../errors/failure.cjs';

/** The reaction of a guard to events that break a rule: see `guard`. */
export type GuardMode = 'fix' | 'report' | 'error' | 'off';

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
 * of `input` if the agent does not, and sets the ids of runs that must be given. If the agent throws, the run ends with RUN_ERROR
 * (code `agent_failed`).
 *
 * `report` changes nothing and warns. `error` throws for the first event that breaks a rule. `off` does nothing.
 *
 * @throws AGUISequenceError in the mode `error`; in other modes than `fix`, the errors of the agent
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
    for (;;) {
      let passed: Item[];
      try {
        isOver = true;
        const next = iterator.next();
        if (next.done) break;
        isOver = false;
        passed = guarding.push(next.value);
      } catch (error) {
        for (const event of guarding.failed(error)) yield event;
        return;
      }
      for (const event of passed) yield event;
    }
    for (const event of guarding.finish()) yield event;
  } finally {
    if (!isOver) iterator.return?.();
  }
}

async function* guardAsync(events: AsyncIterable<Item>, guarding: Guarding): AsyncGenerator<Item> {
  const iterator = events[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      let passed: Item[];
      try {
        isOver = true;
        const next = await iterator.next();
        if (next.done) break;
        isOver = false;
        passed = guarding.push(next.value);
      } catch (error) {
        for (const event of guarding.failed(error)) yield event;
        return;
      }
      for (const event of passed) yield event;
    }
    for (const event of guarding.finish()) yield event;
  } finally {
    if (!isOver) await iterator.return?.();
  }
}

const utf8 = new TextEncoder();

/** The native guard, with the conversion between wire and events. */
class Guarding {
  readonly #mode: GuardMode;
  readonly #engine: Engine<Event> | undefined;
  readonly #options: GuardOptions;
  #wire: Wire | undefined;
  #count = 0;

  constructor(options: GuardOptions) {
    const { mode = 'fix', input, contentType, limits, onWarning } = options;
    expect('text', 'mode', mode);
    expectIfGiven('object', 'input', input);
    expectIfGiven('text', 'contentType', contentType);
    expectIfGiven('flag', 'showErrors', options.showErrors);
    expectIfGiven('callback', 'onError', options.onError);
    this.#mode = mode;
    this.#options = options;
    const settings = optionsText({ profile: 'relay', limits, onWarning });
    if (mode === 'off') return;
    const make = (text: string, marks: Uint32Array, given: unknown) => readEvents(text, marks, [given], this.#count++);
    this.#engine = new Engine(native().createGuard(mode, input ? stringify(input)! : '', settings), make, onWarning);
  }

  push(item: Item): Item[] {
    if (this.#engine === undefined) return [item];
    if (typeof item !== 'string' && !(item instanceof Uint8Array)) return this.#engine.event(item);
    this.#wire ??= new Wire(this.#options, typeof item === 'string');
    const passed: Event[] = [];
    for (const event of this.#wire.read(item)) passed.push(...this.#engine.event(event));
    return this.#wire.write(passed);
  }

  finish(): Item[] {
    if (this.#engine === undefined) return [];
    const passed: Event[] = [];
    for (const event of this.#wire?.end() ?? []) passed.push(...this.#engine.event(event));
    return this.#sent(passed.concat(this.#engine.run(Ask.Close)));
  }

  /** Returns the events that end the run. In other modes than `fix` it throws the error. */
  failed(error: unknown): Item[] {
    if (this.#engine === undefined || this.#mode !== 'fix') throw error;
    report(this.#options, error);
    const text = this.#options.showErrors === true ? messageOf(error) : undefined;
    return this.#sent(JSON.parse(this.#engine.ask(Ask.Failed, text ?? '')) as Event[]);
  }

  #sent(events: Event[]): Item[] {
    return this.#wire === undefined ? events : this.#wire.write(events);
  }
}

/** Decodes events in wire format, and encodes the passed ones. */
class Wire {
  readonly #decoder: EventDecoder;
  readonly #encoder: EventEncoder | undefined;
  readonly #isText: boolean;
  /** The first half of a surrogate pair, if the last piece of text ended in it. */
  #half = '';

  constructor({ contentType, limits }: GuardOptions, isText: boolean) {
    this.#decoder = new EventDecoder({ contentType: contentType ?? SSE_MEDIA_TYPE, profile: 'relay', limits, text: true });
    const isBinary = contentType !== undefined && native().isProtobuf(contentType);
    if (isBinary) this.#encoder = new EventEncoder({ accept: AGUI_MEDIA_TYPE, profile: 'relay' });
    this.#isText = isText;
  }

  read(chunk: string | Uint8Array): Event[] {
    return this.#decoder.feed(typeof chunk === 'string' ? this.#encode(chunk) : chunk);
  }

  /** Encodes a piece of text. A surrogate pair that is split between two pieces is encoded when its second half arrives. */
  #encode(piece: string): Uint8Array {
    const text = this.#half + piece;
    const whole = /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
    this.#half = text.slice(whole.length);
    return utf8.encode(whole);
  }

  end(): Event[] {
    // A half that is left is encoded as an invalid character: the stream was cut.
    return [...this.#decoder.feed(utf8.encode(this.#half)), ...this.#decoder.close()];
  }

  write(events: Event[]): Item[] {
    return events.map((event) => {
      if (this.#encoder) return this.#encoder.encodeProtobuf(event);
      const frame = `data: ${textOf(event) ?? JSON.stringify(event)}\n\n`;
      return this.#isText ? frame : utf8.encode(frame);
    });
  }
}

import { projectionString, projectionText, hasOnlyStrings, TAG } from '../stages/projection.cjs';
import { bytesOf } from '../runtime/bytes.cjs';
import { jsonOf } from '../json/encode.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { AGUIError, describedError, errorFrom, tooLong } from '../errors/errors.cjs';
import { Ask, CHANGE_WIDTH, ENDED, FAILED, FIRST, LAST, LENGTH, MAX_CHANGES, NEXT, SAME, SAME_STEP, SHORT, STATUS, STEPS, STEP_FAILED, STRINGS, UNSTEPPED, WARNED } from '../generated/border.cjs';
import type { Projection } from '../generated/projections.cjs';
import { type TakeStrings, writeLiteral } from '../generated/writers.cjs';
import { isPlain, limited, stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import type { Carry, Feed } from './native.cjs';
import type { Warning } from '../options/options.cjs';

/** The number of marks for the maximum number of changes that are passed at once. */
const MARKS = FIRST + MAX_CHANGES * CHANGE_WIDTH;

/** The number of marks for one event: enough at first for engines that pass no changes. */
export const FEW_MARKS = 32;

const NO_MARKS = new Uint32Array(FIRST);

/** The value of `marks[STATUS]` until native code has set it. */
const UNSET = 0xffff_ffff;

/** The maximum number of strings of a step besides its tag. */
const MAX_STEP_STRINGS = 2;

/** A chunk is read in pieces of this many bytes, so that the output of a piece fits into a string. */
const PIECE = 32 * 1024 * 1024;

/** Makes the result of a call from the text and the marks; `given` is the event, if the input was one. */
type Make<Made> = (text: string, marks: Uint32Array, given: unknown) => Made[];

/** A native engine, with the marks that it fills and its warnings. */
export class Engine<Made = never> {
  /** The warnings so far, if there is no `onWarning` to take them. */
  readonly warnings: Warning[] = [];
  /** The marks of the last call. */
  marks: Uint32Array<ArrayBuffer>;
  readonly #feed: Feed;
  readonly #make: Make<Made>;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #take: TakeStrings;
  /** The number of events that a stage has skipped since the last one that it processed. */
  skipped = 0;
  /** The event that is being processed. */
  #given: unknown;
  /** The extra argument of the call. */
  #extra: Carry | boolean | undefined;
  /** The answer of the call. */
  #answer: string | undefined;
  /** True while a call or one of its callbacks is running. */
  #isBusy = false;
  /** The results of a call that ended with an exception of the caller's code. */
  #kept: Made[] = [];
  /** The first exception of the caller's code in this call. */
  #thrown: { thrown: unknown } | undefined;
  /** The first such exception of a call that is split into pieces. */
  #later: { thrown: unknown } | undefined;
  /** The error of an output that did not fit into a string. All later calls throw it, because output is missing. */
  #overflow: AGUIError | undefined;
  /** The error that the engine has thrown last. */
  #failure: AGUIError | undefined;

  /** @throws AGUIError the error that `feed` describes, if it is text */
  constructor(feed: Feed | string, make: Make<Made>, onWarning?: (warning: Warning) => void, marks = MARKS) {
    if (typeof feed === 'string') throw errorFrom(feed);
    this.marks = new Uint32Array(marks);
    this.#feed = feed;
    this.#make = make;
    this.#onWarning = onWarning;
    this.#take = (place, one, two, three) => {
      // Native code would not see halves of surrogate pairs.
      if (!isWellFormed(one) || !isWellFormed(two) || !isWellFormed(three)) return undefined;
      this.#answer = feed(STRINGS + place, this.marks, this.#extra, one, two, three);
      return undefined;
    };
  }

  /**
   * Runs the engine on a chunk of a stream and returns the results.
   *
   * An exception of the caller's code (a callback, a getter of a state) is thrown at the end of the call. The next call then returns
   * the results.
   *
   * @throws AGUIError if the engine fails, with the earlier results as its `partial`; `reentrant_call` if another call is running
   */
  feed(chunk: Uint8Array, extra?: Carry): Made[] {
    if (ArrayBuffer.isView(chunk) && chunk.byteLength <= PIECE) return this.run(chunk, extra);
    const bytes = bytesOf(chunk);
    if (bytes.length <= PIECE) return this.run(bytes, extra);
    let made: Made[] = [];
    for (let at = 0; at < bytes.length; at += PIECE) made = this.#more(made, bytes.subarray(at, at + PIECE), extra);
    return this.#all(made);
  }

  /**
   * Runs the engine on events, in pieces of text up to `most` characters long. At an event that JSON cannot express it throws the
   * error of JSON.stringify.
   */
  events(events: readonly unknown[], extra?: Carry, most = PIECE): Made[] {
    let made: Made[] = [];
    let lines: string[] = [];
    let length = 0;
    const write = () => {
      const text = limited(() => lines.join('\n'));
      made = this.#more(made, text, extra);
      [lines, length] = [[], 0];
    };
    for (const event of events) {
      let line: string;
      try {
        line = jsonOf(event);
      } catch (error) {
        this.#later ??= { thrown: error };
        break;
      }
      lines.push(line);
      length += line.length + 1;
      if (length > most) write();
    }
    if (lines.length > 0) write();
    return this.#all(made);
  }

  /** Continues a call that is split into pieces, also after an exception of the caller's code. */
  #more(made: Made[], input: Uint8Array | string, extra?: Carry): Made[] {
    try {
      return made.concat(this.run(input, extra));
    } catch (error) {
      this.#later ??= { thrown: error };
      if (error !== this.#failure) return made;
      const { partial = [] } = this.#failure as AGUIError;
      return this.#all(made, Object.assign(this.#failure as AGUIError, { partial: made.concat(partial) }));
    }
  }

  /** Ends a call that is split into pieces. */
  #all(made: Made[], failure?: AGUIError): Made[] {
    const foreign = this.#later;
    this.#later = undefined;
    if (failure) throw foreign && foreign.thrown !== failure ? Object.assign(failure, { cause: foreign.thrown }) : failure;
    if (foreign === undefined) return made;
    this.#kept = made.concat(this.#kept);
    throw foreign.thrown;
  }

  /** Runs the engine on an event. `write` makes the text of an event that is no object literal. */
  event(event: any, extra?: Carry | boolean, write: (event: any) => string | undefined = stringify): Made[] {
    if (typeof event === 'bigint') throw wrongKind('event', 'an object', event);
    this.#begin();
    try {
      this.#given = event;
      this.#extra = extra;
      this.#answer = undefined;
      const text = isPlain(event) ? writeLiteral(event, this.#take) : undefined;
      // Native code has processed the event, or needs its text.
      if (this.#answer !== undefined || this.marks[STATUS] !== UNSET) return this.#finish(this.#answer);
      return this.#finish(this.#feed(text ?? write(event) ?? 'null', this.marks, extra));
    } finally {
      this.#isBusy = false;
    }
  }

  /** Runs a stage on the projection of an event. */
  project(event: BaseEvent, projection: Projection | undefined, extra?: boolean): Made[] {
    this.#begin();
    try {
      this.#given = event;
      return this.#finish(this.#feed(projectionText(event, projection), this.marks, extra));
    } finally {
      this.#isBusy = false;
    }
  }

  /** Has a stage verify the projection of an event, if it consists of few strings. Returns undefined otherwise, or if native code needs text. */
  step(event: BaseEvent, { place, keys, strings }: Projection): Made[] | undefined {
    // Native code does not process events without an id or name in this way.
    if (strings === null || strings[0] === null || strings.length > MAX_STEP_STRINGS) return undefined;
    const tag = keys[0] === TAG && strings[0] !== TAG ? event[TAG] : undefined;
    if (tag !== undefined && (typeof tag !== 'string' || !isWellFormed(tag))) return undefined;
    const one = projectionString(event, strings[0]);
    const two = projectionString(event, strings[1]);
    if (one === undefined || (strings.length > 1 && two === undefined)) return undefined;
    if (keys.length > 2 && !hasOnlyStrings(event, { keys }, strings)) return undefined;
    this.#begin();
    try {
      const answer = this.#feed(STEPS + place, this.marks, tag, one, two) as number | undefined;
      if (answer === UNSTEPPED || answer === undefined) return undefined;
      this.marks[STATUS] = answer === STEP_FAILED ? FAILED : answer === SAME_STEP ? SAME : 0;
      return answer === STEP_FAILED ? this.#report([]) : [];
    } finally {
      this.#isBusy = false;
    }
  }

  /** True if the last event has changed nothing, so that an equal event gives the same result again. */
  get isSame(): boolean {
    return (this.marks[STATUS]! & SAME) !== 0;
  }

  /** True if from now on an equal event gives the last one of the events that were made. */
  get isLast(): boolean {
    return (this.marks[STATUS]! & LAST) !== 0;
  }

  /** True if from now on an event with another id gives the same events with that id. */
  get isNext(): boolean {
    return (this.marks[STATUS]! & NEXT) !== 0;
  }

  /** True if a run has ended and no other run has begun since. For pipelines and intakes. */
  get hasEnded(): boolean {
    return (this.marks[STATUS]! & ENDED) !== 0;
  }

  /** Runs the engine on a piece of a stream, on text, or on a request that makes something. */
  run(input: Uint8Array | string | Ask, extra?: Carry | boolean | string): Made[] {
    this.#begin();
    try {
      const text = this.#feed(input, this.marks, extra);
      // Native code does not read memory that another thread may write to.
      const isRefused = text === undefined && this.marks[STATUS] === UNSET;
      return this.#finish(isRefused ? this.#feed(bytesOf(input).slice(), this.marks, extra) : text);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Returns the results before an error that the engine has thrown; for another error none. */
  partialOf(error: unknown): Made[] {
    return (error === this.#failure && this.#failure?.partial) || [];
  }

  #begin(): void {
    if (this.#isBusy) throw describedError('reentrant_call');
    if (this.#overflow) throw this.#overflow;
    this.#isBusy = true;
    this.marks[STATUS] = UNSET;
  }

  /** Makes the result of a call. If the marks were too few, it asks again with more. */
  #finish(text: string | undefined): Made[] {
    if (this.marks[STATUS]! & SHORT) {
      this.marks = new Uint32Array(2 * this.marks[LENGTH]! + FIRST);
      text = this.#feed(Ask.Again, this.marks);
    }
    if (text === undefined) throw (this.#failure = this.#overflow = tooLong());
    const made = this.#make(text, this.marks, this.#given);
    const isAll = (this.marks[STATUS]! & ~(SAME | LAST | NEXT | ENDED)) === 0 && this.#thrown === undefined && this.#kept.length === 0;
    return isAll ? made : this.#report(made);
  }

  /** Reports the warnings of a call, then returns its result or throws its error. */
  #report(made: Made[]): Made[] {
    const status = this.marks[STATUS]!;
    made = this.#kept.concat(made);
    this.#kept = [];
    if (this.skipped > 0) this.ask(Ask.Skipped, String(this.skipped));
    this.skipped = 0;
    if (status & WARNED) for (const warning of JSON.parse(this.ask(Ask.Warnings))) this.#warn(warning);
    const foreign = this.#thrown;
    this.#thrown = undefined;
    if (status & FAILED) {
      this.#failure = errorFrom(this.ask(Ask.Error), made);
      throw foreign ? Object.assign(this.#failure, { cause: foreign.thrown }) : this.#failure;
    }
    if (foreign === undefined) return made;
    this.#kept = made;
    throw foreign.thrown;
  }

  /** Reports a warning. An exception of the callback does not stop other warnings. */
  #warn(warning: Warning): void {
    if (this.#onWarning === undefined) return void this.warnings.push(warning);
    try {
      this.#onWarning(warning);
    } catch (thrown) {
      this.caught(thrown);
    }
  }

  /** Keeps an exception of the caller's code until the end of the call. */
  caught(thrown: unknown): void {
    this.#thrown ??= { thrown };
  }

  /** Reports a patch of the state that did not apply, while the changes of a call are applied. */
  unpatched(failure: string): void {
    const refusal = this.ask(Ask.Unpatched, failure);
    if (refusal) throw errorFrom(refusal);
    this.marks[STATUS]! |= WARNED;
  }

  /** Sends a request and returns the answer as JSON text; `about` is its argument. */
  ask(question: Ask, about?: string): string {
    const answer = this.#feed(question, NO_MARKS, about);
    if (answer === undefined) throw describedError('reentrant_call');
    return answer;
  }

  /**
   * Returns the milliseconds to wait for more of a stream, with `idle` as the limit; undefined means no limit, false that the stream
   * is at its end. Before the end of a run the result is `idle`, without a call of native code.
   */
  idleTime(idle: number | undefined, isOneRun = false): number | false | undefined {
    if (!this.hasEnded) return idle;
    const left = this.ask(Ask.IdleTime, JSON.stringify({ now: performance.now(), idle, isOneRun }));
    if (left === 'end') return false;
    return left === '' ? undefined : Number(left);
  }

  /** Returns the point at which a stream can be resumed, and the number of events that were read. */
  resumePoint(): { lastEventId: string; retry: number | null; events: number } {
    return JSON.parse(this.ask(Ask.Resume));
  }
}

function isWellFormed(text: string | undefined): boolean {
  return text === undefined || (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

import { jsonOf } from './encode.cjs';
import { AGUIError, describedError, errorFrom, tooLong } from './errors.cjs';
import { Ask, CHANGE_WIDTH, FAILED, FIRST, LENGTH, MAX_CHANGES, SHORT, STATUS, STRINGS, WARNED } from './generated/border.cjs';
import { type TakeStrings, writeLiteral } from './generated/writers.cjs';
import { isPlain, limited, stringify } from './json.cjs';
import { wrongKind } from './kinds.cjs';
import type { Carry, Feed } from './native.cjs';
import type { Warning } from './options.cjs';

/** Changes are handed over in parts that fit. */
const MARKS = FIRST + MAX_CHANGES * CHANGE_WIDTH;

const NO_MARKS = new Uint32Array(FIRST);

/** In `marks[STATUS]`, until native code has set it. */
const UNSET = 0xffff_ffff;

/** A chunk is read in pieces of this many bytes: what is made of one fits into a string. */
const PIECE = 32 * 1024 * 1024;

/** Makes what a call returns of the text on the tape and the marks; `given` is the event, if it was one. */
type Make<Made> = (text: string, marks: Uint32Array, given: unknown) => Made[];

/** A native engine, with the marks that it fills and the warnings that it gives. */
export class Engine<Made = never> {
  /** The warnings so far, if there is no `onWarning` to take them. */
  readonly warnings: Warning[] = [];
  /** What was handed over last. */
  marks = new Uint32Array(MARKS);
  readonly #feed: Feed;
  readonly #make: Make<Made>;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #take: TakeStrings;
  /** The event that is being taken. */
  #given: unknown;
  /** What goes with it. */
  #extra: Carry | boolean | undefined;
  /** What came of it. */
  #answer: string | undefined;
  /** A call is at work, or calls back. */
  #isBusy = false;
  /** What a call made that somebody else's exception has ended. */
  #kept: Made[] = [];
  /** The first exception that somebody else's code has thrown in this call. */
  #thrown: { thrown: unknown } | undefined;
  /** The same of a call that is made in pieces, until all are done. */
  #later: { thrown: unknown } | undefined;
  /** What was made did not fit into a string: the call after it would not know what is missing. */
  #overflow: AGUIError | undefined;
  /** The error that the engine was the last to throw. */
  #failure: AGUIError | undefined;

  /** @throws AGUIError what `feed` describes, if it is text */
  constructor(feed: Feed | string, make: Make<Made>, onWarning?: (warning: Warning) => void) {
    if (typeof feed === 'string') throw errorFrom(feed);
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
   * Runs the engine on a chunk of a stream and returns what comes of it.
   *
   * What somebody else's code throws meanwhile (a callback, a getter of a state) is thrown when all is done; what was made is
   * returned by the next call then.
   *
   * @throws AGUIError if the engine fails, with what came before as its `partial`; `reentrant_call` if a call is at work
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
   * Runs the engine on events, up to one that JSON cannot hold, in pieces of text that are `most` long. Then that is thrown which
   * JSON.stringify throws.
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

  /** Goes on with a call that is made in pieces: with the others too, if somebody else's code has thrown something. */
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

  /** Ends a call that is made in pieces. */
  #all(made: Made[], failure?: AGUIError): Made[] {
    const foreign = this.#later;
    this.#later = undefined;
    if (failure) throw foreign && foreign.thrown !== failure ? Object.assign(failure, { cause: foreign.thrown }) : failure;
    if (foreign === undefined) return made;
    this.#kept = made.concat(this.#kept);
    throw foreign.thrown;
  }

  /** Runs the engine on an event. Where that is no literal, `write` makes text of it. */
  event(event: any, extra?: Carry | boolean, write: (event: any) => string | undefined = stringify): Made[] {
    if (typeof event === 'bigint') throw wrongKind('event', 'an object', event);
    this.#begin();
    try {
      this.#given = event;
      this.#extra = extra;
      this.#answer = undefined;
      const text = isPlain(event) ? writeLiteral(event, this.#take) : undefined;
      // Native code has taken it, or wants it as text.
      if (this.#answer !== undefined || this.marks[STATUS] !== UNSET) return this.#finish(this.#answer);
      return this.#finish(this.#feed(text ?? write(event) ?? 'null', this.marks, extra));
    } finally {
      this.#isBusy = false;
    }
  }

  /** Runs the engine on a piece of a stream, on text, or on a request that makes something. */
  run(input: Uint8Array | string | Ask, extra?: Carry | boolean): Made[] {
    this.#begin();
    try {
      const text = this.#feed(input, this.marks, extra);
      // Memory that another thread may write to is not read in place.
      const isRefused = text === undefined && this.marks[STATUS] === UNSET;
      return this.#finish(isRefused ? this.#feed(bytesOf(input).slice(), this.marks, extra) : text);
    } finally {
      this.#isBusy = false;
    }
  }

  #begin(): void {
    if (this.#isBusy) throw describedError('reentrant_call');
    if (this.#overflow) throw this.#overflow;
    this.#isBusy = true;
    this.marks[STATUS] = UNSET;
  }

  /** Makes what the call returns of what was handed over: if the marks were too few, with larger ones. */
  #finish(text: string | undefined): Made[] {
    if (this.marks[STATUS]! & SHORT) {
      this.marks = new Uint32Array(2 * this.marks[LENGTH]! + FIRST);
      text = this.#feed(Ask.Again, this.marks);
    }
    if (text === undefined) throw (this.#failure = this.#overflow = tooLong());
    const made = this.#make(text, this.marks, this.#given);
    const isAll = this.marks[STATUS] === 0 && this.#thrown === undefined && this.#kept.length === 0;
    return isAll ? made : this.#report(made);
  }

  /** Returns or throws what came of a call, after its warnings. */
  #report(made: Made[]): Made[] {
    const status = this.marks[STATUS]!;
    made = this.#kept.concat(made);
    this.#kept = [];
    if (status & WARNED) for (const warning of JSON.parse(this.ask(Ask.Warnings))) this.#tell(warning);
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

  /** Every warning is told, whatever the callback does. */
  #tell(warning: Warning): void {
    if (this.#onWarning === undefined) return void this.warnings.push(warning);
    try {
      this.#onWarning(warning);
    } catch (thrown) {
      this.caught(thrown);
    }
  }

  /** Keeps what somebody else's code has thrown until all is done. */
  caught(thrown: unknown): void {
    this.#thrown ??= { thrown };
  }

  /** Tells, while a call's changes are made, that a patch of the state did not apply. */
  unpatched(failure: string): void {
    const refusal = this.ask(Ask.Unpatched, failure);
    if (refusal) throw errorFrom(refusal);
    this.marks[STATUS]! |= WARNED;
  }

  /** The answer to a question, as JSON text; `about` is what is said with it. */
  ask(question: Ask, about?: string): string {
    const answer = this.#feed(question, NO_MARKS, about);
    if (answer === undefined) throw describedError('reentrant_call');
    return answer;
  }

  /** Where a stream can be resumed, and how many events were read. */
  resumePoint(): { lastEventId: string; retry: number | null; events: number } {
    return JSON.parse(this.ask(Ask.Resume));
  }
}

function isWellFormed(text: string | undefined): boolean {
  return text === undefined || (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** The bytes of any view or buffer. */
export function bytesOf(chunk: unknown, name = 'chunk'): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return bytesIn(chunk);
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) return new Uint8Array(chunk);
  throw wrongKind(name, 'a Uint8Array', chunk);
}

const typed = getters(Object.getPrototypeOf(Uint8Array.prototype));
const plain = getters(DataView.prototype);

/** What says where a view's bytes are; an heir of its class may say what it likes. */
function getters(prototype: object): (view: ArrayBufferView) => [ArrayBuffer, number, number] {
  const [buffer, offset, length] = ['buffer', 'byteOffset', 'byteLength'].map((name) => Object.getOwnPropertyDescriptor(prototype, name)!.get!);
  return (view) => [buffer!.call(view), offset!.call(view), length!.call(view)];
}

function bytesIn(view: ArrayBufferView): Uint8Array {
  const [buffer, offset, length] = (view instanceof DataView ? plain : typed)(view);
  return length === 0 ? new Uint8Array() : new Uint8Array(buffer, offset, length);
}

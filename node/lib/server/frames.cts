import { describedError } from '../errors/errors.cjs';
import { type Beat, RunCall } from '../generated/border.cjs';
import type { RunFunction } from '../native/native.cjs';

/** Most deltas that cross together, and the longest of them. */
const MOST = 64;
const LONGEST = 1024;

const OBJECT = '{'.charCodeAt(0);

/** Characters that are no printable ASCII. */
const OTHER = /[^ -~]/;

/** A chunk of one frame, but for its length in front and the delta in it; and its length without the delta. */
interface Around {
  before: string;
  behind: string;
  length: number;
}

/**
 * The frames of a run, which core makes. Where core has taken a delta it takes more, until it is asked for something else: those cross
 * together, when they are sent. Or not at all, if nothing else waits: core's frame of one plain delta is that of every other, but for
 * the delta.
 */
export class Frames {
  /** The count of waiting bytes; a lower bound while deltas have not crossed. */
  waiting = 0;
  /** True if the run has not ended. */
  isRunning = true;
  readonly #run: RunFunction;
  /** The entity of the last delta that core has taken. */
  #open = -1;
  /** The deltas that have not crossed. */
  #text = '';
  #count = 0;
  /** Their count, and the length of each. */
  readonly #lengths = new Uint32Array(1 + MOST);
  /** Nothing waits in core. */
  #isCoreEmpty = false;
  /** The text that core puts around a delta. */
  #around: Around | undefined;
  /** Something has left that core has not seen. */
  #hasComposed = false;

  constructor(run: RunFunction) {
    this.#run = run;
  }

  /** Asks core for something else than a delta. Whether the run has ended is known then. */
  ask(call: RunCall, about?: number | string | boolean, text?: string | boolean, more?: string): number | string {
    this.#cross();
    this.#open = -1;
    this.#isCoreEmpty = false;
    this.#around = undefined;
    const answer = this.#run(call, about, text, more);
    if (typeof answer === 'string' || answer >= 0) return answer;
    this.isRunning = false;
    return -1 - answer;
  }

  /** Asks core for something that may write, and updates `waiting`. An error's description if core refuses it. */
  tell(call: RunCall, about?: number | string | boolean, text?: string | boolean): string | undefined {
    const answer = this.ask(call, about, text);
    if (typeof answer === 'string') return answer;
    this.waiting = answer;
    return undefined;
  }

  /** Writes an event of an activity; see `RunCall`. What the client has of it then, or an error's description. */
  show(event: string, isUpdate: boolean, known: string | undefined, tag: string | undefined): string {
    const answer = this.ask(isUpdate ? RunCall.ActivityUpdate : RunCall.Activity, tag, event, known) as string;
    this.count();
    return answer;
  }

  /** Ends the run, unless it has ended; see `RunCall`. */
  conclude(about: number, text: string | undefined): number | string {
    const told = this.ask(RunCall.Conclude, about, text);
    this.isRunning = false;
    this.count();
    return told;
  }

  /** Looks for silence: what is to be done. */
  look(now: number, isBehind: boolean): Beat {
    this.#cross();
    const beat = this.#run(RunCall.CheckSilence, now, isBehind, this.#hasComposed) as Beat;
    this.#hasComposed = false;
    // A comment may wait.
    this.#isCoreEmpty = false;
    this.count();
    return beat;
  }

  /** Appends to what is open. With `later`, it may cross when it is sent. An error's description if core refuses it. */
  write(entity: number, delta: string, later: boolean): string | undefined {
    if (later && entity === this.#open && this.#count < MOST && delta.length <= LONGEST) {
      this.#lengths[++this.#count] = delta.length;
      this.#text += delta;
      this.waiting += delta.length + 1;
      return undefined;
    }
    const refused = this.tell(RunCall.Write, entity, delta);
    if (refused === undefined) this.#open = entity;
    return refused;
  }

  /** Takes what waits. */
  bytes(allocate: (length: number) => Uint8Array = (length) => new Uint8Array(length)): Uint8Array {
    this.#cross();
    const bytes = allocate(this.waiting);
    // Memory that was not filled is not handed out.
    if (this.#run(RunCall.Take, bytes) !== this.waiting) throw describedError('internal', 'the count of waiting bytes is wrong');
    this.waiting = 0;
    this.#isCoreEmpty = true;
    return bytes;
  }

  /** Takes what waits as a chunk of HTTP/1.1, each byte a character: small strings Node sends with less ado than bytes. */
  chunk(): string {
    const delta = this.#count === 1 && this.#isCoreEmpty && isPlain(this.#text) ? this.#text : undefined;
    if (delta !== undefined && this.#around !== undefined) return this.#compose(this.#around, delta);
    const answer = this.#count === 0 ? this.#run(RunCall.Chunk) : this.#hand(RunCall.Chunk);
    if (typeof answer === 'number' || answer.charCodeAt(0) === OBJECT) throw describedError('internal', 'no chunk');
    this.waiting = 0;
    this.#isCoreEmpty = true;
    if (delta !== undefined) this.#around = aroundOf(delta, answer);
    return answer;
  }

  /** Asks whether a state of so many values is to be compared; see `RunCall`. Deltas of text do not change the answer. */
  stateDue(values?: number): number | string {
    return this.#run(RunCall.StateDue, values);
  }

  /** Counts what waits. */
  count(): void {
    this.#cross();
    this.waiting = this.#run(RunCall.Take) as number;
  }

  #cross(): void {
    if (this.#count === 0) return;
    const answer = this.#hand(RunCall.Write);
    if (typeof answer !== 'number') throw describedError('internal', 'core takes no more of what it has taken');
    this.waiting = answer;
    this.#isCoreEmpty = false;
  }

  /** The chunk of the one delta that has not crossed. */
  #compose({ before, behind, length }: Around, delta: string): string {
    this.#hasComposed = true;
    this.#text = '';
    this.#count = 0;
    this.waiting = 0;
    return hexadecimal(length + delta.length) + before + delta + behind;
  }

  /** Has the deltas cross. */
  #hand(call: RunCall.Write | RunCall.Chunk): number | string {
    const text = this.#text;
    const lengths = this.#count === 1 ? undefined : this.#lengths;
    this.#lengths[0] = this.#count;
    this.#text = '';
    this.#count = 0;
    return this.#run(call, this.#open, text, lengths);
  }
}

/** The text around the delta in a chunk of one frame. Undefined on the binary transport. */
function aroundOf(delta: string, chunk: string): Around | undefined {
  const [begin, end] = [chunk.indexOf('\r\n'), chunk.length - 2];
  // The quotes of what is inside a string are escaped.
  const at = chunk.startsWith('data: ', begin + 2) ? chunk.indexOf(`"delta":"${delta}"`) : -1;
  if (at < 0) return undefined;
  const place = at + '"delta":"'.length;
  const behind = chunk.slice(place + delta.length);
  return { before: chunk.slice(begin, place), behind, length: end - begin - 2 - delta.length };
}

/** True if each character stands for itself in a frame, and takes one byte. */
function isPlain(text: string): boolean {
  // Quicker than one regular expression for all.
  return !OTHER.test(text) && !text.includes('"') && !text.includes('\\');
}

const HEXADECIMAL: string[] = [];

/** The length of a chunk, as HTTP writes it. */
function hexadecimal(length: number): string {
  return length < 1024 ? (HEXADECIMAL[length] ??= length.toString(16)) : length.toString(16);
}

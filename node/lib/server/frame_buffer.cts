import { describedError } from '../errors/errors.cjs';
import { type Beat, RunCall } from '../generated/border.cjs';
import type { RunFunction } from '../native/native.cjs';

/** The maximum number of deltas that cross together, and the maximum length of each. */
const MOST = 64;
const LONGEST = 1024;

const OBJECT = '{'.charCodeAt(0);

/** Matches a character that is not printable ASCII. */
const OTHER = /[^ -~]/;

/** A chunk with one frame, without its length and its delta: the texts around the delta, and the length without the delta. */
interface Around {
  before: string;
  behind: string;
  length: number;
}

/**
 * The frames of a run, which core makes. Consecutive deltas of one entity are batched: they cross together when they are sent, or
 * before the next other call. If one plain delta is all that waits, it need not cross: its chunk differs from core's previous one
 * only in the delta.
 */
export class FrameBuffer {
  /** The number of waiting bytes; a lower bound while deltas have not crossed. */
  waiting = 0;
  /** True if the run has not ended. */
  isRunning = true;
  readonly #run: RunFunction;
  /** The entity of the last delta that core has accepted. */
  #open = -1;
  /** The deltas that have not crossed. */
  #text = '';
  #count = 0;
  /** The number of these deltas, then the length of each. */
  readonly #lengths = new Uint32Array(1 + MOST);
  /** True if no frames wait in core. */
  #isCoreEmpty = false;
  /** The text that core puts around a delta. */
  #around: Around | undefined;
  /** True if a chunk was composed here since the last check for silence. */
  #hasComposed = false;

  constructor(run: RunFunction) {
    this.#run = run;
  }

  /** Calls core for anything but a delta. Updates `isRunning`. */
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

  /** Calls core for a write, and updates `waiting`. Returns the description of an error if core refuses it. */
  tell(call: RunCall, about?: number | string | boolean, text?: string | boolean): string | undefined {
    const answer = this.ask(call, about, text);
    if (typeof answer === 'string') return answer;
    this.waiting = answer;
    return undefined;
  }

  /** Writes an event of an activity; see `RunCall`. Returns the client's content after it, or the description of an error. */
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

  /** Checks for silence. Returns the action that is due. */
  look(now: number, isBehind: boolean): Beat {
    this.#cross();
    const beat = this.#run(RunCall.CheckSilence, now, isBehind, this.#hasComposed) as Beat;
    this.#hasComposed = false;
    // Core may have written a comment.
    this.#isCoreEmpty = false;
    this.count();
    return beat;
  }

  /**
   * Appends to an open entity. With `later`, the delta may cross when it is sent. Returns the description of an error if core
   * refuses it.
   */
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

  /** Takes the waiting frames. */
  bytes(allocate: (length: number) => Uint8Array = (length) => new Uint8Array(length)): Uint8Array {
    this.#cross();
    const bytes = allocate(this.waiting);
    // If the counts differ, part of the memory was not written: it must not be sent.
    if (this.#run(RunCall.Take, bytes) !== this.waiting) throw describedError('internal', 'the count of waiting bytes is wrong');
    this.waiting = 0;
    this.#isCoreEmpty = true;
    return bytes;
  }

  /** Takes the waiting frames as a chunk of HTTP/1.1, with one character for each byte: Node sends small strings faster than bytes. */
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

  /** Decides if a state with this number of values is compared; see `RunCall`. Waiting deltas do not change the answer. */
  stateDue(values?: number): number | string {
    return this.#run(RunCall.StateDue, values);
  }

  /** Updates the number of waiting bytes. */
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

  /** Makes the chunk of the only delta that has not crossed. */
  #compose({ before, behind, length }: Around, delta: string): string {
    this.#hasComposed = true;
    this.#text = '';
    this.#count = 0;
    this.waiting = 0;
    return hexadecimal(length + delta.length) + before + delta + behind;
  }

  /** Passes the batched deltas to core. */
  #hand(call: RunCall.Write | RunCall.Chunk): number | string {
    const text = this.#text;
    const lengths = this.#count === 1 ? undefined : this.#lengths;
    this.#lengths[0] = this.#count;
    this.#text = '';
    this.#count = 0;
    return this.#run(call, this.#open, text, lengths);
  }
}

/** Finds the text around the delta in a chunk of one frame. Undefined on the binary transport. */
function aroundOf(delta: string, chunk: string): Around | undefined {
  const [begin, end] = [chunk.indexOf('\r\n'), chunk.length - 2];
  // Quotes inside a string are escaped, so only the member itself matches.
  const at = chunk.startsWith('data: ', begin + 2) ? chunk.indexOf(`"delta":"${delta}"`) : -1;
  if (at < 0) return undefined;
  const place = at + '"delta":"'.length;
  const behind = chunk.slice(place + delta.length);
  return { before: chunk.slice(begin, place), behind, length: end - begin - 2 - delta.length };
}

/** True if every character is written unescaped, as one byte. */
function isPlain(text: string): boolean {
  // Faster than one regular expression for all three checks.
  return !OTHER.test(text) && !text.includes('"') && !text.includes('\\');
}

const HEXADECIMAL: string[] = [];

/** The length of a chunk as HTTP writes it: hexadecimal. */
function hexadecimal(length: number): string {
  return length < 1024 ? (HEXADECIMAL[length] ??= length.toString(16)) : length.toString(16);
}

import { describedError } from '../errors/errors.cjs';
import { type Beat, RunCall } from '../generated/border.cjs';
import type { RunFunction } from '../native/native.cjs';

/** The maximum number of deltas that cross together, and the maximum length of each. */
const MOST = 64;
const LONGEST = 1024;

const OBJECT = '{'.charCodeAt(0);

/**
 * The frames of a run, which core makes. Consecutive deltas of one entity are batched: they cross together when they are sent, or
 * before the next other call.
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

  constructor(run: RunFunction) {
    this.#run = run;
  }

  /** Calls core for anything but a delta. Updates `isRunning`. */
  ask(call: RunCall, about?: number | string | boolean, text?: string | boolean, more?: string): number | string {
    this.#cross();
    this.#open = -1;
    const answer = this.#run(call, about, text, more);
    if (typeof answer === 'string' || answer >= 0) return answer;
    this.isRunning = false;
    return -1 - answer;
  }

  /** Calls core for a write, and updates `waiting`. Returns the description of an error if core refuses it. */
  call(call: RunCall, about?: number | string | boolean, text?: string | boolean): string | undefined {
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
    const conclusion = this.ask(RunCall.Conclude, about, text);
    this.isRunning = false;
    this.count();
    return conclusion;
  }

  /** Checks for silence. Returns the action that is due. */
  checkSilence(now: number, isBehind: boolean): Beat {
    this.#cross();
    const beat = this.#run(RunCall.CheckSilence, now, isBehind) as Beat;
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
    const refused = this.call(RunCall.Write, entity, delta);
    if (refused === undefined) this.#open = entity;
    return refused;
  }

  /** Takes the waiting frames. */
  bytes(allocate: (length: number) => Uint8Array = (length) => new Uint8Array(length)): Uint8Array {
    this.#cross();
    const bytes = allocate(this.waiting);
    // If the counts differ, part of the memory was not written: it must not be sent.
    if (this.#run(RunCall.Take, bytes) !== this.waiting) throw describedError('internal', 'core has another number of waiting bytes');
    this.waiting = 0;
    return bytes;
  }

  /** Takes the waiting frames as a chunk of HTTP/1.1, with one character for each byte: Node sends small strings faster than bytes. */
  chunk(): string {
    const answer = this.#count === 0 ? this.#run(RunCall.Chunk) : this.#hand(RunCall.Chunk);
    if (typeof answer === 'number' || answer.charCodeAt(0) === OBJECT) throw describedError('internal', 'the waiting frames: expected a chunk from core, got none');
    this.waiting = 0;
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
    if (typeof answer !== 'number') throw describedError('internal', 'core refused deltas of a message that it had accepted');
    this.waiting = answer;
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

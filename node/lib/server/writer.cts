import { jsonOf } from '../json/encode.cjs';
import { describedError, errorFrom } from '../errors/errors.cjs';
import { type EndCause, RunCall, STATE_UNSENT } from '../generated/border.cjs';
import type { RunFinishedOutcome } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import type { FrameBuffer } from './frame_buffer.cjs';
import type { Outlet } from './outlet.cjs';

/** An event that is written. */
export type Written = { type: string } & Record<string, unknown>;

/** The end of a run or a subagent, as members of the event that ends a run so. */
export type Ending = { result?: unknown; outcome?: RunFinishedOutcome } | { message: string; code?: string | undefined };

/** The error of a state that could not be sent. */
export interface Unsent {
  error: unknown;
}

/** The calls by which an agent writes to its run. */
export type Writer = Pick<RunWriter, 'isRunning' | 'write' | 'send' | 'sendText' | 'show' | 'open' | 'openReasoning' | 'end' | 'endAs' | 'endFailed' | 'endRun' | 'addUsage'>;

/** Writes the events of a run. Core checks them, and makes the frames. The end of the run ends the response. */
export class RunWriter {
  readonly #frames: FrameBuffer;
  readonly #outlet: Outlet;
  readonly #most: number;

  /** @param most the maximum number of waiting bytes */
  constructor(frames: FrameBuffer, outlet: Outlet, most: number) {
    this.#frames = frames;
    this.#outlet = outlet;
    this.#most = most;
  }

  /** Appends to a message, or to the arguments of a tool call. */
  write(entity: number, delta: string): void {
    if (typeof delta !== 'string') throw wrongKind('delta', 'a string', delta);
    if (!isWellFormed(delta)) throw describedError('lone_surrogate');
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    const refused = this.#frames.write(entity, delta, this.#outlet.isTaking);
    if (refused !== undefined) throw this.#refusal(refused);
    this.#outlet.wake();
  }

  /** Sends an event. `tag` is the id of the subagent that it belongs to. */
  send(event: unknown, tag?: string): void {
    // Getters of the caller's object may write too, so it is converted first.
    this.sendText(jsonOf(event), tag);
  }

  /** Sends an event that is JSON text. */
  sendText(event: string, tag?: string): void {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    this.#did(this.#frames.call(RunCall.Send, tag, event));
  }

  /**
   * Sends an event of an activity, as JSON text. `known` is the client's content of it. For an update, only the changes are sent.
   * Returns the client's content after it.
   */
  show(event: string, isUpdate: boolean, known: string | undefined, tag?: string): string | undefined {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    const answer = this.#frames.show(event, isUpdate, known, tag);
    if (!answer.startsWith('=')) throw this.#refusal(answer);
    this.#outlet.wake();
    return answer.slice(1) || undefined;
  }

  /** Sends an event of the state, as JSON text. It is placed before the waiting frames of the last call. */
  sendBeforeCall(event: string): void {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    this.#did(this.#frames.call(RunCall.State, undefined, event));
  }

  /** Runs several writes as one call of the agent. */
  asOneCall<R>(work: () => R): R {
    this.#frames.call(RunCall.OneCall, true);
    try {
      return work();
    } finally {
      this.#frames.call(RunCall.OneCall, false);
    }
  }

  /**
   * Decides if a state with this number of values is compared at this await. The first time that it is not, an error with the
   * warning is returned.
   */
  stateDue(values: number): 'always' | 'now' | 'later' | Error {
    const answer = this.#frames.stateDue(values);
    return typeof answer === 'string' ? errorFrom(answer) : (['later', 'now', 'always'] as const)[answer]!;
  }

  /** Called when the state is being compared. */
  stateCompared(): void {
    this.#frames.stateDue();
  }

  /** Opens an entity by its start event, and returns its number. */
  open(event: Written, tag?: string): number {
    const text = jsonOf(event);
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    return this.#opened(this.#frames.ask(RunCall.Open, tag, text));
  }

  /** Opens a reasoning span and its message. */
  openReasoning(id: string, tag?: string): number {
    if (typeof id !== 'string') throw wrongKind('id', 'a string', id);
    if (!isWellFormed(id)) throw describedError('lone_surrogate');
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    return this.#opened(this.#frames.ask(RunCall.OpenReasoning, tag, id));
  }

  /** Closes an entity, if it is still open. */
  end(entity: number): void {
    this.#did(this.#frames.call(RunCall.End, entity));
  }

  /** Closes a subagent, by `ending`. */
  endAs(entity: number, ending: Ending): void {
    const text = endingText(ending);
    this.#did(this.#frames.call(RunCall.EndAs, entity, text));
  }

  /** Closes a subagent whose agent has failed with this text. */
  endFailed(entity: number, text: string | undefined): void {
    this.#did(this.#frames.call(RunCall.EndFailed, entity, text));
  }

  /**
   * Closes open entities, and ends the run by this event; see `RunCall`. If the end needs the state, it throws the error of
   * `unsent`.
   */
  endRun(ending: string, about: number, unsent?: Unsent): void {
    const refused = this.#frames.call(RunCall.EndRun, unsent === undefined ? about : about | STATE_UNSENT, ending);
    if (refused === 'unsent') throw unsent!.error;
    this.#did(refused);
  }

  /**
   * Fixes the cause of the run's end, before the agent is told to stop: the agent cannot change it any more. Returns the time that
   * the client has to read the end; 0 means no limit.
   */
  decide(cause: EndCause): number {
    return this.#frames.ask(RunCall.Decide, cause) as number;
  }

  /** True if the state is sent before the end, or with `atAwait` at awaits. */
  wantsState(atAwait: boolean): boolean {
    return this.#frames.ask(RunCall.WantsState, atAwait) === 1;
  }

  /** Ends the run, unless it has ended; see `RunCall`. */
  conclude(about: number, text: string | undefined): number | string {
    const conclusion = this.#frames.conclude(about, text);
    this.#outlet.end();
    return conclusion;
  }

  /** Sends an event of the state before the end of the run, as JSON text. It ignores the limit of waiting bytes. */
  sendAtEnd(event: string): void {
    this.#did(this.#frames.call(RunCall.Send, undefined, event));
  }

  addUsage(entries: unknown): void {
    const text = stringify(entries) ?? 'null';
    this.#did(this.#frames.call(RunCall.AddUsage, undefined, text));
  }

  start(echo: boolean): void {
    this.#did(this.#frames.call(RunCall.Start, echo));
  }

  /** True if the run has not ended. */
  get isRunning(): boolean {
    return this.#frames.isRunning;
  }

  #did(refused: string | undefined): void {
    if (refused !== undefined) throw this.#refusal(refused);
    if (this.#frames.isRunning) this.#outlet.wake();
    else this.#outlet.end();
  }

  #opened(answer: number | string): number {
    if (typeof answer === 'string') throw this.#refusal(answer);
    this.#count();
    return answer;
  }

  /** The error of a refusal. The refused call may have closed entities before. */
  #refusal(answer: string): Error {
    this.#count();
    return errorFrom(answer);
  }

  #count(): void {
    this.#frames.count();
    this.#outlet.wake();
  }

  /** Sends the waiting frames. If too many bytes are waiting after that, the run ends, and the error is thrown. */
  #makeRoom(): void {
    this.#outlet.push();
    if (this.#frames.waiting < this.#most || !this.isRunning) return;
    this.#did(this.#frames.call(RunCall.CheckRoom, this.#most));
    if (this.isRunning) return;
    throw Object.assign(describedError('client_too_slow', `more than ${this.#most} bytes`), { limit: 'maxWaiting' });
  }
}

/** The event that ends a run by `ending`, as JSON text. */
export function endingText(ending: Ending): string {
  if ('message' in ending) return jsonOf({ type: 'RUN_ERROR', ...ending });
  // A function without a result returns undefined or null.
  const { result, outcome } = ending as { result?: unknown; outcome?: RunFinishedOutcome };
  return jsonOf({ type: 'RUN_FINISHED', threadId: '', runId: '', result: result ?? undefined, outcome });
}

function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

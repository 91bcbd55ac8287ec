import { jsonOf } from '../json/encode.cjs';
import { describedError, errorFrom } from '../errors/errors.cjs';
import { type EndCause, RunCall, STATE_UNSENT } from '../generated/border.cjs';
import type { RunFinishedOutcome } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import type { Frames } from './frames.cjs';
import type { Outlet } from './outlet.cjs';

/** An event that is written. */
export type Written = { type: string } & Record<string, unknown>;

/** The end of a run or a subagent, as members of the event that would end a run so. */
export type Ending = { result?: unknown; outcome?: RunFinishedOutcome } | { message: string; code?: string | undefined };

/** Why the state could not be sent. */
export interface Unsent {
  error: unknown;
}

/** The calls by which an agent writes to its run. */
export type Writer = Pick<RunWriter, 'isRunning' | 'write' | 'send' | 'sendText' | 'show' | 'open' | 'openReasoning' | 'end' | 'endAs' | 'endFailed' | 'endRun' | 'addUsage'>;

/** Writes the events of a run. Core says what may come, and makes the frames. Whatever ends the run ends the answer. */
export class RunWriter {
  readonly #frames: Frames;
  readonly #outlet: Outlet;
  readonly #most: number;

  /** @param most the most bytes that may wait */
  constructor(frames: Frames, outlet: Outlet, most: number) {
    this.#frames = frames;
    this.#outlet = outlet;
    this.#most = most;
  }

  /** Appends to a message or to the arguments of a call. */
  write(entity: number, delta: string): void {
    if (typeof delta !== 'string') throw wrongKind('delta', 'a string', delta);
    if (!isWellFormed(delta)) throw describedError('lone_surrogate');
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    const refused = this.#frames.write(entity, delta, this.#outlet.isTaking);
    if (refused !== undefined) throw this.#refusal(refused);
    this.#outlet.wake();
  }

  /** Sends an event, of the subagent `tag` if that is given. */
  send(event: unknown, tag?: string): void {
    // Getters of the caller's may write, too.
    this.sendText(jsonOf(event), tag);
  }

  /** Sends an event that is JSON text. */
  sendText(event: string, tag?: string): void {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    this.#did(this.#frames.tell(RunCall.Send, tag, event));
  }

  /** Sends an event, JSON text, of an activity of which the client has what is `known`; of an update, what has changed. What the client has then. */
  show(event: string, isUpdate: boolean, known: string | undefined, tag?: string): string | undefined {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    const answer = this.#frames.show(event, isUpdate, known, tag);
    if (!answer.startsWith('=')) throw this.#refusal(answer);
    this.#outlet.wake();
    return answer.slice(1) || undefined;
  }

  /** Sends an event of the state, JSON text, before what the last call has written, as far as that waits still. */
  sendBeforeCall(event: string): void {
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    this.#did(this.#frames.tell(RunCall.State, undefined, event));
  }

  /** Does what is one call of the agent's. */
  asOneCall<R>(work: () => R): R {
    this.#frames.tell(RunCall.OneCall, true);
    try {
      return work();
    } finally {
      this.#frames.tell(RunCall.OneCall, false);
    }
  }

  /** Asks whether a state of so many values is to be compared at this await; or a warning, the first time that it is not. */
  stateDue(values: number): 'always' | 'now' | 'later' | Error {
    const answer = this.#frames.stateDue(values);
    return typeof answer === 'string' ? errorFrom(answer) : (['later', 'now', 'always'] as const)[answer]!;
  }

  /** The state is being compared. */
  stateCompared(): void {
    this.#frames.stateDue();
  }

  /** Opens something by the event that starts it. */
  open(event: Written, tag?: string): number {
    const text = jsonOf(event);
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    return this.#opened(this.#frames.ask(RunCall.Open, tag, text));
  }

  /** Opens a span of reasoning and its message. */
  openReasoning(id: string, tag?: string): number {
    if (typeof id !== 'string') throw wrongKind('id', 'a string', id);
    if (!isWellFormed(id)) throw describedError('lone_surrogate');
    if (this.#frames.waiting >= this.#most) this.#makeRoom();
    return this.#opened(this.#frames.ask(RunCall.OpenReasoning, tag, id));
  }

  /** Closes something, if it is open still. */
  end(entity: number): void {
    this.#did(this.#frames.tell(RunCall.End, entity));
  }

  /** Closes a subagent, which has ended as `ending` says. */
  endAs(entity: number, ending: Ending): void {
    const text = endingText(ending);
    this.#did(this.#frames.tell(RunCall.EndAs, entity, text));
  }

  /** Closes a subagent whose agent has failed with this text. */
  endFailed(entity: number, text: string | undefined): void {
    this.#did(this.#frames.tell(RunCall.EndFailed, entity, text));
  }

  /** Closes what is open, and ends the run by this event, see `RunCall`; throws why the state could not be sent before, if the end needs it. */
  endRun(ending: string, about: number, unsent?: Unsent): void {
    const refused = this.#frames.tell(RunCall.EndRun, unsent === undefined ? about : about | STATE_UNSENT, ending);
    if (refused === 'unsent') throw unsent!.error;
    this.#did(refused);
  }

  /** Notes why the run is going to end, before its agent is told to stop: it ends so, whatever that does then. How long the client has to read it; 0 for any time. */
  decide(cause: EndCause): number {
    return this.#frames.ask(RunCall.Decide, cause) as number;
  }

  /** True if the state is to be sent before the end, or where something is awaited. */
  wantsState(atAwait: boolean): boolean {
    return this.#frames.ask(RunCall.StateWanted, atAwait) === 1;
  }

  /** Ends the run, unless it has ended; see `RunCall`. */
  conclude(about: number, text: string | undefined): number | string {
    const told = this.#frames.conclude(about, text);
    this.#outlet.end();
    return told;
  }

  /** Sends an event of the state, JSON text, before the end of the run: however much waits. */
  sendAtEnd(event: string): void {
    this.#did(this.#frames.tell(RunCall.Send, undefined, event));
  }

  addUsage(entries: unknown): void {
    const text = stringify(entries) ?? 'null';
    this.#did(this.#frames.tell(RunCall.AddUsage, undefined, text));
  }

  start(echo: boolean): void {
    this.#did(this.#frames.tell(RunCall.Start, echo));
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
    this.#look();
    return answer;
  }

  /** The error of a refusal. The refused call may have closed entities before. */
  #refusal(answer: string): Error {
    this.#look();
    return errorFrom(answer);
  }

  #look(): void {
    this.#frames.count();
    this.#outlet.wake();
  }

  /** Sends what waits, or refuses to have more wait: that ends the run, whatever becomes of the error. */
  #makeRoom(): void {
    this.#outlet.push();
    if (this.#frames.waiting < this.#most || !this.isRunning) return;
    this.#did(this.#frames.tell(RunCall.CheckRoom, this.#most));
    if (this.isRunning) return;
    throw Object.assign(describedError('client_too_slow', `more than ${this.#most} bytes`), { limit: 'maxWaiting' });
  }
}

/** The event by which a run would end so. */
export function endingText(ending: Ending): string {
  if ('message' in ending) return jsonOf({ type: 'RUN_ERROR', ...ending });
  // A function without a result returns undefined or null.
  const { result, outcome } = ending as { result?: unknown; outcome?: RunFinishedOutcome };
  return jsonOf({ type: 'RUN_FINISHED', threadId: '', runId: '', result: result ?? undefined, outcome });
}

function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

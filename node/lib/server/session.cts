import { jsonOf } from '../json/encode.cjs';
import { errorFrom } from '../errors/errors.cjs';
import { AS_IT_IS, EndCause, IS_FORCED, STATE_UNSENT, TELLS_UNSENT } from '../generated/border.cjs';
import type { RunAgentInput, State, StateDeltaEvent, StateSnapshotEvent } from '../generated/types.cjs';
import { getDefaultGenerator, type IdGenerator } from '../types/ids.cjs';
import type { RunFunction } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import { decodeEvent } from '../stream.cjs';
import { later } from '../runtime/timers.cjs';
import { messageOf, report } from '../errors/failure.cjs';
import { FrameBuffer } from './frame_buffer.cjs';
import { type LateWriter, lateWriter } from './late_writer.cjs';
import type { ServerSettings } from './options.cjs';
import { Outlet, type Sink } from './outlet.cjs';
import { RunState } from './run_state.cjs';
import { type Ending, endingText, RunWriter, type Unsent, type Writer } from './writer.cjs';

/** A run from its first event to its last: the data that its writers share. */
export class Session {
  readonly input: RunAgentInput;
  readonly warnings: Warning[];
  readonly settings: ServerSettings;
  /** The writer of events. It is a `LateWriter` after the agent has returned, or after the run was ended for it. */
  writer: Writer;
  readonly outlet: Outlet;
  readonly state: RunState;
  readonly ids: IdGenerator;
  /** The awaitable that every writing call returns. */
  readonly sent: PromiseLike<void>;
  readonly #begun: RunWriter;
  /** Reports writes after the agent has returned. */
  #late: LateWriter | undefined;
  readonly #aborting = new AbortController();
  #isAborted = false;
  #isGone = false;
  /** A state of up to this number of values is compared at every await. */
  #small = -1;
  #sentAtAwaits: boolean | undefined;
  /** The number of flushes in a row that did not wait. */
  #flushes = 0;

  constructor(run: RunFunction, sink: Sink, { input, warnings }: { input: RunAgentInput; warnings: Warning[] }, settings: ServerSettings) {
    this.input = input;
    this.warnings = warnings;
    this.settings = settings;
    this.ids = settings.ids ?? getDefaultGenerator();
    const frames = new FrameBuffer(run);
    this.outlet = new Outlet(frames, sink, (error) => this.disconnect(error));
    this.writer = this.#begun = new RunWriter(frames, this.outlet, settings.maxWaiting);
    this.state = new RunState(input.state, settings.limits);
    this.sent = new Sent(() => this.#wait());
  }

  start(): void {
    this.#begun.start(this.settings.echoInput === true);
  }

  /** Aborted when the agent must stop. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  send(event: unknown, tag: string | undefined): PromiseLike<void> {
    this.writer.send(event, tag);
    return this.sent;
  }

  /** Sends an event of any type. Events of the state change it, and events that end a run end it. */
  sendAny(event: { readonly type?: unknown }, tag: string | undefined): PromiseLike<void> {
    const type = this.#late === undefined ? event?.type : undefined;
    if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') return this.#end(jsonOf(event), AS_IT_IS);
    if (type !== 'STATE_SNAPSHOT' && type !== 'STATE_DELTA') return this.send(event, tag);
    const text = jsonOf(event);
    const made = decodeEvent(text, { profile: 'strict', limits: this.settings.limits }) as StateDeltaEvent | StateSnapshotEvent;
    if (made.type === 'STATE_DELTA' && this.#isDue()) this.flushState();
    this.state.send(made, () => this.writer.sendText(text, tag), () => this.flushState());
    return this.sent;
  }

  /** Sends the state, if the client does not have it. */
  flushState(): void {
    if (this.#late !== undefined) return this.#late.refuse();
    this.#flush((event) => this.writer.sendText(event));
  }

  /** Compares the state with the client's, and calls `send` with the event that brings the client to it. */
  #flush(send: (event: string) => void): void {
    if (this.state.values > this.#small) this.#begun.stateCompared();
    this.state.flush(send);
  }

  /** True if the state is sent at awaits. */
  get #isSentAtAwaits(): boolean {
    return (this.#sentAtAwaits ??= this.#begun.wantsState(true));
  }

  /** Sends the state at an await, if it is due. The event is placed before the frames of the last call. */
  #flushAtAwait(): void {
    if (this.#isDue()) this.#flush((event) => this.#begun.sendBeforeCall(event));
  }

  /** True if the state must be compared at this await. */
  #isDue(): boolean {
    const { values } = this.state;
    if (values <= this.#small) return true;
    const due = this.#begun.stateDue(values);
    if (due === 'always') this.#small = values;
    if (due instanceof Error) report(this.settings, due);
    return due === 'always' || due === 'now';
  }

  /** Runs several writes as one call of the agent: the event of a changed state is placed before all of them. */
  asOneCall<R>(work: () => R): R {
    return this.state.isTracked && this.writer === this.#begun ? this.#begun.asOneCall(work) : work();
  }

  /** Sends the whole state. */
  snapshotState(): void {
    if (this.#late !== undefined) return this.#late.refuse();
    this.state.snapshot((event) => this.writer.sendText(event));
  }

  setState(state: State): void {
    if (this.#late !== undefined) return this.#late.refuse();
    this.state.current = state;
  }

  /** Ends the run, after sending the state. */
  end(ending: Ending): PromiseLike<void> {
    return this.#end(endingText(ending), 0);
  }

  /** Ends the run by this event, after sending the state; see `RunCall`. */
  #end(event: string, about: number): PromiseLike<void> {
    const unsent = this.#flushAtEnd();
    this.writer.endRun(event, about, unsent);
    if (unsent !== undefined) report(this.settings, unsent.error);
    return this.sent;
  }

  /** Sends the state before the end, if that is wanted. Returns the error if it could not be sent. */
  #flushAtEnd(): Unsent | undefined {
    if (!this.state.isTracked || !this.writer.isRunning || !this.#begun.wantsState(false)) return undefined;
    try {
      this.#flush((event) => this.#begun.sendAtEnd(event));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Called when the agent has returned. */
  returned(result: unknown): void {
    // A function without a result returns undefined or null.
    const isNothing = result === undefined || result === null;
    let text: string | undefined;
    try {
      // If the run has ended, the result is lost: only its presence is reported.
      text = isNothing ? undefined : this.#begun.isRunning ? endingText({ result }) : '';
    } catch (error) {
      return this.raised(error);
    }
    this.#conclude(EndCause.Returned, text);
  }

  /** Called when the agent has failed. */
  raised(error: unknown): void {
    report(this.settings, error);
    this.#conclude(EndCause.Raised, messageOf(error));
  }

  /** Called when an agent that was told to stop has ended, or is no longer awaited. */
  over(cause: EndCause): void {
    this.#conclude(cause);
  }

  /** Ends the run, unless it has ended. Core decides how. */
  #conclude(cause: EndCause, text?: string): void {
    const { settings } = this;
    const unsent = this.#flushAtEnd();
    const about = unsent === undefined ? cause : cause | STATE_UNSENT;
    const conclusion = this.#begun.conclude(about, unsent !== undefined && cause === EndCause.Returned ? messageOf(unsent.error) : text);
    if (typeof conclusion === 'string') return report(settings, errorFrom(conclusion));
    if (conclusion & TELLS_UNSENT) report(settings, unsent!.error);
    // The agent may still write, in a timer for example: those writes are dropped.
    if (conclusion & IS_FORCED) this.writer = lateWriter(this.#begun, () => undefined);
  }

  /** Called when the agent has ended. It cannot catch errors of later writes, so they are reported. */
  leave(): void {
    this.writer = this.#late = lateWriter(this.#begun, (error) => report(this.settings, error));
  }

  /** Tells the agent to stop. In the next turn the run ends. */
  stop(cause: EndCause, reason: unknown): void {
    const grace = this.#begun.decide(cause);
    // Scheduled before the listeners of the abort run.
    later(() => this.over(cause));
    if (grace > 0) this.outlet.cutAfter(grace);
    if (this.#late === undefined) this.#abort(reason);
  }

  #abort(reason: unknown): void {
    this.#isAborted = true;
    this.#aborting.abort(reason);
    // Callers no longer wait for the client. The reason is read from the signal: without one, the signal makes it, and only the
    // first one counts.
    this.outlet.release(this.signal.reason);
  }

  /** Called when the client has disconnected: later writes are checked and dropped. */
  disconnect(reason: unknown = new DOMException('The client disconnected.', 'AbortError')): void {
    if (this.#isGone || this.outlet.isOver) return;
    this.#isGone = true;
    forgetFrames(reason);
    this.#abort(reason);
    this.outlet.drop(this.signal.reason);
  }

  /** Sends the waiting frames. Returns true if the caller need not wait for the client. */
  #send(): boolean {
    if (this.#isAborted || this.#late !== undefined) return false;
    if (this.state.isTracked && this.writer.isRunning && this.#isSentAtAwaits) this.#flushAtAwait();
    this.outlet.push();
    return this.outlet.isTaking && ++this.#flushes < TURN;
  }

  /** Sends the waiting frames. The promise waits for the client. */
  #wait(): Promise<void> {
    try {
      if (this.#send()) return DONE;
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.#late !== undefined) return new Promise((resolve) => later(resolve));
    if (this.#isAborted) return Promise.reject(this.signal.reason);
    const flushed = this.outlet.flush();
    if (flushed !== undefined) return flushed;
    this.#flushes = 0;
    return new Promise((resolve) => later(resolve));
  }
}

/** Reads the stack of an error: until it is read, V8 keeps the objects on the stack alive, such as a response. */
function forgetFrames(reason: unknown): void {
  try {
    void (reason as Error).stack;
  } catch {
    // A stream may be cancelled with any value as the reason.
  }
}

/** After this number of flushes that did not wait, the event loop gets a turn: otherwise it could not notice a disconnect. */
const TURN = 64;

const DONE = Promise.resolve();

/** The awaitable that writes return: one promise for a whole run. Each `await` sends the waiting frames, and waits for the client. */
class Sent extends Promise<void> {
  readonly #wait: () => Promise<void>;

  constructor(wait: () => Promise<void>) {
    super((done) => done());
    this.#wait = wait;
  }

  /** The class of the promise that `finally` returns. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<Done = void, Failed = never>(
    done?: ((value: void) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#wait().then(done, failed);
  }
}

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
import { Frames } from './frames.cjs';
import { type LateWriter, lateWriter } from './late.cjs';
import type { Settings } from './options.cjs';
import { Outlet, type Transport } from './outlet.cjs';
import { RunState } from './run_state.cjs';
import { type Ending, endingText, RunWriter, type Unsent, type Writer } from './writer.cjs';

/** A run from its first event to its last: what the writers of a run share. */
export class Session {
  readonly input: RunAgentInput;
  readonly warnings: Warning[];
  readonly settings: Settings;
  /** The writer of events: a `LateWriter` once the agent has returned or its run was ended for it. */
  writer: Writer;
  readonly outlet: Outlet;
  readonly state: RunState;
  readonly ids: IdGenerator;
  /** The awaitable that every writing call returns. */
  readonly sent: PromiseLike<void>;
  readonly #begun: RunWriter;
  /** Told of what is written when the agent has returned. */
  #late: LateWriter | undefined;
  readonly #aborting = new AbortController();
  #isAborted = false;
  #isGone = false;
  /** A state of so many values is compared at every await. */
  #small = -1;
  #sentAtAwaits: boolean | undefined;
  /** The count of flushes in a row that did not wait. */
  #flushes = 0;

  constructor(run: RunFunction, transport: Transport, { input, warnings }: { input: RunAgentInput; warnings: Warning[] }, settings: Settings) {
    this.input = input;
    this.warnings = warnings;
    this.settings = settings;
    this.ids = settings.ids ?? getDefaultGenerator();
    const frames = new Frames(run);
    this.outlet = new Outlet(frames, transport, (error) => this.disconnect(error));
    this.writer = this.#begun = new RunWriter(frames, this.outlet, settings.maxWaiting);
    this.state = new RunState(input.state, settings.limits);
    this.sent = new Sent(() => this.#send(), () => this.#wait());
  }

  start(): void {
    this.#begun.start(this.settings.echoInput === true);
  }

  /** Aborted when the agent is to stop. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  send(event: unknown, tag: string | undefined): PromiseLike<void> {
    this.writer.send(event, tag);
    return this.sent;
  }

  /** Sends an event of any type. Events of the state change it, and those that end a run end it. */
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

  /** Brings the client to the state. */
  flushState(): void {
    if (this.#late !== undefined) return this.#late.refuse();
    this.#flush((event) => this.writer.sendText(event));
  }

  /** Compares the state with the client's, and hands over the event that brings the client to it. */
  #flush(send: (event: string) => void): void {
    if (this.state.values > this.#small) this.#begun.stateCompared();
    this.state.flush(send);
  }

  /** True if the state is sent where something is awaited. */
  get #isSentAtAwaits(): boolean {
    return (this.#sentAtAwaits ??= this.#begun.wantsState(true));
  }

  /** Brings the client to the state at an await, if that is due. The event goes before what was written last. */
  #flushAtAwait(): void {
    if (this.#isDue()) this.#flush((event) => this.#begun.sendBeforeCall(event));
  }

  /** True if the state is to be compared. */
  #isDue(): boolean {
    const { values } = this.state;
    if (values <= this.#small) return true;
    const due = this.#begun.stateDue(values);
    if (due === 'always') this.#small = values;
    if (due instanceof Error) report(this.settings, due);
    return due === 'always' || due === 'now';
  }

  /** Does what writes several events and is one call of the agent's: a change of the state goes before all of them. */
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

  /** Ends the run; the state goes first. */
  end(ending: Ending): PromiseLike<void> {
    return this.#end(endingText(ending), 0);
  }

  /** Ends the run by this event; see `RunCall`. The state goes first. */
  #end(event: string, about: number): PromiseLike<void> {
    const unsent = this.#flushAtEnd();
    this.writer.endRun(event, about, unsent);
    if (unsent !== undefined) report(this.settings, unsent.error);
    return this.sent;
  }

  /** Sends the state before the end, if that is wanted. Why it could not be sent. */
  #flushAtEnd(): Unsent | undefined {
    if (!this.state.isTracked || !this.writer.isRunning || !this.#begun.wantsState(false)) return undefined;
    try {
      this.#flush((event) => this.#begun.sendAtEnd(event));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** The agent has returned. */
  returned(result: unknown): void {
    // A function without a result returns undefined or null.
    const isNothing = result === undefined || result === null;
    let text: string | undefined;
    try {
      // A run that has ended has no result: it only counts whether there is one.
      text = isNothing ? undefined : this.#begun.isRunning ? endingText({ result }) : '';
    } catch (error) {
      return this.raised(error);
    }
    this.#conclude(EndCause.Returned, text);
  }

  /** It has failed. */
  raised(error: unknown): void {
    report(this.settings, error);
    this.#conclude(EndCause.Raised, messageOf(error));
  }

  /** The agent was told to stop: it is done, or it is not waited for. */
  over(cause: EndCause): void {
    this.#conclude(cause);
  }

  /** Ends the run, unless it has ended. Core says how. */
  #conclude(cause: EndCause, text?: string): void {
    const { settings } = this;
    const unsent = this.#flushAtEnd();
    const about = unsent === undefined ? cause : cause | STATE_UNSENT;
    const told = this.#begun.conclude(about, unsent !== undefined && cause === EndCause.Returned ? messageOf(unsent.error) : text);
    if (typeof told === 'string') return report(settings, errorFrom(told));
    if (told & TELLS_UNSENT) report(settings, unsent!.error);
    // The agent has not ended it: what it writes still, in a timer maybe, is thrown away.
    if (told & IS_FORCED) this.writer = lateWriter(this.#begun, () => undefined);
  }

  /** The agent is done, so it cannot catch errors of later writes: they are reported. */
  leave(): void {
    this.writer = this.#late = lateWriter(this.#begun, (error) => report(this.settings, error));
  }

  /** Has the agent stop; in the next turn the run ends. */
  stop(cause: EndCause, reason: unknown): void {
    const grace = this.#begun.decide(cause);
    // Before the listeners of the abort run.
    later(() => this.over(cause));
    if (grace > 0) this.outlet.cutAfter(grace);
    if (this.#late === undefined) this.#abort(reason);
  }

  #abort(reason: unknown): void {
    this.#isAborted = true;
    this.#aborting.abort(reason);
    // Callers that wait for the client wait no longer. Without a reason there is one now, or it is that of the first time.
    this.outlet.release(this.signal.reason);
  }

  /** The client has gone: what is written from now on is judged and thrown away. */
  disconnect(reason: unknown = new DOMException('The client has gone.', 'AbortError')): void {
    if (this.#isGone || this.outlet.isOver) return;
    this.#isGone = true;
    forgetFrames(reason);
    this.#abort(reason);
    this.outlet.drop(this.signal.reason);
  }

  /** Sends what waits. True if the caller need not wait for the client. */
  #send(): boolean {
    if (this.#isAborted || this.#late !== undefined) return false;
    if (this.state.isTracked && this.writer.isRunning && this.#isSentAtAwaits) this.#flushAtAwait();
    this.outlet.push();
    return this.outlet.isTaking && ++this.#flushes < TURN;
  }

  /** Sends what waits. The promise waits for the client. */
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

/** Reads the stack of an error: until it is read, V8 keeps the objects on it, a response maybe. */
function forgetFrames(reason: unknown): void {
  try {
    void (reason as Error).stack;
  } catch {
    // A cancelled stream may give any value as the reason.
  }
}

/** After so many that need not wait others get a turn: of the event loop, which learns then that a client has gone. */
const TURN = 64;

const DONE = Promise.resolve();

/**
 * The awaitable that writes return: one promise for a whole run, which does nothing until it is awaited.
 *
 * `await` looks whether a promise is of the class that it knows, and then takes it as it is, which costs least. So that is where what
 * waits is sent; and only if the caller has to wait, the answer is no, and `then` is called.
 */
class Sent extends Promise<void> {
  readonly #send: () => boolean;
  readonly #wait: () => Promise<void>;

  constructor(send: () => boolean, wait: () => Promise<void>) {
    super((done) => done());
    this.#send = send;
    this.#wait = wait;
  }

  override then<Done = void, Failed = never>(
    done?: ((value: void) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#wait().then(done, failed);
  }

  static {
    Object.defineProperty(this.prototype, 'constructor', {
      get(this: Sent) {
        return this.#send() ? Promise : undefined;
      },
    });
  }
}

import { jsonOf } from '../encode.cjs';
import type { RunAgentInput, StateDeltaEvent, StateSnapshotEvent } from '../generated/types.cjs';
import { getDefaultGenerator, type IdGenerator } from '../ids.cjs';
import type { RunFunction } from '../native.cjs';
import type { Warning } from '../options.cjs';
import { decodeEvent } from '../stream.cjs';
import { later } from '../timers.cjs';
import { failure, report } from './failure.cjs';
import { Frames } from './frames.cjs';
import type { Settings } from './options.cjs';
import { Outlet, type Transport } from './outlet.cjs';
import { RunState } from './run_state.cjs';
import { type Ending, RunWriter } from './writer.cjs';

export const CANCELLED: Ending = { outcome: { type: 'cancelled' } };

/** A run from its first event to its last: what the writers of a run share. */
export class Session {
  readonly input: RunAgentInput;
  readonly warnings: Warning[];
  readonly settings: Settings;
  readonly writer: RunWriter;
  readonly outlet: Outlet;
  readonly state: RunState;
  readonly ids: IdGenerator;
  /** What every writing call answers. */
  readonly sent: PromiseLike<void>;
  readonly #aborting = new AbortController();
  #isAborted = false;
  #isGone = false;
  /** How the run ends whatever the agent does. */
  #forced: Ending | undefined;
  /** How many flushes did not have to wait. */
  #flushes = 0;

  constructor(run: RunFunction, transport: Transport, { input, warnings }: { input: RunAgentInput; warnings: Warning[] }, settings: Settings) {
    this.input = input;
    this.warnings = warnings;
    this.settings = settings;
    this.ids = settings.ids ?? getDefaultGenerator();
    const frames = new Frames(run);
    this.outlet = new Outlet(frames, transport, (error) => this.disconnect(error));
    this.writer = new RunWriter(frames, this.outlet, settings.maxWaiting);
    this.state = new RunState(input.state, settings.limits);
    this.sent = new Sent(() => this.#send(), () => this.#wait());
  }

  /** Aborted when the agent is to stop. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** The client has gone. */
  get isGone(): boolean {
    return this.#isGone;
  }

  send(event: unknown, tag: string | undefined): PromiseLike<void> {
    this.writer.send(event, tag);
    return this.sent;
  }

  /** The same of any event: the agent may make those of the state itself. */
  sendAny(event: { readonly type?: unknown }, tag: string | undefined): PromiseLike<void> {
    const type = event?.type;
    if (type !== 'STATE_SNAPSHOT' && type !== 'STATE_DELTA') return this.send(event, tag);
    const text = jsonOf(event);
    const made = decodeEvent(text, { profile: 'strict', limits: this.settings.limits }) as StateDeltaEvent | StateSnapshotEvent;
    if (made.type === 'STATE_DELTA') this.flushState();
    this.state.send(made, () => this.writer.sendText(text, tag));
    return this.sent;
  }

  flushState(): void {
    this.state.flush((event) => this.writer.sendText(event));
  }

  /** Ends the run; the state goes first, unless that is left to the agent. */
  end(ending: Ending): void {
    if (this.settings.stateFlush !== 'manual' && this.writer.isRunning) this.flushState();
    this.writer.endRun(ending);
    this.outlet.end();
  }

  /** The same if it has not ended, and was not to end otherwise. If the state or the result cannot be sent, the agent has failed. */
  close(given: Ending): void {
    if (!this.writer.isRunning) return;
    const ending = this.#forced ?? given;
    try {
      this.end(ending);
    } catch (error) {
      report(this.settings, error);
      this.writer.endRun('result' in ending ? failure(error, this.settings) : ending);
      this.outlet.end();
    }
  }

  /** Has the agent stop; in the next turn the run ends. */
  stop(ending: Ending, reason: unknown): void {
    this.#forced ??= ending;
    // Before anybody does anything about the abort.
    later(() => this.close(ending));
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    this.#isAborted = true;
    this.#aborting.abort(reason);
    // Whoever waits for the client waits no longer. Without a reason there is one now, or it is that of the first time.
    this.outlet.release(this.signal.reason);
  }

  /** The client has gone: what is written from now on is judged and thrown away. */
  disconnect(reason: unknown = new DOMException('The client has gone.', 'AbortError')): void {
    if (this.#isGone || this.outlet.isOver) return;
    this.#isGone = true;
    forgetFrames(reason);
    this.#forced ??= CANCELLED;
    this.#abort(reason);
    this.outlet.drop(this.signal.reason);
  }

  /** Sends what waits. Whether there is nothing to wait for. */
  #send(): boolean {
    if (this.#isAborted) return false;
    if (this.state.isTracked && this.settings.stateFlush === 'await' && this.writer.isRunning) this.flushState();
    this.outlet.push();
    return this.outlet.isTaking && ++this.#flushes < TURN;
  }

  /** The same. The promise waits for the client. */
  #wait(): Promise<void> {
    try {
      if (this.#send()) return DONE;
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.#isAborted) return Promise.reject(this.signal.reason);
    const flushed = this.outlet.flush();
    if (flushed !== undefined) return flushed;
    this.#flushes = 0;
    return new Promise((resolve) => later(resolve));
  }
}

/** Has an error know its stack as text: until somebody asks for it, V8 keeps the objects on it, a response maybe. */
function forgetFrames(reason: unknown): void {
  try {
    void (reason as Error).stack;
  } catch {
    // Whoever cancels a stream says why, by anything.
  }
}

/** After so many that need not wait others get a turn: of the event loop, which learns then that a client has gone. */
const TURN = 64;

const DONE = Promise.resolve();

/**
 * What can be awaited after writing: a promise for a whole run, which does nothing until somebody does.
 *
 * `await` looks whether a promise is of the class that it knows, and then takes it as it is, which costs least. So that is where what
 * waits is sent; and only if somebody has to wait the answer is no, and `then` is asked.
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

import { Beat, RunCall } from '../generated/border.cjs';
import { after } from '../runtime/timers.cjs';
import type { FrameBuffer } from './frame_buffer.cjs';

/** The destination of a run's bytes. */
export interface Sink {
  /** Takes the waiting frames and sends them. Returns false if no more may be sent until `resume` is called. */
  send(frames: FrameBuffer): boolean;
  /** Sends a ping, if the sink has pings: the client must answer it. */
  ping?(): void;
  /** Ends the response. */
  end(): void;
  /** Closes the connection, unless the whole response has been sent. */
  cut(): void;
}

/** The number of sent bytes that a reader has not taken, from which on the agent waits. */
export const SEND_AHEAD = 16 * 1024;

/** Runs a function after the pending microtasks, and before anything else, so that the writes of one turn make one chunk. */
const soon: (work: () => void) => void =
  typeof process === 'object' && typeof process.nextTick === 'function' ? (work) => process.nextTick(work) : queueMicrotask;

const DONE = Promise.resolve();

/** The destination after the response has ended: it drops all frames. */
const NOWHERE: Sink = {
  send(frames) {
    frames.bytes();
    return true;
  },
  end() {},
  cut() {},
};

/** Sends the waiting frames of a run: in the next turn at the latest, as one chunk, and not while the sink is full. */
export class Outlet {
  readonly #frames: FrameBuffer;
  #sink: Sink;
  readonly #lost: (error: unknown) => void;
  #isArmed = false;
  #isFull = false;
  #isOver: 'no' | 'soon' | 'yes' = 'no';
  /** The reason for the client's disconnect. */
  #gone: { reason: unknown } | undefined;
  #drained: { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } | undefined;
  #beat: ReturnType<typeof after>;
  #over: (() => void) | undefined;

  /** @param lost called when the sink fails */
  constructor(frames: FrameBuffer, sink: Sink, lost: (error: unknown) => void) {
    this.#frames = frames;
    this.#sink = sink;
    this.#lost = lost;
  }

  /** Called after a write. */
  wake(): void {
    if (this.#isArmed || this.#isFull) return;
    this.#isArmed = true;
    void DONE.then(this.#checkLater);
  }

  /** If an awaiting writer has already sent the frames, the tick is skipped: it would cost more than this check. */
  readonly #checkLater = (): void => (this.#frames.waiting > 0 ? soon(this.#tick) : this.#tick());

  readonly #tick = (): void => {
    this.#isArmed = false;
    this.#send();
  };

  /** True if the sink accepts bytes. */
  get isTaking(): boolean {
    return !this.#isFull && this.#gone === undefined;
  }

  /** Sends the waiting frames now, if the sink accepts them. */
  push(): void {
    this.#send();
  }

  /**
   * Sends the waiting frames. Returns a promise if the caller must wait for the sink; it is rejected if the client has
   * disconnected. After the end of the run, callers do not wait.
   */
  flush(): Promise<void> | undefined {
    this.#send();
    if (this.#gone) return Promise.reject(this.#gone.reason);
    return this.#isFull && this.#isOver === 'no' ? (this.#drained ??= deferred()).promise : undefined;
  }

  /** Called when the sink accepts bytes again. */
  resume(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#send();
    if (!this.#isFull) this.#letGo();
  }

  #letGo(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /** Rejects the promises of callers that wait for the sink. */
  release(reason: unknown): void {
    this.#drained?.reject(reason);
    this.#drained = undefined;
  }

  /** True if the response has ended. */
  get isOver(): boolean {
    return this.#isOver === 'yes';
  }

  /** Sets a function to call when the response has ended. */
  whenOver(call: () => void): void {
    if (this.isOver) call();
    else this.#over = call;
  }

  /** Ends the response after the waiting frames. Callers no longer wait for the client. */
  end(): void {
    if (this.#isOver === 'no') this.#isOver = 'soon';
    this.#letGo();
    clearTimeout(this.#beat);
    if (!this.#isArmed) this.#send();
  }

  /** Closes the connection after this number of milliseconds, unless the whole response has been sent by then. */
  cutAfter(duration: number): void {
    const sink = this.#sink;
    const timer = after(duration, () => this.#leave(sink));
    // An open connection keeps the process running; the timer alone must not.
    timer?.unref?.();
  }

  /** Records that the client has disconnected. */
  drop(reason: unknown): void {
    if (this.#gone) return;
    this.#gone = { reason };
    this.#frames.call(RunCall.Drop);
    clearTimeout(this.#beat);
    this.release(reason);
    this.#finish();
  }

  /**
   * Starts to measure silence. After this number of milliseconds a ping is sent if the sink has pings, else a comment; 0 means
   * never.
   */
  keepAlive(pause: number): void {
    this.#frames.ask(RunCall.KeepAlive, Math.floor(pause * 1000), this.#sink.ping !== undefined);
    this.#lookLater(performance.now());
  }

  /** Called when the client has sent any message. */
  heard(): void {
    this.#frames.ask(RunCall.Heard);
  }

  /** Checks for silence at the next time that core gives. */
  #lookLater(begun: number): void {
    const next = this.#frames.ask(RunCall.NextCheck) as number;
    if (next === 0 || this.#gone !== undefined) return;
    this.#beat = after(next / 1000 - (performance.now() - begun), () => {
      const beat = this.#frames.checkSilence(Math.floor((performance.now() - begun) * 1000), !this.isTaking);
      if (beat === Beat.GiveUp) return this.#leave(this.#sink);
      if (beat === Beat.Ping) this.#sink.ping!();
      this.#send();
      this.#lookLater(begun);
    });
  }

  /** Closes the connection of a client that does not answer or does not read. */
  #leave(sink: Sink): void {
    sink.cut();
    this.#lost(undefined);
  }

  #send(): void {
    if (this.#isFull || this.#gone) return;
    if (this.#frames.waiting > 0) {
      try {
        this.#isFull = !this.#sink.send(this.#frames);
      } catch (error) {
        return this.#lost(error);
      }
    }
    if (this.#isOver === 'soon' && !this.#isFull) this.#finish();
  }

  #finish(): void {
    if (this.#isOver === 'yes') return;
    this.#isOver = 'yes';
    try {
      this.#sink.end();
    } catch {
      // The connection is closed already.
    }
    // The agent may keep the run for ever, but must not keep the connection.
    this.#sink = NOWHERE;
    this.#over?.();
    this.#over = undefined;
  }
}

function deferred() {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]));
  // Avoids an unhandled rejection if no caller is waiting any more.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

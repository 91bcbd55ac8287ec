import { Beat, RunCall } from '../generated/border.cjs';
import { after } from '../runtime/timers.cjs';
import type { Frames } from './frames.cjs';

/** The destination of a run's bytes. */
export interface Transport {
  /** Takes what waits and sends it. False if no more should come until `resume` is called. */
  send(frames: Frames): boolean;
  /** Asks whether the client is there, where silence is filled so. */
  ping?(): void;
  /** Ends the answer. */
  end(): void;
  /** Ends it where it stands, unless it has been taken to its end. */
  cut(): void;
}

/** After the microtasks that are due, before anything else: what is written in one turn makes one chunk. */
const soon: (work: () => void) => void =
  typeof process === 'object' && typeof process.nextTick === 'function' ? (work) => process.nextTick(work) : queueMicrotask;

const DONE = Promise.resolve();

/** The destination after the answer has ended: it drops everything. */
const NOWHERE: Transport = {
  send(frames) {
    frames.bytes();
    return true;
  },
  end() {},
  cut() {},
};

/** Sends what waits of a run: at the latest in the next turn, as one chunk, and not while the transport is full. */
export class Outlet {
  readonly #frames: Frames;
  #transport: Transport;
  readonly #lost: (error: unknown) => void;
  #isArmed = false;
  #isFull = false;
  #isOver: 'no' | 'soon' | 'yes' = 'no';
  /** The reason why the client has gone. */
  #gone: { reason: unknown } | undefined;
  #drained: { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } | undefined;
  #beat: ReturnType<typeof after>;
  #over: (() => void) | undefined;

  /** @param lost told when the transport fails */
  constructor(frames: Frames, transport: Transport, lost: (error: unknown) => void) {
    this.#frames = frames;
    this.#transport = transport;
    this.#lost = lost;
  }

  /** Something has been written. */
  wake(): void {
    if (this.#isArmed || this.#isFull) return;
    this.#isArmed = true;
    void DONE.then(this.#look);
  }

  /** An awaiting writer has already flushed: then there need be no tick, which costs more than this. */
  readonly #look = (): void => (this.#frames.waiting > 0 ? soon(this.#tick) : this.#tick());

  readonly #tick = (): void => {
    this.#isArmed = false;
    this.#send();
  };

  /** True if the transport takes bytes. */
  get isTaking(): boolean {
    return !this.#isFull && this.#gone === undefined;
  }

  /** Sends what waits now, if the transport takes it. */
  push(): void {
    this.#send();
  }

  /** Sends what waits. A promise if that has to wait for the transport, or fails because the client has gone. After the end of the run, writers do not wait. */
  flush(): Promise<void> | undefined {
    this.#send();
    if (this.#gone) return Promise.reject(this.#gone.reason);
    return this.#isFull && this.#isOver === 'no' ? (this.#drained ??= deferred()).promise : undefined;
  }

  /** The transport takes bytes again. */
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

  /** Rejects the writers that wait for the transport. */
  release(reason: unknown): void {
    this.#drained?.reject(reason);
    this.#drained = undefined;
  }

  /** True if the answer has ended. */
  get isOver(): boolean {
    return this.#isOver === 'yes';
  }

  /** Has a function called when the answer has ended. */
  whenOver(call: () => void): void {
    if (this.isOver) call();
    else this.#over = call;
  }

  /** Ends the answer behind what waits, for which the agent waits no longer. */
  end(): void {
    if (this.#isOver === 'no') this.#isOver = 'soon';
    this.#letGo();
    clearTimeout(this.#beat);
    if (!this.#isArmed) this.#send();
  }

  /** Cuts the answer after so many milliseconds, if it has not been taken to its end by then. */
  cutAfter(duration: number): void {
    const transport = this.#transport;
    const timer = after(duration, () => this.#leave(transport));
    // A connection that is open keeps the process; this alone does not.
    timer?.unref?.();
  }

  /** Notes that the client has gone. */
  drop(reason: unknown): void {
    if (this.#gone) return;
    this.#gone = { reason };
    this.#frames.tell(RunCall.Drop);
    clearTimeout(this.#beat);
    this.release(reason);
    this.#finish();
  }

  /** Has silence filled after so many milliseconds, by pings where the transport has them, else by comments; 0 for never. */
  keepAlive(pause: number): void {
    this.#frames.ask(RunCall.KeepAlive, Math.floor(pause * 1000), this.#transport.ping !== undefined);
    this.#lookLater(performance.now());
  }

  /** The client has said anything. */
  heard(): void {
    this.#frames.ask(RunCall.Heard);
  }

  /** Looks for silence when it is time to. */
  #lookLater(begun: number): void {
    const next = this.#frames.ask(RunCall.NextCheck) as number;
    if (next === 0 || this.#gone !== undefined) return;
    this.#beat = after(next / 1000 - (performance.now() - begun), () => {
      const beat = this.#frames.look(Math.floor((performance.now() - begun) * 1000), !this.isTaking);
      if (beat === Beat.GiveUp) return this.#leave(this.#transport);
      if (beat === Beat.Ping) this.#transport.ping!();
      this.#send();
      this.#lookLater(begun);
    });
  }

  /** Leaves a client that does not answer, or does not read. */
  #leave(transport: Transport): void {
    transport.cut();
    this.#lost(undefined);
  }

  #send(): void {
    if (this.#isFull || this.#gone) return;
    if (this.#frames.waiting > 0) {
      try {
        this.#isFull = !this.#transport.send(this.#frames);
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
      this.#transport.end();
    } catch {
      // It has gone already.
    }
    // The agent may keep the run for ever, but not a connection.
    this.#transport = NOWHERE;
    this.#over?.();
    this.#over = undefined;
  }
}

function deferred() {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((yes, no) => ([resolve, reject] = [yes, no]));
  // A waiting caller hears of it, if there still is one.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

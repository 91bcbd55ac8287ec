import { errorFrom } from '../errors/errors.cjs';
import { RunCall } from '../generated/border.cjs';
import { native, type RunFunction } from '../native/native.cjs';
import type { RunInput } from '../types/run_input.cjs';
import { after } from '../runtime/timers.cjs';
import type { Settings } from './options.cjs';

/** A run that has been asked for. */
export interface Asked extends RunInput {
  run: RunFunction;
  /** The transport of its events: `text` or `binary`. */
  transport: string;
}

/** The body of a request while it arrives, or the first message of a WebSocket. Core judges each piece; this waits, no longer than `bodyTimeout`. */
export class RequestBody {
  /** The run that is asked for; or the refusal, as JSON text; nothing if the client has gone. */
  readonly asked: Promise<Asked | string | undefined>;
  readonly #transport: string;
  readonly #run: RunFunction;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #settle!: (asked: Asked | string | undefined) => void;
  #reject!: (error: unknown) => void;

  constructor(transport: string, settings: Settings) {
    const run = native().createRun(transport, settings.native, settings.stateFlush, settings.showErrors);
    if (typeof run === 'string') throw errorFrom(run);
    this.#transport = transport;
    this.#run = run;
    this.asked = new Promise((resolve, reject) => ([this.#settle, this.#reject] = [resolve, reject]));
    this.#timer = after(settings.bodyTimeout, () => this.#end(run(RunCall.TimedOut) as string));
  }

  /** A piece has arrived; or a message, of which `isBinary` is known. */
  receive(piece: Uint8Array, isBinary?: boolean): void {
    if (this.#isOver) return;
    // Core reads no memory that other threads may change.
    const own = piece.buffer instanceof SharedArrayBuffer ? new Uint8Array(piece) : piece;
    const answer = this.#run(RunCall.Receive, own, isBinary);
    if (typeof answer === 'string') this.#end(answer);
  }

  /** All of it has arrived. */
  end(): void {
    if (this.#isOver) return;
    const answer = this.#run(RunCall.Read) as string;
    this.#end(answer.startsWith('{"refusal"') ? answer : { run: this.#run, transport: this.#transport, ...(JSON.parse(answer) as RunInput) });
  }

  /** The client has gone. */
  gone(): void {
    this.#end(undefined);
  }

  /** The host cannot read it: the refusal, as JSON text. */
  refuse(refusal: string): void {
    this.#end(refusal);
  }

  /** Reading it has failed: `asked` is rejected. */
  fail(error: unknown): void {
    this.#reject(error);
    this.#end(undefined);
  }

  #end(asked: Asked | string | undefined): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#settle(asked);
  }
}

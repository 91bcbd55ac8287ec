import { errorFrom } from '../errors/errors.cjs';
import { RunCall } from '../generated/border.cjs';
import { native, type RunFunction } from '../native/native.cjs';
import type { RunInput } from '../types/run_input.cjs';
import { after } from '../runtime/timers.cjs';
import type { ServerSettings } from './options.cjs';

/** A run that a client has requested. */
export interface Asked extends RunInput {
  run: RunFunction;
  /** The wire format of its events: `text` or `binary`. */
  wireFormat: string;
}

/**
 * The body of a request while it arrives, or the first message of a WebSocket. Core checks each piece. This class waits for the
 * pieces, up to `bodyTimeout`.
 */
export class RequestBody {
  /** Resolves to the requested run, or to the refusal as JSON text; undefined if the client has disconnected. */
  readonly asked: Promise<Asked | string | undefined>;
  readonly #wireFormat: string;
  readonly #run: RunFunction;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #settle!: (asked: Asked | string | undefined) => void;
  #reject!: (error: unknown) => void;

  constructor(wireFormat: string, settings: ServerSettings) {
    const run = native().createRun(wireFormat, settings.native, settings.stateFlush, settings.showErrors);
    if (typeof run === 'string') throw errorFrom(run);
    this.#wireFormat = wireFormat;
    this.#run = run;
    this.asked = new Promise((resolve, reject) => ([this.#settle, this.#reject] = [resolve, reject]));
    this.#timer = after(settings.bodyTimeout, () => this.#end(run(RunCall.TimedOut) as string));
  }

  /** Takes the next piece of a body, or the message of a WebSocket if `isBinary` is given. */
  receive(piece: Uint8Array, isBinary?: boolean): void {
    if (this.#isOver) return;
    // Core does not read memory that other threads may change, so it is copied.
    const own = piece.buffer instanceof SharedArrayBuffer ? new Uint8Array(piece) : piece;
    const answer = this.#run(RunCall.Receive, own, isBinary);
    if (typeof answer === 'string') this.#end(answer);
  }

  /** Called when the whole body has arrived. */
  end(): void {
    if (this.#isOver) return;
    const answer = this.#run(RunCall.Read) as string;
    this.#end(answer.startsWith('{"refusal"') ? answer : { run: this.#run, wireFormat: this.#wireFormat, ...(JSON.parse(answer) as RunInput) });
  }

  /** Called when the client has disconnected. */
  gone(): void {
    this.#end(undefined);
  }

  /** Ends with a refusal, as JSON text: the host cannot read the body. */
  refuse(refusal: string): void {
    this.#end(refusal);
  }

  /** Called when reading has failed: `asked` is rejected. */
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

import { AGUIConnectionError, AGUIError, codeOf } from '../errors/errors.cjs';
import { Ask } from '../generated/border.cjs';
import type { Engine } from '../native/engine.cjs';
import { ignoreErrors } from './promises.cjs';
import { answerOf } from './transport/request.cjs';
import { carrierOf, readerOf, type Reader, type RunRequest, timed, type Transport } from './transport/transport.cjs';
import type { CancelScope } from './cancel_scope.cjs';

/** A stage that makes events, or changes, of bytes. */
interface Stage<Made> {
  feed(chunk: Uint8Array): Made[];
  close(): Made[];
}

/** The answer to one request, read as it arrives, until its scope stops. */
export class Source {
  readonly #scope: CancelScope;
  #reader: Reader | undefined;
  #isClosed = false;

  constructor(scope: CancelScope) {
    this.#scope = scope;
    scope.signal.addEventListener('abort', () => this.#close());
  }

  /** Asks, and waits for the head of the answer: its content type. */
  async open(transport: Transport, request: RunRequest): Promise<string> {
    const scope = this.#scope;
    scope.throwIfCancelled();
    const answering = timed.has(transport) ? transport(request) : answerOf(carrierOf(transport, request), scope);
    const asked = Promise.resolve(answering).then((answer) => {
      const reader = (this.#reader = readerOf(answer));
      // Nobody waits any longer for an answer that comes late.
      if (scope.isCancelled) this.#close();
      return reader.contentType;
    });
    return await scope.wait(asked);
  }

  /** Feeds the pieces of the answer to a stage with this engine, and yields what it makes. */
  async *through<Made>(stage: Stage<Made>, engine: Engine<any>): AsyncGenerator<Made[], void> {
    const scope = this.#scope;
    const reader = this.#reader!;
    const idle = scope.timeout('idle');
    let lost: { error: unknown } | undefined;
    for (let left; (left = engine.idleTime(idle, reader.isForOneRun)) !== 0; ) {
      let piece: Uint8Array | undefined;
      try {
        const turn = scope.yieldIfDue();
        if (turn) await turn;
        piece = await scope.wait(reader.read(), left);
      } catch (error) {
        lost = { error };
      }
      if (piece === undefined) break;
      for (const made of fed(() => stage.feed(piece))) yield made;
    }
    if (lost || reader.isForOneRun) this.#close();
    try {
      if (lost) engine.ask(Ask.Lost, codeOf(lost.error));
      for (const made of fed(() => stage.close())) yield made;
    } catch (error) {
      // What was thrown is that failure.
      throw lost && error instanceof AGUIConnectionError ? lost.error : error;
    }
  }

  #close(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#isClosed) return;
    this.#isClosed = true;
    ignoreErrors(() => reader.cancel());
  }
}

/** Yields what a call makes; if it fails, what it has made before comes first. */
export function* fed<Made>(work: () => Made[]): Generator<Made[], void> {
  let made: Made[];
  try {
    made = work();
  } catch (error) {
    const partial = error instanceof AGUIError ? (error.partial as Made[] | undefined) : undefined;
    if (partial && partial.length > 0) yield partial;
    throw error;
  }
  if (made.length > 0) yield made;
}

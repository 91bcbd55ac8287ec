import { AGUIConnectionError, AGUIError, codeOf } from '../errors/errors.cjs';
import { Ask } from '../generated/border.cjs';
import type { Engine } from '../native/engine.cjs';
import { ignoreErrors } from './promises.cjs';
import { type Carrier, sendRequest } from './transport/request.cjs';
import { readerOf, type ResponseReader, type RunRequest, timed, type Transport } from './transport/transport.cjs';
import type { CancelScope } from './cancel_scope.cjs';

/** A stage that makes events or changes from bytes. */
interface Stage<Made> {
  feed(chunk: Uint8Array): Made[];
  close(): Made[];
}

/** Reads the answer to one request as it arrives, until its scope is cancelled. */
export class EventSource {
  readonly #scope: CancelScope;
  #reader: ResponseReader | undefined;
  #isClosed = false;

  constructor(scope: CancelScope) {
    this.#scope = scope;
    scope.signal.addEventListener('abort', () => this.#close());
  }

  /** Sends the request and waits for the head of the answer. Returns the content type. */
  async open(transport: Transport, request: RunRequest): Promise<string> {
    const scope = this.#scope;
    scope.throwIfCancelled();
    const answering = timed.has(transport) ? transport(request) : sendRequest(carrierOf(transport, request), scope);
    const asked = Promise.resolve(answering).then((answer) => {
      const reader = (this.#reader = readerOf(answer));
      // The answer came after the cancellation.
      if (scope.isCancelled) this.#close();
      return reader.contentType;
    });
    return await scope.wait(asked);
  }

  /** Feeds the pieces of the answer to a stage with this engine, and yields the items it makes. */
  async *through<Made>(stage: Stage<Made>, engine: Engine<any>): AsyncGenerator<Made[], void> {
    const scope = this.#scope;
    const reader = this.#reader!;
    const idle = scope.timeout('idle');
    let lost: { error: unknown } | undefined;
    for (let left; (left = engine.idleTime(idle, reader.isForOneRun)) !== false; ) {
      let piece: Uint8Array | undefined;
      try {
        const turn = scope.yieldIfDue();
        if (turn) await turn;
        piece = await scope.wait(reader.read(), left);
      } catch (error) {
        lost = { error };
      }
      if (piece === undefined) break;
      for (const made of withPartial(() => stage.feed(piece))) yield made;
    }
    if (lost || reader.isForOneRun) this.#close();
    try {
      if (lost) engine.ask(Ask.Lost, codeOf(lost.error));
      for (const made of withPartial(() => stage.close())) yield made;
    } catch (error) {
      // The stage reports the loss that the reader has thrown.
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

/** Yields the items that a call makes. If the call fails, yields the items that it made before. */
export function* withPartial<Made>(work: () => Made[]): Generator<Made[], void> {
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

/** Returns the carrier for a transport that has neither addresses nor headers. */
function carrierOf(transport: Transport, request: RunRequest): Carrier {
  return {
    options: {},
    prepare: () => ({ url: '', headers: [] }),
    async send() {
      const answer = await transport(request);
      const reader = readerOf(answer);
      const { status, headers } = answer as Partial<Response>;
      const contentEncoding = headers?.get?.('content-encoding');
      return { head: { status: typeof status === 'number' ? status : 200, contentEncoding }, reader };
    },
  };
}

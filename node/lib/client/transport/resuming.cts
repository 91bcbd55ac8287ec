import { errorFrom } from '../../errors/errors.cjs';
import type { Limits } from '../../generated/border.cjs';
import { native } from '../../native/native.cjs';
import type { ResumableHead, ResumableRun, ResumedStep } from '../../native/resumable.cjs';
import { optionsText } from '../../options/options.cjs';
import { type CancelScope, DEADLINE_PASSED, detachments } from '../cancel_scope.cjs';
import type { Reconnect } from '../options.cjs';
import { ignoreErrors } from '../promises.cjs';
import { type Bytes, pieces, type ResponseReader } from './transport.cjs';

/** The request whose response goes on over several connections. */
export interface Begun {
  readonly scope: CancelScope;
  /** The address of the request. */
  readonly url: string;
  readonly reconnect: Reconnect;
  readonly limits: Limits | undefined;
  /** True if the run was started elsewhere: leaving does not cancel it. */
  readonly isJoined: boolean;
  /** Returns the application's headers for one more request. */
  headers(): Promise<Record<string, string>>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

type Pieces = Pick<ResponseReader, 'read' | 'cancel'>;

/** Returns a reader that goes on over several connections, or the reader itself if the server does not say how. */
export function resuming(response: Response, reader: ResponseReader, begun: Begun): ResponseReader {
  const encoding = response.headers.get('content-encoding');
  if (response.status !== 200 || (encoding && encoding !== 'identity')) return reader;
  const run = native().ResumableRun.open(headOf(response), JSON.stringify(begun.reconnect), optionsText({ limits: begun.limits }));
  return run ? new ResumingReader(run, reader, begun) : reader;
}

function headOf({ headers }: Response): ResumableHead {
  const header = (name: string) => headers.get(name) ?? undefined;
  return {
    cursor: header('ag-ui-cursor'),
    prefix: header('ag-ui-prefix'),
    heartbeat: header('ag-ui-heartbeat'),
    location: header('content-location'),
    contentType: header('content-type') ?? '',
    retryAfter: header('retry-after'),
  };
}

/** Reads a run to its end. When a connection is lost, it reads on by the next one; left before the end, it cancels the run. */
class ResumingReader implements ResponseReader {
  readonly contentType: string;
  readonly isForOneRun = true;
  readonly #run: ResumableRun;
  readonly #begun: Begun;
  #connection: Pieces;
  /** Aborts the request for the rest of the run. */
  #attempt: AbortController | undefined;
  /** True if nothing follows. */
  #isOver = false;
  /** Thrown after the bytes before it. */
  #failure: string | undefined;

  constructor(run: ResumableRun, reader: ResponseReader, begun: Begun) {
    this.contentType = reader.contentType;
    this.#run = run;
    this.#begun = begun;
    this.#connection = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    while (!this.#isOver) {
      if (this.#failure !== undefined) throw this.#end(this.#failure);
      const piece = await this.#piece();
      if (piece === undefined) {
        await this.#connect();
        continue;
      }
      const { bytes, error } = this.#run.feed(piece);
      this.#failure = error ?? undefined;
      // Also without events: a heartbeat is a sign of life for the time limits of the run.
      if (bytes.length > 0 || this.#failure === undefined) return bytes;
    }
    return undefined;
  }

  /** Stops reading. A run that this client has started would go on without it, so it is cancelled, as well as that can be done. */
  cancel(): void {
    this.#leave();
    if (this.#isOver) return;
    this.#isOver = true;
    const run = this.#run;
    const begun = this.#begun;
    if (run.hasEnded || begun.isJoined || detachments.has(begun.scope.reason as object)) return;
    ignoreErrors(async () => {
      const headers = { ...(await begun.headers()), 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(native().ResumableRun.cancelTimeout());
      // `keepalive`: a browser sends it also if it leaves the page.
      const init: RequestInit = { method: 'POST', headers, keepalive: true, redirect: 'manual', signal };
      const response = await begun.fetch(this.#url(run.cancelLocation), init);
      await response.body?.cancel();
    });
  }

  /** Returns the next piece of the connection; undefined if it is lost. */
  async #piece(): Promise<Uint8Array | undefined> {
    const { scope } = this.#begun;
    try {
      const piece = await scope.waitUntil(this.#connection.read(), this.#silent());
      return piece === DEADLINE_PASSED ? undefined : piece;
    } catch {
      scope.throwIfCancelled();
      return undefined;
    }
  }

  /** The moment at which the connection has been silent for too long. Without heartbeats, silence is no fault. */
  #silent(): number | undefined {
    const { silence } = this.#run;
    return silence == null ? undefined : performance.now() + silence;
  }

  /** Requests the rest of the run until there is an answer or there are no more attempts. */
  async #connect(): Promise<void> {
    const { scope } = this.#begun;
    let step = this.#run.lost(Math.random());
    while (step.kind === 'pause') {
      this.#leave();
      await scope.waitUntil(never, performance.now() + step.pause!);
      step = await this.#request();
    }
    if (step.kind === 'fail') throw this.#end(step.error!);
    if (step.kind === 'ended') this.#isOver = true;
  }

  async #request(): Promise<ResumedStep> {
    const { scope, headers, fetch } = this.#begun;
    const own = await scope.wait(headers()).catch((error: unknown) => {
      // The application has failed to give its headers.
      this.#isOver = !scope.isCancelled;
      throw error;
    });
    const { signal } = (this.#attempt = new AbortController());
    const init: RequestInit = { headers: { ...own, ...(JSON.parse(this.#run.headers()) as object) }, redirect: 'manual', signal };
    const sent = fetch(this.#url(this.#run.location), init).catch(() => undefined);
    const response = await scope.waitUntil(sent, this.#silent());
    if (response === undefined || response === DEADLINE_PASSED) return this.#run.lost(Math.random());
    this.#connection = pieces((response.body ?? []) as Bytes);
    return this.#run.answered(response.status, headOf(response), Math.random(), Date.now());
  }

  #url(location: string): string {
    return new URL(location, this.#begun.url).href;
  }

  /** Closes the connection. */
  #leave(): void {
    this.#attempt?.abort();
    ignoreErrors(() => this.#connection.cancel());
  }

  /** Ends with an error. */
  #end(description: string): Error {
    this.#isOver = true;
    this.#leave();
    return errorFrom(description);
  }
}

const never = new Promise<never>(() => undefined);

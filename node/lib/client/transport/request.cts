import { AGUIError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { ignoreErrors } from '../promises.cjs';
import type { Reconnect, Retry } from '../options.cjs';
import type { ResponseReader, Subject } from './transport.cjs';
import { DEADLINE_PASSED, type CancelScope } from '../cancel_scope.cjs';

/** A request that core wants to be sent. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  /** True if the body is the input of the run; false for no body. */
  readonly hasInput: boolean;
  /** The URL, without credentials. */
  readonly url: string;
  /** The headers that replace the application's headers of the same names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the application's headers that are not sent. */
  readonly leftBehind: readonly string[];
}

/** A command of core, with the deadline of its result. */
export type Command = { readonly deadline: { readonly at: number; readonly timeout: string | null } | null } & (
  | { readonly command: 'prepare' | 'refusal' | 'wait' | 'close' | 'events' }
  | ({ readonly command: 'send' } & Sending)
  | { readonly command: 'sleep'; readonly until: number; readonly attempt: number }
  | { readonly command: 'fail'; readonly error?: object; readonly status?: number | null; readonly payload?: unknown }
);

/** The address for an attempt, and the names of the application's headers. */
export interface Prepared {
  readonly url: string;
  readonly headers: readonly string[];
}

/** The head of an answer, and the reader of its body. */
export interface Answered {
  readonly head: {
    readonly status: number;
    readonly contentEncoding?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly retryAfter?: string | null | undefined;
    /** The header `AG-UI-Cursor`. */
    readonly cursor?: string | null | undefined;
  };
  readonly reader: ResponseReader;
}

/** Sends the requests of one transport. */
export interface Carrier {
  readonly options: {
    readonly protobuf?: boolean;
    readonly redirects?: string;
    readonly retry?: Retry | undefined;
    readonly connect?: number;
    /** What the request is about: the start of a run by default. With `reconnect`, a run whose answer is lost before its head is looked for. */
    readonly subject?: Subject & { readonly reconnect?: Reconnect | undefined };
  };
  prepare(): Promise<Prepared> | Prepared;
  /** Sends a request. Calls `connected` when the connection is open, if the transport knows. The signal aborts the request. */
  send(sending: Sending, connected: () => void, signal: AbortSignal): Promise<Answered>;
  /** Reports the pause before the next attempt. */
  onPause?(attempt: number, pause: number): void;
}

/** Sends a request until core accepts an answer or gives up. Returns the reader of the answer's events. */
export async function sendRequest(carrier: Carrier, scope: CancelScope): Promise<ResponseReader> {
  const request = new RequestDriver(carrier, scope);
  try {
    return await request.run();
  } catch (error) {
    request.close();
    throw error;
  }
}

/** Carries out the commands of core's request machine. */
class RequestDriver {
  readonly #carrier: Carrier;
  readonly #scope: CancelScope;
  readonly #machine: (input: string | Uint8Array) => string;
  #reader: ResponseReader | undefined;
  /** The last failure. */
  #failed: { error: unknown } | undefined;
  /** True if a request was abandoned that may still be open. */
  #hasAbandoned = false;

  constructor(carrier: Carrier, scope: CancelScope) {
    this.#carrier = carrier;
    this.#scope = scope;
    const limits = { firstByte: scope.timeout('firstByte'), idle: scope.timeout('idle') };
    this.#machine = native().createRequest(JSON.stringify({ ...carrier.options, ...limits }));
  }

  async run(): Promise<ResponseReader> {
    let command = await this.#prepare();
    for (;;) {
      switch (command.command) {
        case 'events':
          return this.#reader!;
        case 'fail':
          throw this.#failure(command);
        case 'prepare':
          command = await this.#prepare();
          break;
        case 'send':
          command = await this.#send(command);
          break;
        case 'close':
          this.close();
          command = this.#feed('closed');
          break;
        case 'sleep':
          this.#carrier.onPause?.(command.attempt, command.until - performance.now());
          await this.#scope.waitUntil(never, command.until);
          command = this.#tick(command);
          break;
        default:
          command = await this.#read(command);
      }
    }
  }

  /** Closes the current answer. */
  close(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) ignoreErrors(() => reader.cancel());
  }

  #feed(input: string, more: object = {}, now = performance.now()): Command {
    return JSON.parse(this.#machine(JSON.stringify({ input, now, wall: Date.now(), chance: Math.random(), ...more }))) as Command;
  }

  async #prepare(): Promise<Command> {
    try {
      return this.#feed('prepared', await this.#carrier.prepare());
    } catch (error) {
      return this.#tellFailure(error);
    }
  }

  async #send(sending: Command & Sending): Promise<Command> {
    const controller = new AbortController();
    let answer: Promise<Answered> | undefined;
    let command: Command = sending;
    try {
      let isConnected!: () => void;
      const connected = new Promise<typeof CONNECTED>((resolve) => (isConnected = () => resolve(CONNECTED)));
      answer = this.#carrier.send(sending, isConnected, controller.signal);
      let result: Answered | typeof CONNECTED | typeof DEADLINE_PASSED = await this.#scope.waitUntil(Promise.race([answer, connected]), command.deadline?.at);
      if (result === CONNECTED) {
        command = this.#feed('connected');
        result = await this.#scope.waitUntil(answer, command.deadline?.at);
      }
      if (result !== DEADLINE_PASSED) {
        this.#reader = result.reader;
        return this.#feed('head', { ...result.head, contentType: result.reader.contentType });
      }
    } catch (error) {
      // A transport that ignores the signal still answers.
      if (this.#scope.isCancelled) this.#abandon(answer, controller);
      return this.#tellFailure(error);
    }
    this.#abandon(answer, controller);
    return this.#tick(command);
  }

  /** Aborts a request and closes its answer if one comes. */
  #abandon(answer: Promise<Answered> | undefined, controller: AbortController): void {
    this.#hasAbandoned = true;
    controller.abort();
    ignoreErrors(async () => (await answer)?.reader.cancel());
  }

  /** Reads a piece of a refusal. */
  async #read(command: Command): Promise<Command> {
    try {
      const piece = await this.#scope.waitUntil(this.#reader!.read(), command.deadline?.at);
      if (piece === DEADLINE_PASSED) return this.#tick(command);
      // The piece is copied because its memory may be shared.
      return piece === undefined ? this.#feed('end') : (JSON.parse(this.#machine(new Uint8Array(piece))) as Command);
    } catch (error) {
      return this.#tellFailure(error);
    }
  }

  /** Reports to core that a deadline has passed. Timers may fire a little early. */
  #tick(command: Command): Command {
    return this.#feed('tick', {}, Math.max(performance.now(), command.deadline?.at ?? 0));
  }

  #tellFailure(error: unknown): Command {
    this.#failed = { error };
    const { code, status, limit } = (error instanceof AGUIError ? error : {}) as { code?: string; status?: number; limit?: string };
    return this.#feed('failed', { code, status, limit });
  }

  #failure({ error, status, payload }: Command & { command: 'fail' }): unknown {
    if (error === undefined) return this.#failed!.error;
    const failure = errorFrom(JSON.stringify(error));
    if (status != null) Object.assign(failure, { status, payload });
    // The scope's signal stops the abandoned requests.
    if (this.#hasAbandoned) this.#scope.cancel(failure);
    return failure;
  }
}

const never = new Promise<never>(() => undefined);

/** The result of a wait that the open connection has ended. */
const CONNECTED = Symbol('connected');

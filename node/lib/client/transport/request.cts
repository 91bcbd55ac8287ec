import { AGUIError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { ignoreErrors } from '../promises.cjs';
import type { Retry } from '../options.cjs';
import type { Reader } from './transport.cjs';
import { DEADLINE_PASSED, type CancelScope } from '../cancel_scope.cjs';

/** One request, as core has it sent. */
export interface Sending {
  /** The URL, without credentials. */
  readonly url: string;
  /** Headers in the place of what the application says by these names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the application that do not go along. */
  readonly leftBehind: readonly string[];
}

/** A command of core: `RequestFunction` says when it is due. */
export type Command = { readonly deadline: { readonly at: number; readonly timeout: string | null } | null } & (
  | { readonly command: 'prepare' | 'refusal' | 'wait' | 'close' | 'events' }
  | ({ readonly command: 'send' } & Sending)
  | { readonly command: 'sleep'; readonly until: number; readonly attempt: number }
  | { readonly command: 'fail'; readonly error?: object; readonly status?: number | null; readonly payload?: unknown }
);

/** The data of an attempt: an address, and names of the application's headers. */
export interface Prepared {
  readonly url: string;
  readonly headers: readonly string[];
}

/** The head of an answer, and what reads on. */
export interface Answered {
  readonly head: {
    readonly status: number;
    readonly contentEncoding?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly retryAfter?: string | null | undefined;
  };
  readonly reader: Reader;
}

/** A carrier of requests. */
export interface Carrier {
  readonly options: { readonly protobuf?: boolean; readonly redirects?: string; readonly retry?: Retry | undefined; readonly connect?: number };
  prepare(): Promise<Prepared> | Prepared;
  /** A transport that sees the connection says so by `connected`. Nothing waits for the answer once the signal is aborted. */
  send(sending: Sending, connected: () => void, signal: AbortSignal): Promise<Answered>;
  /** It is asked again. */
  onPause?(attempt: number, pause: number): void;
}

/** Asks until there is an answer with events, or none to be had: does what core says, and tells it what comes of that. */
export async function answerOf(carrier: Carrier, scope: CancelScope): Promise<Reader> {
  const asking = new Asking(carrier, scope);
  try {
    return await asking.answer();
  } catch (error) {
    asking.close();
    throw error;
  }
}

class Asking {
  readonly #carrier: Carrier;
  readonly #scope: CancelScope;
  readonly #machine: (input: string | Uint8Array) => string;
  #reader: Reader | undefined;
  /** The last failure. */
  #met: { error: unknown } | undefined;
  /** Something was sent that has no answer. */
  #isOpen = false;

  constructor(carrier: Carrier, scope: CancelScope) {
    this.#carrier = carrier;
    this.#scope = scope;
    const limits = { firstByte: scope.timeout('firstByte'), idle: scope.timeout('idle') };
    this.#machine = native().createRequest(JSON.stringify({ ...carrier.options, ...limits }));
  }

  async answer(): Promise<Reader> {
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
          command = this.#tell('closed');
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

  /** Nobody reads on. */
  close(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) ignoreErrors(() => reader.cancel());
  }

  #tell(input: string, more: object = {}, now = performance.now()): Command {
    return JSON.parse(this.#machine(JSON.stringify({ input, now, wall: Date.now(), chance: Math.random(), ...more }))) as Command;
  }

  async #prepare(): Promise<Command> {
    try {
      return this.#tell('prepared', await this.#carrier.prepare());
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #send(sending: Command & Sending): Promise<Command> {
    const leaving = new AbortController();
    let answer: Promise<Answered> | undefined;
    let command: Command = sending;
    try {
      let isConnected!: () => void;
      const connected = new Promise<typeof CONNECTED>((resolve) => (isConnected = () => resolve(CONNECTED)));
      answer = this.#carrier.send(sending, isConnected, leaving.signal);
      let met: Answered | typeof CONNECTED | typeof DEADLINE_PASSED = await this.#scope.waitUntil(Promise.race([answer, connected]), command.deadline?.at);
      if (met === CONNECTED) {
        command = this.#tell('connected');
        met = await this.#scope.waitUntil(answer, command.deadline?.at);
      }
      if (met !== DEADLINE_PASSED) {
        this.#reader = met.reader;
        return this.#tell('head', { ...met.head, contentType: met.reader.contentType });
      }
    } catch (error) {
      // A transport that does not look at the signal answers all the same.
      if (this.#scope.isCancelled) this.#leave(answer, leaving);
      return this.#failed(error);
    }
    this.#leave(answer, leaving);
    return this.#tick(command);
  }

  /** Nobody waits for that answer any more. */
  #leave(answer: Promise<Answered> | undefined, leaving: AbortController): void {
    this.#isOpen = true;
    leaving.abort();
    ignoreErrors(async () => (await answer)?.reader.cancel());
  }

  /** Reads a piece of a refusal. */
  async #read(command: Command): Promise<Command> {
    try {
      const piece = await this.#scope.waitUntil(this.#reader!.read(), command.deadline?.at);
      if (piece === DEADLINE_PASSED) return this.#tick(command);
      // A copy: others may write to memory that is shared.
      return piece === undefined ? this.#tell('end') : (JSON.parse(this.#machine(new Uint8Array(piece))) as Command);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Its deadline has passed: clocks differ a little. */
  #tick(command: Command): Command {
    return this.#tell('tick', {}, Math.max(performance.now(), command.deadline?.at ?? 0));
  }

  #failed(error: unknown): Command {
    this.#met = { error };
    const { code, status, limit } = (error instanceof AGUIError ? error : {}) as { code?: string; status?: number; limit?: string };
    return this.#tell('failed', { code, status, limit });
  }

  #failure({ error, status, payload }: Command & { command: 'fail' }): unknown {
    if (error === undefined) return this.#met!.error;
    const failure = errorFrom(JSON.stringify(error));
    if (status != null) Object.assign(failure, { status, payload });
    // Whatever is still sent is called back.
    if (this.#isOpen) this.#scope.cancel(failure);
    return failure;
  }
}

const never = new Promise<never>(() => undefined);

/** There is a connection. */
const CONNECTED = Symbol('connected');

import type { Command, LogStream, Place, ReaderHead } from '../native/durable.cjs';
import { Driver } from './driver.cjs';
import type { LogSettings } from './log_options.cjs';
import { tellRefused } from './notices.cjs';

/** The response of a framework. */
export interface LogResponse {
  /** Begins a stream. */
  open(headers: Record<string, string>): void;
  /** Sends bytes. Returns false if no more may be sent until `LogConnection.resume` is called. */
  write(bytes: Uint8Array): boolean;
  /** Sends a ping to a WebSocket. */
  ping?(): void;
  /** Closes the connection of a client that answers no ping. */
  giveUp?(): void;
  /** Ends the stream; `code` closes a WebSocket. */
  end(code: number): void;
  /** Answers without a stream: the text of a refusal. `failure` is the error of an engine that does not reply. */
  refuse(refusal: string, failure: unknown): void;
}

/** A log to read. */
export interface LogReading {
  head: ReaderHead;
  scope: string;
  /** Counts the client. */
  place: Place;
}

/** A response that is fed from a log. */
export class LogConnection {
  readonly #response: LogResponse;
  readonly #stream: LogStream;
  readonly #driver: Driver;
  readonly #unwatch: () => void;
  readonly #forget: () => void;
  readonly #refused: (refusal: string) => void;

  /** `place` counts the client until the connection is closed. */
  constructor(log: LogSettings, { head, scope, place }: LogReading, response: LogResponse) {
    const { engine, server, notify, work, signal } = log;
    const { threadId, runId } = head;
    const stream = server.read(head, place);
    const { machine } = stream;
    this.#refused = (refusal) => tellRefused(log, refusal, { scope, threadId, runId });
    this.#response = response;
    this.#stream = stream;
    this.#driver = new Driver(machine, engine, (command) => this.#take(command), notify);
    const take = (hint: string) => {
      machine.hint(hint);
      this.#driver.wake();
    };
    this.#unwatch = engine.listen(head.key, take, () => take(PERHAPS_MORE));
    this.#forget = work.connection(signal, () => {
      stream.drain(performance.now());
      this.#driver.wake();
    });
    this.#driver.wake();
  }

  #take({ kind, text, bytes, number }: Command): void {
    const response = this.#response;
    if (kind === 'opened') return response.open(JSON.parse(text!) as Record<string, string>);
    if (kind === 'bytes') return this.#stream.setRoom(response.write(bytes!));
    if (kind === 'ping') return response.ping?.();
    this.close();
    if (kind === 'giveUp') {
      response.giveUp?.();
    } else if (kind === 'end') {
      response.end(number!);
    } else {
      this.#refused(text!);
      response.refuse(text!, this.#driver.failure);
    }
  }

  /** Called when the client of a WebSocket has sent a message. */
  heard(): void {
    this.#stream.heard();
  }

  /** Called when the response takes bytes again. */
  resume(): void {
    this.#stream.setRoom(true);
    this.#driver.wake();
  }

  /** Called when the client has disconnected. The run goes on. */
  close(): void {
    this.#unwatch();
    this.#forget();
    this.#driver.close();
    this.#stream.close();
  }
}

/** The hint that frames may have been appended: the log is read now. */
const PERHAPS_MORE = JSON.stringify({ hint: 'appended', next: Number.MAX_SAFE_INTEGER });

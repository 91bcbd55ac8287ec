import type { Command, Place, Reader, ReaderHead } from '../native/durable.cjs';
import { after } from '../runtime/timers.cjs';
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
  end(code?: number): void;
  /** Answers without a stream: the text of a refusal. `failure` is the error of an engine that does not reply. */
  refuse(refusal: string, failure: unknown): void;
}

/** A response that is fed from a log. */
export class LogConnection {
  readonly #response: LogResponse;
  readonly #reader: Reader;
  readonly #driver: Driver;
  readonly #unwatch: () => void;
  readonly #forget: () => void;
  readonly #maxConnection: number;
  readonly #place: Place;
  readonly #refused: (refusal: string) => void;
  #timer: ReturnType<typeof after>;
  #isFull = false;
  #isOpen = false;

  /** `place` counts the reader until it is closed. */
  constructor(log: LogSettings, head: ReaderHead, place: Place, response: LogResponse) {
    const { engine, server, notify, work, signal } = log;
    const reader = server.read(head);
    this.#place = place;
    this.#refused = (refusal) => tellRefused(log, refusal, { scope: head.scope, threadId: head.threadId, runId: head.runId });
    this.#response = response;
    this.#reader = reader;
    this.#maxConnection = server.maxConnection;
    this.#driver = new Driver(reader, engine, (command) => this.#take(command), notify, () => !this.#isFull);
    const take = (hint: string) => {
      reader.hint(hint);
      this.#driver.wake();
    };
    this.#unwatch = engine.listen(head.key, take, () => take(PERHAPS_MORE));
    this.#forget = work.connection(signal, () => {
      reader.drain(performance.now());
      this.#driver.wake();
    });
    this.#driver.wake();
  }

  #take({ kind, text, bytes, number }: Command): void {
    if (kind === 'opened') {
      this.#isOpen = true;
      this.#response.open(JSON.parse(text!) as Record<string, string>);
      this.#timer = after(this.#maxConnection, () => this.#end());
      this.#timer?.unref?.();
    } else if (kind === 'bytes') {
      this.#isFull = !this.#response.write(bytes!);
    } else if (kind === 'ping') {
      this.#response.ping?.();
    } else if (kind === 'giveUp') {
      this.close();
      this.#response.giveUp?.();
    } else if (this.#isOpen) {
      this.#end(number);
    } else {
      this.close();
      this.#refused(text!);
      this.#response.refuse(text!, this.#driver.failure);
    }
  }

  #end(code?: number): void {
    this.close();
    this.#response.end(code);
  }

  /** Called when the client of a WebSocket has sent a message. */
  heard(): void {
    this.#reader.heard();
  }

  /** Called when the response takes bytes again. */
  resume(): void {
    this.#isFull = false;
    this.#driver.wake();
  }

  /** Called when the client has disconnected. The run goes on. */
  close(): void {
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#forget();
    this.#driver.close();
    this.#place.release();
  }
}

/** The hint that frames may have been appended: the log is read now. */
const PERHAPS_MORE = JSON.stringify({ hint: 'appended', next: Number.MAX_SAFE_INTEGER });

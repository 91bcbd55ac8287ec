import { LogConnection } from '../durable/log_connection.cjs';
import type { LogSettings } from '../durable/log_options.cjs';
import { startLogRun } from '../durable/log_server.cjs';
import { tellRefused } from '../durable/notices.cjs';
import { answerOf } from '../errors/errors.cjs';
import { CLOSE_GOING_AWAY, END_GRACE, RunCall } from '../generated/border.cjs';
import { stringify } from '../json/text.cjs';
import type { ReaderHead } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { after } from '../runtime/timers.cjs';
import { report } from '../errors/failure.cjs';
import type { FrameBuffer } from './frame_buffer.cjs';
import { type Refusal, refusalOf, unanswered } from './request.cjs';
import type { ServerSettings } from './options.cjs';
import type { Sink } from './outlet.cjs';
import { type Asked, RequestBody } from './request_body.cjs';
import type { AgentFunction } from './run.cjs';
import { answer, begin } from './serve.cjs';
import { whenAborted } from './shutdown.cjs';

// A run over an open WebSocket.

/** The result of the handshake of a WebSocket. */
export interface Agreed {
  wireFormat: string;
  protocol: string | null;
  inputBytes: number;
}

/** The headers of a request for a WebSocket that matter. */
export interface Handshake {
  origin?: string | undefined;
  host?: string | undefined;
  accept?: string | undefined;
  protocols?: string | undefined;
}

/** Checks the head of a request for a WebSocket. */
export function negotiateSocket(asked: Handshake, { acceptWildcards, cors, native: options }: ServerSettings): Agreed | { refusal: Refusal } {
  return answerOf(native().negotiateSocket(stringify({ ...asked, acceptWildcards, cors }) as string, options));
}

/** A WebSocket of the host. */
export interface Socket {
  /** Sends messages, in order. Returns false if no more may be sent until `drained` is called. */
  send(messages: Uint8Array[], isBinary: boolean): boolean;
  /** Sends a ping. Undefined if the host sends the pings itself. */
  ping?(): void;
  close(code: number, reason: string): void;
  /** Closes the connection without a close frame. */
  terminate(): void;
}

/** An open WebSocket. Its host calls the methods for its events. */
export class Connection {
  /** The first message, which is the input of a run. */
  readonly body: RequestBody;
  readonly socket: Socket;
  readonly wireFormat: string;
  readonly #gone: (() => void)[] = [];
  isClosed = false;
  /** Called when the sent messages have gone out. */
  drained: () => void = () => undefined;
  /** Called when the client has sent a message or has answered a ping. */
  heard: () => void = () => undefined;

  constructor(socket: Socket, { wireFormat }: Agreed, settings: ServerSettings) {
    this.socket = socket;
    this.wireFormat = wireFormat;
    // A log has the events as text.
    this.body = new RequestBody(settings.durable === undefined ? wireFormat : 'text', settings);
  }

  /** Called with a message of the client. Messages after the first are ignored. */
  take(data: Uint8Array | string, isBinary: boolean): void {
    this.heard();
    this.body.receive(typeof data === 'string' ? utf8.encode(data) : data, isBinary);
    this.body.end();
  }

  /** Called when the WebSocket is closed. */
  closed(): void {
    this.isClosed = true;
    this.body.gone();
    for (const callback of this.#gone.splice(0)) callback();
  }

  /** Sets a function to call when the WebSocket is closed. */
  whenClosed(callback: () => void): void {
    if (this.isClosed) callback();
    else this.#gone.push(callback);
  }

  /** Closes the WebSocket. If the client does not answer the close frame, the connection is ended. */
  close(code: number, reason = ''): void {
    this.socket.close(code, reason);
    const timer = after(END_GRACE, () => this.socket.terminate());
    timer?.unref?.();
    this.whenClosed(() => clearTimeout(timer));
  }

  /** Closes the WebSocket before the client has sent its request. */
  leave(): void {
    this.body.gone();
    this.close(CLOSE_GOING_AWAY);
  }

  /** Closes the WebSocket with the reason of a refusal. */
  refuse(refusal: string): void {
    const { closeCode, closeReason } = refusalOf(refusal);
    this.close(closeCode, closeReason);
  }
}

const utf8 = new TextEncoder();

/**
 * Answers the first message with a run, whose events are sent as messages. The promise resolves when the run is over, and is never
 * rejected.
 */
export async function converse<S>(agent: AgentFunction<S>, settings: ServerSettings, connection: Connection, request: SocketRequest): Promise<void> {
  try {
    await respond(agent, settings, connection, request);
  } catch (error) {
    report(settings, error);
    connection.refuse(native().refuse('internal'));
  }
}

/** The request that has opened a WebSocket. */
export interface SocketRequest {
  /** The request of the framework. */
  native: unknown;
  /** The header `AG-UI-Resume`. */
  resume: string | undefined;
}

async function respond<S>(agent: AgentFunction<S>, settings: ServerSettings, connection: Connection, request: SocketRequest): Promise<void> {
  // A server that shuts down does not wait for the request of a client.
  const leave = () => connection.leave();
  const forget = whenAborted(settings.signal, leave);
  if (settings.signal?.aborted) leave();
  const asked = await connection.body.asked;
  forget();
  if (asked === undefined) return;
  if (typeof asked === 'string') return connection.refuse(asked);
  if (settings.durable !== undefined) return respondFromLog(agent, settings, settings.durable, connection, asked, request);
  const refusal = await unanswered(asked, settings);
  if (refusal !== undefined) return connection.refuse(refusal);
  if (connection.isClosed) return;
  const messages = new Messages(connection, asked);
  // A socket without `ping` belongs to a host that sends the pings itself.
  const heartbeat = connection.socket.ping === undefined ? 0 : settings.heartbeat;
  const session = begin(asked, messages, { ...settings, heartbeat });
  connection.drained = () => session.outlet.resume();
  connection.heard = () => session.outlet.heard();
  connection.whenClosed(() => session.disconnect());
  await answer(agent, session);
}

/** Sends a run from its log, from its beginning. The run goes on without the WebSocket, and is joined over HTTP. */
async function respondFromLog<S>(agent: AgentFunction<S>, settings: ServerSettings, log: LogSettings, connection: Connection, asked: Asked, request: SocketRequest): Promise<void> {
  const { socket, wireFormat } = connection;
  const subject = {};
  const started = await startLogRun(agent, settings, log, asked, request, subject);
  if (typeof started === 'string') {
    tellRefused(log, started, subject);
    return connection.refuse(started);
  }
  const { key, beginning, place, scope, isNew } = started;
  if (connection.isClosed) return place.release();
  const { threadId, runId } = asked.input;
  const pings = socket.ping === undefined ? 'silent' : 'pinged';
  const head: ReaderHead = { key, threadId, runId, after: beginning, wireFormat, address: '', socket: pings, isNew };
  const reading = new LogConnection(log, { head, scope, place }, {
    open: () => undefined,
    write: (bytes) => sendMessages(socket, bytes, wireFormat),
    ping: () => socket.ping?.(),
    giveUp: () => socket.terminate(),
    end: (code) => connection.close(code),
    refuse: (refusal) => connection.refuse(refusal),
  });
  connection.drained = () => reading.resume();
  connection.heard = () => reading.heard();
  connection.whenClosed(() => reading.close());
}

/** Sends each event as a message. Returns false if no more may be sent until the socket has room. */
function sendMessages(socket: Socket, bytes: Uint8Array, wireFormat: string): boolean {
  const isBinary = wireFormat === 'binary';
  const places = native().socketMessages(bytes, isBinary);
  const messages = [];
  for (let at = 0; at < places.length; at += 2) messages.push(bytes.subarray(places[at], places[at + 1]));
  return socket.send(messages, isBinary);
}

/** The sink of a WebSocket: each event is a message. */
class Messages implements Sink {
  readonly #connection: Connection;
  readonly #asked: Asked;

  constructor(connection: Connection, asked: Asked) {
    this.#connection = connection;
    this.#asked = asked;
  }

  send(frames: FrameBuffer): boolean {
    return sendMessages(this.#connection.socket, frames.bytes(globalThis.Buffer?.allocUnsafe), this.#asked.wireFormat);
  }

  ping(): void {
    this.#connection.socket.ping?.();
  }

  end(): void {
    this.#connection.close(this.#asked.run(RunCall.CloseCode) as number);
  }

  cut(): void {
    this.#connection.socket.terminate();
  }
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerOf } from '../errors.cjs';
import { CLOSE_DONE, CLOSE_GOING_AWAY, END_GRACE } from '../generated/border.cjs';
import { stringify } from '../json.cjs';
import { native } from '../native.cjs';
import { after } from '../timers.cjs';
import { report } from './failure.cjs';
import type { Frames } from './frames.cjs';
import { answerTo, type Body, type Refusal, refusalOf, unanswered } from './http.cjs';
import type { Settings } from './options.cjs';
import type { Transport } from './outlet.cjs';
import type { Agent } from './run.cjs';
import { answer, begin, read } from './serve.cjs';

/** What is agreed on with who opens a WebSocket. */
interface Agreed {
  transport: string;
  protocol: string | null;
  inputBytes: number;
}

/** A WebSocket of the package `ws`, as far as it is used. */
interface Socket {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(data: Uint8Array, options: { binary: boolean }, sent?: () => void): void;
  ping(): void;
  close(code: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: Uint8Array, isBinary: boolean) => void): this;
  on(event: 'close' | 'error', listener: () => void): this;
}

interface Library {
  WebSocketServer: new (options: object) => {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array, opened: (socket: Socket) => void): void;
  };
}

/** The state of one that is closed. */
const CLOSED = 3;

/** From so many waiting bytes on, the agent waits. */
const MUCH = 16 * 1024;

/** Answers a request for a WebSocket with a run. Fulfilled when that is over, and never rejected. */
export async function upgrade<S>(agent: Agent<S>, settings: Settings, request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void> {
  try {
    const agreed = negotiate(request, settings);
    if ('refusal' in agreed) return deny(socket, agreed.refusal);
    const opened = await open(request, socket, head, agreed, settings);
    if (opened !== undefined) await respond(agent, settings, agreed, opened);
  } catch (error) {
    report(settings, error);
    deny(socket, refusalOf(native().refuse('internal')));
  }
}

async function respond<S>(agent: Agent<S>, settings: Settings, agreed: Agreed, opened: Opened): Promise<void> {
  try {
    await converse(agent, settings, agreed, opened);
  } catch (error) {
    report(settings, error);
    refuse(opened.socket, native().refuse('internal'));
  }
}

function negotiate({ headers }: IncomingMessage, settings: Settings): Agreed | { refusal: Refusal } {
  const { origin, host, accept, 'sec-websocket-protocol': protocols } = headers;
  const { wildcards, cors } = settings;
  return answerOf(native().negotiateSocket(stringify({ origin, host, accept, protocols, wildcards, cors }) as string, settings.native));
}

/** A WebSocket that is open. */
interface Opened {
  socket: Socket;
  /** Its first message. */
  first: Promise<Body | undefined>;
}

/** Opens it. Nothing if the request is none for a WebSocket, which is answered then, or the client has gone. */
function open(request: IncomingMessage, socket: Duplex, head: Uint8Array, { protocol, inputBytes }: Agreed, settings: Settings): Promise<Opened | undefined> {
  const { WebSocketServer } = library();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // What is short may become long.
    perMessageDeflate: false,
    handleProtocols: () => protocol ?? false,
    // Of `ws`, 0 is any length, and so is what has more than 31 bits.
    maxPayload: Math.min(Math.max(inputBytes, 1), 2 ** 31 - 1),
  });
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    // Messages may come at once.
    server.handleUpgrade(request, socket, head, (opened) => resolve({ socket: opened, first: firstMessage(opened, settings) }));
  });
}

function library(): Library {
  try {
    return require('ws') as Library;
  } catch (cause) {
    throw new Error('WebSockets need the package ws: npm install ws', { cause });
  }
}

/** The first message asks for a run, whose events are the messages back. */
async function converse<S>(agent: Agent<S>, settings: Settings, { transport }: Agreed, { socket, first }: Opened): Promise<void> {
  const body = await first;
  if (body === undefined) return;
  const asked = 'refusal' in body ? body.refusal : read(body, transport, settings);
  if (typeof asked === 'string') return refuse(socket, asked);
  const refusal = await unanswered(asked, settings);
  if (refusal !== undefined) return refuse(socket, refusal);
  if (socket.readyState === CLOSED) return;
  const wire = new Wire(socket, transport === 'binary', settings, () => session.outlet.resume());
  // Pings are its heartbeat.
  const session = begin(asked, wire, { ...settings, heartbeat: 0 });
  socket.on('close', () => session.disconnect());
  await answer(agent, session);
}

/** The first message, or why it is refused. Nothing if the client has gone. */
function firstMessage(socket: Socket, settings: Settings): Promise<Body | undefined> {
  return new Promise((resolve) => {
    const done = (body: Body | undefined) => {
      clearTimeout(timer);
      // What follows means nothing.
      resolve(body);
    };
    const refuse = (code: string) => done({ refusal: native().refuse(code) });
    const timer = after(settings.bodyTimeout, () => refuse('request_timeout'));
    socket.on('message', (data, isBinary) => (isBinary ? refuse('unsupported_media_type') : done(data)));
    socket.on('close', () => done(undefined));
    // It is closed then.
    socket.on('error', () => undefined);
  });
}

/** A WebSocket as where a run goes: each event is a message. */
class Wire implements Transport {
  readonly #socket: Socket;
  readonly #isBinary: boolean;
  readonly #settings: Settings;
  readonly #resume: () => void;
  /** Something was sent since it was last looked for. */
  #isBusy = false;
  readonly #beat: ReturnType<typeof setInterval> | undefined;

  constructor(socket: Socket, isBinary: boolean, settings: Settings, resume: () => void) {
    this.#socket = socket;
    this.#isBinary = isBinary;
    this.#settings = settings;
    this.#resume = resume;
    if (settings.heartbeat === 0) return;
    this.#beat = setInterval(() => this.#ping(), Math.min(settings.heartbeat, 2 ** 31 - 1));
    socket.on('close', () => clearInterval(this.#beat));
  }

  send(frames: Frames): boolean {
    const bytes = frames.bytes(Buffer.allocUnsafe);
    const places = native().socketMessages(bytes, this.#isBinary);
    const options = { binary: this.#isBinary };
    const last = places.length - 2;
    for (let at = 0; at <= last; at += 2) this.#socket.send(bytes.subarray(places[at], places[at + 1]), options, at === last ? this.#resume : undefined);
    this.#isBusy = true;
    return this.#socket.bufferedAmount < MUCH;
  }

  end(): void {
    close(this.#socket, this.#settings.signal?.aborted ? CLOSE_GOING_AWAY : CLOSE_DONE);
  }

  cut(): void {
    this.#socket.terminate();
  }

  #ping(): void {
    if (!this.#isBusy && this.#socket.bufferedAmount === 0) this.#socket.ping();
    this.#isBusy = false;
  }
}

/** Closes it; a client that does not answer that is left. */
function close(socket: Socket, code: number, reason = ''): void {
  socket.close(code, reason);
  const timer = after(END_GRACE, () => socket.terminate());
  timer?.unref?.();
  socket.on('close', () => clearTimeout(timer));
}

/** Closes it with why. */
function refuse(socket: Socket, refusal: string): void {
  const { closeCode, closeReason } = refusalOf(refusal);
  close(socket, closeCode, closeReason);
}

/** Answers a request for a WebSocket that is not opened. */
function deny(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed || socket.writableEnded) return;
  const { STATUS_CODES } = require('node:http') as typeof import('node:http');
  const { status, headers, body } = answerTo(refusal, {});
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines.map((header) => header.join(': '))];
  socket.on('error', () => undefined).end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

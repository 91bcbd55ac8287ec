import { ACCEPT_PROTOBUF, AGUI_MEDIA_TYPE, CLOSE_GRACE, type Limits, SSE_MEDIA_TYPE, SUBPROTOCOLS } from '../generated/border.cjs';
import type { State } from '../generated/types.cjs';
import { bytesOf } from '../bytes.cjs';
import { type AGUIError, describedError } from '../errors.cjs';
import { wrongKind } from '../kinds.cjs';
import { kind, one, settled, wrongOption } from '../wanted.cjs';
import { Agent } from './agent.cjs';
import { type AgentOptions, checkNames } from './options.cjs';
import { quietly } from './quiet.cjs';
import { addressOf, checkClose, frameMessage, met } from './rules.cjs';
import { type Reader, type RunRequest, timed } from './transport.cjs';

/** What is asked of a WebSocket: the global one, or that of the package `ws`. */
export interface Socket {
  binaryType: string;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  send(data: string): void;
  close(): void;
  /** Reads no more for now: with `resume`, what makes a server wait for a slow client. */
  pause?(): void;
  resume?(): void;
  /** Closes without a word, where the server does not answer. */
  terminate?(): void;
}

export type SocketClass = new (url: string, protocols?: string | string[], options?: any) => Socket;

export interface WebSocketAgentOptions<S = State> extends AgentOptions<S> {
  /** The class of sockets; the global `WebSocket` by default. Node 20 has none: pass that of the package `ws`. */
  WebSocket?: SocketClass | undefined;
  /** Subprotocols. */
  protocols?: string | string[] | undefined;
  /** More of a third argument for the class: with `ws`, `{ headers: … }`. Unless it says otherwise, nothing is compressed. */
  socketOptions?: object | undefined;
}

const isText = (value: unknown) => typeof value === 'string';

const wanted = {
  url: one('an absolute URL, of ws or wss', (url) => isUrl(url)),
  WebSocket: kind('callback'),
  protocols: one('a string or a list of strings', (value) => isText(value) || (Array.isArray(value) && value.every(isText))),
  socketOptions: kind('object'),
};

/** Whether sockets know what to do with it: of http they make ws. In a page, addresses may be relative to that. */
function isUrl(url: unknown): boolean {
  if (url instanceof URL) return /^(ws|http)s?:$/.test(url.protocol);
  if (!isText(url) || url === '') return false;
  try {
    return /^(ws|http)s?:$/.test(new URL(url as string, (globalThis as { location?: { href: string } }).location?.href).protocol);
  } catch {
    return false;
  }
}

/**
 * An agent behind a WebSocket: for each run one connection. The first message out is the run's input, each message in is an event:
 * text is its JSON, binary is protobuf.
 *
 * What is not read yet has the server wait, where the class can `pause`, as that of `ws` can. Where it cannot, 16 MiB may wait, or `limits.eventBytes` if
 * that is more; what goes beyond fails the run.
 */
export class WebSocketAgent<S = State> extends Agent<S> {
  url: string;
  WebSocket: SocketClass | undefined;
  protocols: string | string[] | undefined;
  socketOptions: object | undefined;
  private readonly limits: Limits | undefined;

  constructor(url: string | URL, options?: WebSocketAgentOptions<S>);
  constructor(options: WebSocketAgentOptions<S> & { url: string | URL });
  constructor(first: string | URL | (WebSocketAgentOptions<S> & { url: string | URL }), second: WebSocketAgentOptions<S> = {}) {
    const isAddress = isText(first) || first instanceof URL;
    const given = (isAddress ? second : first) as WebSocketAgentOptions<S>;
    checkNames(wanted, given);
    const { url: named, WebSocket, protocols, socketOptions, ...options } = given as WebSocketAgentOptions<S> & { url?: string | URL };
    const url = isAddress ? first : named;
    super(WebSocketAgent.#open, patient(options));
    const own = settled(wanted, { url, WebSocket, protocols, socketOptions });
    if (own.url === undefined) throw wrongOption('/url', 'a URL', url);
    this.url = String(own.url);
    this.WebSocket = own.WebSocket;
    this.protocols = own.protocols;
    this.socketOptions = own.socketOptions;
    this.limits = options.limits && { ...options.limits };
  }

  static {
    timed.add(WebSocketAgent.#open);
  }

  static async #open({ agent, accept, body, watch }: RunRequest): Promise<Reader> {
    const { limits } = agent as WebSocketAgent<any>;
    const messages = new Messages(socketOf(agent as WebSocketAgent<any>, accept, limits), limits);
    watch.signal.addEventListener('abort', () => messages.cancel());
    await watch.until(messages.opened, 'connect');
    messages.send(body);
    if ((await watch.until(messages.first(), 'firstByte')) === undefined) messages.checkRefusal();
    return { contentType: messages.areBinary ? AGUI_MEDIA_TYPE : SSE_MEDIA_TYPE, isForOneRun: true, read: () => messages.read(), cancel: () => messages.cancel() };
  }
}

/** Silence is no fault, unless the application says how long is too long. */
function patient<S>(options: AgentOptions<S>): AgentOptions<S> {
  const { timeouts } = options;
  // What is no object is refused as it is.
  if (timeouts !== undefined && (typeof timeouts !== 'object' || timeouts === null || Array.isArray(timeouts))) return options;
  return { ...options, timeouts: { ...timeouts, idle: timeouts?.idle ?? Infinity } };
}

/** Opens a socket. */
function socketOf({ url: given, protocols: named, socketOptions, WebSocket: injected }: WebSocketAgent<any>, accept: string, limits: Limits | undefined): Socket {
  const Class = injected ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
  if (Class === undefined) throw wrongKind('WebSocket', 'a class: this runtime has none, pass that of the package `ws`', Class);
  const { url, authorization } = addressOf(given);
  const isBinary = accept === ACCEPT_PROTOBUF;
  try {
    if (injected === undefined) {
      // A page can set no headers.
      const protocols = named ?? (isBinary ? [...SUBPROTOCOLS] : undefined);
      // The global class takes headers in the place of the subprotocols.
      return authorization === null ? new Class(url, protocols) : new Class(url, { protocols: protocols ?? [], headers: { authorization } } as never);
    }
    // What is compressed is short until it is read: `ws` inflates several messages at once, however long they become.
    const own: object = { perMessageDeflate: false, maxPayload: limits?.eventBytes ?? MOST, ...socketOptions };
    const headers = { ...(isBinary && { accept }), ...(authorization !== null && !isAuthorized(own) && { authorization }) };
    return new Class(url, named ?? [], withHeaders(own, headers));
  } catch (error) {
    throw met('connection_failed', '', undefined, error);
  }
}

const headerNames = (headers: object = {}) => Object.keys(headers).map((name) => name.toLowerCase());

/** Whether the application says itself who asks, as `ws` takes it. */
function isAuthorized({ auth, headers }: { auth?: unknown; headers?: object }): boolean {
  return auth != null || headerNames(headers).includes('authorization');
}

/** Options of `ws` with these headers, unless the application sets them itself. */
function withHeaders(options: { headers?: object }, headers: object): object {
  const given = headerNames(options.headers);
  const more = Object.entries(headers).filter(([name]) => !given.includes(name));
  return more.length === 0 ? options : { ...options, headers: { ...options.headers, ...Object.fromEntries(more) } };
}

/** As many bytes wait before the socket is paused. */
const MUCH = 1024 * 1024;

/** As many may wait where it cannot be, unless one event may have more. */
const MOST = 16 * 1024 * 1024;

/** The code of a connection that has ended without a word of the server's (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;

/** What a socket's error is: text that is no UTF-8 closes it, too, and a message that is too long. */
function failedSocket({ error, message }: { error?: unknown; message?: unknown }): AGUIError {
  const said = `${(error as { message?: unknown } | undefined)?.message ?? message}`;
  if (/max payload/i.test(said)) return describedError('limit_exceeded', 'a message', 'eventBytes');
  return met(/UTF-?8/i.test(said) ? 'invalid_utf8' : 'connection_lost', '', undefined, error);
}

/** The messages of a socket, in order. */
class Messages {
  readonly opened: Promise<void>;
  readonly #socket: Socket;
  /** Framed. */
  readonly #waiting: Uint8Array[] = [];
  /** How many bytes these are. */
  #bytes = 0;
  readonly #most: number;
  #isPaused = false;
  #failure: { error: unknown } | undefined;
  /** What the first message was. */
  #isBinary: boolean | undefined;
  #isClosed = false;
  /** How the server has closed it. */
  #closed: { code: number; reason: string } | undefined;
  /** Nobody reads on. */
  #isLeft = false;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: Socket, limits: Limits | undefined) {
    this.#socket = socket;
    this.#most = Math.max(limits?.eventBytes ?? 0, MOST);
    socket.binaryType = 'arraybuffer';
    this.opened = new Promise((resolve, reject) => {
      socket.onopen = () => resolve();
      const fail = (event: { error?: unknown; message?: unknown }) => {
        reject(met('connection_failed', '', undefined, event.error));
        this.#failure ??= { error: failedSocket(event) };
        this.#arrive();
      };
      socket.onerror = fail;
      socket.onclose = (event: { code?: number; reason?: string; error?: unknown }) => {
        reject(met('connection_failed', 'closed', undefined, event.error));
        if (event.code === ABNORMAL) this.#failure ??= { error: met('connection_lost', '', undefined, event.error) };
        if (event.code !== undefined) this.#closed = { code: event.code, reason: event.reason ?? '' };
        this.#isClosed = true;
        clearTimeout(this.#closing);
        this.#arrive();
      };
    });
    // It may fail when nobody waits for it.
    this.opened.catch(() => undefined);
    socket.onmessage = ({ data }: { data: unknown }) => {
      // What comes behind a failure would stand in the place of what is missing.
      if (this.#failure || this.#isLeft) return;
      try {
        this.#take(data, limits);
      } catch (error) {
        this.#failure = { error };
        this.cancel();
      }
      this.#arrive();
    };
  }

  /** What the messages are, as the first one says. */
  get areBinary(): boolean {
    return this.#isBinary === true;
  }

  send(text: string): void {
    try {
      this.#socket.send(text);
    } catch (error) {
      throw met('connection_lost', '', undefined, error);
    }
  }

  #take(data: unknown, limits: Limits | undefined): void {
    const isBinary = typeof data !== 'string';
    if (isBinary !== (this.#isBinary ??= isBinary)) throw met('wrong_content_type', 'a message of another kind than the first');
    const bytes = frameMessage(isBinary ? bytesOf(data, 'message') : utf8.encode(data as string), isBinary, limits);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (typeof this.#socket.pause === 'function' && typeof this.#socket.resume === 'function') {
      if (this.#isPaused || this.#bytes < MUCH) return;
      this.#isPaused = true;
      this.#socket.pause();
    } else if (this.#bytes > this.#most && this.#waiting.length > 1) {
      throw describedError('limit_exceeded', 'messages that wait to be read', 'eventBytes');
    }
  }

  #arrive(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** The first message, which stays; nothing if there is none. */
  async first(): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosed && !this.#failure) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#waiting[0];
  }

  /** @throws AGUIError `http_error` if the server has closed it because it refuses what it was asked */
  checkRefusal(): void {
    if (this.#failure === undefined && this.#closed !== undefined) checkClose(this.#closed.code, this.#closed.reason);
  }

  async read(): Promise<Uint8Array | undefined> {
    if ((await this.first()) === undefined) {
      if (this.#failure) throw this.#failure.error;
      return undefined;
    }
    const bytes = this.#waiting.shift()!;
    this.#bytes -= bytes.length;
    if (this.#isPaused && this.#bytes < MUCH) this.#goOn();
    return bytes;
  }

  #goOn(): void {
    this.#isPaused = false;
    this.#socket.resume?.();
  }

  /** Closes the socket, whatever its class throws. */
  cancel(): void {
    if (this.#isLeft || this.#isClosed) return;
    this.#isLeft = true;
    quietly(() => {
      if (typeof this.#socket.terminate === 'function') this.#closing = setTimeout(() => quietly(() => this.#socket.terminate!()), CLOSE_GRACE);
      // A socket that is paused does not hear that it is closed.
      if (this.#isPaused) this.#goOn();
      this.#socket.close();
    });
  }
}

const utf8 = new TextEncoder();

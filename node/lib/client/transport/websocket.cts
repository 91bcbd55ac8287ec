import { AGUI_MEDIA_TYPE, ACCEPT_PROTOBUF, CLOSE_GRACE, type Limits, SSE_MEDIA_TYPE, SUBPROTOCOLS } from '../../generated/border.cjs';
import type { State } from '../../generated/types.cjs';
import { bytesOf } from '../../runtime/bytes.cjs';
import { type AGUIError, clientError, describedError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { optionsText } from '../../options/options.cjs';
import { wrongKind } from '../../options/kinds.cjs';
import { kind, one, settled, wrongOption } from '../../options/option_reader.cjs';
import { Agent } from '../agent.cjs';
import { type AgentOptions, checkNames, type Retry, retryWanted } from '../options.cjs';
import { ignoreErrors } from '../promises.cjs';
import { type Answered, sendRequest, type Carrier, type Sending } from './request.cjs';
import { pieces, type Reader, type RunRequest, timed } from './transport.cjs';

/** The members used of a WebSocket: the global one, or that of the package `ws`. */
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
  /** Tells of an answer that opens no socket, as that of `ws` does. */
  on?(event: 'unexpected-response', listener: (request: { destroy(): void }, response: Refusal) => void): unknown;
}

/** An answer of node:http. */
interface Refusal extends AsyncIterable<Uint8Array> {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export type SocketClass = new (url: string, protocols?: string | string[], options?: any) => Socket;

export interface WebSocketAgentOptions<S = State> extends AgentOptions<S> {
  /** The class of sockets; the global `WebSocket` by default. Node 20 has none: pass that of the package `ws`. */
  WebSocket?: SocketClass | undefined;
  /** Subprotocols. */
  protocols?: string | string[] | undefined;
  /** Ask again where a connection met no run; off by default. */
  retry?: Retry | undefined;
  /** More of a third argument for the class: with `ws`, `{ headers: … }`. Unless it says otherwise, nothing is compressed. */
  socketOptions?: object | undefined;
}

const isText = (value: unknown) => typeof value === 'string';

const wanted = {
  url: one('an absolute URL, of ws or wss', (url) => isUrl(url)),
  WebSocket: kind('callback'),
  protocols: one('a string or a list of strings', (value) => isText(value) || (Array.isArray(value) && value.every(isText))),
  socketOptions: kind('object'),
  retry: retryWanted,
};

/** True if sockets know what to do with it: of http they make ws. In a page, addresses may be relative to that. */
function isUrl(url: unknown): boolean {
  return (url instanceof URL || (isText(url) && url !== '')) && absolute(String(url)) !== undefined;
}

/** An address of a WebSocket, as core knows them. */
function absolute(given: string): string | undefined {
  try {
    const { href, protocol } = new URL(given, (globalThis as { location?: { href: string } }).location?.href);
    return /^(ws|http)s?:$/.test(protocol) ? href.replace(/^http/, 'ws') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An agent behind a WebSocket: for each run one connection. The first message out is the run's input, each message in is an event:
 * text is its JSON, binary is protobuf.
 *
 * If the class has `pause`, as that of `ws` has, unread messages make the server wait. If not, 16 MiB may wait, or `limits.eventBytes` if
 * that is more; what goes beyond fails the run.
 */
export class WebSocketAgent<S = State> extends Agent<S> {
  url: string;
  WebSocket: SocketClass | undefined;
  protocols: string | string[] | undefined;
  socketOptions: object | undefined;
  retry: Retry | undefined;
  private readonly limits: Limits | undefined;

  constructor(url: string | URL, options?: WebSocketAgentOptions<S>);
  constructor(options: WebSocketAgentOptions<S> & { url: string | URL });
  constructor(first: string | URL | (WebSocketAgentOptions<S> & { url: string | URL }), second: WebSocketAgentOptions<S> = {}) {
    const isAddress = isText(first) || first instanceof URL;
    const given = (isAddress ? second : first) as WebSocketAgentOptions<S>;
    checkNames(wanted, given);
    const { url: named, WebSocket, protocols, socketOptions, retry, ...options } = given as WebSocketAgentOptions<S> & { url?: string | URL };
    const url = isAddress ? first : named;
    super(WebSocketAgent.#open, patient(options));
    const own = settled(wanted, { url, WebSocket, protocols, socketOptions, retry });
    if (own.url === undefined) throw wrongOption('/url', 'a URL', url);
    this.url = String(own.url);
    this.WebSocket = own.WebSocket;
    this.protocols = own.protocols;
    this.socketOptions = own.socketOptions;
    this.retry = own.retry;
    this.limits = options.limits && { ...options.limits };
  }

  static {
    timed.add(WebSocketAgent.#open);
  }

  static #open(request: RunRequest): Promise<Reader> {
    const agent = request.agent as WebSocketAgent<any>;
    const { scope } = request;
    const connect = Math.min(scope.timeout('connect')!, Number.MAX_SAFE_INTEGER);
    const options = { protobuf: request.accept === ACCEPT_PROTOBUF, retry: agent.retry, connect };
    const onPause = (attempt: number, pause: number) => agent.log('asks again', { attempt, pause });
    const prepare = () => ({ url: absolute(agent.url) ?? agent.url, headers: headerNames(agent.socketOptions) });
    const send: Carrier['send'] = (sending, connected, signal) => converse(agent, request, sending, connected, signal, agent.limits);
    return sendRequest({ options, onPause, prepare, send }, scope);
  }
}

/** Opens a socket, asks, and waits for the first message: it says what they are. */
async function converse(
  agent: WebSocketAgent<any>,
  { body, scope }: RunRequest,
  sending: Sending,
  connected: () => void,
  signal: AbortSignal,
  limits: Limits | undefined,
): Promise<Answered> {
  const socket = socketOf(agent, sending, limits);
  const refused = refusalOf(socket, sending.url);
  const messages = new Messages(socket, limits);
  for (const one of [signal, scope.signal]) one.addEventListener('abort', () => messages.cancel());
  const refusal = await Promise.race([refused, messages.opened]);
  if (refusal !== undefined) return refusal;
  connected();
  messages.send(body);
  if ((await messages.first()) === undefined) messages.checkRefusal();
  const contentType = messages.areBinary ? AGUI_MEDIA_TYPE : SSE_MEDIA_TYPE;
  const reader = { contentType, isForOneRun: true, read: () => messages.read(), cancel: () => messages.cancel() };
  return { head: { status: SWITCHING_PROTOCOLS }, reader };
}

/** The status of a connection that is a WebSocket from then on. */
const SWITCHING_PROTOCOLS = 101;

/** The answer that opens no socket, where the class tells of it. */
function refusalOf(socket: Socket, url: string): Promise<Answered> {
  return new Promise((resolve) => {
    socket.on?.('unexpected-response', (request, response) => {
      const { statusCode: status, headers } = response;
      const { location } = headers;
      const there = location === undefined ? null : URL.canParse(location, url) ? new URL(location, url).href : '';
      const head = { status, contentEncoding: headers['content-encoding'], location: there, retryAfter: headers['retry-after'] };
      const { read } = pieces(response);
      resolve({ head, reader: { contentType: headers['content-type'] ?? SSE_MEDIA_TYPE, read, cancel: () => request.destroy() } });
    });
  });
}

/** Silence is no fault, unless the application says how long is too long. */
function patient<S>(options: AgentOptions<S>): AgentOptions<S> {
  const { timeouts } = options;
  // What is no object is refused as it is.
  if (timeouts !== undefined && (typeof timeouts !== 'object' || timeouts === null || Array.isArray(timeouts))) return options;
  return { ...options, timeouts: { ...timeouts, idle: timeouts?.idle ?? Infinity } };
}

/** Opens a socket. */
function socketOf(agent: WebSocketAgent<any>, { url, headers }: Sending, limits: Limits | undefined): Socket {
  const { protocols: named, socketOptions, WebSocket: injected } = agent;
  const Class = injected ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
  if (Class === undefined) throw wrongKind('WebSocket', 'a class: this runtime has none, pass that of the package `ws`', Class);
  try {
    if (injected === undefined) {
      const { accept, authorization } = headers;
      // A page can set no headers.
      const protocols = named ?? (accept === undefined ? undefined : [...SUBPROTOCOLS]);
      // The global class takes headers in the place of the subprotocols.
      return authorization === undefined ? new Class(url, protocols) : new Class(url, { protocols: protocols ?? [], headers: { authorization } } as never);
    }
    // What is compressed is short until it is read: `ws` inflates several messages at once, however long they become.
    const own: object = { perMessageDeflate: false, maxPayload: limits?.eventBytes ?? MOST, ...socketOptions };
    return new Class(url, named ?? [], withHeaders(own, headers));
  } catch (error) {
    throw clientError('connection_failed', '', undefined, error);
  }
}

/** The names of the headers that the application sets, as `ws` takes them. */
function headerNames({ auth, headers }: { auth?: unknown; headers?: object } = {}): string[] {
  return [...Object.keys(headers ?? {}), ...(auth != null ? ['authorization'] : [])];
}

/** Options of `ws` with these headers, in the place of the application's. */
function withHeaders(options: { headers?: object }, headers: Readonly<Record<string, string>>): object {
  const given = Object.entries(options.headers ?? {}).filter(([name]) => headers[name.toLowerCase()] === undefined);
  return { ...options, headers: { ...Object.fromEntries(given), ...headers } };
}

/** As many bytes wait before the socket is paused. */
const MUCH = 1024 * 1024;

/** As many may wait where it cannot be, unless one event may have more. */
const MOST = 16 * 1024 * 1024;

/** The code of a connection that has ended without a word of the server's (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;

/** Translates a socket's error: text that is no UTF-8, and a message that is too long, close the socket, too. */
function failedSocket({ error, message }: { error?: unknown; message?: unknown }): AGUIError {
  const said = `${(error as { message?: unknown } | undefined)?.message ?? message}`;
  if (/max payload/i.test(said)) return describedError('limit_exceeded', 'a message', 'eventBytes');
  return clientError(/UTF-?8/i.test(said) ? 'invalid_utf8' : 'connection_lost', '', undefined, error);
}

/** The messages of a socket, in order. */
class Messages {
  readonly opened: Promise<void>;
  readonly #socket: Socket;
  /** Framed. */
  readonly #waiting: Uint8Array[] = [];
  /** The number of their bytes. */
  #bytes = 0;
  readonly #most: number;
  #isPaused = false;
  #failure: { error: unknown } | undefined;
  /** True if the first message was binary. */
  #isBinary: boolean | undefined;
  #isClosed = false;
  /** The code and reason of the server's close. */
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
        reject(clientError('connection_failed', '', undefined, event.error));
        this.#failure ??= { error: failedSocket(event) };
        this.#arrive();
      };
      socket.onerror = fail;
      socket.onclose = (event: { code?: number; reason?: string; error?: unknown }) => {
        reject(clientError('connection_failed', 'closed', undefined, event.error));
        if (event.code === ABNORMAL) this.#failure ??= { error: clientError('connection_lost', '', undefined, event.error) };
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

  /** True if the messages are binary, as the first one was. */
  get areBinary(): boolean {
    return this.#isBinary === true;
  }

  send(text: string): void {
    try {
      this.#socket.send(text);
    } catch (error) {
      throw clientError('connection_lost', '', undefined, error);
    }
  }

  #take(data: unknown, limits: Limits | undefined): void {
    const isBinary = typeof data !== 'string';
    if (isBinary !== (this.#isBinary ??= isBinary)) throw clientError('wrong_content_type', 'a message of another kind than the first');
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

  /** @throws what there is no first message for; AGUIError `http_error` if the server has closed it because it refuses what it was asked */
  checkRefusal(): void {
    if (this.#failure) throw this.#failure.error;
    const failure = this.#closed === undefined ? null : native().closeFailure(this.#closed.code, this.#closed.reason);
    if (failure !== null) throw errorFrom(failure);
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
    ignoreErrors(() => {
      if (typeof this.#socket.terminate === 'function') this.#closing = setTimeout(() => ignoreErrors(() => this.#socket.terminate!()), CLOSE_GRACE);
      // A socket that is paused does not hear that it is closed.
      if (this.#isPaused) this.#goOn();
      this.#socket.close();
    });
  }
}

const utf8 = new TextEncoder();

/** Frames a message of a socket for a stream. */
export function frameMessage(message: Uint8Array, isBinary: boolean, limits?: Limits): Uint8Array {
  try {
    return native().frameMessage(message, isBinary, optionsText({ limits }));
  } catch (error) {
    throw errorFrom((error as Error).message);
  }
}

import { AGUI_MEDIA_TYPE, ACCEPT_PROTOBUF, CLOSE_GRACE, EVENT_BYTES, type Limits, SSE_MEDIA_TYPE, SUBPROTOCOLS } from '../../generated/border.cjs';
import type { State } from '../../generated/types.cjs';
import { bytesOf } from '../../runtime/bytes.cjs';
import { type AGUIError, clientError, describedError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';
import { optionsText } from '../../options/options.cjs';
import { wrongKind } from '../../options/kinds.cjs';
import { kind, one, settled, wrongOption } from '../../options/option_reader.cjs';
import { Agent } from '../agent.cjs';
import { type AgentOptions, checkNames, type Retry, retryOption } from '../options.cjs';
import { ignoreErrors } from '../promises.cjs';
import { type Answered, sendRequest, type Carrier, type Sending } from './request.cjs';
import { pieces, type ResponseReader, type RunRequest, timed } from './transport.cjs';

/**
 * The members of a WebSocket that the agent uses: the global class has them, and the class of the package `ws`.
 *
 * @example
 * ```ts
 * import type { Socket } from 'ag-ui-native/client';
 *
 * const close = (socket: Socket) => socket.close();
 * ```
 */
export interface Socket {
  binaryType: string;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  send(data: string): void;
  close(): void;
  /** Stops reading until `resume`, so that the server waits for a slow client. */
  pause?(): void;
  resume?(): void;
  /** Closes the connection without a handshake. */
  terminate?(): void;
  /** Registers a listener for an answer that opens no socket; `ws` has this method. */
  on?(event: 'unexpected-response', listener: (request: { destroy(): void }, response: Refusal) => void): unknown;
}

/** A response of node:http. */
interface Refusal extends AsyncIterable<Uint8Array> {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * A class of WebSockets: that of the runtime, or of the package ws.
 *
 * @example
 * ```ts
 * import { type SocketClass, WebSocketAgent } from 'ag-ui-native/client';
 *
 * // The class of the package ws, or that of the runtime.
 * const agentOf = (WebSocket: SocketClass) => new WebSocketAgent('ws://127.0.0.1:8000/', { WebSocket });
 * ```
 */
export type SocketClass = new (url: string, protocols?: string | string[], options?: any) => Socket;

/**
 * The options of an agent over WebSockets.
 *
 * @example
 * ```ts
 * import { WebSocketAgent, type WebSocketAgentOptions } from 'ag-ui-native/client';
 *
 * const options: WebSocketAgentOptions = { protobuf: true, socketOptions: { headers: { Authorization: 'Bearer secret' } } };
 * new WebSocketAgent('ws://127.0.0.1:8000/', options).url; // => 'ws://127.0.0.1:8000/'
 * ```
 */
export interface WebSocketAgentOptions<S = State> extends AgentOptions<S> {
  /** The class of sockets; the global `WebSocket` by default. Node 20 has none: pass the class of the package `ws`. */
  WebSocket?: SocketClass | undefined;
  /** The subprotocols. */
  protocols?: string | string[] | undefined;
  /** Sends a request again if no run has begun; off by default. */
  retry?: Retry | undefined;
  /**
   * Members of the third argument of the option `WebSocket`, such as `{ headers: … }` for `ws`; the global class takes none. Messages are
   * not compressed by default.
   */
  socketOptions?: object | undefined;
}

const isText = (value: unknown) => typeof value === 'string';

const ownOptions = {
  url: one('an absolute URL, of ws or wss', (url) => isUrl(url)),
  WebSocket: kind('callback'),
  protocols: one('a string or a list of strings', (value) => isText(value) || (Array.isArray(value) && value.every(isText))),
  socketOptions: kind('object'),
  retry: retryOption,
};

/** Returns true for an address of ws, wss, http or https. In a browser it may be relative to the page. */
function isUrl(url: unknown): boolean {
  return (url instanceof URL || (isText(url) && url !== '')) && absolute(String(url)) !== undefined;
}

/** Returns an absolute address of ws or wss. */
function absolute(given: string): string | undefined {
  try {
    const { href, protocol } = new URL(given, (globalThis as { location?: { href: string } }).location?.href);
    return /^(ws|http)s?:$/.test(protocol) ? href.replace(/^http/, 'ws') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An agent behind a WebSocket, with one connection for each run. The client sends the input of the run as one message; each message of the
 * server is an event, as JSON text or as binary protobuf.
 *
 * If the class has `pause`, as the class of `ws` does, unread messages make the server wait. Otherwise at most 16 MiB may wait, or
 * `limits.eventBytes` if that is more; a run with more unread bytes fails.
 *
 * @example
 * ```ts
 * import { WebSocketAgent } from 'ag-ui-native/client';
 *
 * const agent = new WebSocketAgent('ws://127.0.0.1:8000/', { threadId: 't1', timeouts: { connect: 5000 } });
 * agent.threadId; // => 't1'
 * ```
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
    checkNames(ownOptions, given);
    const { url: named, WebSocket, protocols, socketOptions, retry, ...options } = given as WebSocketAgentOptions<S> & { url?: string | URL };
    const url = isAddress ? first : named;
    super(WebSocketAgent.#open, patient(options));
    const own = settled(ownOptions, { url, WebSocket, protocols, socketOptions, retry });
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

  static #open(request: RunRequest): Promise<ResponseReader> {
    const agent = request.agent as WebSocketAgent<any>;
    const { scope } = request;
    const connect = Math.min(scope.timeout('connect')!, Number.MAX_SAFE_INTEGER);
    const options = { protobuf: request.accept === ACCEPT_PROTOBUF, retry: agent.retry, connect };
    const onPause = (attempt: number, pause: number) => agent.log('sends the request again', { attempt, pause });
    const prepare = () => ({ url: absolute(agent.url) ?? agent.url, headers: headerNames(agent.socketOptions) });
    const send: Carrier['send'] = (sending, connected, signal) => converse(agent, request, sending, connected, signal, agent.limits);
    return sendRequest({ options, onPause, prepare, send }, scope);
  }
}

/** Opens a socket, sends the input, and waits for the first message, which decides on text or binary. */
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

/** The status of an answer that opens a WebSocket. */
const SWITCHING_PROTOCOLS = 101;

/** Returns the answer that opens no socket, if the class reports it. */
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

/** Sets the timeout `idle` to infinity unless the application sets it: WebSockets may be silent. */
function patient<S>(options: AgentOptions<S>): AgentOptions<S> {
  const { timeouts } = options;
  // Values that are no object are refused later.
  if (timeouts !== undefined && (typeof timeouts !== 'object' || timeouts === null || Array.isArray(timeouts))) return options;
  return { ...options, timeouts: { ...timeouts, idle: timeouts?.idle ?? Infinity } };
}

/** Opens a socket. */
function socketOf(agent: WebSocketAgent<any>, { url, headers }: Sending, limits: Limits | undefined): Socket {
  const { protocols: named, socketOptions, WebSocket: injected } = agent;
  const Class = injected ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
  if (Class === undefined) throw wrongKind('WebSocket', 'a class; this runtime has none: pass the class of the package `ws`', Class);
  if (injected === undefined && socketOptions !== undefined) {
    throw wrongKind('socketOptions', 'no value without the option WebSocket: the global class takes none, so pass the class of the package `ws`', socketOptions);
  }
  try {
    if (injected === undefined) {
      const { accept, authorization } = headers;
      // A browser cannot set headers.
      const protocols = named ?? (accept === undefined ? undefined : [...SUBPROTOCOLS]);
      // The global class of Node takes an object with headers in place of the subprotocols.
      return authorization === undefined ? new Class(url, protocols) : new Class(url, { protocols: protocols ?? [], headers: { authorization } } as never);
    }
    // `ws` inflates several messages at once, so compressed messages could exceed any limit.
    const own: object = { perMessageDeflate: false, maxPayload: limits?.eventBytes ?? EVENT_BYTES, ...socketOptions };
    return new Class(url, named ?? [], withHeaders(own, headers));
  } catch (error) {
    throw clientError('connection_failed', '', undefined, error);
  }
}

/** Returns the names of the application's headers, as `ws` takes them. */
function headerNames({ auth, headers }: { auth?: unknown; headers?: object } = {}): string[] {
  return [...Object.keys(headers ?? {}), ...(auth != null ? ['authorization'] : [])];
}

/** Returns options of `ws` with these headers, which replace the application's headers of the same names. */
function withHeaders(options: { headers?: object }, headers: Readonly<Record<string, string>>): object {
  const given = Object.entries(options.headers ?? {}).filter(([name]) => headers[name.toLowerCase()] === undefined);
  return { ...options, headers: { ...Object.fromEntries(given), ...headers } };
}

/** The number of waiting bytes at which the socket is paused. */
const PAUSE_BYTES = 1024 * 1024;

/** The code of a connection that was lost without a closing handshake (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;

/** Translates the error of a socket. Invalid UTF-8 and too long messages close a socket, too. */
function failedSocket({ error, message }: { error?: unknown; message?: unknown }): AGUIError {
  const said = `${(error as { message?: unknown } | undefined)?.message ?? message}`;
  if (/max payload/i.test(said)) return describedError('limit_exceeded', 'a message', 'eventBytes');
  return clientError(/UTF-?8/i.test(said) ? 'invalid_utf8' : 'connection_lost', '', undefined, error);
}

/** Queues the messages of a socket. */
class Messages {
  readonly opened: Promise<void>;
  readonly #socket: Socket;
  /** The received messages that wait to be read, as frames. */
  readonly #waiting: Uint8Array[] = [];
  /** The number of waiting bytes. */
  #bytes = 0;
  /** The maximum number of bytes that may wait if the socket cannot be paused. */
  readonly #maxBytes: number;
  #isPaused = false;
  #failure: { error: unknown } | undefined;
  /** True if the first message was binary. */
  #isBinary: boolean | undefined;
  #isClosed = false;
  /** The code and reason of the server's closing handshake. */
  #closed: { code: number; reason: string } | undefined;
  /** True if the reader has stopped. */
  #isCancelled = false;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: Socket, limits: Limits | undefined) {
    this.#socket = socket;
    this.#maxBytes = Math.max(limits?.eventBytes ?? 0, EVENT_BYTES);
    socket.binaryType = 'arraybuffer';
    this.opened = new Promise((resolve, reject) => {
      socket.onopen = () => resolve();
      const fail = (event: { error?: unknown; message?: unknown }) => {
        reject(clientError('connection_failed', '', undefined, event.error));
        this.#failure ??= { error: failedSocket(event) };
        this.#wakeReader();
      };
      socket.onerror = fail;
      socket.onclose = (event: { code?: number; reason?: string; error?: unknown }) => {
        reject(clientError('connection_failed', 'closed', undefined, event.error));
        if (event.code === ABNORMAL) this.#failure ??= { error: clientError('connection_lost', '', undefined, event.error) };
        if (event.code !== undefined) this.#closed = { code: event.code, reason: event.reason ?? '' };
        this.#isClosed = true;
        clearTimeout(this.#closing);
        this.#wakeReader();
      };
    });
    // The promise may be rejected before it is awaited.
    this.opened.catch(() => undefined);
    socket.onmessage = ({ data }: { data: unknown }) => {
      // Messages after a failure are dropped, because some before them are missing.
      if (this.#failure || this.#isCancelled) return;
      try {
        this.#receive(data, limits);
      } catch (error) {
        this.#failure = { error };
        this.cancel();
      }
      this.#wakeReader();
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

  #receive(data: unknown, limits: Limits | undefined): void {
    const isBinary = typeof data !== 'string';
    this.#isBinary ??= isBinary;
    const bytes = frameMessage(isBinary ? bytesOf(data, 'message') : utf8.encode(data as string), isBinary, this.#isBinary, limits);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (typeof this.#socket.pause === 'function' && typeof this.#socket.resume === 'function') {
      if (this.#isPaused || this.#bytes < PAUSE_BYTES) return;
      this.#isPaused = true;
      this.#socket.pause();
    } else if (this.#bytes > this.#maxBytes && this.#waiting.length > 1) {
      throw describedError('limit_exceeded', 'too many unread messages wait', 'eventBytes');
    }
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Waits for the first message and leaves it in the queue. Returns undefined if there is none. */
  async first(): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosed && !this.#failure) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#waiting[0];
  }

  /** @throws the failure of the connection; AGUIError `http_error` if the server has closed the socket to refuse the request */
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
    if (this.#isPaused && this.#bytes < PAUSE_BYTES) this.#resume();
    return bytes;
  }

  #resume(): void {
    this.#isPaused = false;
    this.#socket.resume?.();
  }

  /** Closes the socket and ignores errors of its class. */
  cancel(): void {
    if (this.#isCancelled || this.#isClosed) return;
    this.#isCancelled = true;
    ignoreErrors(() => {
      if (typeof this.#socket.terminate === 'function') this.#closing = setTimeout(() => ignoreErrors(() => this.#socket.terminate!()), CLOSE_GRACE);
      // A paused socket does not see the closing handshake.
      if (this.#isPaused) this.#resume();
      this.#socket.close();
    });
  }
}

const utf8 = new TextEncoder();

/** Returns a message of a socket as a frame of a stream. */
export function frameMessage(message: Uint8Array, isBinary: boolean, isFirstBinary: boolean, limits?: Limits): Uint8Array {
  try {
    return native().frameMessage(message, isBinary, isFirstBinary, optionsText({ limits }));
  } catch (error) {
    throw errorFrom((error as Error).message);
  }
}

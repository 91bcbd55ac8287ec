import { ACCEPT_PROTOBUF, EVENT_BYTES, type Limits, SSE_MEDIA_TYPE } from '../../generated/border.cjs';
import type { State } from '../../generated/types.cjs';
import { kind, one, settled, wrongOption, oneOf } from '../../options/option_reader.cjs';
import { Agent } from '../agent.cjs';
import { failedAnswer, failedRequest } from './failures.cjs';
import { type HeadersOption, headersOf, ownHeaders } from './headers.cjs';
import type { CancelScope } from '../cancel_scope.cjs';
import { type AgentOptions, checkNames, type Reconnect, reconnectOption, type Retry, retryOption } from '../options.cjs';
import { sendRequest, type Carrier } from './request.cjs';
import { resuming } from './resuming.cjs';
import { type Bytes, type ResponseReader, pieces, type RunRequest, setLogRequests, textOf, timed } from './transport.cjs';

/**
 * A function like `fetch`.
 *
 * @example
 * ```ts
 * import { type Fetch, HttpAgent } from 'ag-ui-native/client';
 * import { fetchHandler } from 'ag-ui-native/server';
 *
 * const handler = fetchHandler((run) => run.write('Hello!'));
 * const fetch: Fetch = (url, init) => handler(new Request(url, init));
 * (await new HttpAgent('http://app/', { fetch }).ask('Hi')).text; // => 'Hello!'
 * ```
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The options of an agent over HTTP.
 *
 * @example
 * ```ts
 * import { HttpAgent, type HttpAgentOptions } from 'ag-ui-native/client';
 *
 * const options: HttpAgentOptions = { headers: { Authorization: 'Bearer secret' }, retry: { attempts: 3 } };
 * new HttpAgent('http://127.0.0.1:8000/', options).url; // => 'http://127.0.0.1:8000/'
 * ```
 */
export interface HttpAgentOptions<S = State> extends AgentOptions<S> {
  headers?: HeadersOption | undefined;
  /** Sends the requests; the global `fetch` by default. For proxies, client certificates and connection timeouts pass one with a `dispatcher` of undici. */
  fetch?: Fetch | undefined;
  /** The targets of redirects that are followed: the same origin by default. */
  redirects?: 'same-origin' | 'any' | 'none' | undefined;
  /** Sends a request again if no run has begun; off by default. */
  retry?: Retry | undefined;
  /** Reads on when the connection to a server that keeps the logs of runs is lost. On by default; a run that is left before its end is cancelled there. */
  reconnect?: Reconnect | false | undefined;
}

const ownOptions = {
  url: one('an absolute URL, of http or https', (url) => isUrl(url)),
  // `headersOf` validates each header.
  headers: one('an object or a function', (headers) => typeof headers === 'object' || typeof headers === 'function'),
  fetch: kind('callback'),
  redirects: oneOf('same-origin', 'any', 'none'),
  retry: retryOption,
  reconnect: reconnectOption,
};

const anyUrl = one('a URL', (url) => typeof url === 'string' || url instanceof URL);

/** Returns true for an address of http or https. In a browser it may be relative to the page. */
function isUrl(url: unknown): boolean {
  if (url instanceof URL) return /^https?:$/.test(url.protocol);
  if (typeof url !== 'string' || url === '') return false;
  try {
    return /^https?:$/.test(new URL(url, (globalThis as { location?: { href: string } }).location?.href).protocol);
  } catch {
    return false;
  }
}

/**
 * An agent behind HTTP: each run is a POST request whose answer is the run's events.
 *
 * ```js
 * const agent = new HttpAgent('https://example.org/agent', { headers: { Authorization: 'Bearer …' } });
 * const { text } = await agent.ask('What is the weather?');
 * ```
 *
 * `fetch` does not report when it is connected. The timeout `firstByte` includes the connection, and undici limits it to 10 s.
 *
 * @example
 * ```ts
 * import { HttpAgent } from 'ag-ui-native/client';
 * import { fetchHandler } from 'ag-ui-native/server';
 *
 * // A server in the same program: for one elsewhere, leave `fetch` out.
 * const handler = fetchHandler((run) => run.write('Hello!'));
 * const agent = new HttpAgent('http://app/', { fetch: (url, init) => handler(new Request(url, init)) });
 * (await agent.ask('Hi')).text; // => 'Hello!'
 * ```
 */
export class HttpAgent<S = State> extends Agent<S> {
  url: string;
  headers: HeadersOption;
  fetch: Fetch;
  redirects: 'same-origin' | 'any' | 'none';
  retry: Retry | undefined;
  reconnect: Reconnect | false;
  private readonly limits: Limits | undefined;

  constructor(url: string | URL, options?: HttpAgentOptions<S>);
  constructor(options: HttpAgentOptions<S> & { url: string | URL });
  constructor(first: string | URL | (HttpAgentOptions<S> & { url: string | URL }), second: HttpAgentOptions<S> = {}) {
    const isAddress = typeof first === 'string' || first instanceof URL;
    const given = isAddress ? second : first;
    checkNames(ownOptions, given);
    const { url: named, headers, fetch: send, redirects, retry, reconnect, ...options } = given as HttpAgentOptions<S> & { url?: string | URL };
    const url = isAddress ? first : named;
    super(HttpAgent.#open, options);
    // The application's own `fetch` may take other addresses, such as relative ones.
    const own = settled({ ...ownOptions, ...(send && { url: anyUrl }) }, { url, headers, fetch: send, redirects, retry, reconnect });
    if (own.url === undefined) throw wrongOption('/url', 'a URL', url);
    this.url = String(own.url);
    this.headers = ownHeaders(own.headers ?? {});
    this.fetch = own.fetch ?? ((url, init) => fetch(url, init));
    this.redirects = own.redirects ?? 'same-origin';
    this.retry = own.retry;
    this.reconnect = own.reconnect ?? {};
    this.limits = options.limits && { ...options.limits };
  }

  override clone(): this {
    const twin = super.clone();
    twin.headers = ownHeaders(this.headers);
    return twin;
  }

  static {
    timed.add(HttpAgent.#open);
    const send = (agent: HttpAgent, purpose: 'cancel' | 'thread', runId: string, scope: CancelScope) =>
      HttpAgent.#open({ agent, body: '', accept: '', scope, subject: { purpose, threadId: agent.threadId, runId } });
    setLogRequests(HttpAgent.#open, {
      cancel: async (agent, runId, scope) => (await send(agent as HttpAgent, 'cancel', runId, scope)).cancel(),
      async thread(agent, scope) {
        const { limits } = agent as HttpAgent;
        return textOf(await send(agent as HttpAgent, 'thread', '', scope), scope, limits?.eventBytes ?? EVENT_BYTES);
      },
    });
  }

  static async #open(request: Asking): Promise<ResponseReader> {
    const agent = request.agent as HttpAgent<any>;
    const { redirects, retry, limits } = agent;
    const reconnect = (URL.canParse(agent.url) && agent.reconnect) || undefined;
    const options = { protobuf: request.accept === ACCEPT_PROTOBUF, redirects, retry, subject: { ...request.subject, reconnect } };
    const onPause = (attempt: number, pause: number) => agent.log('sends the request again', { attempt, pause });
    return sendRequest({ ...carrierOf(agent, request, reconnect, limits), options, onPause }, request.scope);
  }
}

/** The parts of a request that are sent. */
type Asking = Pick<RunRequest, 'agent' | 'body' | 'accept' | 'scope' | 'subject'>;

/** Returns the carrier that sends requests by `fetch`. A run goes on over several connections if there is `reconnect`. */
function carrierOf(agent: HttpAgent<any>, { body, scope, subject }: Asking, reconnect: Reconnect | undefined, limits: Limits | undefined): Pick<Carrier, 'prepare' | 'send'> {
  const isAbsolute = URL.canParse(agent.url);
  const whole = isAbsolute ? new URL(agent.url).href : agent.url;
  // A `fetch` that answers itself knows the address as the application wrote it.
  const fetched = async (url: string, init: RequestInit) => checkedResponse(await agent.fetch(url === whole ? agent.url : url, init));
  const headersNow = async () => headersOf(await (typeof agent.headers === 'function' ? agent.headers() : agent.headers));
  let given: Record<string, string> = {};
  return {
    async prepare() {
      given = await scope.wait(headersNow());
      return { url: whole, headers: Object.keys(given) };
    },
    async send({ method, url, hasInput, headers: own, leftBehind }) {
      const kept = (headers: Record<string, string>) => Object.fromEntries(Object.entries(headers).filter(([name]) => !leftBehind.includes(name)));
      const headers = { ...kept(given), ...own };
      const init: RequestInit = { method, headers, ...(hasInput && { body }), redirect: 'manual', signal: scope.signal };
      const response = await fetched(url, init).catch((error: unknown) => {
        throw failedRequest(error);
      });
      const header = (name: string) => response.headers.get(name);
      const location = header('location');
      const there = location === null ? null : URL.canParse(location, url) ? new URL(location, url).href : '';
      const head = {
        status: response.status,
        contentEncoding: header('content-encoding'),
        location: there,
        retryAfter: header('retry-after'),
        cursor: header('ag-ui-cursor'),
      };
      const reader = readerOf(response);
      const hasEvents = subject.purpose === 'start' || subject.purpose === 'join';
      if (!reconnect || !hasEvents) return { head, reader };
      const { authorization } = own;
      const headersAgain = async () => ({ ...kept(await headersNow()), ...(authorization !== undefined && { authorization }) });
      const isJoined = subject.purpose === 'join';
      return { head, reader: resuming(response, reader, { scope, url, reconnect, limits, isJoined, headers: headersAgain, fetch: fetched }) };
    },
  };
}

/** @throws AGUIValidationError if a `fetch` of the application returned no Response */
function checkedResponse(response: Response): Response {
  if (typeof response?.status === 'number' && typeof response.headers?.get === 'function') return response;
  throw wrongOption('/fetch', 'a function that returns a promise of a Response', response);
}

/** Returns a reader of a response's body, which throws core's errors. */
function readerOf(response: Response): ResponseReader {
  const { read, cancel } = pieces((response.body ?? []) as Bytes);
  const failed = (error: unknown) => {
    throw failedAnswer(error);
  };
  const given = response.headers.get('content-type');
  return { contentType: given?.trim() ? given : SSE_MEDIA_TYPE, read: () => (read() as Promise<Uint8Array>).catch(failed), cancel };
}

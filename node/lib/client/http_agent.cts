import { AGUIError } from '../errors.cjs';
import { ACCEPT_ENCODING, CREDENTIALS, RETRY_ATTEMPTS, SSE_MEDIA_TYPE } from '../generated/border.cjs';
import type { State } from '../generated/types.cjs';
import { after } from '../timers.cjs';
import { kind, members, one, settled, wrongOption, words } from '../wanted.cjs';
import { Agent } from './agent.cjs';
import { failedAnswer, failedRequest } from './failures.cjs';
import { type HeadersOption, headersOf, ownHeaders } from './headers.cjs';
import { type AgentOptions, checkNames } from './options.cjs';
import { quietly } from './quiet.cjs';
import { refusal } from './refusal.cjs';
import { addressOf, checkEncoding, checkRedirect, responseKind, type Retry, retryPause } from './rules.cjs';
import { type Bytes, type Reader, pieces, type RunRequest, timed } from './transport.cjs';

/** `fetch`, or what does as it does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpAgentOptions<S = State> extends AgentOptions<S> {
  headers?: HeadersOption | undefined;
  /** Sends the requests; the global `fetch` by default. For proxies, client certificates and timeouts of the connection, inject one that has undici's agent as its `dispatcher`. */
  fetch?: Fetch | undefined;
  /** Where redirects may lead: to the same origin by default. */
  redirects?: 'same-origin' | 'any' | 'none' | undefined;
  /** Send a request that met no run again; off by default. */
  retry?: Retry | undefined;
}

const pause = one('a number of milliseconds from 0', (value) => Number.isFinite(value) && value >= 0);

const wanted = {
  url: one('an absolute URL, of http or https', (url) => isUrl(url)),
  // What headers are is said elsewhere: each has its own place.
  headers: one('an object or a function', (headers) => typeof headers === 'object' || typeof headers === 'function'),
  fetch: kind('callback'),
  redirects: words('same-origin', 'any', 'none'),
  retry: members({
    attempts: one('a whole number from 1', (value) => Number.isSafeInteger(value) && value > 0),
    first: pause,
    longest: pause,
    jitter: one('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
  }),
};

const anyUrl = one('a URL', (url) => typeof url === 'string' || url instanceof URL);

/** Whether `fetch` knows what to do with it. In a page, addresses may be relative to that. */
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
 * An agent behind HTTP: each run is a POST, whose answer is the run's events.
 *
 * ```js
 * const agent = new HttpAgent('https://example.org/agent', { headers: { Authorization: 'Bearer …' } });
 * const { text } = await agent.ask('What is the weather?');
 * ```
 *
 * `fetch` does not say when it has a connection: it counts into the timeout `firstByte`, and `connect` is that of undici, 10 s.
 */
export class HttpAgent<S = State> extends Agent<S> {
  url: string;
  headers: HeadersOption;
  fetch: Fetch;
  redirects: 'same-origin' | 'any' | 'none';
  retry: Retry | undefined;

  constructor(url: string | URL, options?: HttpAgentOptions<S>);
  constructor(options: HttpAgentOptions<S> & { url: string | URL });
  constructor(first: string | URL | (HttpAgentOptions<S> & { url: string | URL }), second: HttpAgentOptions<S> = {}) {
    const isAddress = typeof first === 'string' || first instanceof URL;
    const given = isAddress ? second : first;
    checkNames(wanted, given);
    const { url: named, headers, fetch: send, redirects, retry, ...options } = given as HttpAgentOptions<S> & { url?: string | URL };
    const url = isAddress ? first : named;
    super(HttpAgent.#open, options);
    // Whoever brings a `fetch` may know other addresses, those relative to its own for one.
    const own = settled({ ...wanted, ...(send && { url: anyUrl }) }, { url, headers, fetch: send, redirects, retry });
    if (own.url === undefined) throw wrongOption('/url', 'a URL', url);
    this.url = String(own.url);
    this.headers = ownHeaders(own.headers ?? {});
    this.fetch = own.fetch ?? ((url, init) => fetch(url, init));
    this.redirects = own.redirects ?? 'same-origin';
    this.retry = own.retry && { attempts: RETRY_ATTEMPTS, ...own.retry };
  }

  override clone(): this {
    const twin = super.clone();
    twin.headers = ownHeaders(this.headers);
    return twin;
  }

  static {
    timed.add(HttpAgent.#open);
  }

  /** Asks until there is an answer, or the retries are used up. */
  static async #open(request: RunRequest): Promise<Reader> {
    const agent = request.agent as HttpAgent<any>;
    for (let number = 1; ; number++) {
      const met: { retryAfter?: string | undefined } = {};
      try {
        return await asked(agent, request, met);
      } catch (error) {
        if (!(error instanceof AGUIError) || request.watch.stopped) throw error;
        const { code, status, limit } = error as AGUIError & { status?: number };
        const attempt = { number, code, status, limit, retryAfter: met.retryAfter, now: Date.now(), chance: Math.random() };
        const pause = retryPause(agent.retry ?? {}, attempt);
        if (pause === null) throw error;
        agent.say('asks again', { attempt: number + 1, pause });
        let timer: ReturnType<typeof after>;
        const over = new Promise<void>((resolve) => (timer = after(pause, resolve)));
        await request.watch.until(over).finally(() => clearTimeout(timer));
      }
    }
  }
}

/** Asks once, wherever that leads. */
async function asked(agent: HttpAgent<any>, { body, accept, watch }: RunRequest, met: { retryAfter?: string | undefined }): Promise<Reader> {
  const { headers: given } = agent;
  let headers = headersOf(typeof given === 'function' ? await watch.until(new Promise((resolve) => resolve(given()))) : given);
  const isAuthorized = Object.hasOwn(headers, 'authorization');
  let address = addressOf(agent.url);
  for (let followed = 0; ; followed++) {
    const { url, authorization } = address;
    const own = authorization === null || isAuthorized ? {} : { authorization };
    const sent = { 'accept-encoding': ACCEPT_ENCODING, ...headers, ...own, 'content-type': 'application/json', accept };
    const init: RequestInit = { method: 'POST', headers: sent, body, redirect: 'manual', signal: watch.signal };
    const answering = new Promise<Response>((resolve) => resolve(agent.fetch(url, init)));
    const response = await watch.until(answering, 'firstByte').catch((error: unknown) => {
      // Whoever does not look at the signal answers all the same.
      quietly(async () => readerOf(checkedResponse(await answering)).cancel());
      throw watch.stopped ? watch.stopped.reason : failedRequest(error);
    });
    const { status } = checkedResponse(response);
    const reader = readerOf(response);
    const is = responseKind(status);
    if (is === 'events') return understood(response, reader);
    const location = response.headers.get('location');
    if (is === 'refusal' || location === null || agent.redirects === 'none') {
      met.retryAfter = response.headers.get('retry-after') ?? undefined;
      throw await refusal(status, response.headers, reader, watch);
    }
    reader.cancel();
    const next = URL.canParse(location, url) ? new URL(location, url).href : '';
    const isSameOrigin = checkRedirect(status, followed, URL.canParse(url) ? new URL(url).href : '', next, agent.redirects === 'any');
    if (!isSameOrigin) headers = withoutCredentials(headers);
    address = addressOf(next, address, isSameOrigin);
  }
}

/** What is injected for `fetch` may answer with anything. */
function checkedResponse(response: Response): Response {
  if (typeof response?.status === 'number' && typeof response.headers?.get === 'function') return response;
  throw wrongOption('/fetch', 'a function that answers with a Response', response);
}

/** The reader of a body that may be read. `fetch` has begun to decode it, as far as its buffers go: the rest is not asked for. */
function understood(response: Response, reader: Reader): Reader {
  try {
    checkEncoding(response.headers.get('content-encoding') ?? '');
  } catch (error) {
    reader.cancel();
    throw error;
  }
  return reader;
}

/** Reads the body of a response; what the network throws meanwhile is said in core's words. */
function readerOf(response: Response): Reader {
  const { read, cancel } = pieces((response.body ?? []) as Bytes);
  const failed = (error: unknown) => {
    throw failedAnswer(error);
  };
  const given = response.headers.get('content-type');
  return { contentType: given?.trim() ? given : SSE_MEDIA_TYPE, read: () => (read() as Promise<Uint8Array>).catch(failed), cancel };
}

/** What another origin is not to learn, as `fetch` has it. */
function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.includes(name)));
}

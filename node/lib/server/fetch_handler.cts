import { bytesOf } from '../runtime/bytes.cjs';
import { describedError } from '../errors/errors.cjs';
import type { State } from '../generated/types.cjs';
import { LogConnection } from '../durable/log_connection.cjs';
import type { LogSettings } from '../durable/log_options.cjs';
import { answerLogRequest } from '../durable/log_server.cjs';
import { expect } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { report } from '../errors/failure.cjs';
import { type Agreed, type PlainResponse, bodyIsGone, negotiate, refused, unanswered } from './request.cjs';
import { type ServerOptions, type ServerSettings, serverSettingsOf } from './options.cjs';
import { SEND_AHEAD, type Sink } from './outlet.cjs';
import { type Asked, RequestBody } from './request_body.cjs';
import type { AgentFunction } from './run.cjs';
import { answer, begin } from './serve.cjs';
import type { Session } from './session.cjs';
import { type BunServer, type BunWebSocket, bunWebSocket, isForSocket, upgrade } from './upgrade_fetch.cjs';

/**
 * Makes a handler that answers requests of `fetch` with runs of an agent: for Hono, Next, Bun, Deno and others.
 *
 * ```js
 * export const POST = fetchHandler(async (run) => {
 *   const message = run.textMessage();
 *   for await (const delta of model.answer(run.messages)) await message.write(delta);
 * });
 * ```
 *
 * Under Deno it also accepts WebSockets. Under Bun it does if it gets the server as its second argument, and the server gets its
 * `websocket`: `Bun.serve({ fetch: handler, websocket: handler.websocket })`.
 *
 * @example
 * ```ts
 * import { fetchHandler } from 'ag-ui-native/server';
 *
 * const handler = fetchHandler(async (run) => {
 *   await run.write('Hello!');
 * });
 * const input = { threadId: 't1', runId: 'r1', messages: [], tools: [], context: [] };
 * const headers = { 'Content-Type': 'application/json' };
 * const response = await handler(new Request('http://app/', { method: 'POST', headers, body: JSON.stringify(input) }));
 * (await response.text()).includes('Hello!'); // => true
 * ```
 */
export function fetchHandler<S = State>(agent: AgentFunction<S>, options?: ServerOptions): FetchHandler {
  expect('callback', 'agent', agent);
  const settings = serverSettingsOf(options);
  const handle = (request: Request, server?: unknown) => answerRequest(agent, settings, request, server);
  return Object.defineProperty(handle, 'websocket', { get: () => bunWebSocket(settings) }) as FetchHandler;
}

/**
 * Answers requests of `fetch`.
 *
 * @example
 * ```ts
 * import { type FetchHandler, fetchHandler } from 'ag-ui-native/server';
 *
 * const handler: FetchHandler = fetchHandler((run) => run.write('Hello!'));
 * (await handler(new Request('http://app/'))).status; // => 405
 * ```
 */
export interface FetchHandler {
  /** `server` is Bun's, for WebSockets. The returned promise is never rejected. */
  (request: Request, server?: unknown): Promise<Response>;
  /** The value for the member `websocket` of `Bun.serve`. */
  readonly websocket: BunWebSocket;
}

async function answerRequest<S>(agent: AgentFunction<S>, settings: ServerSettings, request: Request, server: unknown): Promise<Response> {
  let cors: Record<string, string> = {};
  try {
    if (isForSocket(request, server)) return responseTo(upgrade(agent, settings, request, server as BunServer | undefined));
    if (settings.durable !== undefined) return await respondFromLog(agent, settings, settings.durable, request, (found) => (cors = found));
    const agreed = negotiate(request.method, (name) => request.headers.get(name) ?? undefined, settings);
    if ('status' in agreed) return responseOf(agreed);
    cors = agreed.cors;
    return await respond(agent, settings, agreed, request);
  } catch (error) {
    report(settings, error);
    return responseOf(refused(native().refuse('internal'), cors));
  }
}

/** The response to a request for a WebSocket. If Bun has answered itself, there is none to return. */
function responseTo(answer: Response | PlainResponse | undefined): Response {
  return answer === undefined || answer instanceof Response ? (answer as Response) : responseOf(answer);
}

async function respond<S>(agent: AgentFunction<S>, settings: ServerSettings, agreed: Agreed, request: Request): Promise<Response> {
  const { cors } = agreed;
  const asked = await askedOf(request, agreed.wireFormat, settings);
  if (typeof asked === 'string') return responseOf(refused(asked, cors));
  const refusal = await unanswered(asked, settings);
  if (refusal !== undefined) return responseOf(refused(refusal, cors));
  return new Response(streamOf(agent, asked, settings, signalOf(request)), { status: 200, headers: agreed.headers });
}

/** Answers a request to a server with a log. */
async function respondFromLog<S>(agent: AgentFunction<S>, settings: ServerSettings, log: LogSettings, request: Request, seeCors: (cors: Record<string, string>) => void): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const asked = () => askedOf(request, 'text', settings);
  const answered = await answerLogRequest(agent, settings, log, { native: request, method: request.method, path: pathname, query: search.slice(1), header, asked }, seeCors);
  if ('plain' in answered!) return responseOf(answered.plain);
  const { reading, cors } = answered!;
  return new Promise((resolve) => {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>(
      { start: (given) => void (controller = given), pull: () => connection?.resume(), cancel: () => connection?.close() },
      { highWaterMark: SEND_AHEAD, size: (chunk) => chunk!.byteLength },
    );
    let connection: LogConnection | undefined;
    connection = new LogConnection(log, reading, {
      open: (headers) => resolve(new Response(stream, { status: 200, headers: { ...headers, ...cors } })),
      write(bytes) {
        controller.enqueue(bytes);
        return controller.desiredSize! > 0;
      },
      end: () => controller.close(),
      refuse(refusal, failure) {
        if (failure !== undefined) report(settings, failure);
        resolve(responseOf(refused(refusal, cors)));
      },
    });
    const signal = signalOf(request);
    if (signal?.aborted) connection.close();
    else signal?.addEventListener('abort', () => connection.close());
  });
}

/**
 * The signal that is aborted when the client disconnects. Deno aborts it after every response, and prints a warning when it is
 * read; under Deno, the cancelled stream reports the disconnect instead.
 */
const signalOf = (request: Request) => ('Deno' in globalThis ? undefined : request.signal);

/** Makes a stream of the run. The run begins at once, and runs ahead of the reader up to the allowed number of bytes. */
function streamOf<S>(agent: AgentFunction<S>, asked: Asked, settings: ServerSettings, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let session: Session | undefined;
  const gone = () => session?.disconnect(signal?.reason);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sink: Sink = {
          send(frames) {
            controller.enqueue(frames.bytes());
            return controller.desiredSize! > 0;
          },
          end: () => controller.close(),
          cut: () => controller.error(describedError('connection_lost')),
        };
        session = begin(asked, sink, settings);
        if (signal?.aborted) gone();
        else signal?.addEventListener('abort', gone);
        void answer(agent, session).finally(() => signal?.removeEventListener('abort', gone));
      },
      pull: () => session?.outlet.resume(),
      cancel: (reason) => session?.disconnect(reason),
    },
    { highWaterMark: SEND_AHEAD, size: (chunk) => chunk!.byteLength },
  );
}

/** Reads the run's input from the body. Returns the run, or the refusal. */
async function askedOf(request: Request, wireFormat: string, settings: ServerSettings): Promise<Asked | string> {
  const body = new RequestBody(wireFormat, settings);
  // Read before there is a reader: in Bun, a body with a reader counts as used.
  const isGone = request.bodyUsed;
  const reader = isGone ? undefined : request.body?.getReader();
  if (isGone) body.refuse(bodyIsGone(settings));
  else if (reader === undefined) body.end();
  else receive(body, reader).catch((error) => body.fail(error));
  try {
    // Reading fails if the client disconnects.
    return (await body.asked)!;
  } finally {
    // The rest of a refused body is not read.
    reader?.cancel().catch(() => undefined);
  }
}

async function receive(body: RequestBody, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) {
    const piece = await reader.read();
    if (piece.done) return body.end();
    body.receive(bytesOf(piece.value, 'body'));
  }
}

function responseOf({ status, headers, body }: PlainResponse): Response {
  return new Response(status === 204 ? null : body, { status, headers });
}

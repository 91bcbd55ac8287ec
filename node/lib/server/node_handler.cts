import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { State } from '../generated/types.cjs';
import { expect } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { bodyBytes } from '../types/run_input.cjs';
import type { LogSettings } from '../durable/log_options.cjs';
import { LogConnection } from '../durable/log_connection.cjs';
import { answerLogRequest } from '../durable/log_server.cjs';
import { sinkTo } from './chunks.cjs';
import { report } from '../errors/failure.cjs';
import { type Agreed, type PlainResponse, bodyIsGone, negotiate, refused, unanswered } from './request.cjs';
import { type ServerOptions, type ServerSettings, serverSettingsOf } from './options.cjs';
import { type Asked, RequestBody } from './request_body.cjs';
import type { AgentFunction } from './run.cjs';
import { answer, begin } from './serve.cjs';
import { upgrade } from './upgrade.cjs';

/**
 * A request of node:http, or of the compatibility layer of http2. Express and other frameworks add a `body` that is read already.
 *
 * @example
 * ```ts
 * import { nodeHandler, type NodeRequest, type NodeResponse } from 'ag-ui-native/server';
 *
 * const handler = nodeHandler((run) => run.write('Hello!'));
 * const answer = (request: NodeRequest, response: NodeResponse) => handler(request, response);
 * ```
 */
export type NodeRequest = (IncomingMessage | Http2ServerRequest) & { body?: unknown };
/**
 * A response of `node:http` or `node:http2`.
 *
 * @example
 * ```ts
 * import { nodeHandler, type NodeRequest, type NodeResponse } from 'ag-ui-native/server';
 *
 * const handler = nodeHandler((run) => run.write('Hello!'));
 * const answer = async (request: NodeRequest, response: NodeResponse) => {
 *   response.setHeader('X-Team', 'research');
 *   await handler(request, response);
 * };
 * ```
 */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/**
 * Makes a handler that answers requests with runs of an agent: for node:http, http2, Express (also after `express.json()`), and
 * Fastify's raw request and response. Its promise resolves when the agent has ended, or in the turn after the agent was told to
 * stop; with a log, when the response has begun. It is never rejected.
 *
 * ```js
 * createServer(nodeHandler(async (run) => {
 *   const message = run.textMessage();
 *   for await (const delta of model.answer(run.messages)) await message.write(delta);
 * })).listen(8000);
 * ```
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { nodeHandler } from 'ag-ui-native/server';
 *
 * const handler = nodeHandler(async (run) => {
 *   await run.write('Hello!');
 * });
 * const server = createServer(handler);
 * server.on('upgrade', handler.upgrade);
 * ```
 */
export function nodeHandler<S = State>(agent: AgentFunction<S>, options?: ServerOptions): NodeHandler {
  expect('callback', 'agent', agent);
  const settings = serverSettingsOf(options);
  return Object.assign((request: NodeRequest, response: NodeResponse) => handle(agent, settings, request as Readable, response as ServerResponse), {
    upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => upgrade(agent, settings, request, socket, head),
  });
}

/**
 * Answers requests of node:http.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { type NodeHandler, nodeHandler } from 'ag-ui-native/server';
 *
 * const handler: NodeHandler = nodeHandler((run) => run.write('Hello!'));
 * const server = createServer(handler);
 * ```
 */
export interface NodeHandler {
  (request: NodeRequest, response: NodeResponse): Promise<void>;
  /**
   * Answers requests for WebSockets, with the package `ws`: `server.on('upgrade', handler.upgrade)`. The first message is the run's
   * input as JSON; each event is a message. The promise resolves when the agent has ended, and is never rejected.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void>;
}

type Readable = IncomingMessage & { body?: unknown };

async function handle<S>(agent: AgentFunction<S>, settings: ServerSettings, request: Readable, response: ServerResponse): Promise<void> {
  let cors: Record<string, string> = {};
  try {
    if (settings.durable !== undefined) return await respondFromLog(agent, settings, settings.durable, request, response, (found) => (cors = found));
    const agreed = negotiate(request.method ?? '', (name) => request.headers[name] as string | undefined, settings);
    if ('status' in agreed) return refuse(request, response, agreed);
    cors = agreed.cors;
    await respond(agent, settings, agreed, request, response);
  } catch (error) {
    // An error before the run has begun is the server's fault.
    report(settings, error);
    refuse(request, response, refused(native().refuse('internal'), cors));
  }
}

async function respond<S>(agent: AgentFunction<S>, settings: ServerSettings, agreed: Agreed, request: Readable, response: ServerResponse): Promise<void> {
  const { cors } = agreed;
  const asked = await askedOf(request, response, agreed.wireFormat, settings);
  if (asked === undefined) return;
  if (typeof asked === 'string') return refuse(request, response, refused(asked, cors));
  const refusal = await unanswered(asked, settings);
  if (refusal !== undefined) return refuse(request, response, refused(refusal, cors));
  if (response.destroyed || response.writableEnded) return;
  const resume = () => session.outlet.resume();
  const session = begin(asked, sinkTo(response, resume), settings);
  response.on('drain', resume);
  response.on('error', (error) => session.disconnect(error));
  response.on('close', () => session.disconnect());
  response.writeHead(200, agreed.headers);
  await answer(agent, session);
}

/** Answers a request to a server with a log. The promise resolves when the response has begun. */
async function respondFromLog<S>(
  agent: AgentFunction<S>,
  settings: ServerSettings,
  log: LogSettings,
  request: Readable,
  response: ServerResponse,
  seeCors: (cors: Record<string, string>) => void,
): Promise<void> {
  const [path = '', query = ''] = splitAddress((request as { originalUrl?: string }).originalUrl ?? request.url ?? '');
  const header = (name: string) => request.headers[name] as string | undefined;
  const asked = () => askedOf(request, response, 'text', settings);
  const answered = await answerLogRequest(agent, settings, log, { native: request, method: request.method ?? '', path, query, header, asked }, seeCors);
  if (answered === undefined) return;
  const isGone = response.destroyed || response.writableEnded;
  if ('plain' in answered) return isGone ? undefined : refuse(request, response, answered.plain);
  const { reading, cors } = answered;
  if (isGone) return reading.place.release();
  const connection: LogConnection = new LogConnection(log, reading, {
    open(headers) {
      response.writeHead(200, { ...headers, ...cors });
      // The first event may be far away.
      response.flushHeaders();
    },
    write: (bytes) => response.write(bytes),
    end: () => void response.end(),
    refuse(refusal, failure) {
      if (failure !== undefined) report(settings, failure);
      refuse(request, response, refused(refusal, cors));
    },
  });
  response.on('drain', () => connection.resume());
  response.on('error', () => connection.close());
  response.on('close', () => connection.close());
}

/** Splits the address of a request into its path and its query. */
function splitAddress(url: string): string[] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

/**
 * Reads the run's input from the body, which a framework may have read already. Returns the run, or the refusal; undefined if the
 * client has disconnected.
 */
async function askedOf(request: Readable, response: ServerResponse, wireFormat: string, settings: ServerSettings): Promise<Asked | string | undefined> {
  const { body: read } = request;
  const isRead = read !== undefined && read !== null && (request.readableDidRead || request.readableEnded);
  const bytes = isRead ? bodyBytes(read) : undefined;
  const body = new RequestBody(wireFormat, settings);
  if (bytes !== undefined) {
    body.receive(bytes);
    body.end();
  } else if (request.readableEnded) {
    if (request.headers['content-length'] === '0') body.end();
    else body.refuse(bodyIsGone(settings));
  } else if (request.destroyed || response.destroyed) {
    // The client has disconnected while earlier middleware was working.
    body.gone();
  } else {
    receive(body, request, response);
  }
  return body.asked;
}

/** Receives the body as it arrives. */
function receive(body: RequestBody, request: Readable, response: ServerResponse): void {
  // Middleware may have set an encoding, so chunks may be text.
  const take = (chunk: Uint8Array | string) => body.receive(typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding ?? 'utf8') : chunk);
  const end = () => body.end();
  const gone = () => body.gone();
  // Earlier middleware may have paused the request.
  request.on('data', take).on('end', end).on('error', gone).resume();
  response.on('close', gone);
  void body.asked.then(() => {
    request.off('data', take).off('end', end).off('error', gone);
    response.off('close', gone);
  });
}

/** Sends a response that is not a stream. If the body is not received completely, the connection is closed. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, headers, body }: PlainResponse): void {
  if (response.writableEnded) return;
  if (response.headersSent) return void response.destroy();
  const isRead = request.readableEnded || request.complete;
  const close = !isRead && request.httpVersionMajor < 2 ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...close });
  response.end(body);
}

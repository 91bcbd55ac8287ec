import type { PlainResponse } from './request.cjs';
import type { ServerSettings } from './options.cjs';
import { SEND_AHEAD } from './outlet.cjs';
import type { AgentFunction } from './run.cjs';
import { type Agreed, Connection, converse, negotiateSocket, type Socket } from './websocket.cjs';

// WebSockets of hosts whose servers are functions of a `Request`, and which open WebSockets themselves: Bun and Deno.

/** The server that `Bun.serve` passes to its function after the request. */
export interface BunServer {
  upgrade(request: Request, options: { headers?: Record<string, string>; data: Opening }): boolean;
}

/** A WebSocket of Bun. */
export interface BunSocket {
  data: Opening;
  send(data: string | Uint8Array): number;
  ping(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

/** The member `websocket` of `Bun.serve`. */
export interface BunWebSocket {
  open(socket: BunSocket): void;
  message(socket: BunSocket, data: string | Uint8Array): void;
  drain(socket: BunSocket): void;
  pong(socket: BunSocket): void;
  close(socket: BunSocket): void;
  maxPayloadLength: number;
  backpressureLimit: number;
  perMessageDeflate: boolean;
}

/** The data of a WebSocket of Bun. */
interface Opening {
  open(socket: BunSocket): Connection;
  connection?: Connection;
}

/** The WebSocket of a web page, and of Deno. */
interface StandardSocket {
  readonly bufferedAmount: number;
  readonly readyState: number;
  binaryType: string;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
}

interface DenoHost {
  upgradeWebSocket(request: Request, options: object): { socket: StandardSocket; response: Response };
}

const denoHost = () => (globalThis as { Deno?: Partial<DenoHost> }).Deno;

/** True if this is a request for a WebSocket and the host can open it. */
export function isForSocket(request: Request, server: unknown): boolean {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return false;
  return typeof (server as BunServer | undefined)?.upgrade === 'function' || typeof denoHost()?.upgradeWebSocket === 'function';
}

/** Answers a request for a WebSocket: opens it for a run, or returns a refusal. Undefined if Bun answers itself. */
export function upgrade<S>(agent: AgentFunction<S>, settings: ServerSettings, request: Request, server: BunServer | undefined): Response | PlainResponse | undefined {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const asked = { origin: header('origin'), host: header('host'), accept: header('accept'), protocols: header('sec-websocket-protocol') };
  const agreed = negotiateSocket(asked, settings);
  if ('refusal' in agreed) return agreed.refusal;
  // Behind the upgrade, Deno's request has no headers any more.
  const resume = header('ag-ui-resume');
  const serve = (connection: Connection) => void converse(agent, settings, connection, { native: request, resume });
  if (typeof server?.upgrade !== 'function') return upgradeDeno(request, agreed, settings, serve);
  upgradeBun(server, request, agreed, settings, serve);
  return undefined;
}

/** The pause between two checks of the waiting bytes, in milliseconds: Deno has no event for them. */
const LOOK = 10;

function upgradeDeno(request: Request, agreed: Agreed, settings: ServerSettings, serve: (connection: Connection) => void): Response {
  const { protocol } = agreed;
  const { heartbeat } = settings;
  // Deno sends the pings.
  const idleTimeout = Math.ceil(Math.min(heartbeat, 2 ** 31 - 1) / 1000);
  const { socket: opened, response } = denoHost()!.upgradeWebSocket!(request, { idleTimeout });
  // Deno's own option for the subprotocol requires a blank after each comma in the request's header.
  if (protocol !== null) response.headers.set('sec-websocket-protocol', protocol);
  opened.binaryType = 'arraybuffer';
  const socket: Socket = {
    send(messages, isBinary) {
      if (opened.readyState !== OPEN) return true;
      for (const message of messages) opened.send(isBinary ? message : utf8.decode(message));
      if (opened.bufferedAmount < SEND_AHEAD) return true;
      look();
      return false;
    },
    close: (code, reason) => closeStandard(opened, code, reason),
    // Deno has no `terminate`.
    terminate: () => opened.close(),
  };
  const connection = new Connection(socket, agreed, settings);
  const look = () => void setTimeout(() => (opened.bufferedAmount < SEND_AHEAD || connection.isClosed ? connection.drained() : look()), LOOK);
  opened.onmessage = ({ data }) => connection.take(typeof data === 'string' ? data : new Uint8Array(data), typeof data !== 'string');
  opened.onclose = () => connection.closed();
  // A `close` event follows.
  opened.onerror = () => undefined;
  serve(connection);
  return response;
}

/** The difference between a code of RFC 6455 and a code that web pages may close with. */
const TO_OWN_CODE = 3000;

/**
 * Closes the WebSocket. If the host allows only the codes of web pages (1000, and from 3000 on), another code is used: 4001 for
 * 1001.
 */
function closeStandard(opened: StandardSocket, code: number, reason: string): void {
  try {
    opened.close(code, reason);
  } catch {
    opened.close(code + TO_OWN_CODE, reason);
  }
}

/** The state of an open WebSocket. */
const OPEN = 1;

const utf8 = new TextDecoder();

function upgradeBun(server: BunServer, request: Request, agreed: Agreed, settings: ServerSettings, serve: (connection: Connection) => void): void {
  const { protocol } = agreed;
  const open = (opened: BunSocket) => {
    const connection = new Connection(bunSocket(opened), agreed, settings);
    serve(connection);
    return connection;
  };
  const headers = protocol === null ? undefined : { 'sec-websocket-protocol': protocol };
  server.upgrade(request, { data: { open }, ...(headers && { headers }) });
}

function bunSocket(opened: BunSocket): Socket {
  return {
    send(messages, isBinary) {
      // Bun returns a negative number if the message waits to be sent.
      let sent = 0;
      for (const message of messages) sent = opened.send(isBinary ? message : utf8.decode(message));
      return sent >= 0;
    },
    ping: () => opened.ping(),
    close: (code, reason) => opened.close(code, reason),
    terminate: () => opened.terminate(),
  };
}

/** The handlers of Bun's WebSockets. */
export function bunWebSocket(settings: ServerSettings): BunWebSocket {
  const { inputBytes = 0 } = negotiateSocket({}, settings) as Agreed;
  return {
    open: (socket) => void (socket.data.connection = socket.data.open(socket)),
    message: ({ data: { connection } }, data) => connection?.take(data, typeof data !== 'string'),
    drain: ({ data: { connection } }) => connection?.drained(),
    pong: ({ data: { connection } }) => connection?.heard(),
    close: ({ data: { connection } }) => connection?.closed(),
    maxPayloadLength: Math.min(Math.max(inputBytes, 1), 2 ** 31 - 1),
    // Bun drops messages beyond this limit: the agent waits earlier.
    backpressureLimit: 2 ** 31 - 1,
    // A short compressed message may become a long one.
    perMessageDeflate: false,
  };
}

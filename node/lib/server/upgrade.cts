import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { END_GRACE } from '../generated/border.cjs';
import { native } from '../native/native.cjs';
import { after } from '../runtime/timers.cjs';
import { report } from '../errors/failure.cjs';
import { type PlainResponse, refusalOf } from './request.cjs';
import type { ServerSettings } from './options.cjs';
import { SEND_AHEAD } from './outlet.cjs';
import type { AgentFunction } from './run.cjs';
import { type Agreed, Connection, converse, negotiateSocket, type Socket } from './websocket.cjs';

// WebSockets of node:http, with the package `ws`.

/** The parts of a WebSocket of the package `ws` that are used. */
interface WsSocket {
  readonly bufferedAmount: number;
  send(data: Uint8Array, options: { binary: boolean }, sent?: () => void): void;
  ping(): void;
  close(code: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: Uint8Array, isBinary: boolean) => void): this;
  on(event: 'close' | 'error' | 'pong', listener: () => void): this;
}

interface Library {
  WebSocketServer: new (options: object) => {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array, opened: (socket: WsSocket) => void): void;
  };
}

/** Answers a request for a WebSocket with a run. The promise resolves when the run is over, and is never rejected. */
export async function upgrade<S>(agent: AgentFunction<S>, settings: ServerSettings, request: IncomingMessage, socket: Duplex, head: Uint8Array): Promise<void> {
  try {
    const { origin, host, accept, 'sec-websocket-protocol': protocols } = request.headers;
    const agreed = negotiateSocket({ origin, host, accept, protocols }, settings);
    if ('refusal' in agreed) return deny(socket, agreed.refusal);
    const opened = await open(request, socket, head, agreed, settings);
    if (opened !== undefined) await converse(agent, settings, opened, { native: request, resume: request.headers['ag-ui-resume'] as string | undefined });
  } catch (error) {
    report(settings, error);
    deny(socket, refusalOf(native().refuse('internal')));
  }
}

/** Opens the WebSocket. Undefined if the client has disconnected, or if the request is invalid: then it has been answered. */
function open(request: IncomingMessage, socket: Duplex, head: Uint8Array, agreed: Agreed, settings: ServerSettings): Promise<Connection | undefined> {
  const { protocol, inputBytes } = agreed;
  const { WebSocketServer } = library();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A short compressed message may become a long one.
    perMessageDeflate: false,
    handleProtocols: () => protocol ?? false,
    // For `ws`, 0 and values of more than 31 bits mean no limit.
    maxPayload: Math.min(Math.max(inputBytes, 1), 2 ** 31 - 1),
  });
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    // Messages may arrive at once, so the listeners are added in this callback.
    server.handleUpgrade(request, socket, head, (opened) => resolve(connectionOf(opened, agreed, settings)));
  });
}

function library(): Library {
  try {
    return require('ws') as Library;
  } catch (cause) {
    throw new Error('WebSockets need the package ws: npm install ws', { cause });
  }
}

function connectionOf(opened: WsSocket, agreed: Agreed, settings: ServerSettings): Connection {
  const socket: Socket = {
    send(messages, binary) {
      const last = messages.length - 1;
      messages.forEach((message, at) => opened.send(message, { binary }, at === last ? () => connection.drained() : undefined));
      return opened.bufferedAmount < SEND_AHEAD;
    },
    ping: () => opened.ping(),
    close: (code, reason) => opened.close(code, reason),
    terminate: () => opened.terminate(),
  };
  const connection = new Connection(socket, agreed, settings);
  opened.on('message', (data, isBinary) => connection.take(data, isBinary));
  opened.on('pong', () => connection.heard());
  opened.on('close', () => connection.closed());
  // A `close` event follows.
  opened.on('error', () => undefined);
  return connection;
}

/** Answers a request for a WebSocket that is refused. */
function deny(socket: Duplex, { status, headers, body }: PlainResponse): void {
  if (socket.destroyed || socket.writableEnded) return;
  const { STATUS_CODES } = require('node:http') as typeof import('node:http');
  const lines = Object.entries({ ...headers, connection: 'close' });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines.map((header) => header.join(': '))];
  // Node no longer closes this socket itself; a client that does not read is disconnected after a while.
  const timer = after(END_GRACE, () => socket.destroy());
  socket.once('close', () => clearTimeout(timer)).once('finish', () => socket.destroy());
  socket.on('error', () => undefined).end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

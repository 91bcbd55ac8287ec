import { describedError } from '../../errors/errors.cjs';
import { bytesOf } from '../../runtime/bytes.cjs';
import { SSE_MEDIA_TYPE } from '../../generated/border.cjs';
import type { RunAgentInput } from '../../generated/types.cjs';
import { expectIfGiven, wrongKind } from '../../options/kinds.cjs';
import { wrongOption } from '../../options/option_reader.cjs';
import type { AgentHandle } from '../agent_handle.cjs';
import type { CancelScope } from '../cancel_scope.cjs';

/**
 * The request for a run.
 *
 * @example
 * ```ts
 * import { Agent, type RunRequest } from 'ag-ui-native/client';
 *
 * const transport = ({ input }: RunRequest) => {
 *   input.messages[0]?.content; // => 'Hi'
 *   return [new TextEncoder().encode('data: {"type": "RUN_ERROR", "message": "No model."}\n\n')];
 * };
 * (await new Agent(transport).ask('Hi')).result.error?.message; // => 'No model.'
 * ```
 */
export interface RunRequest {
  /** The agent that requests the run. */
  readonly agent: AgentHandle<any>;
  /** The input of the run. */
  readonly input: RunAgentInput;
  /** The input as JSON text, to be sent. */
  readonly body: string;
  /** The value of the header `Accept`. */
  readonly accept: string;
  /** Aborts when the answer is no longer read. */
  readonly signal: AbortSignal;
  /** @internal */
  readonly scope: CancelScope;
  /** @internal */
  readonly subject: Subject;
}

/** The run that a request starts, or the run or thread of which a server keeps a log. */
export interface Subject {
  readonly purpose: 'start' | 'join' | 'cancel' | 'thread';
  readonly threadId: string;
  /** The id of the run; empty if the request is about the thread. */
  readonly runId: string;
}

/**
 * The bytes of an answer.
 *
 * @example
 * ```ts
 * import { Agent, type Bytes } from 'ag-ui-native/client';
 *
 * const bytes: Bytes = [new TextEncoder().encode('data: {"type": "RUN_ERROR", "message": "No model."}\n\n')];
 * (await new Agent(() => bytes).runAgent()).outcome; // => 'error'
 * ```
 */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * The answer to a request: the bytes of events and their content type, which is that of server-sent events by default.
 *
 * @example
 * ```ts
 * import { Agent, type TransportResponse } from 'ag-ui-native/client';
 *
 * const body = [new TextEncoder().encode('data: {"type": "RUN_ERROR", "message": "No model."}\n\n')];
 * const response: TransportResponse = { contentType: 'text/event-stream', body };
 * (await new Agent(() => response).runAgent()).outcome; // => 'error'
 * ```
 */
export type TransportResponse = Bytes | Response | ResponseReader | { readonly contentType?: string | null | undefined; readonly body: Bytes | null };

/**
 * Requests a run.
 *
 * @example
 * ```ts
 * import { Agent, type Transport } from 'ag-ui-native/client';
 *
 * const transport: Transport = async () =>
 *   new Response('data: {"type": "RUN_ERROR", "message": "No model."}\n\n', { headers: { 'Content-Type': 'text/event-stream' } });
 * (await new Agent(transport).runAgent()).outcome; // => 'error'
 * ```
 */
export type Transport = (request: RunRequest) => TransportResponse | PromiseLike<TransportResponse>;

/** The transports that apply retries and timeouts to each attempt themselves. */
export const timed = new WeakSet<Transport>();

/** Requests about runs and threads of which a server keeps a log. */
export interface LogRequests {
  /** Cancels a run. Resolves when the server has accepted that. */
  cancel(agent: AgentHandle<any>, runId: string, scope: CancelScope): Promise<void>;
  /** Returns what the server keeps of the agent's thread, as JSON text. */
  thread(agent: AgentHandle<any>, scope: CancelScope): Promise<string>;
}

/** The requests of the transports whose runs can be joined and cancelled, and whose threads can be read. */
const logRequests = new WeakMap<Transport, LogRequests>();

/** Declares that a transport can do this, and joins runs. */
export function setLogRequests(transport: Transport, requests: LogRequests): void {
  logRequests.set(transport, requests);
}

/** @throws AGUIValidationError for a transport that cannot join runs */
export function logRequestsOf(transport: Transport): LogRequests {
  const requests = logRequests.get(transport);
  if (requests === undefined) throw wrongOption('/transport', 'that of an HttpAgent: runs are joined and cancelled, and threads are read, over HTTP', transport);
  return requests;
}

/**
 * Reads an answer, piece by piece.
 *
 * @example
 * ```ts
 * import { Agent, type ResponseReader } from 'ag-ui-native/client';
 *
 * const pieces = [new TextEncoder().encode('data: {"type": "RUN_ERROR", "message": "No model."}\n\n')];
 * const reader: ResponseReader = { contentType: 'text/event-stream', read: async () => pieces.shift(), cancel() {} };
 * (await new Agent(() => reader).runAgent()).outcome; // => 'error'
 * ```
 */
export interface ResponseReader {
  readonly contentType: string;
  /** Returns the next piece, or undefined at the end. */
  read(): PromiseLike<Uint8Array | undefined>;
  /** Stops reading. */
  cancel(): void;
  /** True if the connection carries one run: nothing is read after its end. */
  readonly isForOneRun?: boolean;
}

/** Returns the reader of a transport's answer. */
export function readerOf(answer: TransportResponse): ResponseReader {
  if (typeof answer !== 'object' || answer === null) throw wrongKind('answer', 'bytes of events', answer);
  if ('read' in answer && 'cancel' in answer) return readerLike(answer);
  const isBytes = Symbol.asyncIterator in answer || Symbol.iterator in answer || 'getReader' in answer;
  if (isBytes) return { contentType: SSE_MEDIA_TYPE, ...pieces(answer as Bytes) };
  const { body, headers, contentType } = answer as { body?: Bytes | null; headers?: Headers; contentType?: string | null };
  return { contentType: typeOf(contentType ?? headers?.get?.('content-type')), ...pieces(body ?? []) };
}

/** Reads an answer that has no events. */
export async function textOf(reader: ResponseReader, scope: CancelScope, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  try {
    for (let piece; (piece = await scope.wait(reader.read(), scope.timeout('idle'))) !== undefined; ) {
      length += piece.length;
      if (length > most) throw describedError('limit_exceeded', '', 'eventBytes');
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    reader.cancel();
  }
}

/** Returns a reader of the application with its results checked. */
function readerLike(reader: ResponseReader): ResponseReader {
  return {
    contentType: typeOf(reader.contentType),
    async read() {
      const piece = await reader.read();
      return piece === undefined ? undefined : bytesOf(piece, 'answer');
    },
    cancel: () => reader.cancel(),
    isForOneRun: reader.isForOneRun === true,
  };
}

function typeOf(contentType: string | null | undefined): string {
  expectIfGiven('text', 'answer.contentType', contentType);
  return contentType?.trim() ? contentType : SSE_MEDIA_TYPE;
}

/** Returns the reader of a stream or an iterable of bytes. */
export function pieces(source: Bytes): Pick<ResponseReader, 'read' | 'cancel'> {
  if (typeof (source as ReadableStream).getReader === 'function') {
    const reader = (source as ReadableStream<Uint8Array>).getReader();
    return {
      read: async () => (await reader.read()).value,
      cancel: () => void reader.cancel().catch(() => undefined),
    };
  }
  const iterable = source as AsyncIterable<Uint8Array> & Iterable<Uint8Array>;
  const begin = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (typeof begin !== 'function') throw wrongKind('answer', 'bytes of events', source);
  const iterator = iterated(begin.call(iterable) as AsyncIterator<Uint8Array>, 'answer');
  return {
    async read() {
      const { done, value } = await iterator.next();
      return done ? undefined : bytesOf(value, 'answer');
    },
    cancel() {
      // A generator that is running returns after its current step.
      void iterator.return().catch(() => undefined);
    },
  };
}

/** Returns an iterator of the application with its results checked. */
export function iterated<T>(iterator: Partial<AsyncIterator<T>> | undefined, name: string): Required<Pick<AsyncIterator<T>, 'next' | 'return'>> {
  if (typeof iterator?.next !== 'function') throw wrongKind(name, 'an iterator', iterator);
  return {
    async next() {
      const step = await iterator.next!();
      if (typeof step !== 'object' || step === null) throw wrongKind(name, "an iterator's result", step);
      return step;
    },
    async return() {
      return (await iterator.return?.()) ?? { done: true, value: undefined };
    },
  };
}

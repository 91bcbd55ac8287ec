import { type AGUIError, AGUIValidationError, answerOf } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import type { RunInput } from '../types/run_input.cjs';
import type { Interrupt } from '../generated/types.cjs';
import { report } from '../errors/failure.cjs';
import type { Settings } from './options.cjs';

// Heads of requests, and answers, for every kind of server.

/** An answer that is no stream. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request whose body may be received. */
export interface Agreed {
  transport: string;
  /** The headers of the stream. */
  headers: Record<string, string>;
  /** The headers about origins, which belong to every answer. */
  cors: Record<string, string>;
}

/** A refusal, as the addon describes it. */
export interface Refusal extends Answer {
  /** The code that closes a WebSocket that is open already. */
  closeCode: number;
  closeReason: string;
}

/** Judges the head of a request; `header` finds a header by its name in lower case. */
export function negotiate(method: string, header: (name: string) => string | undefined, { wildcards, cors, native: options }: Settings): Agreed | Answer {
  const asked = stringify({
    method,
    origin: header('origin'),
    contentType: header('content-type'),
    accept: header('accept'),
    contentLength: header('content-length'),
    requestMethod: header('access-control-request-method'),
    requestHeaders: header('access-control-request-headers'),
    wildcards,
    cors,
  });
  const negotiated = answerOf<Agreed & { answer?: Answer }>(native().negotiate(asked as string, options));
  return negotiated.answer ?? { ...negotiated, headers: { ...negotiated.headers, ...negotiated.cors } };
}

/** The answer to a request that is refused as the addon describes. */
export function refused(text: string, cors: Record<string, string>): Answer {
  const { status, headers, body } = refusalOf(text);
  return { status, headers: { ...headers, ...cors }, body };
}

/** The refusal itself. */
export function refusalOf(text: string): Refusal {
  return (JSON.parse(text) as { refusal: Refusal }).refusal;
}

/** A refusal as an error. */
export function refusalError(text: string): AGUIError {
  const { body } = refusalOf(text);
  const { code, message, path } = JSON.parse(body) as { code: string; message: string; path: string };
  return new AGUIValidationError(message, { code, path });
}

/** The refusal of an input that leaves interrupts without an answer. Answers to others are warned of. */
export async function unanswered({ input, warnings }: RunInput, { pendingInterrupts }: Settings): Promise<string | undefined> {
  if (pendingInterrupts === undefined) return undefined;
  const pending: readonly Interrupt[] = await pendingInterrupts(input);
  const judged = native().judgeResume(stringify(pending) ?? 'null', stringify(input.resume ?? []) as string, Date.now());
  const told = JSON.parse(judged) as { warnings?: Warning[] };
  if (told.warnings === undefined) return judged;
  warnings.push(...told.warnings);
  return undefined;
}

/** The refusal of a request of whose body the application has left nothing; it is told, too. */
export function bodyIsGone(settings: Settings): string {
  report(settings, new TypeError(`request: ${GONE}`));
  return native().refuse('internal', GONE);
}

const GONE = 'the body was already read before the handler got the request; hand over a clone, or under Node what was read as its `body`';

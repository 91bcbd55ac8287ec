import { type AGUIError, AGUIValidationError, answerOf } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import type { RunInput } from '../types/run_input.cjs';
import type { Interrupt } from '../generated/types.cjs';
import { report } from '../errors/failure.cjs';
import type { ServerSettings } from './options.cjs';

// Heads of requests, and responses, for every kind of server.

/** A response that is not a stream. */
export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that is accepted, before its body is received. */
export interface Agreed {
  wireFormat: string;
  /** The headers of the stream. */
  headers: Record<string, string>;
  /** The CORS headers, which every response has. */
  cors: Record<string, string>;
}

/** A refusal, as the addon describes it. */
export interface Refusal extends PlainResponse {
  /** The code that closes a WebSocket which is open already. */
  closeCode: number;
  closeReason: string;
}

/** Checks the head of a request; `header` returns a header by its lowercase name. */
export function negotiate(method: string, header: (name: string) => string | undefined, { acceptWildcards, cors, native: options }: ServerSettings): Agreed | PlainResponse {
  const asked = stringify({
    method,
    origin: header('origin'),
    contentType: header('content-type'),
    accept: header('accept'),
    contentLength: header('content-length'),
    requestMethod: header('access-control-request-method'),
    requestHeaders: header('access-control-request-headers'),
    acceptWildcards,
    cors,
  });
  const negotiated = answerOf<Agreed & { answer?: PlainResponse }>(native().negotiate(asked as string, options));
  return negotiated.answer ?? { ...negotiated, headers: { ...negotiated.headers, ...negotiated.cors } };
}

/** The response to a request that the addon has refused. */
export function refused(text: string, cors: Record<string, string>): PlainResponse {
  const { status, headers, body } = refusalOf(text);
  return { status, headers: { ...headers, ...cors }, body };
}

/** The refusal that the addon has described. */
export function refusalOf(text: string): Refusal {
  return (JSON.parse(text) as { refusal: Refusal }).refusal;
}

/** A refusal as an error. */
export function refusalError(text: string): AGUIError {
  const { body } = refusalOf(text);
  const { code, message, path } = JSON.parse(body) as { code: string; message: string; path: string };
  return new AGUIValidationError(message, { code, path });
}

/** Checks that an input answers the pending interrupts. Returns a refusal if not; answers to others are added to the warnings. */
export async function unanswered({ input, warnings }: RunInput, { pendingInterrupts }: ServerSettings): Promise<string | undefined> {
  if (pendingInterrupts === undefined) return undefined;
  const pending: readonly Interrupt[] = await pendingInterrupts(input);
  const judged = native().judgeResume(stringify(pending) ?? 'null', stringify(input.resume ?? []) as string, Date.now());
  const verdict = JSON.parse(judged) as { warnings?: Warning[] };
  if (verdict.warnings === undefined) return judged;
  warnings.push(...verdict.warnings);
  return undefined;
}

/** The refusal of a request whose body the application has already consumed. It is reported to the application too. */
export function bodyIsGone(settings: ServerSettings): string {
  report(settings, new TypeError(`request: ${GONE}`));
  return native().refuse('internal', GONE);
}

const GONE = 'the body was read before the handler got the request; pass a clone of the request, or in Node the read body as `request.body`';

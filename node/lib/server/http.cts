import { type AGUIError, AGUIValidationError, answerOf } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import type { RunInput } from '../types/run_input.cjs';
import type { Interrupt } from '../generated/types.cjs';
import { report } from './failure.cjs';
import type { Settings } from './options.cjs';

// What is the same for every kind of server: heads of requests and answers.

/** The head of a request, as far as it matters. */
export interface Head {
  method: string;
  origin: string | undefined;
  contentType: string | undefined;
  accept: string | undefined;
  contentLength: string | undefined;
  /** The method and the headers that a preflight asks for. */
  requestMethod: string | undefined;
  requestHeaders: string | undefined;
}

/** An answer that is no stream. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** How the events travel. */
export interface Agreed {
  transport: string;
  headers: Record<string, string>;
  /** What every answer says of origins. */
  cors: Record<string, string>;
}

/** What the addon says of a head. */
interface Negotiated {
  preflight?: boolean;
  cors?: Record<string, string>;
  refusal?: Refusal;
  transport: string;
  headers: Record<string, string>;
}

/** A refusal, as the addon describes it. */
export interface Refusal {
  status: number;
  allow: string | null;
  body: string;
  /** How a WebSocket is closed that is open already. */
  closeCode: number;
  closeReason: string;
}

/** How a request is answered, judged by its head. */
export function negotiate(head: Head, settings: Settings): Agreed | Answer {
  const asked = stringify({ ...head, wildcards: settings.wildcards, cors: settings.cors }) as string;
  const { preflight, cors = {}, refusal, transport, headers } = answerOf<Negotiated>(native().negotiate(asked, settings.native));
  if (preflight) return { status: 204, headers: cors, body: '' };
  if (refusal) return answerTo(refusal, cors);
  return { transport, headers: { ...headers, ...cors }, cors };
}

/** The refusal that the addon describes. */
export function refused(text: string, cors: Record<string, string>): Answer {
  return answerTo(refusalOf(text), cors);
}

/** The refusal itself. */
export function refusalOf(text: string): Refusal {
  return (JSON.parse(text) as { refusal: Refusal }).refusal;
}

/** The answer that it is. */
export function answerTo({ status, allow, body }: Refusal, cors: Record<string, string>): Answer {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...cors };
  if (allow !== null) headers['allow'] = allow;
  return { status, headers, body };
}

/** The same as an error. */
export function refusalError(text: string): AGUIError {
  const { body } = refused(text, {});
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

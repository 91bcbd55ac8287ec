import { AGUIError, answerOf, errorFrom } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Interrupt, Message, ResumeEntry } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { optionsText, type Warning } from '../options/options.cjs';
import { checkValue, textOf as text } from '../json/value.cjs';

// What core decides for a client. Texts cross.

/** An input ready to be sent, as JSON text; and what was lost on the way. */
export interface Prepared {
  body: string;
  warnings: Warning[];
}

/**
 * Makes an input ready to be sent.
 *
 * @throws AGUISequenceError L01, L02 for interrupts of `pending` that are not answered; AGUIValidationError for what is no input
 */
export function prepareInput(members: object, pending: readonly Interrupt[], peer?: string, limits?: Limits): Prepared {
  return preparedOf(native().prepareInput(text(members), text(pending), peer, optionsText({ limits }), Date.now()));
}

/** Reads a prepared input: a line of warnings, and the body. */
export function preparedOf(answer: string): Prepared {
  const end = answer.indexOf('\n');
  if (end < 0) return answerOf(answer);
  return { ...(JSON.parse(answer.slice(0, end)) as { warnings: Warning[] }), body: answer.slice(end + 1) };
}

/** Brings answers into the order of the interrupts that wait. */
export function buildResume(pending: readonly Interrupt[], answers: readonly ResumeEntry[]): ResumeEntry[] {
  checkValue(answers, '');
  return answerOf(native().buildResume(text(pending), text(answers), Date.now()));
}

/** An error that a client meets. `limit` names the timeout or setting that was exceeded. */
export function met(code: string, detail = '', limit?: string, cause?: unknown): AGUIError {
  const error = errorFrom(native().describeFailure(code, detail, limit));
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** The URL to request, and the header `authorization` unless the application sets it. */
export interface Address {
  url: string;
  authorization: string | null;
}

/** Takes an absolute URL apart. */
export function addressOf(url: string): Address {
  const whole = URL.canParse(url) ? new URL(url).href : url;
  const address = JSON.parse(native().addressOf(whole, undefined, false)) as Address;
  // Who answers instead of the network knows it as the application writes it.
  return address.url === whole ? { ...address, url } : address;
}

/** The code of an error for core: empty for what the application throws. */
export const codeOf = (error: unknown): string => (error instanceof AGUIError ? (error.code ?? '') : '');

/** The failure that an answer without events is. */
export function responseFailure(status: number, contentType: string | null, body: Uint8Array): AGUIError {
  const { error, payload } = JSON.parse(native().responseFailure(status, contentType, body)) as { error: object; payload: unknown };
  return Object.assign(errorFrom(JSON.stringify(error)), { status, payload });
}

/** The retries of a request that has begun no run, and the pauses between them. */
export interface Retry {
  /** The most times that it is sent; 3 by default. */
  attempts?: number | undefined;
  /** The pause before the second attempt, in milliseconds, 500 by default; each further one is twice as long. */
  first?: number | undefined;
  /** The longest pause, in milliseconds, 30,000 by default. A server that asks for a longer one is not asked again. */
  longest?: number | undefined;
  /** Which part of a pause is left to chance, from 0 to 1; 0.5 by default. */
  jitter?: number | undefined;
}

/** A message of a socket as a frame of a stream. */
export function frameMessage(message: Uint8Array, isBinary: boolean, limits?: Limits): Uint8Array {
  try {
    return native().frameMessage(message, isBinary, optionsText({ limits }));
  } catch (error) {
    throw errorFrom((error as Error).message);
  }
}

/** The arguments of a call; or what the agent is told of what is no object, or what the JSON Schema does not allow. */
export function readArguments(given: string, limits: Limits | undefined, schema?: object): object | string {
  return answerOf(native().readArguments(given, optionsText({ limits }), schema && text(schema)));
}

/** The error text for the agent about arguments that a tool's schema does not allow, by places and reasons. */
export function misfit(issues: readonly (readonly [place: string, reason: string])[]): string {
  return native().misfit(text(issues));
}

/** @throws AGUIError `http_error` if a socket that is closed so before its first message refuses what was asked */
export function checkClose(code: number, reason: string): void {
  const failure = native().closeFailure(code, reason);
  if (failure !== null) throw errorFrom(failure);
}

/** The message that answers a call of a tool. */
export function answerTool(toolCallId: string, answer: string, failed: boolean, limits: Limits | undefined): Message {
  return JSON.parse(native().answerTool(toolCallId, answer, failed, optionsText({ limits })));
}

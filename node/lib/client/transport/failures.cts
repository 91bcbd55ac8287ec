import { AGUIError, clientError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';

// What `fetch` throws, in core's words. Node says it by the codes of causes, Bun by codes of its own, Deno in messages.

/** There was no connection. */
const refused = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ConnectionRefused|FailedToOpenSocket)/;

/** There was one, or what came through it was no HTTP (a status below 100, too). */
const lost = /^(UND_ERR_SOCKET|UND_ERR_RES|UND_ERR_ABORTED|ERR_ASSERTION|ECONNRESET|ECONNABORTED|EPIPE|HPE_|ConnectionClosed|ConnectionReset|Malformed|InvalidHTTPResponse)/;

/** Timeouts of undici, with ours that they are. */
const timeouts: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
  UND_ERR_HEADERS_TIMEOUT: 'firstByteTimeout',
  UND_ERR_BODY_TIMEOUT: 'idleTimeout',
};

/** Translates what `fetch` has thrown before there was an answer. */
export function failedRequest(error: unknown): unknown {
  if (isProxyRefusal(error)) return Object.assign(responseFailure(407, null, new Uint8Array()), { cause: error });
  return failed(error, (code, message) => {
    if (refused.test(code)) return 'connection_failed';
    const isLost = lost.test(code) || (code === '' && /closed|reset|invalid HTTP|does not match the HTTP|parse/i.test(message));
    return isLost ? 'connection_lost' : 'connection_failed';
  });
}

/** Returns the error for an answer without events. */
export function responseFailure(status: number, contentType: string | null, body: Uint8Array): AGUIError {
  const { error, payload } = JSON.parse(native().responseFailure(status, contentType, body)) as { error: object; payload: unknown };
  return Object.assign(errorFrom(JSON.stringify(error)), { status, payload });
}

/** True if the answer has the status 407, the one that `fetch` keeps for itself. undici says so, or throws an error that says nothing, for no other reason. */
function isProxyRefusal(error: unknown): boolean {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: unknown };
  const isSilent = message === 'fetch failed' && cause instanceof Error && cause.message === '' && causeCodeOf(cause) === '' && !('errors' in cause);
  return isSilent || /proxy authentication required/i.test(messagesOf(error));
}

/** Translates what it has thrown while the answer came. */
export function failedAnswer(error: unknown): unknown {
  return failed(error, () => 'connection_lost');
}

function failed(error: unknown, judge: (code: string, message: string) => string): unknown {
  if (error instanceof AGUIError) return error;
  const code = causeCodeOf(error);
  const timeout = timeouts[code];
  if (timeout !== undefined) return clientError('timed_out', '', timeout, error);
  const message = messagesOf(error);
  return clientError(judge(code, message), code, undefined, error);
}

/** Makes an error of a thrown value: a value that is no error becomes its cause. */
export function errorOf(thrown: unknown): object {
  if (typeof thrown === 'object' && thrown !== null) return thrown;
  return Object.assign(new AGUIError('Something has ended the run that is no error: see `cause`.'), { cause: thrown });
}

/** The code of an error, or of what has caused it. */
function causeCodeOf(error: unknown): string {
  for (let at = error as { code?: unknown; cause?: unknown; errors?: unknown[] } | undefined, depth = 0; at && depth < 5; depth++) {
    if (typeof at.code === 'string') return at.code;
    at = (at.cause ?? at.errors?.[0]) as typeof at;
  }
  return '';
}

function messagesOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return `${String(message ?? '')} ${String(cause?.message ?? '')}`;
}

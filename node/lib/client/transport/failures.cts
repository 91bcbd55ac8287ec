import { AGUIError, clientError, errorFrom } from '../../errors/errors.cjs';
import { native } from '../../native/native.cjs';

// Translates errors of `fetch` to core's errors. Node has the code in the cause, Bun has codes of its own, Deno only messages.

/** Codes for: no connection. */
const refused = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ETIMEDOUT|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ConnectionRefused|FailedToOpenSocket)/;

/** Codes for: the connection was lost, or the answer was no HTTP. */
const lost = /^(UND_ERR_SOCKET|UND_ERR_RES|UND_ERR_ABORTED|ERR_ASSERTION|ECONNRESET|ECONNABORTED|EPIPE|HPE_|ConnectionClosed|ConnectionReset|Malformed|InvalidHTTPResponse)/;

/** Timeouts of undici, and the timeouts of this package that they stand for. */
const timeouts: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
  UND_ERR_HEADERS_TIMEOUT: 'firstByteTimeout',
  UND_ERR_BODY_TIMEOUT: 'idleTimeout',
};

/** Translates an error of `fetch` before the answer. */
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

/** Returns true for the status 407, which `fetch` does not return: undici throws an error that names it, or an error without any details. */
function isProxyRefusal(error: unknown): boolean {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: unknown };
  const isSilent = message === 'fetch failed' && cause instanceof Error && cause.message === '' && causeCodeOf(cause) === '' && !('errors' in cause);
  return isSilent || /proxy authentication required/i.test(messagesOf(error));
}

/** Translates an error of `fetch` while the answer was read. */
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

/** Returns a thrown value, or an error whose cause it is if it is no object. */
export function errorOf(thrown: unknown): object {
  if (typeof thrown === 'object' && thrown !== null) return thrown;
  return Object.assign(new AGUIError('A thrown value that is not an object ended the run: see `cause`.'), { cause: thrown });
}

/** Returns the code of an error or of one of its causes. */
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

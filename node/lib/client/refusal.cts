import type { AGUIError } from '../errors.cjs';
import { LONGEST_PAYLOAD, MOST_PAYLOAD } from '../generated/border.cjs';
import { after } from '../timers.cjs';
import { quietly } from './quiet.cjs';
import { checkEncoding, responseFailure, responseKind } from './rules.cjs';
import type { Answer, Reader } from './transport.cjs';
import type { Watch } from './watch.cjs';

/**
 * Looks at the head of what a transport has answered, if it is a response.
 *
 * @throws AGUIConnectionError `http_error` if its status is none of success, AGUIStreamError `unsupported_content_encoding`
 */
export async function checkHead(answer: Answer, reader: Reader, watch: Watch): Promise<void> {
  const { status, headers } = answer as Partial<Response>;
  if (typeof status === 'number' && responseKind(status) !== 'events') throw await refusal(status, headers, reader, watch);
  checkEncoding(headers?.get?.('content-encoding') ?? '');
}

/** The failure that an answer without events is, with what it says, as far as that comes and can be read. */
export async function refusal(status: number, headers: Headers | undefined, reader: Reader, watch: Watch): Promise<AGUIError> {
  const read: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof after>;
  const late = new Promise<undefined>((resolve) => (timer = after(Math.min(LONGEST_PAYLOAD, watch.duration('idle') ?? LONGEST_PAYLOAD), () => resolve(undefined))));
  try {
    checkEncoding(headers?.get?.('content-encoding') ?? '');
    while (length < MOST_PAYLOAD) {
      const piece = await watch.until(Promise.race([reader.read(), late]));
      if (piece === undefined) break;
      read.push(piece);
      length += piece.length;
    }
  } catch {
    // What has come says something, and so does the status.
  } finally {
    clearTimeout(timer);
    quietly(() => reader.cancel());
  }
  return responseFailure(status, headers?.get?.('content-type') ?? null, joined(read, length));
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

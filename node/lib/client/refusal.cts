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
  const contentType = headers?.get?.('content-type') ?? null;
  try {
    checkEncoding(headers?.get?.('content-encoding') ?? '');
  } catch {
    // The status says something.
    quietly(() => reader.cancel());
    return responseFailure(status, contentType, new Uint8Array());
  }
  const payload = await payloadOf(reader, watch.duration('idle'), (piece) => watch.until(piece));
  return responseFailure(status, contentType, payload);
}

/** What an answer without events says: no more of it than is shown, and no longer than somebody would wait for that. */
export async function payloadOf(
  reader: Pick<Reader, 'read' | 'cancel'>,
  longest = LONGEST_PAYLOAD,
  until: <T>(piece: Promise<T>) => PromiseLike<T> = (piece) => piece,
): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof after>;
  const late = new Promise<undefined>((resolve) => (timer = after(Math.min(LONGEST_PAYLOAD, longest), () => resolve(undefined))));
  try {
    while (length < MOST_PAYLOAD) {
      const piece = await until(Promise.race([reader.read(), late]));
      if (piece === undefined) break;
      read.push(piece);
      length += piece.length;
    }
  } catch {
    // What has come says something, and so does the status.
  } finally {
    clearTimeout(timer!);
    quietly(() => reader.cancel());
  }
  return joined(read, length).subarray(0, MOST_PAYLOAD);
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

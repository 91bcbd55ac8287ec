import type { AGUIError } from '../errors.cjs';
import { LONGEST_PAYLOAD, MOST_PAYLOAD } from '../generated/border.cjs';
import { after } from '../timers.cjs';
import { quietly } from './quiet.cjs';
import { responseFailure, responseKind } from './rules.cjs';
import type { Answer, Reader } from './transport.cjs';
import type { Watch } from './watch.cjs';

/** @throws AGUIConnectionError `http_error` if what a transport has answered is a response whose status is none of success */
export async function checkStatus(answer: Answer, reader: Reader, watch: Watch): Promise<void> {
  const { status, headers } = answer as Partial<Response>;
  if (typeof status === 'number' && responseKind(status) !== 'events') throw await refusal(status, headers?.get?.('content-type') ?? null, reader, watch);
}

/** The failure that an answer without events is, with what it says, as far as that comes. */
export async function refusal(status: number, contentType: string | null, reader: Reader, watch: Watch): Promise<AGUIError> {
  const read: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof after>;
  const late = new Promise<undefined>((resolve) => (timer = after(Math.min(LONGEST_PAYLOAD, watch.duration('idle') ?? LONGEST_PAYLOAD), () => resolve(undefined))));
  try {
    while (length < MOST_PAYLOAD) {
      const piece = await watch.until(Promise.race([reader.read(), late]));
      if (piece === undefined) break;
      read.push(piece);
      length += piece.length;
    }
  } catch {
    // What has come says something.
  } finally {
    clearTimeout(timer);
    quietly(() => reader.cancel());
  }
  return responseFailure(status, contentType, joined(read, length));
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

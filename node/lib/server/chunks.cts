import type { ServerResponse } from 'node:http';
import { END_GRACE } from '../generated/border.cjs';
import type { Frames } from './frames.cjs';
import type { Transport } from './outlet.cjs';

/** Up to so many bytes Node hands a string over to the system without memory of its own. */
const SMALL = 16 * 1024 - 16;

/**
 * A response of node:http as where a run goes.
 *
 * Node hands the length of a chunk, its bytes and two line breaks over to the system by themselves, which takes as long as all the rest.
 * So once the head is out, a chunk goes to the connection as one piece: unless something else wants to see what is written.
 */
export function transportTo(response: ServerResponse, resume: () => void): Transport {
  // Only where there is node:http this is called.
  const { OutgoingMessage } = require('node:http') as typeof import('node:http');
  const stall = response instanceof OutgoingMessage ? new Stall(response) : undefined;
  let isBegun = false;
  const send = (frames: Frames): boolean => {
    const isOwn = isBegun && frames.waiting < SMALL && response.write === OutgoingMessage.prototype.write;
    const socket = isOwn && isOpen(response) ? response.socket : null;
    isBegun = true;
    if (socket === null) return response.write(frames.bytes(Buffer.allocUnsafe));
    const takesMore = socket.write(frames.chunk(), 'latin1');
    // The response does not know that it is to tell.
    if (!takesMore) socket.once('drain', resume);
    return takesMore;
  };
  return {
    send(frames) {
      const takesMore = send(frames);
      if (!takesMore) stall?.watch();
      return takesMore;
    },
    end: () => void response.end(),
    cut() {
      if (!response.writableFinished) response.destroy();
    },
  };
}

/** Cuts a connection that takes nothing during the grace time, once its server has been closed. */
class Stall {
  readonly #response: ServerResponse;
  /** The count of bytes that waited at the last look. */
  #waited = -1;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Looks now and then until the answer is over. */
  watch(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), END_GRACE);
    this.#timer.unref?.();
  }

  #look(): void {
    const { socket, destroyed, writableFinished } = this.#response;
    const waits = socket?.writableLength ?? 0;
    const isClosed = (socket as { server?: { listening?: boolean } } | null)?.server?.listening === false;
    if (destroyed || writableFinished) return clearInterval(this.#timer);
    if (waits > 0 && isClosed && waits === this.#waited) this.#response.destroy();
    this.#waited = waits;
  }
}

const isNode = !('Deno' in globalThis) && !('Bun' in globalThis);

/** True if what is written to a response now goes to its connection as a chunk. */
function isOpen({ chunkedEncoding, socket, writableCorked, writableEnded }: ServerResponse): boolean {
  // After its end comes the next answer: middleware may have ended it.
  return isNode && chunkedEncoding && !writableEnded && socket !== null && socket.writable && writableCorked === 0;
}

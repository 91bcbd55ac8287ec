// Ports at which no server listens.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port that is free, as is the one 10 000 above it, which the nodes of a cluster of Redis use among themselves. Systems give ports
 * above 32768 to any connection, so one that is free now might be taken a moment later.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 20_000);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

/** Listens at a port for a moment. Resolves with false if it cannot. */
async function isFree(port) {
  const server = createServer();
  const isListening = await new Promise((resolve) => server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

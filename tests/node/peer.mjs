// A server that carries out a script over TCP: see client_faults.json in tests/fixtures/README.md.

import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Serves the scripts, one for each connection. `requests` are the requests that it received. */
export async function peer(scripts) {
  const requests = [];
  const sockets = new Set();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const script = scripts[Math.min(requests.length, scripts.length - 1)];
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    let read = Buffer.alloc(0);
    socket.on('data', function take(chunk) {
      read = Buffer.concat([read, chunk]);
      const request = requestIn(read);
      if (request === undefined) return;
      socket.off('data', take).resume();
      requests.push(request);
      void play(script, socket);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The request, once it is whole. */
function requestIn(read) {
  const end = read.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first, ...lines] = read.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  const body = read.subarray(end + 4);
  return body.length < Number(headers['content-length'] ?? 0) ? undefined : { first, headers, body: body.toString() };
}

async function play(script, socket) {
  const write = (bytes) => new Promise((resolve) => (socket.destroyed ? resolve() : socket.write(bytes, () => resolve())));
  for (const step of script) {
    if (socket.destroyed) return;
    const { send, send_base64: encoded, repeat = 1, each_byte: bytes, pause_ms: silence = 0 } = step;
    if (step.close) return void socket.end();
    if (step.reset) return void socket.resetAndDestroy();
    if (step.hang) return;
    if (bytes !== undefined) {
      for (const byte of Buffer.from(bytes)) {
        await write(Buffer.of(byte));
        if (silence > 0) await pause(silence);
      }
    } else if (send === undefined && encoded === undefined) await pause(silence);
    else {
      const piece = encoded === undefined ? Buffer.from(send) : Buffer.from(encoded, 'base64');
      for (let count = 0; count < repeat && !socket.destroyed; count++) {
        await write(piece);
        if (silence > 0) await pause(silence);
      }
    }
  }
}

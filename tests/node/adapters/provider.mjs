// A provider on loopback: it answers with recorded bodies, and remembers what it was asked.

import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Answers each request with the next body. With `stays`, the answer never ends by itself; `gone` resolves when its client has closed the
 * connection.
 */
export async function provider(bodies, { stays = false } = {}) {
  const answers = [...bodies];
  const requests = [];
  let left;
  const gone = new Promise((resolve) => (left = resolve));
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    requests.push(JSON.parse(Buffer.concat(pieces).toString()));
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
    response.write(answers.shift());
    if (stays) response.on('close', left);
    else response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, requests, gone, close: () => close(server) };
}

function close(server) {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

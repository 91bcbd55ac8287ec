// Many slow clients of one process; bench/node/slow_streams.mjs measures a thousand.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, listen, post, until } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');

test('what waits of a slow stream is bounded, and none starves', async () => {
  const count = 40;
  const written = new Array(count).fill(0);
  const responses = [];
  const piece = 'x'.repeat(1_000);
  // A socket in the file system holds less than one of the network.
  const folder = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  const path = join(folder, 'socket');
  const { close } = await listen((request, response) => {
    const index = Number(request.url.slice(1));
    responses[index] = response;
    nodeHandler(async (run) => {
      const message = run.textMessage();
      while (written[index] < 100_000) {
        await message.write(piece);
        written[index]++;
      }
    })(request, response);
  }, createServer, { path });
  const sockets = Array.from({ length: count }, () => connect({ path }).on('error', () => undefined).pause());
  const head = post().slice(1).join('\r\n');
  sockets.forEach((socket, index) => socket.write(`POST /${index} HTTP/1.1\r\n${head}\r\n\r\n${asking.body}`));
  // Each is held up as soon as the machine's network takes no more.
  const still = async () => {
    const before = written.join();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Object.keys(responses).length === count && before === written.join();
  };
  await until(still, 'every slow client is held up');
  const most = responses[0].writableHighWaterMark + 2 * piece.length;
  for (const response of responses) assert.ok(response.writableLength <= most, `${response.writableLength} bytes wait`);
  // Clients that read receive more, although the others do not read.
  const before = [...written];
  const readers = sockets.slice(0, 5);
  for (const socket of readers) socket.resume();
  await until(() => readers.every((_, index) => written[index] > before[index] + 1_000), 'a client gets nothing');
  for (const socket of sockets) socket.destroy();
  await until(() => responses.every((response) => response.closed));
  const gone = written.join();
  await new Promise((resolve) => setTimeout(resolve, 20)); // Nothing more is written in this time.
  assert.equal(written.join(), gone, 'no agent writes for clients that have gone');
  close();
  rmSync(folder, { recursive: true });
});

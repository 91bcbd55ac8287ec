// One table for all servers of WebSockets, where a host opens them itself: `node websocket_hosts.mjs COMMAND...`, of Deno or Bun.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fixture } from './packages.mjs';
import { input } from './servers.mjs';
import { carryOut, eventOf, open } from './websocket_client.mjs';

const [command, ...options] = process.argv.slice(2);
const host = spawn(command, [...options, fileURLToPath(new URL('websocket_host.mjs', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
const [port] = await once(createInterface(host.stdout), 'line');
test.after(() => host.stdin.end());

const address = `127.0.0.1:${port}`;
const fateOf = async (path) => (await fetch(`http://${address}/${path}/fate`)).text();

for (const [number, entry] of fixture('websocket_cases').entries()) {
  // The host answers bytes that are no message.
  if (entry.send.some(({ raw }) => raw !== undefined)) continue;
  test(entry.name, () => carryOut(entry, address, () => fateOf(number), `/${number}`));
}

test('a slow client slows the agent', { timeout: 60_000 }, async () => {
  const { socket, messages, closed } = open(address, {}, [], '/flood');
  await once(socket, 'open');
  socket.pause();
  socket.send(JSON.stringify(input));
  let written = '0';
  for (let before; before !== written || written === '0'; await pause(300)) [before, written] = [written, await fateOf('flood')];
  assert.ok(Number(written) < 1000);
  socket.resume();
  assert.deepEqual(await closed, [1000, '']);
  assert.equal(eventOf(messages.at(-1)).type, 'RUN_FINISHED');
});

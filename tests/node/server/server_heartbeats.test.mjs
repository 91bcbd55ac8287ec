// Heartbeats over sockets: one table of scripts for all servers. The pauses are short, because they are tested themselves; no other
// step waits for a time.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fixture, require } from '../packages.mjs';
import { asking, input, listen, until } from '../servers.mjs';
import { open } from '../websocket_client.mjs';

const { nodeHandler } = require('ag-ui-native/server');

const HEARTBEAT = 40;

/** The types of the events that a client has received; heartbeats in a row count as one. */
class Seen {
  signs = [];
  beats = 0;

  see(sign) {
    if (sign === 'beats') this.beats++;
    if (this.signs.at(-1) !== sign) this.signs.push(sign);
  }
}

/** An agent that carries out a script; a step waits until its client has received the heartbeat before. */
function scripted(steps, seen) {
  return async (run) => {
    for (const step of steps) {
      const before = seen.beats;
      if (step === 'beats') await until(() => seen.beats > before);
      else if (step === 'write') await run.custom('c', 1);
      else if (step === 'finish') await run.finish();
      else if (step === 'go on') await pause(3 * HEARTBEAT);
      else if (step === 'wait') await once(run.signal, 'abort');
      else if (step === 'flow') {
        for (const begun = performance.now(); performance.now() - begun < 5 * HEARTBEAT; await pause(1)) await run.custom('c', 1);
      }
    }
  };
}

/** Reads an answer to its end. */
async function ask(url, seen) {
  const response = await fetch(url, asking);
  let text = '';
  for await (const piece of response.body) {
    text += Buffer.from(piece).toString();
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) seen.see(frame.startsWith(':') ? 'beats' : JSON.parse(frame.slice(6)).type);
  }
}

async function converse(address, seen, isSilent) {
  const { socket, closed } = open(address, {}, [], '/', { autoPong: !isSilent });
  socket.on('ping', () => seen.see('beats')).on('message', (message) => seen.see(JSON.parse(message).type));
  await once(socket, 'open');
  socket.send(JSON.stringify(input));
  const [code] = await closed;
  assert.equal(code, isSilent ? 1006 : 1000);
}

for (const { name, over, agent, client, expect } of fixture('server_heartbeats')) {
  test(name, async () => {
    const seen = new Seen();
    const handler = nodeHandler(scripted(agent, seen), { heartbeat: HEARTBEAT });
    const { server, url, port, close } = await listen(handler);
    const runs = [];
    server.on('upgrade', (...request) => runs.push(handler.upgrade(...request)));
    try {
      if (over === 'http') await ask(url, seen);
      else await converse(`127.0.0.1:${port}`, seen, client === 'silent');
      await Promise.all(runs);
    } finally {
      close();
    }
    assert.deepEqual(seen.signs, expect);
  });
}

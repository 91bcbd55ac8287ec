// One table for all servers, over real sockets: refusals, disconnects, slow clients, heartbeats.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fixture, require } from '../packages.mjs';
import { listen, until } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { EventDecoder, verifyEvents } = require('ag-ui-native/stream');

const PIECE = 'x'.repeat(65_536);

/** The agents that the table names, and a record of their ends. */
class Agents {
  written = 0;
  fate = '';

  answer = async (run) => {
    const message = run.textMessage();
    await message.write('Hello');
    message.end();
    return 'done';
  };

  fail = async (run) => {
    run.textMessage().write('Hello');
    throw new Error('no such thing');
  };

  cancel = async (run) => {
    run.textMessage().write('Hello');
    run.cancel();
  };

  ask = async (run) => void (await run.interrupt({ id: 'i', reason: 'confirmation' }));

  pause = async (run) => {
    await run.write('Hello');
    await pause(500);
    return 'done';
  };

  wait = async (run) => {
    await run.write('Hello');
    try {
      await pause(3_600_000, undefined, { signal: run.signal });
    } finally {
      run.write('I go.');
      this.fate = 'cancelled';
    }
  };

  flood = async (run) => {
    const message = run.textMessage();
    for (let count = 0; count < 1000; count++, this.written += PIECE.length) await message.write(PIECE);
    return 'done';
  };

  hurry = async (run) => {
    const message = run.textMessage();
    for (let count = 0; count < 1000; count++, await pause(0)) for (let each = 0; each < 1000; each++) message.write(PIECE);
  };

  shrug = async (run) => {
    const message = run.textMessage();
    const write = () => {
      try {
        message.write(PIECE);
        return true;
      } catch {
        return false;
      }
    };
    for (let count = 0; count < 1000; count++, await pause(0)) for (let each = 0; each < 1000; each++) if (!write()) return 'done';
  };

  endless = async (run) => {
    const message = run.textMessage();
    try {
      for (;;) await message.write(PIECE);
    } catch (error) {
      if (error === run.signal.reason) this.fate = 'cancelled';
      throw error;
    }
  };
}

/** The options of a case as Node has them. */
function optionsOf({ options }) {
  const { time_limit, body_timeout, heartbeat, max_waiting, show_errors, accept_wildcards, pending_interrupts, limits, cors } = options;
  const milliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1000);
  return {
    timeLimit: milliseconds(time_limit),
    bodyTimeout: milliseconds(body_timeout),
    heartbeat: milliseconds(heartbeat),
    maxWaiting: max_waiting,
    showErrors: show_errors,
    acceptWildcards: accept_wildcards,
    pendingInterrupts: pending_interrupts && (() => pending_interrupts),
    limits: limits && { eventBytes: limits.event_bytes, inputBytes: limits.input_bytes, inputValues: limits.input_values },
    cors,
  };
}

/** A connection on which the request of a case has been sent. */
async function send(port, { method, headers, body, chunked }, isWhole) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const length = Buffer.byteLength(body) + (isWhole ? 0 : 1);
  const framing = chunked ? ['transfer-encoding: chunked'] : [`content-length: ${length}`];
  const lines = [`${method} / HTTP/1.1`, 'host: x', 'connection: close', ...framing, ...Object.entries(headers).map((header) => header.join(': '))];
  const piece = chunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  socket.write(`${lines.join('\r\n')}\r\n\r\n${piece}`);
  return socket;
}

/** An answer, its chunks joined. */
function parsed(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  const [status, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]));
  let body = bytes.subarray(end + 4);
  if (headers['transfer-encoding'] === 'chunked') {
    const pieces = [];
    for (let at = 0, line; at < body.length && (line = body.indexOf('\r\n', at)) > 0; ) {
      const length = parseInt(body.subarray(at, line).toString('latin1'), 16);
      pieces.push(body.subarray(line + 2, line + 2 + length));
      at = line + 4 + length;
    }
    body = Buffer.concat(pieces);
  }
  return { status: Number(status.split(' ')[1]), headers, body };
}

async function carryOut({ request, client, agent, expect }, port, agents) {
  const socket = await send(port, request, client !== 'stall');
  const chunks = [];
  if (['close', 'reset', 'vanish'].includes(client)) {
    for (let text = ''; !/Hello|xxx/.test(text); ) text += (await once(socket, 'data'))[0];
    if (client === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return await until(() => agents.fate === expect.agent, 'the agent goes on');
  }
  if (client === 'slow') {
    let before = -1;
    while (before !== agents.written || (before === 0 && agent === 'flood')) {
      before = agents.written;
      await pause(300);
    }
    assert.ok(before < (expect.bytes_waiting ?? 1));
  }
  for await (const chunk of socket) chunks.push(chunk);
  const answer = parsed(Buffer.concat(chunks));
  assert.equal(answer.status, expect.status);
  for (const [name, value] of Object.entries(expect.headers)) assert.equal(answer.headers[name] ?? null, value, name);
  if (expect.body) {
    const body = JSON.parse(answer.body);
    assert.deepEqual(Object.fromEntries(Object.keys(expect.body).map((name) => [name, body[name]])), expect.body);
    assert.ok(body.message);
  }
  if (expect.end) {
    const decoder = new EventDecoder({ contentType: answer.headers['content-type'], profile: 'strict' });
    const events = [...decoder.feed(answer.body), ...decoder.close()];
    verifyEvents(events, { profile: 'strict' });
    assert.deepEqual(events.at(-1), expect.end);
    assert.equal(answer.body.includes(': \n\n'), expect.heartbeats ?? false);
    if (expect.agent) await until(() => agents.fate === expect.agent);
  }
}

for (const entry of fixture('server_cases')) {
  test(entry.name, async () => {
    const agents = new Agents();
    const { port, close } = await listen(nodeHandler(agents[entry.agent], optionsOf(entry)));
    try {
      await carryOut(entry, port, agents);
    } finally {
      close();
    }
  });
}

// The cost of a token on a server: CPU time of separate node:http processes, while one client reads their streams.
// `servers.mjs --serve NAME` is one of them; it reports its port.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { median, shuffle } from './measure.mjs';

const ID = 'msg-8f14e45f-ceea-467f-a8b2-1a2b3c4d5e6f';
const DELTA = 'forty characters of text, no more, less.';
const FLOOR = 'the writes alone';
const FLOOR_OF_STRINGS = 'the writes of new strings alone';
const NAMES = ['ours', 'official', 'JSON.stringify', 'pre-encoded', FLOOR, FLOOR_OF_STRINGS];
const WAYS = { 'one token a write': 1, 'bursts of 16 tokens': 16 };
const here = fileURLToPath(import.meta.url);

/** Measures the CPU time of the server for each token: written one by one, and in bursts between two turns of its event loop. */
export async function serverRows(rounds, choice, tokens = 100_000) {
  const servers = await Promise.all(choice.of(NAMES).map(start));
  const turns = Object.keys(WAYS).flatMap((way) => servers.map((server) => ({ way, server, times: [] })));
  for (const { way, server } of turns) await ask(server, tokens, WAYS[way]);
  for (let round = 0; round < rounds; round++) {
    shuffle(turns);
    for (const { way, server, times } of turns) times.push((await ask(server, tokens, WAYS[way])) / tokens);
  }
  for (const { child } of servers) child.kill();
  return Object.keys(WAYS).map((way) => {
    const taken = turns.filter((turn) => turn.way === way).map(({ server, times }) => [server.name, median(times)]);
    return { operation: `server, ${way}`, unit: 'ns', times: Object.fromEntries(taken) };
  });
}

async function start(name) {
  const child = fork(here, ['--serve', name]);
  const [port] = await once(child, 'message');
  return { name, child, port };
}

/** Reads one stream. Returns the CPU time of its server meanwhile, in nanoseconds. */
async function ask({ name, port }, tokens, burst) {
  const before = Number(await post(port, '/cpu', ''));
  const text = await post(port, '/', JSON.stringify({ threadId: 't', runId: 'r', messages: [], forwardedProps: { tokens, burst } }));
  const came = text.split('"TEXT_MESSAGE_CONTENT"').length - 1;
  if (came !== tokens) throw new Error(`${name}: ${came} tokens of ${tokens} came`);
  return Number(await post(port, '/cpu', '')) - before;
}

async function post(port, path, body) {
  const sent = request({ port, path, method: 'POST', headers: { 'Content-Type': 'application/json' }, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const pieces = [];
  for await (const piece of response) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

// The servers. Every agent yields to the event loop after each burst, as an agent does that waits for a model.

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A server that writes with an encoder. */
function written(encode) {
  return async (incoming, response) => {
    const pieces = [];
    for await (const piece of incoming) pieces.push(piece);
    const { tokens, burst } = JSON.parse(Buffer.concat(pieces)).forwardedProps;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (let at = 0; at < tokens; at++) {
      const room = response.write(encode({ type: 'TEXT_MESSAGE_CONTENT', messageId: ID, delta: DELTA }));
      if (!room) await once(response, 'drain');
      if (at % burst === burst - 1) await turn();
    }
    response.end();
  };
}

async function ours(require) {
  const { nodeHandler } = require('ag-ui-native/server');
  return nodeHandler(async (run) => {
    const { tokens, burst } = run.input.forwardedProps;
    const message = run.textMessage({ id: ID });
    for (let at = 0; at < tokens; at++) {
      if (burst === 1) await message.write(DELTA);
      else message.write(DELTA);
      if (at % burst === burst - 1) await turn();
    }
  });
}

/** The minimum of any server: as many writes to the connection as ours, of existing chunks. */
const ready = (socket, chunk) => socket.write(chunk);

/** Like the minimum, but each chunk is a separate string. */
const anew = (socket, chunk) => socket.write(chunk.latin1Slice(), 'latin1');

function floor(frame, write) {
  const chunks = new Map(Object.values(WAYS).map((burst) => [burst, chunkOf(Buffer.concat(Array(burst).fill(frame)))]));
  return async (incoming, response) => {
    const pieces = [];
    for await (const piece of incoming) pieces.push(piece);
    const { tokens, burst } = JSON.parse(Buffer.concat(pieces)).forwardedProps;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    const chunk = chunks.get(burst);
    for (let at = 0; at < tokens; at += burst) {
      if (!write(response.socket, chunk)) await once(response.socket, 'drain');
      await turn();
    }
    response.end();
  };
}

const chunkOf = (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

async function serve(name) {
  const require = createRequire(new URL('../../node/package.json', import.meta.url));
  const utf8 = new TextEncoder();
  const frame = utf8.encode(`data: ${JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: ID, delta: DELTA })}\n\n`);
  const encoders = {
    official: () => {
      const encoder = new (require('@ag-ui/encoder').EventEncoder)();
      return (event) => encoder.encodeBinary(event);
    },
    'JSON.stringify': () => (event) => `data: ${JSON.stringify(event)}\n\n`,
    'pre-encoded': () => () => frame,
  };
  const others = { ours, [FLOOR]: () => floor(frame, ready), [FLOOR_OF_STRINGS]: () => floor(frame, anew) };
  const handler = name in others ? await others[name](require) : written(encoders[name]());
  const server = createServer((incoming, response) => {
    if (incoming.url !== '/cpu') return handler(incoming, response);
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) * 1000));
  });
  server.listen(0, () => process.send(server.address().port));
}

if (process.argv[2] === '--serve') await serve(process.argv[3]);

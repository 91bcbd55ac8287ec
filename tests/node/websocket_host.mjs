// Serves the cases of tests/fixtures/server/websocket_cases.json under Deno or Bun, which open WebSockets themselves: that of number N at /N. What became
// of its agent is told at /N/fate. At /flood an agent writes more than goes between; its fate is how many pieces. Prints its port, and ends with
// its input.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fetchHandler } from 'ag-ui-native/server';
import { agents, optionsOf } from './websocket_agents.mjs';

const cases = JSON.parse(readFileSync(new URL('../fixtures/server/websocket_cases.json', import.meta.url), 'utf8'));
const served = cases.map(({ agent, options }) => {
  const { seen, ...all } = agents();
  return { seen, handler: fetchHandler(all[agent], optionsOf(options)) };
});
const { websocket } = served[0].handler;

const flood = { seen: { fate: 0 } };
flood.handler = fetchHandler(async (run) => {
  const message = run.textMessage();
  for (; flood.seen.fate < 1000; flood.seen.fate++) await message.write('x'.repeat(65_536));
});

function answer(request, server) {
  const [, number, fate] = new URL(request.url).pathname.split('/');
  const { seen, handler } = served[number] ?? flood;
  return fate ? new Response(seen.fate) : handler(request, server);
}

const place = { port: 0, hostname: '127.0.0.1' };
if ('Bun' in globalThis) console.log(globalThis.Bun.serve({ ...place, fetch: answer, websocket }).port);
else globalThis.Deno.serve({ ...place, onListen: ({ port }) => console.log(port) }, (request) => answer(request));
process.stdin.resume().on('end', () => process.exit());

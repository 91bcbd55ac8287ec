// A whole run over HTTP, from the request to the conversation, against @ag-ui/client. Each run has a process of its own, so that
// its memory can be measured. The server, in this process, writes prepared bytes.
//
// As a program, `whole_runs.mjs WHO WAY URL` runs once and prints the nanoseconds of CPU time, the maximum memory in MB, and the
// length of the text.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { median } from './measure.mjs';

const require = createRequire(new URL('../../node/package.json', import.meta.url));
const PIECE = 16 * 1024;

/** Makes an answer of `count` tokens, as an agent streams them: messages of 200 tokens, each with a call. */
function answer(count) {
  const events = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }];
  for (let at = 0; events.length < count - 1; at++) {
    const message = { messageId: `m${at}` };
    events.push({ type: 'TEXT_MESSAGE_START', ...message, role: 'assistant' });
    for (let token = 0; token < 180; token++) events.push({ type: 'TEXT_MESSAGE_CONTENT', ...message, delta: ' token' });
    events.push({ type: 'TEXT_MESSAGE_END', ...message });
    const call = { toolCallId: `c${at}` };
    events.push({ type: 'TOOL_CALL_START', ...call, toolCallName: 'look', parentMessageId: message.messageId });
    for (const delta of ['{"at":', '"the ', 'place"', '}']) events.push({ type: 'TOOL_CALL_ARGS', ...call, delta });
    events.push({ type: 'TOOL_CALL_END', ...call }, { type: 'TOOL_CALL_RESULT', ...call, messageId: `n${at}`, content: 'seen' });
  }
  events.push({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' });
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

const packages = { ours: 'ag-ui-native/client', official: '@ag-ui/client' };

/** The ways to run an agent, for each package. */
const ways = {
  '': { ours: (agent) => agent.runAgent(), official: (agent) => agent.runAgent() },
  ', told of each event': {
    async ours(agent) {
      for await (const _ of agent.run());
    },
    official: (agent) => agent.runAgent({}, { onEvent() {} }),
  },
  ', told of messages': { ours: told, official: told },
  ', one sync subscriber': { ours: subscribed, official: subscribed },
  ', one async subscriber': { ours: subscribedLater, official: subscribedLater },
};

function told(agent) {
  return agent.runAgent({}, { onTextMessageContentEvent() {}, onMessagesChanged() {} });
}

function subscribed(agent) {
  return agent.runAgent({}, { onEvent() {}, onTextMessageContentEvent() {} });
}

function subscribedLater(agent) {
  return agent.runAgent({}, { async onEvent() {}, async onTextMessageContentEvent() {} });
}

async function once(who, way, url) {
  const { HttpAgent } = require(packages[who]);
  const agent = new HttpAgent({ url });
  const before = process.cpuUsage();
  await ways[way][who](agent);
  const { user, system } = process.cpuUsage(before);
  const { length } = agent.messages.map(({ content }) => content).join('');
  console.log(JSON.stringify({ time: (user + system) * 1000, memory: mostMemory(), length }));
}

/** Returns the maximum memory in MB. On Linux, `maxRSS` begins with the memory that the parent had when it forked. */
function mostMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
}

/** Measures a run in a process of its own. */
function measured(who, way, url) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), who, way, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (piece) => (said += piece));
  return new Promise((resolve, reject) => child.on('close', (code) => (code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`${who} failed`)))));
}

/** Returns the rows of CPU time and of memory, for each length and way. */
export async function wholeRunRows(rounds, choice, counts = [10_000, 50_000]) {
  const rows = [];
  for (const count of counts) {
    const row = (way) => `client, a whole run of ${count.toLocaleString('en')} events over HTTP${way}`;
    // The official client takes half a minute for a long run.
    const asked = (count === counts[0] ? Object.keys(ways) : ['']).filter((way) => choice.takes(row(way)));
    const found = asked.map((way) => [way, Object.fromEntries(choice.of(['ours', 'official']).map((who) => [who, []]))]);
    const { url, close } = await serving(answer(count));
    for (let round = 0; round < rounds; round++) {
      for (const [way, runs] of found) for (const who in runs) runs[who].push(await measured(who, way, url));
    }
    close();
    for (const [way, runs] of found) {
      const lengths = new Set(Object.values(runs).flat().map(({ length }) => length));
      if (lengths.size !== 1) throw new Error(`clients do not make the same of a run: ${[...lengths]} characters`);
      const of = (what) => Object.fromEntries(Object.entries(runs).map(([who, all]) => [who, median(all.map((one) => one[what]))]));
      const operation = row(way);
      rows.push({ operation, unit: 'ns', replaced: true, times: of('time') });
      if (way === '') rows.push({ operation: `${operation}, most memory`, unit: 'MB', replaced: false, times: of('memory') });
    }
  }
  return rows;
}

/** Starts a server that answers every request with these bytes. */
async function serving(bytes) {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < bytes.length; at += PIECE) {
      if (!response.write(bytes.subarray(at, at + PIECE))) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await once(...process.argv.slice(2));

// The official client on top of this package: its core, schemas, encoder and protobuf are ours.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from '../packages.mjs';

const home = fileURLToPath(folder);
const installed = join(home, 'node_modules');

/** A conversation over HTTP, in both transports. It prints its result. */
const conversation = `
import { createServer } from 'node:http';
import { HttpAgent } from '@ag-ui/client';
import { EventEncoder } from '@ag-ui/encoder';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';

const warned = [];
console.warn = (...words) => warned.push(words.join(' ').replace(/ Set SUPPRESS.*/, ''));
const run = { threadId: 't', runId: 'r' };
const part = { type: 'image', source: { type: 'url', value: 'https://example.org/a.png' } };
const events = [
  { type: 'RUN_STARTED', ...run },
  { type: 'STEP_STARTED', stepName: 's' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Grüße, ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: '😀' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'look', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"at":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '"x"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'c', content: 'seen' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1, 2.5, null] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: { b: true } }] },
  { type: 'STEP_FINISHED', stepName: 's' },
  { type: 'RUN_FINISHED', ...run },
];
const odd = [
  { type: 'NEWER_EVENT', x: 1 },
  { type: 'CUSTOM', name: 'n', value: { kept: null }, extra: 1 },
  { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'u', role: 'user', content: [{ type: 'text', text: 'Look' }, part, { type: 'smell' }], extra: 1 }, { id: 'z', role: 'robot' }] },
];
let sent = events;
let accept;
const bodies = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  bodies.push(RunAgentInputSchema.parse(JSON.parse(body)).messages.length);
  const encoder = new EventEncoder({ accept });
  response.writeHead(200, { 'content-type': encoder.getContentType() });
  for (const event of sent) response.write(encoder.encodeBinary(event));
  response.end();
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.on('listening', resolve));

const told = [];
for (const [list, type] of [[events, 'text/event-stream'], [events, 'application/vnd.ag-ui.event+proto'], [[...events.slice(0, 2), ...odd, ...events.slice(2)], 'text/event-stream']]) {
  [sent, accept] = [list, type];
  const agent = new HttpAgent({ url: 'http://127.0.0.1:' + server.address().port, threadId: 't', initialMessages: [{ id: 'u', role: 'user', content: 'Hi' }] });
  const seen = [];
  const { newMessages } = await agent.runAgent({ runId: 'r' }, { onEvent: ({ event }) => void seen.push(event) });
  told.push({ seen, newMessages, messages: agent.messages, state: agent.state });
}
for (const bad of [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' }, { type: 'RUN_STARTED', ...run, input: { messages: [] } }]) {
  sent = [events[0], bad];
  const agent = new HttpAgent({ url: 'http://127.0.0.1:' + server.address().port, threadId: 't' });
  console.error = () => undefined;
  const failed = await agent.runAgent({ runId: 'r' }).then(() => 'fine', () => 'failed');
  told.push([failed, EventSchemas.safeParse(bad).error.issues.map(({ code, path }) => ({ code, path }))]);
}
server.close();
console.log(JSON.stringify({ told, warned, bodies }));
`;

const aliases = {
  core: { '.': 'ag-ui-native', './schemas': 'ag-ui-native/schemas' },
  encoder: { '.': 'ag-ui-native/encoder' },
  proto: { '.': 'ag-ui-native/proto' },
};

/** Returns the output of the conversation in a folder in which the client finds the packages that \`replaces\` asks for. */
function held(replaces) {
  const root = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  try {
    const packages = join(root, 'node_modules');
    mkdirSync(join(packages, '@ag-ui'), { recursive: true });
    for (const name of ['rxjs', 'zod', 'uuid', 'fast-json-patch', 'compare-versions', 'untruncate-json', 'tslib', '@bufbuild']) {
      symlinkSync(join(installed, name), join(packages, name));
    }
    symlinkSync(home, join(packages, 'ag-ui-native'));
    // The client is copied, not linked: Node would look for its packages at the target of a link.
    cpSync(join(installed, '@ag-ui', 'client'), join(packages, '@ag-ui', 'client'), { recursive: true });
    for (const [name, paths] of Object.entries(aliases)) {
      const place = join(packages, '@ag-ui', name);
      if (!replaces) {
        cpSync(join(installed, '@ag-ui', name), place, { recursive: true });
        continue;
      }
      mkdirSync(place);
      const exports = {};
      for (const [subpath, target] of Object.entries(paths)) {
        const file = `${subpath === '.' ? 'index' : subpath.slice(2)}`;
        writeFileSync(join(place, `${file}.cjs`), `module.exports = require('${target}');\n`);
        writeFileSync(join(place, `${file}.mjs`), `export * from '${target}';\n`);
        exports[subpath] = { import: `./${file}.mjs`, require: `./${file}.cjs` };
      }
      writeFileSync(join(place, 'package.json'), JSON.stringify({ name: `@ag-ui/${name}`, version: '1.0.0', exports }));
    }
    const script = join(root, 'conversation.mjs');
    writeFileSync(script, conversation);
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: dirname(script), encoding: 'utf8', timeout: 60_000 });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('the official client does the same on top of this package as on top of its own', { timeout: 120_000 }, () => {
  const theirs = held(false);
  const mine = held(true);
  assert.equal(theirs.told[0].messages.length, 3);
  assert.ok(theirs.warned.length >= 5, theirs.warned.join('\n'));
  assert.deepEqual(mine, theirs);
});

// The examples run as they stand, over a socket.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { require } from '../packages.mjs';
import { asking, eventsOf, input, listen, until } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { HttpAgent } = require('ag-ui-native/client');

const folder = new URL('../../../examples/', import.meta.url);
// Those of the guides about peers and about models run there, beside their likes in Python.
const elsewhere = ['peer', 'model'].map((name) => readFileSync(new URL(`../../readme/test_${name}_examples.py`, import.meta.url), 'utf8')).join('');
const isTest = (name) => name.endsWith('.test.mjs');
const isElsewhere = (name) => !isTest(name) && [name, name.replace(/mjs$/, '{language}'), name.replace(/\.mjs$/, '')].some((named) => elsewhere.includes(`"${named}"`));
/** The folder of each example. */
const folders = new Map(['agents', 'clients', 'protocol', 'servers'].flatMap((room) => readdirSync(new URL(room, folder)).map((name) => [name, `${room}/`])));
const fileOf = (name) => new URL(folders.get(name) + name, folder);
const examples = [...folders.keys()].filter((name) => /\.m[jt]s$/.test(name) && !isElsewhere(name));

/** The program that Node runs: an example in TypeScript is compiled, in the tree, where Node finds the package. */
function programOf(name) {
  const source = fileURLToPath(fileOf(name));
  if (!name.endsWith('.mts')) return source;
  const [node, out] = ['../../../node/node_modules/', '../../../.build/typed/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const settings = { outDir: out, module: 'nodenext', target: 'es2023', types: 'node', typeRoots: `${node}@types` };
  const options = Object.entries(settings).flatMap(([option, value]) => [`--${option}`, value]);
  execFileSync(`${node}.bin/tsc`, [source, '--ignoreConfig', '--strict', '--skipLibCheck', ...options], { stdio: 'inherit' });
  return out + name.replace(/mts$/, 'mjs');
}

/** Runs an example while `work` asks it. Its port may be taken before it listens: then it ends, and is tried again. */
async function running(name, work, tries = 3) {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [programOf(name)], { env: { ...process.env, PORT: String(port), WORK: '50', HEARTBEAT: '0.1', GRACE: '0.5' }, stdio: ['ignore', 'inherit', 'inherit'] });
  const hasEnded = () => server.exitCode !== null;
  try {
    await until(() => hasEnded() || fetch(url).then((answer) => answer.text().then(() => true), () => false), `${name} does not start`);
    if (!hasEnded()) return await work(url, server);
    assert.ok(tries > 1, `${name} ends before it listens`);
  } finally {
    server.kill();
  }
  await running(name, work, tries - 1);
}

const ask = (url, more = {}, headers = {}) => fetch(url, { ...asking, headers: { ...asking.headers, ...headers }, body: JSON.stringify({ ...input, ...more }) });
const textOf = (events) => events.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('');

const uses = {
  async 'node_server.mjs'(url) {
    const events = await eventsOf(await ask(url, { state: { answered: 1 } }));
    assert.equal(textOf(events), 'Hello from Node.');
    assert.deepEqual(events.find(({ type }) => type === 'STATE_SNAPSHOT').snapshot, { answered: 2 });
  },
  async 'typed_server.mts'(url) {
    const events = await eventsOf(await ask(url));
    assert.equal(textOf(events), 'You need eggs.');
    assert.deepEqual(events.find(({ type }) => type === 'STATE_SNAPSHOT').snapshot, { shopping: ['eggs'] });
  },
  async 'durable_server.mjs'(url) {
    const ada = { 'x-user': 'ada' };
    const answer = await ask(url, { threadId: 't', runId: 'r' }, ada);
    const whole = await answer.text();
    const read = (query, headers) => fetch(`${url}?thread=t&run=r${query}`, { headers });
    assert.equal(await (await read(`&after=${answer.headers.get('ag-ui-cursor')}`, ada)).text(), whole);
    assert.equal((await read('', { 'x-user': 'bob' })).status, 404);
    assert.equal((await ask(url, { threadId: 't', runId: 'r' })).status, 404);
  },
  async 'durable_approval.mjs'(url) {
    const [{ outcome }] = (await eventsOf(await ask(url, { threadId: 't', runId: 'asks' }))).slice(-1);
    assert.equal((await ask(url, { threadId: 't', runId: 'none' })).status, 422);
    const resume = [{ interruptId: outcome.interrupts[0].id, status: 'resolved', payload: { approved: true } }];
    assert.equal(textOf(await eventsOf(await ask(url, { threadId: 't', runId: 'answers', resume }))), 'They are gone.');
    const again = await ask(url, { threadId: 't', runId: 'again', resume });
    assert.deepEqual([again.status, (await again.json()).code], [422, 'unknown_interrupt']);
  },
  async 'hono_server.mjs'(url) {
    assert.equal((await ask(`${url}/agent`)).status, 401);
    const events = await eventsOf(await ask(`${url}/agent`, {}, { authorization: 'Bearer secret' }));
    assert.deepEqual(events.at(-1).result, { advice: 'sunglasses' });
    assert.equal((await fetch(`${url}/agent`, { headers: { authorization: 'Bearer secret' } })).status, 405);
  },
  async 'express_server.mjs'(url) {
    assert.equal((await ask(`${url}/agent`)).status, 401);
    assert.equal(textOf(await eventsOf(await ask(`${url}/agent`, {}, { authorization: 'Bearer secret' }))), 'Hello, Ada.');
  },
  async 'own_handler.mjs'(url) {
    const kinds = (await eventsOf(await ask(url))).map(({ type }) => type);
    assert.deepEqual(kinds, ['RUN_STARTED', 'TEXT_MESSAGE_CHUNK', 'TEXT_MESSAGE_CHUNK', 'RUN_FINISHED']);
    const refused = await fetch(url, { ...asking, body: '{"threadId":1}' });
    assert.deepEqual([refused.status, (await refused.text()).includes('/threadId')], [400, true]);
  },
  async 'weather.mjs'(url) {
    const messages = [{ id: 'u', role: 'user', content: 'Rome' }];
    const events = await eventsOf(await ask(url, { messages }));
    assert.deepEqual(events.at(-1).usage, [{ provider: 'none', inputTokens: 9, outputTokens: 14 }]);
    assert.match(textOf(events), /It is sunny in Rome\.$/);
  },
  async 'notes.mjs'(url) {
    assert.equal((await new HttpAgent(url).ask('Notes?')).text, 'You have no notes for me.');
    const client = new HttpAgent(url);
    client.tool({ name: 'read_note', parameters: { type: 'object' }, execute: ({ name }) => `${name}: Swim.` });
    assert.equal((await client.ask('What is in my notes?')).text, 'It says: notes: Swim.');
  },
  async 'state_server.mjs'(url) {
    const events = await eventsOf(await ask(url, { state: { title: 'A swim in the sea, as every year', steps: [] } }));
    assert.deepEqual(events.flatMap(({ type }) => (type.startsWith('STATE') ? [type] : [])), Array(4).fill('STATE_DELTA'));
    assert.equal(textOf(events), 'A swim in the sea, as every year of 3 steps.');
  },
  async 'reasoning.mjs'(url) {
    const agent = new HttpAgent(url);
    for (const thoughts of [0, 1]) assert.equal((await agent.ask('Hi')).text, `Hello! I remember ${thoughts} thoughts.`);
    const remembered = agent.messages.filter(({ role }) => role === 'reasoning');
    assert.deepEqual(remembered.map((thought) => [thought.encryptedValue, thought.encryptedValueType]), ['sealed-0', 'sealed-1'].map((value) => [value, 'example.thought']));
  },
  async 'subagents.mjs'(url) {
    const events = await eventsOf(await ask(url));
    const of = (type) => events.filter((event) => event.type === type);
    const [first, second] = of('SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
    assert.deepEqual(of('SUBAGENT_FINISHED').map((event) => [event.subagentRunId, event.result]), [[first, 'cats: well known']]);
    assert.deepEqual(of('SUBAGENT_ERROR').map((event) => [event.subagentRunId, event.message]), [[second, 'there is nothing about it']]);
    assert.equal(textOf(events.filter(({ subagentRunId }) => subagentRunId === undefined)), 'cats: well known\nnothing: unknown');
  },
  /** The server is stopped during a run: the client receives the end of the run. */
  async 'deployed.mjs'(url, server) {
    const answer = await ask(url, {}, { origin: 'https://app.example.org' });
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example.org');
    let said = '';
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (!server.killed && /\n: \n/.test(said)) server.kill();
    }
    assert.match(said, /Let me see\.[^]*"outcome":\{"type":"cancelled"\}/);
    if (server.exitCode === null) await once(server, 'exit');
    assert.equal(server.exitCode, 0);
  },
  async 'approval.mjs'(url) {
    for (const approved of [true, false]) {
      const thread = { threadId: `approved ${approved}` };
      const { outcome } = (await eventsOf(await ask(url, thread))).at(-1);
      const [{ id }] = outcome.interrupts;
      const refused = await ask(url, thread);
      assert.deepEqual([refused.status, (await refused.json()).message.includes(id)], [422, true]);
      const resume = [{ interruptId: id, status: 'resolved', payload: { approved } }];
      const events = await eventsOf(await ask(url, { ...thread, resume }));
      assert.equal(events.find(({ type }) => type === 'TOOL_CALL_RESULT').toolCallId, id);
      assert.equal(textOf(events), approved ? 'They are gone.' : 'They stay.');
    }
  },
};

/** Runs a client against an agent. Returns its output. */
async function talking(name, agent, typed, more = []) {
  const { url, close } = await listen(nodeHandler(agent, { stateFlush: 'await' }));
  const client = spawn(process.execPath, [fileURLToPath(fileOf(name)), ...more], { env: { ...process.env, URL: url, NOTES: fileURLToPath(folder) }, stdio: ['pipe', 'pipe', 'inherit'] });
  client.stdin.end(typed);
  let said = '';
  for await (const piece of client.stdout.setEncoding('utf8')) said += piece;
  close();
  return said;
}

const clients = {
  async 'calls_client.mjs'(name) {
    const agent = async (run) => {
      const call = run.toolCall('get_weather');
      for (const piece of ['{"city": "Ro', 'me"}']) await call.write(piece);
      await call.result('sunny');
      await run.write(run.messages[0].content);
    };
    assert.equal(await talking(name, agent, '', ['Oslo']), "get_weather\n{ city: 'Ro' }\n{ city: 'Rome' }\n-> sunny\nOslo\n");
  },
  async 'chat_client.mjs'(name) {
    const said = await talking(name, (run) => run.write(`You said ${run.messages.length}: ${run.messages.at(-1).content}`), 'Hello\nBye\n');
    assert.match(said, /You said 1: Hello\n[^]*You said 3: Bye\n/);
  },
  async 'tool_client.mjs'(name) {
    const agent = async (run) => {
      const answer = run.messages.at(-1);
      if (answer.role === 'tool') await run.write(answer.error ?? answer.content);
      else run.toolCall('read_note', { name: 'no note' });
    };
    assert.match(await talking(name, agent, '', ['Notes?']), /no such note/);
  },
  async 'approval_client.mjs'(name) {
    for (const [typed, text] of [['y', 'Gone.'], ['n', 'Kept.']]) {
      const agent = async (run) => {
        const [answer] = run.resume;
        if (answer) await run.write(answer.payload.approved ? 'Gone.' : 'Kept.');
        else run.interrupt({ id: 'i', reason: 'tool_call', message: 'Delete it?' });
      };
      assert.equal(await talking(name, agent, `${typed}\n`), `Delete it? [y/n]\n${text}\n`);
    }
  },
  async 'state_client.mjs'(name) {
    const agent = async (run) => {
      run.state.steps.push('a towel');
      await run.flushState();
      run.state.steps.push('the sea');
      await run.write('Enjoy.');
    };
    assert.match(await talking(name, agent, ''), /sea: 1 steps\n[^]*sea: 2 steps\n[^]*Enjoy\.\n/);
  },
};

for (const name of examples.filter(isTest)) {
  test(name, async () => {
    // It is no part of this run of tests.
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const tests = spawn(process.execPath, ['--test', fileURLToPath(fileOf(name))], { env });
    let said = '';
    for await (const piece of tests.stdout.setEncoding('utf8')) said += piece;
    assert.match(said, /pass 3\n[^]*fail 0\n/);
  });
}

for (const name of examples.filter((name) => !isTest(name))) {
  test(name, async () => {
    assert.ok(readFileSync(fileOf(name), 'utf8').split('\n').length <= 40);
    if (name in clients) await clients[name](name);
    else await running(name, uses[name]);
  });
}

// Addresses with credentials or a fragment: which `authorization` arrives, and that nothing tells of them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import test from 'node:test';
import { inspect } from 'node:util';
import { folder, require } from '../packages.mjs';
import { peer } from '../peer.mjs';
import { freePort } from '../ports.mjs';

const { AGUIError, HttpAgent, WebSocketAgent } = require('ag-ui-native/client');
const { WebSocket, WebSocketServer } = require('ws');

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const events = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => JSON.stringify({ type, threadId: 't', runId: 'r' }));
const run = events.map((event) => `data: ${event}\n\n`).join('');

/** Answers with a run, or redirects by `routes`. `seen` has the requested targets, each with all its headers `authorization`. */
async function serving(routes = {}) {
  const seen = [];
  const note = ({ url, headersDistinct }) => void seen.push([url, headersDistinct.authorization ?? []]);
  const server = createServer((request, response) => {
    note(request);
    const location = routes[request.url];
    if (location === undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(run);
    else response.writeHead(307, { location }).end();
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    note(request);
    socket.on('message', () => events.forEach((event) => socket.send(event)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { at: `127.0.0.1:${server.address().port}`, seen, close };
}

const bearer = { authorization: 'Bearer token' };
const addresses = [
  ['user:pw@', '/run', undefined, [basic('user:pw')]],
  ['user@', '/run?x=%23#part', undefined, [basic('user:')]],
  ['us%3Aer:p%40%C3%BC@', '/#', undefined, [basic('us:er:p@ü')]],
  ['', '/run#part', undefined, []],
  ['user:pw@', '/run#part', { Authorization: 'Bearer token' }, [bearer.authorization]],
];

test('credentials of an address are a header, and its fragment stays here', async () => {
  const server = await serving();
  try {
    for (const [credentials, path, headers, expected] of addresses) {
      const url = `${credentials}${server.at}${path}`;
      for (const agent of [
        new HttpAgent(`http://${url}`, { headers }),
        new HttpAgent(new URL(`http://${url}`), { headers: headers && (async () => headers) }),
        new WebSocketAgent(`ws://${url}`, { WebSocket, socketOptions: headers && { headers } }),
      ]) {
        assert.equal((await agent.runAgent()).outcome, 'success');
        assert.deepEqual(server.seen.splice(0), [[path.split('#')[0], expected]]);
      }
    }
    // As Node's `http` takes it.
    await new WebSocketAgent(`ws://user:pw@${server.at}/`, { WebSocket, socketOptions: { auth: 'own:auth' } }).runAgent();
    assert.deepEqual(server.seen, [['/', [basic('own:auth')]]]);
  } finally {
    await server.close();
  }
});

test('the global class of sockets sends them, too', async () => {
  const program = `
    const { WebSocketAgent } = require('./dist/client.cjs');
    new WebSocketAgent(process.argv[1]).runAgent().then(({ outcome }) => console.log(outcome));`;
  const server = await serving();
  try {
    const flags = 'WebSocket' in globalThis ? [] : ['--experimental-websocket'];
    const child = spawn(process.execPath, [...flags, '-e', program, `ws://user:p%40@${server.at}/run#part`], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    await once(child, 'close');
    assert.equal(said.trim(), 'success');
    assert.deepEqual(server.seen, [['/run', [basic('user:p@')]]]);
  } finally {
    await server.close();
  }
});

test('an injected `fetch` is asked at the bare address', async () => {
  const asked = [];
  const fetch = async (url, { headers }) => {
    asked.push([url, headers.authorization]);
    return new Response(run, { headers: { 'content-type': 'text/event-stream' } });
  };
  for (const url of ['http://a.example', '/run#part', 'http://user:pw@a.example/run#part']) await new HttpAgent(url, { fetch }).runAgent();
  assert.deepEqual(asked, [['http://a.example', undefined], ['/run', undefined], ['http://a.example/run', basic('user:pw')]]);
});

test('redirects: where one has credentials, these count; what the application sets counts most', async () => {
  const routes = { '/': '/next' };
  const server = await serving(routes);
  routes['/next'] = `http://new:p%40@${server.at}/last#part`;
  try {
    for (const headers of [undefined, bearer]) {
      const agent = new HttpAgent(`http://user:pw@${server.at}/`, { headers });
      assert.equal((await agent.runAgent()).outcome, 'success');
      const [old, fresh] = headers ? [bearer.authorization, bearer.authorization] : [basic('user:pw'), basic('new:p@')];
      assert.deepEqual(server.seen.splice(0), [['/', [old]], ['/next', [old]], ['/last', [fresh]]]);
    }
  } finally {
    await server.close();
  }
});

test('redirects to another origin: credentials stay behind, and do not come back', async () => {
  const [here, there] = [{}, {}];
  const [first, second] = [await serving(here), await serving(there)];
  here['/'] = `http://${second.at}/a#part`;
  there['/a'] = '/b';
  there['/b'] = `http://new:pw@${first.at}/back#part`;
  here['/back'] = '/c';
  try {
    for (const headers of [undefined, bearer]) {
      const agent = new HttpAgent(`http://user:pw@${first.at}/`, { headers, redirects: 'any' });
      assert.equal((await agent.runAgent()).outcome, 'success');
      const fresh = headers ? [] : [basic('new:pw')];
      assert.deepEqual(first.seen.splice(0), [['/', [headers ? bearer.authorization : basic('user:pw')]], ['/back', fresh], ['/c', fresh]]);
      assert.deepEqual(second.seen.splice(0), [['/a', []], ['/b', []]]);
    }
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

const answers = {
  http_error: [{ send: 'HTTP/1.1 401 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' }, { close: true }],
  timed_out: [{ hang: true }],
  redirect_refused: [{ send: 'HTTP/1.1 307 X\r\nlocation: http://new:hidden@b.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' }, { close: true }],
  connection_lost: [{ reset: true }],
};

/** Returns the port of a server at which an agent fails in this way, and a function that closes it. */
async function failing(how) {
  if (how in answers) return peer([answers[how]]);
  return { port: await freePort(), close() {} };
}

test('nothing tells of them', async (context) => {
  const logged = [];
  for (const name of ['debug', 'log', 'warn', 'error', 'info']) context.mock.method(console, name, (...what) => void logged.push(...what));
  for (const how of ['connection_failed', ...Object.keys(answers)]) {
    const server = await failing(how);
    const warned = [];
    const timeouts = how === 'timed_out' ? { connect: 200, firstByte: 200 } : {};
    const options = { timeouts, debug: true, onWarning: (warning) => warned.push(warning) };
    const at = `://user:hidden@127.0.0.1:${server.port}/#hidden`;
    try {
      for (const agent of [new HttpAgent(`http${at}`, options), new WebSocketAgent(`ws${at}`, { ...options, WebSocket })]) {
        const error = await agent.runAgent().then(() => assert.fail('it has not failed'), (error) => error);
        assert.ok(error instanceof AGUIError, how);
        if (agent instanceof HttpAgent) assert.equal(error.code, how);
        const { run: _, ...rest } = error;
        const told = [inspect(agent, { depth: 5 }), inspect(error, { depth: 9 }), error.stack, inspect(rest), inspect(warned), inspect(logged, { depth: 9 })].join();
        for (const secret of ['hidden', basic('user:hidden').slice(6)]) assert.ok(!told.includes(secret), told);
      }
    } finally {
      await server.close();
    }
  }
});

test('what is no address is not shown', () => {
  for (const Class of [HttpAgent, WebSocketAgent]) {
    for (const url of ['gopher://user:hid@a', 'http://user:hid@', 'ws://user:hid@a:x/']) {
      assert.throws(() => new Class(url), (error) => error instanceof AGUIError && !inspect(error).replaceAll(/^ +at .*$/gm, '').includes('hid@'));
    }
  }
});

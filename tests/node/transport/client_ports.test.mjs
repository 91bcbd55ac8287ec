// The layers between an agent and a server: headers, redirects, refusals, WebSockets, and transports and middleware of the
// application.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { require } from '../packages.mjs';
import { listen, until } from '../servers.mjs';

const { Agent, AGUIError, AGUIConnectionError, AGUIValidationError, toolCallFilter, HttpAgent, LocalAgent, WebSocketAgent } = require('ag-ui-native/client');
const { WebSocket, WebSocketServer } = require('ws');

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const chunk = (delta) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta });
const frames = (...events) => events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
const hello = frames(started, chunk('Hi'), finished);
const thrownBy = (work) => Promise.resolve().then(work).then((value) => assert.fail(`it gave ${JSON.stringify(value)}`), (error) => error);

/** An agent whose `fetch` is a function; `sent` are the headers of its requests. */
function fetching(options, answer = () => new Response(Buffer.concat(hello))) {
  const sent = [];
  const fetch = (url, init) => (sent.push(init.headers), answer(url, init));
  return { agent: new HttpAgent('http://localhost/', { fetch, ...options }), sent };
}

test('headers come in the shapes of `fetch`, and all are sent', async () => {
  const shapes = [
    { Authorization: 'a', 'x-b': 'b' },
    new Headers({ Authorization: 'a', 'x-b': 'b' }),
    new Map([['Authorization', 'a'], ['x-b', 'b']]),
    [['Authorization', 'a'], ['x-b', 'b']],
    Object.assign(Object.create(null), { Authorization: 'a', 'x-b': 'b' }),
  ];
  for (const shape of shapes) {
    for (const headers of [shape, () => shape, async () => shape]) {
      const { agent, sent } = fetching({ headers });
      for (const one of [agent, agent.clone()]) await one.runAgent();
      for (const { authorization, 'x-b': b } of sent) assert.deepEqual([authorization, b], ['a', 'b']);
      assert.equal(sent.length, 2);
    }
  }
  const { agent, sent } = fetching({ headers: [['x', 'a'], ['X', 'b'], ['accept', 'text/html'], ['__proto__', 'p']] });
  await agent.runAgent();
  assert.deepEqual([sent[0].x, sent[0].accept, Object.hasOwn(sent[0], '__proto__')], ['a, b', 'text/event-stream', true]);
  agent.headers = new Map([['x', 'c']]);
  await agent.runAgent();
  assert.equal(sent[1].x, 'c');
});

test('headers that are none are refused, when the agent is made or asks', async () => {
  const wrong = [
    [{ a: undefined }, '/headers/a'],
    [{ a: null }, '/headers/a'],
    [[['a']], '/headers/0'],
    [[['a', 'b'], 'cd'], '/headers/1'],
    [new Map([['a', 5]]), '/headers/a'],
    [{ a: '日本' }, '/headers/a', 'invalid_header'],
    [new Map([['a~b c', 'd']]), '/headers/a~0b c', 'invalid_header'],
  ];
  const named = (code, path) => (error) => error instanceof AGUIValidationError && error.code === code && error.path === path;
  for (const [headers, path, code = 'wrong_type'] of wrong) {
    assert.throws(() => new HttpAgent('http://localhost/', { headers }), named(code, path));
    await assert.rejects(fetching({ headers: () => headers }).agent.runAgent(), named(code, path));
  }
  for (const answer of [null, undefined, 'a: b', 5, Promise.resolve(null)]) {
    const { agent, sent } = fetching({ headers: () => answer });
    await assert.rejects(agent.runAgent(), named('wrong_type', '/headers'));
    assert.equal(sent.length, 0);
  }
});

test('redirects lead to addresses of HTTP', async () => {
  for (const location of ['http://[', 'http://localhost:99999/', 'data:text/event-stream,data:{}', 'file:///etc/passwd', 'ws://localhost/']) {
    let asked = 0;
    const { agent } = fetching({ redirects: 'any' }, () => (asked++, new Response(null, { status: 307, headers: { location } })));
    await assert.rejects(agent.runAgent(), { name: 'AGUIConnectionError', code: 'redirect_refused' });
    assert.equal(asked, 1);
  }
});

test('what an injected `fetch` does wrong is said', async () => {
  for (const answer of [undefined, null, 5, {}, { status: 200 }]) {
    await assert.rejects(fetching({}, () => answer).agent.runAgent(), { name: 'AGUIValidationError', code: 'wrong_type', path: '/fetch' });
  }
  const broken = new Error('broken');
  for (const fetch of [() => Promise.reject(broken), () => { throw broken; }]) {
    const error = await thrownBy(() => fetching({}, fetch).agent.runAgent());
    assert.deepEqual([error.code, error.cause], ['connection_failed', broken]);
  }
});

/** A server that begins a response that refuses the request, and continues it with `goOn`. */
async function refusing(status, type, goOn) {
  const seen = { requests: 0, gone: 0 };
  const server = await listen((request, response) => {
    seen.requests++;
    response.on('close', () => seen.gone++);
    request.resume().on('end', () => {
      if (seen.requests > 2) return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(Buffer.concat(hello));
      response.writeHead(status, { 'content-type': type }).write('{"code": "busy"');
      goOn(response);
    });
  }, createServer);
  return { ...server, seen };
}

const slow = {
  'is silent': () => undefined,
  trickles: (response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
};

for (const [way, goOn] of Object.entries(slow)) {
  test(`a refusal that ${way} has its status soon, and is retried`, { timeout: 30_000 }, async () => {
    const { url, close, seen } = await refusing(503, 'application/json', goOn);
    try {
      const begun = performance.now();
      const error = await thrownBy(() => new HttpAgent(url, { timeouts: { idle: 20_000 } }).runAgent());
      assert.deepEqual([error.code, error.status, error.run.outcome], ['http_error', 503, 'failed']);
      assert.ok(typeof error.payload === 'string' && error.payload.startsWith('{"code": "busy"'));
      assert.ok(performance.now() - begun < 15_000);
      const retried = new HttpAgent(url, { timeouts: { idle: 20_000 }, retry: { attempts: 2, first: 1 } });
      assert.equal((await retried.runAgent()).text, 'Hi');
      assert.equal(seen.requests, 3);
      await until(() => seen.gone === 3, 'a connection stays');
    } finally {
      close();
    }
  });
}

test('a refusal can be aborted, and so can the pause before another attempt', async () => {
  const { url, close, seen } = await refusing(503, 'text/plain', () => undefined);
  const agent = new HttpAgent(url);
  const ending = agent.runAgent();
  await until(() => seen.requests === 1);
  await pause(20); // Nothing shows that the agent reads the refusal.
  agent.abortRun();
  assert.equal((await ending).outcome, 'aborted');
  await until(() => seen.gone === 1);
  close();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const { agent: waiting, sent } = fetching({ retry: { attempts: 9, first: 600_000, longest: 600_000 } }, () => new Response('', { status: 503 }));
  const before = timers();
  const end = waiting.runAgent();
  await until(() => sent.length === 1);
  await pause(20); // Nor that it waits for its next attempt.
  waiting.abortRun();
  assert.equal((await end).outcome, 'aborted');
  assert.ok(timers() <= before, "a timer stays");
});

test('responses of transports have a status', async () => {
  const json = { 'content-type': 'application/json' };
  const answers = [
    [() => new Response('{"code":"no_token"}', { status: 401, headers: json }), 401, { code: 'no_token' }],
    [() => new Response(Buffer.concat(hello), { status: 500, headers: { 'content-type': 'text/event-stream' } }), 500],
    [async () => new Response('Oh', { status: 404 }), 404, 'Oh'],
    [() => new Response(null, { status: 307, headers: { location: '/' } }), 307, ''],
  ];
  for (const [transport, status, payload] of answers) {
    for (const middleware of [[], [(input, next) => next(input)]]) {
      const error = await thrownBy(() => new Agent(transport, { middleware }).runAgent());
      assert.ok(error instanceof AGUIConnectionError, error);
      assert.deepEqual([error.code, error.status], ['http_error', status]);
      if (payload !== undefined) assert.deepEqual(error.payload, payload);
    }
  }
  const local = new LocalAgent(() => assert.fail('it runs'), { server: { limits: { inputBytes: 300 } } });
  const error = await thrownBy(() => local.ask('x'.repeat(1000)));
  assert.deepEqual([error.code, error.status, error.payload.code], ['http_error', 413, 'limit_exceeded']);
});

test('transports that are none are refused, in words', async () => {
  const wrong = [
    () => undefined,
    () => 5,
    () => ({ body: 5 }),
    () => ({ body: [], contentType: 5 }),
    () => ({ [Symbol.asyncIterator]: () => undefined }),
    () => ({ [Symbol.asyncIterator]: () => ({}) }),
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => undefined }) }),
    () => ({ [Symbol.asyncIterator]: () => ({ next: async () => 5 }) }),
    () => ['data: text'],
    () => ({ contentType: 5, read: () => undefined, cancel() {} }),
    () => ({ contentType: 'text/event-stream', read: () => 5, cancel() {} }),
  ];
  for (const transport of wrong) {
    const error = await thrownBy(() => new Agent(transport).runAgent());
    assert.ok(error instanceof TypeError && /^answer.*: expected .*, got /.test(error.message), `${transport}: ${error}`);
  }
  // Not all that is returned has to be a promise.
  let left = 3;
  const reader = { contentType: null, read: () => hello[3 - left--], cancel() {} };
  assert.equal((await new Agent(() => reader).runAgent()).text, 'Hi');
});

test('middleware that is none is refused, in words', async () => {
  const wrong = [
    () => undefined,
    () => [started, finished],
    async (input, next) => next(input),
    (input, next) => next(),
    (input, next) => next(5),
    () => ({ [Symbol.asyncIterator]: () => undefined }),
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => undefined }) }),
  ];
  for (const one of wrong) {
    for (const middleware of [[one], [(input, next) => next(input), one], [one, (input, next) => next(input)]]) {
      const error = await thrownBy(() => new Agent(() => hello, { middleware }).runAgent());
      assert.ok(error instanceof TypeError && /^(the result of a middleware|the input of a middleware's next): expected .*, got /.test(error.message), `${one}: ${error}`);
    }
  }
});

test('lists of tools are lists of names', () => {
  for (const [lists, path] of [[{ allow: 'look' }, '/allow'], [{ deny: [5] }, '/deny/0'], [{ deny: [], allowed: [] }, '/allowed']]) {
    assert.throws(() => toolCallFilter(lists), (error) => error instanceof AGUIValidationError && error.path === path);
  }
});

test('what is thrown and is no error is the cause of one', async () => {
  for (const thrown of [undefined, null, 'boo', 5]) {
    const throws = () => {
      throw thrown;
    };
    const ways = [
      (subscriber) => new Agent(throws).runAgent({}, subscriber),
      (subscriber) => new Agent(async function* () { throws(); }).runAgent({}, subscriber),
      (subscriber) => fetching({ headers: throws, retry: {} }).agent.runAgent({}, subscriber),
      (subscriber) => new Agent(() => hello, { middleware: [throws] }).runAgent({}, subscriber),
    ];
    for (const way of ways) {
      let told;
      const error = await thrownBy(() => way({ onRunFailed: (params) => void (told = params.error) }));
      assert.ok(error instanceof AGUIError && told === error, `${thrown}: ${error}`);
      assert.deepEqual([error.cause, error.run.outcome], [thrown, 'failed']);
    }
    const late = await thrownBy(() => new Agent(() => hello).runAgent({}, { onRunFinalized: throws, onNewMessage: throws }));
    assert.equal(late.cause, thrown);
  }
});

test('a clone of an heir is one, whatever its constructor takes', async () => {
  const asked = [];
  class Named extends Agent {
    #secret = 5;
    name = { first: 'Ada' };
    constructor(name) {
      super((request) => (asked.push([request.agent.name.first, request.input.messages.length]), hello), { maxRuns: 3 });
      this.name.first = name;
    }
    greet = () => 'Hello';
    get isNamed() {
      return true;
    }
  }
  class Token extends HttpAgent {
    constructor(token, fetch) {
      super('http://localhost/', { headers: { authorization: token }, fetch, state: { n: 1 } });
      this.token = token;
    }
  }
  const named = new Named('Eve');
  named.addMessage({ id: 'u', role: 'user', content: 'Hi' });
  named.parentRunId = 'p';
  const twin = named.clone();
  assert.ok(twin instanceof Named && twin.isNamed && twin.greet() === 'Hello');
  assert.deepEqual([twin.name, twin.threadId, twin.messages, twin.parentRunId], [{ first: 'Eve' }, named.threadId, named.messages, 'p']);
  await twin.runAgent();
  assert.deepEqual([asked, named.messages.length, twin.messages.length], [[['Eve', 1]], 1, 2]);

  const sent = [];
  const token = new Token('secret', async (url, { headers }) => (sent.push([url, headers.authorization]), new Response(Buffer.concat(hello))));
  token.setState(null);
  const other = token.clone().clone();
  assert.ok(other instanceof Token && other.token === 'secret' && other.state === null);
  other.url = 'http://localhost/other';
  other.headers.authorization = 'other';
  await other.runAgent();
  await token.runAgent();
  assert.deepEqual(sent, [['http://localhost/other', 'other'], ['http://localhost/', 'secret']]);

  class Local extends LocalAgent {
    constructor() {
      super((run) => run.write('Local'));
    }
  }
  assert.equal((await new Local().clone().runAgent()).text, 'Local');
});

/** A server of WebSockets that sends as much as it can. */
async function talkative(play) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const seen = { closed: 0 };
  server.on('connection', (socket) => {
    seen.socket = socket;
    socket.on('close', () => seen.closed++).on('error', () => undefined);
    socket.once('message', () => play(socket));
  });
  await new Promise((resolve) => server.on('listening', resolve));
  return { url: `ws://127.0.0.1:${server.address().port}/`, seen, close: () => (server.clients.forEach((client) => client.terminate()), server.close()) };
}

const PIECES = 400;
const piece = 'x'.repeat(100_000);
/** Sends 40 MB: more than sockets and their buffers hold. */
function talk(socket) {
  socket.send(JSON.stringify(started));
  for (let count = 0; count < PIECES; count++) socket.send(JSON.stringify(chunk(piece)));
  socket.send(JSON.stringify(finished));
}

test('a WebSocket waits for a slow reader', { timeout: 60_000 }, async () => {
  const { url, seen, close } = await talkative(talk);
  try {
    const agent = new WebSocketAgent(url, { WebSocket });
    const events = agent.run();
    await events.next();
    await pause(500); // Nothing more is taken in this time.
    assert.ok(seen.socket.bufferedAmount > 20_000_000, `only ${seen.socket.bufferedAmount} bytes wait at the server`);
    for await (const _ of events);
    assert.equal(agent.messages[0].content.length, PIECES * piece.length);
    // A reader that leaves closes the socket even if the socket is paused.
    const left = new WebSocketAgent(url, { WebSocket }).run();
    await left.next();
    await pause(200); // Nothing shows that the socket is paused.
    await left.return();
    await until(() => seen.closed === 2, 'the connection stays');
  } finally {
    close();
  }
});

test('what cannot wait is bounded', { timeout: 60_000 }, async () => {
  let received = 0;
  class Bare extends WebSocket {
    pause = undefined;
    resume = undefined;
    constructor(...made) {
      super(...made);
      this.on('message', (data) => (received += data.length));
    }
  }
  const { url, seen, close } = await talkative(talk);
  try {
    const agent = new WebSocketAgent(url, { WebSocket: Bare });
    const events = agent.run();
    await events.next();
    await until(() => received > 17_000_000);
    const error = await thrownBy(async () => {
      for await (const _ of events);
    });
    assert.deepEqual([error.code, error.limit], ['limit_exceeded', 'eventBytes']);
    const { length } = agent.messages[0].content;
    assert.ok(length > 16_000_000 && length < 17_500_000, length);
    await until(() => seen.closed === 1);
  } finally {
    close();
  }
  // A client that reads in time receives everything: the server waits until the client has the pieces before.
  const patient = await talkative(async (socket) => {
    socket.send(JSON.stringify(started));
    for (let count = 1; count <= PIECES; count++) {
      socket.send(JSON.stringify(chunk(piece)));
      if (count % 40 === 0) await until(() => fast.messages[0]?.content.length === count * piece.length);
    }
    socket.send(JSON.stringify(finished));
  });
  const fast = new WebSocketAgent(patient.url, { WebSocket: Bare });
  try {
    assert.equal((await fast.runAgent()).text.length, PIECES * piece.length);
  } finally {
    patient.close();
  }
});

test('a WebSocket whose server does not answer the close is closed soon, whatever its class throws', { timeout: 30_000 }, async () => {
  const { url, seen, close } = await talkative((socket) => {
    socket.send(JSON.stringify(started));
    // It reads no more, and so never sees the close.
    socket.pause();
  });
  try {
    const made = [];
    class Odd extends WebSocket {
      constructor(...given) {
        super(...given);
        made.push(this);
      }
      close() {
        super.close();
        throw new Error('odd');
      }
    }
    const agent = new WebSocketAgent(url, { WebSocket: Odd, timeouts: { idle: 200 } });
    await assert.rejects(agent.runAgent(), { code: 'timed_out' });
    const begun = performance.now();
    await until(() => made[0].readyState === WebSocket.CLOSED);
    assert.ok(performance.now() - begun < 15_000);
    seen.socket.resume();
  } finally {
    close();
  }
});

test('text that is no UTF-8 has the code that it has over HTTP, too', async () => {
  const { url, close } = await talkative((socket) => {
    socket.send(JSON.stringify(started));
    socket.send(Buffer.from('{"type":"STEP_STARTED","stepName":"\xff"}', 'latin1'), { binary: false });
  });
  const error = await thrownBy(() => new WebSocketAgent(url, { WebSocket }).runAgent());
  assert.deepEqual([error.name, error.code], ['AGUIValidationError', 'invalid_utf8']);
  close();
});

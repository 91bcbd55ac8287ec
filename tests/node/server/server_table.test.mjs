// Situations of a request: every row over a socket, and through fetchHandler where it can occur there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, eventsOf, input, listen, post, rawRequest, until, ways } from '../servers.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');

const types = (events) => events.map(({ type }) => type);
const pause = (duration) => new Promise((resolve) => setTimeout(resolve, duration));

for (const [way, serve] of Object.entries(ways)) {
  /** Serves an agent while `work` asks it. */
  const served = (name, agent, options, work) =>
    test(`${way}: ${name}`, async () => {
      const { ask, close } = await serve(agent, options);
      try {
        await work(ask);
      } finally {
        close();
      }
    });

  served('answer', (run) => void run.write('Grüße 😀'), {}, async (ask) => {
    const response = await ask();
    assert.equal(response.status, 200);
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding', 'access-control-allow-origin'];
    const values = ['text/event-stream', 'no-cache, no-transform', 'no', null, null];
    assert.deepEqual(names.map((name) => response.headers.get(name)), values);
    const events = await eventsOf(response);
    assert.equal(events[2].delta, 'Grüße 😀');
    assert.deepEqual(types(events), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
  });

  served('protobuf is spoken to those who name it', (run) => void run.write('x'), {}, async (ask) => {
    const headers = (accept) => ({ headers: { ...asking.headers, accept } });
    const response = await ask(headers(`text/event-stream;q=0.5, ${AGUI_MEDIA_TYPE}`));
    assert.equal(response.headers.get('content-type'), AGUI_MEDIA_TYPE);
    assert.equal(types(await eventsOf(response)).at(-1), 'RUN_FINISHED');
    for (const accept of ['*/*', 'text/*', 'application/*', 'application/json', 'text/html', 'text/event-stream', '']) {
      const response = await ask(headers(accept));
      assert.equal(response.headers.get('content-type'), 'text/event-stream', accept);
      await response.body.cancel();
    }
  });

  served('protobuf by wildcard', () => {}, { acceptWildcards: true }, async (ask) => {
    const response = await ask({ headers: { ...asking.headers, accept: '*/*' } });
    assert.equal(response.headers.get('content-type'), AGUI_MEDIA_TYPE);
    await response.body.cancel();
  });

  const refusals = {
    wrong_method: [{ method: 'GET', body: undefined }, 405, 'method_not_allowed', ''],
    wrong_type: [{ headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type', ''],
    malformed: [{ body: '{"threadId":' }, 400, 'invalid_json', '/threadId'],
    empty: [{ body: '' }, 400, 'invalid_json', ''],
    'not unicode': [{ body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'invalid_utf8', undefined],
    invalid: [{ body: '{"threadId":"t","runId":"r","messages":5}' }, 400, 'wrong_type', '/messages'],
    oversized: [{ body: JSON.stringify({ ...input, forwardedProps: 'x'.repeat(5_000) }) }, 413, 'limit_exceeded', ''],
  };
  for (const [name, [init, status, code, path]] of Object.entries(refusals)) {
    served(name, () => assert.fail(), { limits: { inputBytes: 4_000 } }, async (ask) => {
      const response = await ask(init);
      assert.deepEqual([response.status, response.headers.get('content-type')], [status, 'application/json']);
      assert.equal(response.headers.get('allow'), status === 405 ? 'POST' : null);
      const refusal = await response.json();
      assert.equal(refusal.code, code);
      if (path !== undefined) assert.equal(refusal.path, path);
      assert.ok(refusal.message.length > 10 && refusal.issues.length > 0);
      if (status === 413) assert.equal(refusal.limit, 'input_bytes');
    });
  }

  served('unanswered_interrupt', (run) => run.answer('i').payload, { pendingInterrupts: async () => [{ id: 'i', reason: 'why' }] }, async (ask) => {
    const refused = await ask();
    assert.equal(refused.status, 422);
    const { code, rule, message } = await refused.json();
    assert.deepEqual([code, rule, message.includes('"i"')], ['sequence_broken', 'L01', true]);
    const resume = [{ interruptId: 'i', status: 'resolved', payload: 5 }];
    const answered = await eventsOf(await ask({ body: JSON.stringify({ ...input, resume }) }));
    assert.equal(answered.at(-1).result, 5);
  });

  const told = [];
  served('a server that fails before the run', () => {}, { pendingInterrupts: () => assert.fail('secret'), onError: (error) => told.push(error.message) }, async (ask) => {
    const response = await ask();
    const text = await response.text();
    assert.deepEqual([response.status, JSON.parse(text).code, text.includes('secret'), told], [500, 'internal', false, ['secret']]);
  });

  for (const [cors, origin, allowed] of [
    ['*', 'https://a.example', '*'],
    [['https://a.example'], 'https://a.example', 'https://a.example'],
    [['https://a.example'], 'https://b.example', null],
  ]) {
    served(`cors ${cors} for ${origin}`, () => {}, { cors }, async (ask) => {
      const preflight = await ask({ method: 'OPTIONS', body: undefined, headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' } });
      assert.equal(preflight.status, allowed ? 204 : 405);
      const names = ['origin', 'methods', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`));
      assert.deepEqual(names, allowed ? [allowed, 'POST', 'content-type'] : [null, null, null]);
      for (const init of [{}, { body: '{' }]) {
        const response = await ask({ ...init, headers: { ...asking.headers, origin } });
        assert.equal(response.headers.get('access-control-allow-origin'), allowed);
        await response.text();
      }
    });
  }
  served('no cors', () => {}, {}, async (ask) => {
    const preflight = await ask({ method: 'OPTIONS', body: undefined, headers: { origin: 'https://a.example' } });
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [405, null]);
    await preflight.text();
  });

  served('exception', () => Promise.reject(new Error('secret')), {}, async (ask) => {
    const text = await (await ask()).text();
    assert.match(text, /"type":"RUN_ERROR".*"code":"agent_failed"/);
    assert.doesNotMatch(text, /secret/);
  });

  const stop = new AbortController();
  served('cancel', (run) => once(run.signal, 'abort'), { signal: stop.signal }, async (ask) => {
    const response = await ask();
    stop.abort();
    assert.deepEqual((await eventsOf(response)).at(-1).outcome, { type: 'cancelled' });
    // A server that goes down takes no more.
    assert.deepEqual((await eventsOf(await ask())).at(-1).outcome, { type: 'cancelled' });
  });

  served(
    'time_limit: cleanup is heard',
    async (run) => {
      const message = run.textMessage();
      await once(run.signal, 'abort');
      message.write('I go.');
    },
    { timeLimit: 10 },
    async (ask) => {
      const events = await eventsOf(await ask());
      assert.deepEqual([events[2].delta, events.at(-1).code], ['I go.', 'run_timeout']);
    },
  );

  const late = [];
  served('time_limit', (run) => new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason))), { timeLimit: 10, onError: (error) => late.push(error) }, async (ask) => {
    const { type, code } = (await eventsOf(await ask())).at(-1);
    assert.deepEqual([type, code, late], ['RUN_ERROR', 'run_timeout', []]);
  });

  {
    let speak;
    const silent = () => new Promise((resolve) => (speak = resolve));
    served('heartbeat', silent, { heartbeat: 10 }, async (ask) => {
      let text = '';
      for await (const piece of (await ask()).body) {
        text += Buffer.from(piece);
        if (text.match(/^: \n\n/gm)?.length >= 2) speak();
      }
      assert.match(text, /RUN_FINISHED/);
      speak = undefined;
      const binary = await ask({ headers: { ...asking.headers, accept: AGUI_MEDIA_TYPE } });
      await until(() => speak !== undefined);
      await pause(60); // No heartbeat comes in this time.
      speak();
      assert.equal((await eventsOf(binary)).length, 2);
    });
  }

  {
    let aborted, cleaned, state;
    const agent = async (run) => {
      run.signal.addEventListener('abort', () => (aborted = run.signal.reason));
      const message = run.textMessage();
      try {
        for (;;) {
          await message.write('x');
          await pause(1);
        }
      } catch (error) {
        state = error === run.signal.reason;
        // It is judged still, and thrown away.
        message.write('late');
        message.end();
        run.custom('c', 1);
        cleaned = run.isRunning;
        throw error;
      }
    };
    const errors = [];
    served('disconnect', agent, { onError: (error) => errors.push(error) }, async (ask) => {
      const response = await ask();
      const reader = response.body.getReader();
      await reader.read();
      await reader.cancel();
      await until(() => cleaned !== undefined, 'the agent goes on');
      assert.deepEqual([aborted?.name, state, cleaned, errors], ['AbortError', true, true, []]);
    });
  }

  {
    let count = 0;
    const agent = async (run) => {
      const message = run.textMessage();
      for (; count < 400; count++) await message.write('x'.repeat(100_000));
      return count;
    };
    served('slow_client', agent, {}, async (ask) => {
      const response = await ask();
      // The system and Node buffer a bounded amount ahead of the client: nothing more is written in fifty milliseconds.
      let before;
      await until(async () => (before = count, await pause(50), before === count));
      assert.ok(count < 400, 'the agent is not held up');
      const events = await eventsOf(response);
      assert.deepEqual([events.at(-1).result, events.length], [400, 404]);
    });
  }

  {
    let thrown;
    const agent = async (run) => {
      const message = run.textMessage();
      try {
        for (;;) await message.write('x'.repeat(100_000));
      } catch (error) {
        thrown = error;
        throw error;
      }
    };
    served('time_limit of an agent that a client holds up', agent, { timeLimit: 100 }, async (ask) => {
      const response = await ask();
      await until(() => thrown !== undefined, 'the agent waits for ever');
      assert.equal(thrown.code, 'run_timeout');
      assert.equal((await eventsOf(response)).at(-1).code, 'run_timeout');
    });
  }

  served('durations beyond what timers wait', () => pause(20), { timeLimit: Infinity, bodyTimeout: 2 ** 40, heartbeat: Infinity }, async (ask) => {
    const text = await (await ask()).text();
    assert.ok(!text.includes(': \n\n') && text.includes('RUN_FINISHED'));
  });

  {
    let thrown;
    const agent = async (run) => {
      const message = run.textMessage();
      try {
        for (;;) {
          message.write('x'.repeat(10_000));
          await pause(0);
        }
      } catch (error) {
        thrown = error;
        throw error;
      }
    };
    served('slow_client without an await', agent, { maxWaiting: 100_000 }, async (ask) => {
      const response = await ask();
      await until(() => thrown !== undefined);
      assert.deepEqual([thrown.code, thrown.limit], ['client_too_slow', 'maxWaiting']);
      assert.equal((await eventsOf(response)).at(-1).code, 'client_too_slow');
    });
  }
}

test('many awaits leave a turn to others', async () => {
  const { ask, close } = await ways.fetch(async (run) => {
    const message = run.textMessage();
    let others = 0;
    setTimeout(() => setTimeout(() => others++, 0), 0);
    for (let turn = 0; others === 0; turn++) {
      assert.ok(turn < 1_000_000, 'other tasks get no turn');
      await message.write('');
    }
  });
  const response = await ask();
  assert.equal((await eventsOf(response)).at(-1).type, 'RUN_FINISHED');
  close();
});

test('request.signal', async () => {
  const stop = new AbortController();
  let reason;
  const { ask } = await ways.fetch(async (run) => {
    await once(run.signal, 'abort');
    reason = run.signal.reason;
  });
  await ask({ signal: stop.signal });
  stop.abort('gone');
  await until(() => reason === 'gone');
});

test('socket: oversized, without a length', async () => {
  const { port, close } = await listen(nodeHandler(() => assert.fail(), { limits: { inputBytes: 1_000 } }));
  const client = await rawRequest(port, ['POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked'], `7d0\r\n${'x'.repeat(2_000)}\r\n`);
  await once(client.socket, 'close');
  assert.match(client.text, /^HTTP\/1.1 413 .*connection: close.*"limit":"input_bytes"/is);
  close();
});

test('socket: a length that is too large is refused before the body comes', async () => {
  const { port, close } = await listen(nodeHandler(() => assert.fail()));
  const client = await rawRequest(port, ['POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 99999999']);
  await once(client.socket, 'close');
  assert.match(client.text, /^HTTP\/1.1 413 /);
  close();
});

test('socket: body_timeout', async () => {
  const { port, close } = await listen(nodeHandler(() => assert.fail(), { bodyTimeout: 10 }));
  const client = await rawRequest(port, post('{"half').map((line) => line.replace(/Length: \d+/, 'Length: 100')), '{"half');
  await once(client.socket, 'close');
  assert.match(client.text, /^HTTP\/1.1 408 .*"code":"request_timeout"/s);
  close();
});

test('fetch: body_timeout', async () => {
  const { ask } = await ways.fetch(() => assert.fail(), { bodyTimeout: 10 });
  const response = await ask({ body: new ReadableStream({ pull: () => new Promise(() => {}) }), duplex: 'half' });
  assert.deepEqual([response.status, (await response.json()).code], [408, 'request_timeout']);
});

test('socket: a client that goes before it has asked', async () => {
  let asked = 0;
  let answered = 0;
  const handler = nodeHandler(() => assert.fail());
  const { port, close } = await listen((request, response) => {
    request.once('data', () => asked++);
    void handler(request, response).then(() => answered++);
  });
  const client = await rawRequest(port, post('x'.repeat(50)), '{"half');
  await until(() => asked === 1);
  client.socket.destroy();
  await until(() => answered === 1);
  close();
});

/** A connection whose writes fail from some moment on. */
class Connection extends Duplex {
  isBroken = false;
  writes = 0;
  _read() {}
  _write(chunk, _, done) {
    this.writes++;
    done(this.isBroken ? Object.assign(new Error('broken'), { code: 'EPIPE' }) : null);
  }
}

test('half_open: a heartbeat that fails is a disconnect', async () => {
  let run, ended;
  const handler = nodeHandler(
    async (given) => {
      run = given;
      await once(run.signal, 'abort');
    },
    { heartbeat: 10 },
  );
  const server = createServer((...both) => void handler(...both).then(() => (ended = true)));
  const connection = new Connection();
  server.emit('connection', connection);
  connection.push(`${post().join('\r\n')}\r\n\r\n${asking.body}`);
  await until(() => run !== undefined);
  const { writes } = connection;
  await until(() => connection.writes > writes + 1);
  assert.equal(run.signal.aborted, false);
  connection.isBroken = true;
  await until(() => ended, 'the run was not ended');
  assert.equal(run.isRunning, false);
});

test('socket: a body that a framework has read', async () => {
  for (const read of [json, async (request) => Buffer.from(JSON.stringify(await json(request))), async (request) => JSON.stringify(await json(request))]) {
    const handler = nodeHandler((run) => run.messages.length);
    const { url, close } = await listen(async (request, response) => {
      request.body = await read(request);
      response.setHeader('x-theirs', 'kept');
      await handler(request, response);
    });
    const response = await fetch(url, asking);
    assert.equal(response.headers.get('x-theirs'), 'kept');
    assert.equal((await eventsOf(response)).at(-1).result, 1);
    close();
  }
});

test('a body of which nothing is left says so', async () => {
  const told = [];
  const options = { onError: (error) => told.push(error) };
  const answers = [];
  const { url, close } = await listen(async (request, response) => {
    await json(request);
    await nodeHandler(() => assert.fail(), options)(request, response);
  });
  answers.push(await fetch(url, asking));
  close();
  const handler = fetchHandler(() => assert.fail(), options);
  const request = new Request('http://localhost/', asking);
  await request.json();
  answers.push(await handler(request));
  for (const response of answers) {
    const { code, message } = await response.json();
    assert.deepEqual([response.status, code], [500, 'internal']);
    assert.match(message, /the body was read before/);
  }
  assert.deepEqual(told.map(({ name, message }) => [name, /the body was read before/.test(message)]), [['TypeError', true], ['TypeError', true]]);
});

test('an empty body, read before or not', async () => {
  const handler = nodeHandler(() => assert.fail());
  const { url, close } = await listen(async (request, response) => {
    for await (const _ of request);
    await handler(request, response);
  });
  assert.equal((await fetch(url, { ...asking, body: '' })).status, 400);
  close();
});

test('http2', async () => {
  let aborted = 0;
  const agent = async (run) => {
    run.signal.addEventListener('abort', () => aborted++);
    const message = run.textMessage();
    for (let n = 0; n < 30 || run.input.runId === 'endless'; n++) {
      await message.write('x'.repeat(10_000));
      await pause(1);
    }
    return 'done';
  };
  const { port, server } = await listen(nodeHandler(agent), createHttp2Server);
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  const head = { ':method': 'POST', ':path': '/', 'content-type': 'application/json' };
  const stream = client.request(head);
  stream.end(asking.body);
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  assert.match(text, /"result":"done"/);
  assert.equal(aborted, 0);
  const wrong = client.request({ ':method': 'GET', ':path': '/' });
  const [{ ':status': status }] = await once(wrong, 'response');
  assert.equal(status, 405);
  wrong.close();
  const endless = client.request(head);
  endless.end(JSON.stringify({ ...input, runId: 'endless' }));
  await once(endless, 'data');
  endless.close(8);
  await until(() => aborted === 1);
  // Data that the client has not read would keep the connection open.
  client.destroy();
  server.close();
});

test('options of the wrong kind are refused at once', () => {
  for (const wrong of [{ heartbeat: 'x' }, { heartbeat: -1 }, { timeLimit: NaN }, { cors: 5 }, { stateFlush: 'never' }, { signal: {} }, { ids: 5 }, { limits: { eventBytes: 'x' } }, { onError: 1 }, 5]) {
    assert.throws(() => nodeHandler(() => {}, wrong), JSON.stringify(wrong));
  }
  assert.throws(() => nodeHandler({}), TypeError);
});

test('a shutdown signal that many runs listen to', async () => {
  const warnings = [];
  const warn = (warning) => warnings.push(String(warning));
  process.on('warning', warn);
  const stop = new AbortController();
  const { ask } = await ways.fetch((run) => once(run.signal, 'abort'), { signal: stop.signal });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
  stop.abort();
  const ends = await Promise.all(answers.map(async (answer) => (await eventsOf(answer)).at(-1).outcome.type));
  assert.deepEqual(new Set(ends), new Set(['cancelled']));
  await pause(1); // A warning would come in a later turn.
  process.off('warning', warn);
  assert.deepEqual(warnings, []);
});

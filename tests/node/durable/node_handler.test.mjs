// Runs with a log behind nodeHandler, over sockets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { connect } from 'node:net';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';
import { require } from '../packages.mjs';
import { cancel, eventOf, framesOf, gate, idOf, inputOf, JSON_TYPE, post, readFrames, runUrl, serve, speaker, typesOf } from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');
const { applyEvents } = require('ag-ui-native/stream');

const quiet = () => undefined;
const open = { log: undefined, authorize: 'public' };

const WHOLE = ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'STATE_SNAPSHOT', 'RUN_FINISHED'];

test('each event of a run has an id, and the head says where it begins', async (context) => {
  const url = await serve(context, nodeHandler(speaker(), { ...open, log: new MemoryLog() }));
  const response = await post(url, inputOf('t 1', 'r'));
  const text = await response.text();
  assert.equal(response.status, 200);
  assert.deepEqual(typesOf(text), WHOLE);
  const cursor = response.headers.get('ag-ui-cursor');
  assert.match(cursor, /^[\w-]{22}-0$/);
  assert.deepEqual(framesOf(text).map(idOf), WHOLE.map((_, index) => cursor.replace(/0$/, index + 1)));
  const { headers } = response;
  assert.deepEqual(
    ['content-type', 'ag-ui-run', 'content-location', 'ag-ui-heartbeat', 'ag-ui-prefix'].map((name) => headers.get(name)),
    ['text/event-stream', 'r', '?thread=t%201&run=r', '15', null],
  );
});

test('a reader that is cut behind any event gets the same bytes', async (context) => {
  const url = await serve(context, nodeHandler(speaker(), { ...open, log: new MemoryLog() }));
  const whole = await (await post(url, inputOf('t', 'r'))).text();
  const frames = framesOf(whole);
  for (const [index, frame] of frames.entries()) {
    const rest = frames.slice(index + 1).join('');
    for (const resumed of [await fetch(runUrl(url, 't', 'r', idOf(frame))), await fetch(runUrl(url, 't', 'r'), { headers: { 'last-event-id': idOf(frame) } }), await post(url, inputOf('t', 'r'), { 'last-event-id': idOf(frame) })]) {
      assert.equal(resumed.status, rest === '' ? 204 : 200);
      assert.equal(await resumed.text(), rest);
    }
  }
  const raw = await fetch(runUrl(url, 't', 'r', idOf(frames[0]).replace(/1$/, '0')));
  assert.equal(await raw.text(), whole);
  // The path form is below the address of the agent.
  assert.equal(await (await fetch(`${url}/threads/t/runs/r?after=${idOf(frames[2])}`)).text(), frames.slice(3).join(''));
});

test('a run outlives the connection that began it', async (context) => {
  const { open: go, opened } = gate();
  const agent = speaker(() => opened);
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog() }));
  const begun = await readFrames(await post(url, inputOf('t', 'r'), { 'ag-ui-resume': '1' }), 3);
  const live = await fetch(runUrl(url, 't', 'r', idOf(framesOf(begun).at(-1))));
  go();
  assert.deepEqual([...typesOf(begun), ...typesOf(await live.text())], WHOLE);
  assert.equal(agent.runs, 1);
});

test('a client that joins gets a prefix as a whole, during the run and after it', async (context) => {
  const { open: go, opened } = gate();
  const url = await serve(context, nodeHandler(speaker(() => opened), { ...open, log: new MemoryLog() }));
  const first = await post(url, inputOf('t', 'r'));
  const begun = fetch(runUrl(url, 't', 'r'));
  const joined = await begun;
  const [, frames, through] = /^(\d+);through=(\d+)$/.exec(joined.headers.get('ag-ui-prefix'));
  go();
  const text = await joined.text();
  const prefix = framesOf(text).slice(0, Number(frames));
  assert.deepEqual(prefix.map(idOf), [...prefix.slice(1).map(() => undefined), joined.headers.get('ag-ui-cursor').replace(/0$/, through)]);
  const whole = await first.text();
  const late = await (await fetch(runUrl(url, 't', 'r'))).text();
  const reduced = async (text) => applyEvents(framesOf(text).map(eventOf));
  const expected = await reduced(whole);
  for (const joined of [text, late]) {
    const { messages, state } = await reduced(joined);
    assert.deepEqual([messages, state], [expected.messages, expected.state]);
  }
});

test('the same request twenty times at once runs the agent once', async (context) => {
  const agent = speaker(() => sleep(20));
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog() }));
  const input = inputOf('t', 'r', { messages: [{ id: 'u', role: 'user', content: 'hello' }] });
  const answers = await Promise.all(Array.from({ length: 20 }, async () => applyEvents(framesOf(await (await post(url, input)).text()).map(eventOf))));
  assert.equal(agent.runs, 1);
  for (const { messages } of answers) assert.deepEqual(messages, answers[0].messages);
});

async function refusal(response) {
  const { code, activeRunId } = await response.json();
  return { status: response.status, code, ...(activeRunId === undefined ? {} : { activeRunId }) };
}

test('refusals have a status and a code', async (context) => {
  const { open: go, opened } = gate();
  const authorize = (request) => request.headers['x-user'] ?? null;
  const url = await serve(context, nodeHandler(speaker(() => opened), { log: new MemoryLog(), authorize, onError: quiet }));
  const as = (user) => ({ 'x-user': user });
  const first = await post(url, inputOf('t', 'r'), as('ada'));
  assert.deepEqual(await refusal(await post(url, inputOf('t', 'r', { state: { other: 1 } }), as('ada'))), { status: 409, code: 'run_conflict' });
  assert.deepEqual(await refusal(await post(url, inputOf('t', 'q'), as('ada'))), { status: 409, code: 'thread_busy', activeRunId: 'r' });
  const unknown = { status: 404, code: 'run_unknown' };
  assert.deepEqual(await refusal(await fetch(runUrl(url, 't', 'r'), { headers: as('bob') })), unknown);
  assert.deepEqual(await refusal(await fetch(runUrl(url, 't', 'r'))), unknown);
  assert.deepEqual(await refusal(await post(url, inputOf('t', 'r'))), unknown);
  assert.deepEqual(await refusal(await fetch(`${url}?thread=t&cancel=r`, { method: 'POST', headers: { ...JSON_TYPE, ...as('bob') } })), unknown);
  const cursor = first.headers.get('ag-ui-cursor');
  const read = (after) => fetch(runUrl(url, 't', 'r', after), { headers: as('ada') });
  assert.deepEqual(await refusal(await read('nonsense')), { status: 400, code: 'cursor_invalid' });
  assert.deepEqual(await refusal(await read(cursor.replace(/0$/, '99'))), { status: 409, code: 'cursor_ahead' });
  assert.deepEqual(await refusal(await read(`${'A'.repeat(22)}-0`)), { status: 410, code: 'log_replaced' });
  assert.deepEqual(await refusal(await post(url, inputOf('t', 'r'.repeat(257)), as('ada'))), { status: 400, code: 'limit_exceeded' });
  assert.deepEqual(await refusal(await fetch(runUrl(url, 't'.repeat(257), 'r'), { headers: as('ada') })), { status: 400, code: 'limit_exceeded' });
  assert.equal((await fetch(runUrl(url, 't'.repeat(256), 'r'), { headers: as('ada') })).status, 404);
  assert.equal((await fetch(url, { method: 'PUT', headers: as('ada') })).status, 405);
  assert.equal((await fetch(url, { method: 'HEAD', headers: as('ada') })).status, 405);
  assert.equal((await fetch(`${url}?thread=t&cancel=r`, { method: 'POST', headers: as('ada') })).status, 415);
  go();
  assert.deepEqual(typesOf(await first.text()), WHOLE);
});

test('a cancel at another handler of the same log ends the run once', async (context) => {
  const log = new MemoryLog();
  const agent = async (run) => {
    const message = run.textMessage();
    await message.write('one');
    await once(run.signal, 'abort');
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log }));
  const other = await serve(context, nodeHandler(agent, { ...open, log }));
  const response = await post(url, inputOf('t', 'r'));
  assert.equal((await cancel(other, 't', 'r')).status, 202);
  assert.equal((await cancel(url, 't', 'r')).status, 202);
  const events = framesOf(await response.text()).map(eventOf);
  assert.deepEqual(events.map(({ type }) => type), ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
  assert.equal(events.at(-1).outcome.type, 'cancelled');
  assert.equal((await cancel(url, 't', 'r')).status, 202);
  assert.equal((await cancel(url, 't', 'none')).status, 404);
});

test('a server that shuts down ends its runs, and their ends are stored', async (context) => {
  const log = new MemoryLog();
  const shutdown = new AbortController();
  const agent = async (run) => {
    await run.textMessage().write('one');
    await once(run.signal, 'abort');
  };
  const errors = [];
  const url = await serve(context, nodeHandler(agent, { ...open, log, signal: shutdown.signal, drain: 100, onError: (error) => errors.push(error) }));
  const other = await serve(context, nodeHandler(agent, { ...open, log }));
  const response = await post(url, inputOf('t', 'r'));
  const elsewhere = await fetch(runUrl(other, 't', 'r'));
  shutdown.abort();
  for (const reader of [response, elsewhere]) {
    assert.equal(framesOf(await reader.text()).map(eventOf).at(-1).code, 'producer_lost');
  }
  assert.deepEqual(errors.map(({ code }) => code), ['producer_lost']);
  const { activeRunId, lastRunId } = await (await fetch(`${other}?thread=t`)).json();
  assert.deepEqual([activeRunId, lastRunId], [undefined, 'r']);
});

test('a run beyond its time limit ends in the log', async (context) => {
  const url = await serve(context, nodeHandler((run) => once(run.signal, 'abort'), { ...open, log: new MemoryLog(), timeLimit: 50 }));
  const last = framesOf(await (await post(url, inputOf('t', 'r'))).text()).map(eventOf).at(-1);
  assert.deepEqual([last.type, last.code], ['RUN_ERROR', 'run_timeout']);
});

test('a busy thread can be interrupted', async (context) => {
  const agent = async (run) => {
    if (run.runId === 'r') await once(run.signal, 'abort');
    return run.runId;
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), onBusy: 'interrupt' }));
  const first = await post(url, inputOf('t', 'r'));
  const second = await post(url, inputOf('t', 'q'));
  assert.equal(framesOf(await first.text()).map(eventOf).at(-1).outcome.type, 'cancelled');
  assert.equal(framesOf(await second.text()).map(eventOf).at(-1).result, 'q');
});

test('a run that no client reads ends after the grace time, unless its client resumes', async (context) => {
  for (const [headers, onDisconnect, goesOn] of [[{}, 'resume', false], [{ 'ag-ui-resume': '1' }, 'resume', true], [{ 'ag-ui-resume': '1' }, 'cancel', false], [{}, 'continue', true]]) {
    const { open: go, opened } = gate();
    const aborted = gate();
    const agent = speaker((run) => {
      run.signal.addEventListener('abort', aborted.open);
      return Promise.race([opened, once(run.signal, 'abort')]);
    });
    const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), grace: 300, onDisconnect, onError: quiet }));
    await readFrames(await post(url, inputOf('t', 'r'), headers), 3);
    if (goesOn) {
      await sleep(700);
      go();
    } else {
      await aborted.opened;
    }
    const last = framesOf(await (await fetch(runUrl(url, 't', 'r'))).text()).map(eventOf).at(-1);
    assert.equal(last.outcome?.type === 'cancelled', !goesOn, `${JSON.stringify(headers)} ${onDisconnect}: ${JSON.stringify(last)}`);
  }
});

test('a thread has the messages, the state, the interrupts and the active run', async (context) => {
  const { open: go, opened } = gate();
  const agent = async (run) => {
    if (run.runId === 'r2') await opened;
    const message = run.textMessage({ id: 'm' });
    message.write('hello');
    message.end();
    run.state = { step: 1 };
    run.interrupt({ id: 'i', reason: 'approval' });
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog() }));
  const thread = async (address) => (await fetch(address)).json();
  assert.deepEqual(await thread(`${url}?thread=t`), { threadId: 't', version: 0 });
  await (await post(url, inputOf('t', 'r1'))).text();
  const known = await thread(`${url}/threads/t`);
  assert.deepEqual([known.version, known.lastRunId, known.activeRunId, known.state, known.messages.map(({ content }) => content), known.interrupts.map(({ id }) => id)], [2, 'r1', undefined, { step: 1 }, ['hello'], ['i']]);
  const second = await post(url, inputOf('t', 'r2', { resume: [{ interruptId: 'i', status: 'resolved' }] }));
  const active = await thread(`${url}?thread=t`);
  assert.deepEqual([active.version, active.activeRunId, active.messages, active.interrupts], [3, 'r2', [], []]);
  go();
  await second.text();
});

test('authorize is asked for each access, and its failures say nothing', async (context) => {
  const asked = [];
  let scope = () => 'ada';
  const errors = [];
  const authorize = async (request, ...about) => {
    assert.equal(typeof request.headers, 'object');
    asked.push(about);
    return scope();
  };
  const url = await serve(context, nodeHandler(speaker(), { log: new MemoryLog(), authorize, onError: (error) => errors.push(error) }));
  await (await post(url, inputOf('t', 'r'))).text();
  await (await fetch(runUrl(url, 't', 'r'))).text();
  await fetch(`${url}?thread=t`);
  await cancel(url, 't', 'r');
  assert.deepEqual(asked, [['start', 't', 'r'], ['read', 't', 'r'], ['read', 't', undefined], ['cancel', 't', 'r']]);
  for (const failing of [() => { throw new Error('the secret'); }, () => 7, () => ({})]) {
    scope = failing;
    const response = await fetch(runUrl(url, 't', 'r'));
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret/);
  }
  assert.equal(errors.length, 3);
});

test('a log needs authorize', () => {
  assert.throws(() => nodeHandler(quiet, { log: new MemoryLog() }), { code: 'missing_field', path: '/authorize', message: /public/ });
  assert.throws(() => nodeHandler(quiet, { log: {}, authorize: 'public' }), { code: 'wrong_type', path: '/log' });
  assert.throws(() => nodeHandler(quiet, { log: new MemoryLog(), authorize: 'all' }), { code: 'wrong_type', path: '/authorize' });
  assert.throws(() => nodeHandler(quiet, { ...open, log: new MemoryLog(), grace: -1 }), { code: 'wrong_type', path: '/grace' });
});

test('an engine that fails: refused before the run, and the agent is told during it', async (context) => {
  const errors = [];
  const failing = { execute: () => Promise.reject(new Error('down')), watch: () => quiet };
  const down = await serve(context, nodeHandler(speaker(), { ...open, log: failing, onError: (error) => errors.push(error) }));
  const [start, read, thread, stop] = await Promise.all([post(down, inputOf('t', 'r')), fetch(runUrl(down, 't', 'r')), fetch(`${down}?thread=t`), cancel(down, 't', 'r')]);
  for (const response of [start, read, thread, stop]) {
    assert.equal(response.headers.get('retry-after'), '1');
    assert.deepEqual(await refusal(response), { status: 503, code: 'log_unavailable' });
  }
  const memory = new MemoryLog();
  let isDown = false;
  const flaky = { execute: (operation) => (isDown && operation.operation !== 'read' ? Promise.reject(new Error('down')) : memory.execute(operation)), watch: (...about) => memory.watch(...about) };
  const aborted = gate();
  const agent = async (run) => {
    const message = run.textMessage();
    await message.write('one');
    isDown = true;
    run.signal.addEventListener('abort', () => aborted.open(run.signal.reason));
    await message.write('two');
    await aborted.opened;
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: flaky, lease: 300, onError: (error) => errors.push(error) }));
  const response = await post(url, inputOf('t', 'r'));
  const last = framesOf(await response.text()).map(eventOf).at(-1);
  assert.deepEqual([last.type, last.code], ['RUN_ERROR', 'producer_lost']);
  const failed = await aborted.opened;
  assert.equal(failed.code, 'log_failed');
  assert.match(failed.message, /thread t, run r/);
  assert.equal(failed.cause.message, 'down');
  // Each refusal is reported with its cause, and then the end of the run.
  assert.deepEqual(errors.map(({ message }) => message), ['down', 'down', 'down', 'down', failed.message]);
});

test('a reader whose engine falls silent is disconnected, and reads on later', async (context) => {
  const memory = new MemoryLog();
  let isDown = false;
  const flaky = { execute: (operation) => (isDown ? Promise.reject(new Error('down')) : memory.execute(operation)), watch: (...about) => memory.watch(...about) };
  const { open: go, opened } = gate();
  const notices = [];
  const url = await serve(context, nodeHandler(speaker(() => opened), { ...open, log: flaky, lease: 800, onError: quiet, onLog: (name) => notices.push(name) }));
  const response = await post(url, inputOf('t', 'r'), { 'ag-ui-resume': '1' });
  const reader = response.body.getReader();
  let text = '';
  while (!text.includes('one')) text += Buffer.from((await reader.read()).value).toString();
  isDown = true;
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += Buffer.from(read.value).toString();
  assert.deepEqual(typesOf(text), WHOLE.slice(0, 3));
  assert.ok(notices.includes('unavailable'));
  assert.deepEqual(await refusal(await fetch(runUrl(url, 't', 'r', idOf(framesOf(text).at(-1))))), { status: 503, code: 'log_unavailable' });
  isDown = false;
  // The process has lost its lease meanwhile.
  const rest = await (await fetch(runUrl(url, 't', 'r', idOf(framesOf(text).at(-1))))).text();
  assert.equal(framesOf(rest).map(eventOf).at(-1).code, 'producer_lost');
  go();
});

test('pages of other origins may read runs', async (context) => {
  const url = await serve(context, nodeHandler(speaker(), { ...open, log: new MemoryLog(), cors: ['https://a.example'] }));
  const origin = { origin: 'https://a.example' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'last-event-id' } });
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods'), preflight.headers.get('access-control-allow-headers')], [204, 'GET, POST', 'last-event-id']);
  const response = await post(url, inputOf('t', 'r'), origin);
  assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example');
  assert.match(response.headers.get('access-control-expose-headers'), /AG-UI-Cursor/);
  await response.text();
  const unknown = await fetch(runUrl(url, 't', 'none'), { headers: origin });
  assert.deepEqual([unknown.status, unknown.headers.get('access-control-allow-origin')], [404, 'https://a.example']);
});

test('a run that has ended leaves nothing behind', async (context) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const runs = [];
  let listening = 0;
  const memory = new MemoryLog();
  const log = {
    execute: (operation) => memory.execute(operation),
    watch(...about) {
      const unwatch = memory.watch(...about);
      listening++;
      return () => {
        listening--;
        unwatch();
      };
    },
  };
  const speak = speaker();
  const agent = (run) => {
    runs.push(new WeakRef(run));
    return speak(run);
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log }));
  for (let count = 0; count < 5; count++) await (await post(url, inputOf('t', `r${count}`))).text();
  while (listening > 0 || runs.some((run) => run.deref() !== undefined)) {
    await sleep(10);
    collect();
  }
});

test('heartbeats fill silence, and a connection ends after its time', async (context) => {
  const { open: go, opened } = gate();
  const url = await serve(context, nodeHandler(speaker(() => opened), { ...open, log: new MemoryLog(), heartbeat: 40, maxConnection: 300 }));
  const response = await post(url, inputOf('t', 'r'), { 'ag-ui-resume': '1' });
  const text = await response.text();
  assert.match(text, /^: \n\n/m);
  assert.deepEqual(typesOf(text), WHOLE.slice(0, 3));
  go();
  assert.deepEqual(typesOf(await (await fetch(runUrl(url, 't', 'r', idOf(framesOf(text).at(-1))))).text()), WHOLE.slice(3));
});

test('a client that does not read stops its reader, not the run', async (context) => {
  const agent = async (run) => {
    const message = run.textMessage();
    for (let part = 0; part < 200; part++) await message.write('x'.repeat(10_000));
    message.end();
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog() }));
  const socket = connect(new URL(url).port, '127.0.0.1');
  const body = JSON.stringify(inputOf('t', 'r'));
  socket.write(`POST /agent HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'readable');
  // It reads nothing, and another client reads all.
  const text = await (await fetch(runUrl(url, 't', 'r', undefined))).text();
  assert.equal(framesOf(text).map(eventOf).at(-1).type, 'RUN_FINISHED');
  let bytes = 0;
  socket.on('data', (piece) => (bytes += piece.length));
  while (bytes < 2_000_000) await once(socket, 'data');
  socket.destroy();
});

test('what an agent writes at once beyond the log is limit_exceeded', async (context) => {
  const aborted = gate();
  const agent = async (run) => {
    run.signal.addEventListener('abort', aborted.open);
    const message = run.textMessage();
    await message.write('x'.repeat(2000));
    await aborted.opened;
  };
  const url = await serve(context, nodeHandler(agent, { ...open, log: new MemoryLog(), logBytes: 1000, onError: quiet }));
  const last = framesOf(await (await post(url, inputOf('t', 'r'))).text()).map(eventOf).at(-1);
  assert.deepEqual([last.type, last.code], ['RUN_ERROR', 'limit_exceeded']);
  await aborted.opened;
});

test('under Express, addresses are those that the client sees', async (context) => {
  const express = require('express');
  const app = express();
  app.use(express.json());
  app.use('/api', express.Router().use('/agent', nodeHandler(speaker(), { ...open, log: new MemoryLog() })));
  const url = (await serve(context, app)).replace('/agent', '/api/agent');
  const first = await post(url, inputOf('t', 'r'));
  assert.deepEqual(typesOf(await first.text()), WHOLE);
  const place = first.headers.get('content-location');
  assert.equal(place, '?thread=t&run=r');
  assert.equal((await fetch(new URL(place, url))).status, 200);
  const below = await fetch(`${url}/threads/t/runs/r`);
  assert.deepEqual([below.status, below.headers.get('content-location')], [200, '/api/agent?thread=t&run=r']);
  assert.equal((await post(`${url}/threads/t/runs/r/cancel`, {})).status, 202);
});

test('over HTTP/2', async (context) => {
  const server = http2.createServer(nodeHandler(speaker(), { ...open, log: new MemoryLog() }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  context.after(() => (session.destroy(), server.close()));
  const ask = async (headers, body) => {
    const stream = session.request(headers);
    stream.end(body);
    const [head] = await once(stream, 'response');
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    return { head, text };
  };
  const { head, text } = await ask({ ':method': 'POST', ':path': '/agent', ...JSON_TYPE }, JSON.stringify(inputOf('t', 'r')));
  assert.deepEqual(typesOf(text), WHOLE);
  const again = await ask({ ':path': `/agent?thread=t&run=r&after=${head['ag-ui-cursor']}` });
  assert.equal(again.text, text);
});

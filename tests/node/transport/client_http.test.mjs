// The functions of `/client` that read responses, beside those of @ag-ui/client.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import test from 'node:test';
import { require } from '../packages.mjs';

const ours = require('ag-ui-native/operators');
const official = require('@ag-ui/client');
const proto = require('@ag-ui/proto');
const rxjs = require('rxjs');
console.warn = () => {};

const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'é日😀 "x"\n' },
  { type: 'THINKING_START', title: 'old' },
  { type: 'CUSTOM', name: 'n', value: { a: [1, null], extra: true }, unknown: 1 },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];
const known = events.filter(({ type }) => type !== 'THINKING_START').map(({ unknown: _, ...event }) => event);
const utf8 = new TextEncoder();
const text = utf8.encode(events.map((event) => `: comment\nid: 1\ndata: ${JSON.stringify(event)}\n\n`).join(''));
const frame = (event) => {
  const message = proto.encode(event);
  const out = new Uint8Array(4 + message.length);
  new DataView(out.buffer).setUint32(0, message.length);
  out.set(message, 4);
  return out;
};
const binary = Uint8Array.from(known.flatMap((event) => [...frame(event)]));

const BINARY = 'application/vnd.ag-ui.event+proto';
const head = (contentType) => ({ type: 'headers', status: 200, headers: new Headers(contentType ? { 'content-type': contentType } : {}) });
const data = (bytes) => ({ type: 'data', data: typeof bytes === 'string' ? utf8.encode(bytes) : bytes });
const cut = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => data(bytes.subarray(at * size, (at + 1) * size)));
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Returns the items of a stream that is fed these parts, in order with the feeding. */
function told(make, parts, end = (source) => source.complete()) {
  const out = [];
  const source = new rxjs.Subject();
  make(source).subscribe({ next: (event) => out.push(plain(event)), error: () => out.push('error'), complete: () => out.push('complete') });
  for (const part of parts) {
    source.next(part);
    out.push('fed');
  }
  end(source);
  out.push(source.observed);
  return out;
}

function same(name, parts, end) {
  const expected = told(official[name], parts, end);
  assert.deepEqual(told(ours[name], parts, end), expected);
  return expected;
}

test('both transports, in pieces of any size', () => {
  for (const size of [1, 7, 100, 5000]) {
    same('parseSSEStream', [head('text/event-stream'), ...cut(text, size)]);
    same('parseProtoStream', [head(BINARY), ...cut(binary, size)]);
    same('transformHttpEventStream', [head('text/event-stream'), ...cut(text, size)]);
    same('transformHttpEventStream', [head(BINARY), ...cut(binary, size)]);
  }
  const found = same('transformHttpEventStream', [head(null), data(text)]);
  assert.deepEqual(found.slice(1, 1 + events.length), events);
});

test('failures', () => {
  const stream = head('text/event-stream');
  same('parseSSEStream', [data('data: {"a":1}\n\ndata: {\n\n'), data('data: 1\n\n')]);
  same('parseSSEStream', [data('data: null\n\ndata: [1]\n\ndata: "x"\n\n')]);
  same('transformHttpEventStream', [stream, data('data: {"type":"RAW"}\n\ndata: null\n\n'), data('data: {"type":"RAW"}\n\n')]);
  for (const odd of ['{}', '{"type":""}', '{"type":5}', '[]', '7']) same('transformHttpEventStream', [stream, data(`data: ${odd}\n\n`)]);
  same('transformHttpEventStream', [data('data: {"type":"RAW"}\n\n')]);
  same('parseProtoStream', [data(binary.subarray(0, binary.length - 1))]);
  same('parseProtoStream', [data(Uint8Array.of(0, 0, 0, 2, 255, 255))]);
  same('parseProtoStream', [data(Uint8Array.of(255, 255, 255, 255))]);
  for (const name of ['parseSSEStream', 'parseProtoStream', 'transformHttpEventStream']) same(name, [stream], (source) => source.error(new Error('reset')));
});

test('an abort', () => {
  const abort = () => Object.assign(new Error('stopped'), { name: 'AbortError' });
  for (const type of ['text/event-stream', BINARY]) {
    const found = same('transformHttpEventStream', [head(type)], (source) => source.error(abort()));
    assert.equal(found[1].code, type === BINARY ? undefined : 'abort');
  }
});

test('where ours reads more, or refuses more', () => {
  const stream = head('text/event-stream');
  const crlf = 'data: {"type":"RAW","event":1}\r\n\r\ndata: {"type":"RAW","event":2}\r\n\r\n';
  assert.equal(told(ours.transformHttpEventStream, [stream, data(crlf)]).filter((one) => one.type === 'RAW').length, 2);
  const failure = (parts) => {
    let found;
    const source = new rxjs.Subject();
    ours.transformHttpEventStream(source).subscribe({ error: (error) => { found = error; } });
    parts.forEach((part) => source.next(part));
    source.complete();
    return [found?.name, found?.code];
  };
  assert.deepEqual(failure([head('text/html'), data('<html>')]), ['AGUIStreamError', 'wrong_content_type']);
  assert.deepEqual(failure([stream, data('<html>\n<p>')]), ['AGUIStreamError', 'wrong_content_type']);
  assert.deepEqual(failure([stream, data('data: {"type":"RAW","ev')]), ['AGUIStreamError', 'stream_truncated']);
  assert.deepEqual(failure([stream, data('data: {"type":"RAW","event":1}')]), [undefined, undefined]);
  assert.deepEqual(failure([stream, data(Uint8Array.of(...utf8.encode('data: "'), 255, 34, 10, 10))])[1], 'invalid_utf8');
  const end = 'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n';
  assert.deepEqual(failure([stream, data(end), data('data: [DONE]\n\n')]), [undefined, undefined]);
  assert.deepEqual(failure([stream, data('data: [DONE]\n\n')])[1], 'done_marker');
});

test('a response is read at once, by as many as want to', () => {
  for (const client of [official, ours]) {
    const source = new rxjs.Subject();
    const stream = client.transformHttpEventStream(source);
    assert.ok(stream instanceof rxjs.Observable && source.observed);
    source.next(head('text/event-stream'));
    source.next(data('data: {"type":"RAW","event":1}\n\n'));
    const seen = [[], [], []];
    stream.subscribe((event) => seen[0].push(event.event));
    stream.subscribe((event) => seen[1].push(event.event));
    source.next(data('data: {"type":"RAW","event":2}\n\n'));
    source.complete();
    stream.subscribe({ next: assert.fail, complete: () => seen[2].push('complete') });
    assert.deepEqual(seen, [[2], [2], ['complete']]);
  }
});

test('who goes last lets the response go', () => {
  const source = new rxjs.Subject();
  const stream = ours.parseSSEStream(source);
  const subscriptions = [stream.subscribe(), stream.subscribe()];
  subscriptions[0].unsubscribe();
  assert.ok(source.observed);
  subscriptions[1].unsubscribe();
  assert.ok(!source.observed);
});

async function served(work) {
  let closed;
  const server = createServer((request, response) => {
    closed = once(response, 'close');
    if (request.url === '/bad') return response.writeHead(422, { 'content-type': 'application/json' }).end('{"why":"no"}');
    if (request.url === '/text') return response.writeHead(500).end('broken');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    if (request.url !== '/endless') response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${server.address().port}`, () => closed);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('requests', () =>
  served(async (url, closed) => {
    for (const client of [official, ours]) {
      const request = (path) => client.runHttpRequest(() => fetch(url + path));
      assert.deepEqual(await rxjs.firstValueFrom(rxjs.from(client.transformHttpEventStream(request('/'))).pipe(rxjs.toArray())), events);
      for (const [path, status, payload] of [['/bad', 422, { why: 'no' }], ['/text', 500, 'broken']]) {
        await assert.rejects(rxjs.firstValueFrom(rxjs.from(request(path))), { status, payload });
      }
      await assert.rejects(rxjs.firstValueFrom(rxjs.from(client.runHttpRequest(() => Promise.reject(new Error('refused'))))), { message: 'refused' });
      const first = await rxjs.firstValueFrom(rxjs.from(request('/endless')));
      assert.equal(first.status, 200);
      await closed();
    }
    const rx = ours.runHttpRequest(() => fetch(url), rxjs.Observable);
    assert.ok(rx instanceof rxjs.Observable && ours.transformHttpEventStream(rx) instanceof rxjs.Observable);
    const seen = [];
    for await (const event of ours.transformHttpEventStream(ours.runHttpRequest(() => fetch(url + '/endless')))) {
      seen.push(event.type);
      if (event.type === 'CUSTOM') break;
    }
    assert.equal(seen.length, 5);
    await closed();
  }));

test('interrupts, outcomes, and what a snapshot says of activities', () => {
  const interrupts = [{ id: 'i', reason: 'r', expiresAt: '2026-01-01T00:00:00Z' }, { id: 'j', reason: 'r' }];
  const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
  const answers = [{ i: { status: 'resolved', payload: 1, metadata: { a: 1 } }, j: { status: 'cancelled' } }, { i: { status: 'resolved' } }, { k: { status: 'cancelled' } }];
  const of = (work) => {
    try {
      return work();
    } catch ({ message }) {
      return message;
    }
  };
  for (const name of Object.keys(answers)) {
    assert.deepEqual(of(() => ours.buildResumeArray(interrupts, answers[name])), of(() => official.buildResumeArray(interrupts, answers[name])));
  }
  assert.equal(ours.getRunOutcome(finished), finished.outcome);
  for (const now of [new Date(0), new Date()]) {
    for (const interrupt of interrupts) assert.equal(ours.isInterruptExpired(interrupt, now), official.isInterruptExpired(interrupt, now));
  }
  const said = [undefined, {}, { [ours.ACTIVITY_HISTORY_METADATA]: 5 }, ...[null, 5, ['a'], ['a', 5], undefined].map((types) => ({ '@ag-ui/client': types === undefined ? {} : { authoritativeActivityTypes: types, x: 1 } }))];
  for (const metadata of said) {
    for (const messages of [[], [{ id: 'a', role: 'activity', activityType: 'a', content: {} }]]) {
      const event = { type: 'MESSAGES_SNAPSHOT', messages, ...(metadata && { metadata }) };
      assert.deepEqual(ours.authoritativeActivityTypes(event), official.authoritativeActivityTypes(event));
      assert.deepEqual(ours.withAuthoritativeActivityTypes(event, ['b', 'a']), official.withAuthoritativeActivityTypes(event, ['b', 'a']));
    }
  }
  for (const type of ['RAW', 'NEW', undefined]) assert.equal(ours.isRecognizedEvent({ type }), official.isRecognizedEvent({ type }));
  for (const name of ['aggregateTokenUsage', 'tokenUsageFromAiSdkUsage', 'tokenUsageFromLangChainMetadata', 'EventType', 'mergeMetadata']) assert.ok(name in require('ag-ui-native/client'), name);
});

test('of what refuses a request no more is read than anybody would show', { timeout: 30_000 }, async () => {
  let isOpen = true;
  const server = createServer((request, response) => {
    response.on('close', () => (isOpen = false));
    response.writeHead(500, { 'content-type': 'text/plain' });
    const write = () => isOpen && (response.write('x'.repeat(10_000)) ? setImmediate(write) : response.once('drain', write));
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  await assert.rejects(rxjs.firstValueFrom(rxjs.from(ours.runHttpRequest(() => fetch(url)))), { status: 500, payload: 'x'.repeat(65_536) });
  while (isOpen) await new Promise(setImmediate);
  server.closeAllConnections();
  server.close();
});

// Uses each part of this package once, on any host of Node-API: Node, Deno, Bun. Prints the checks that fail and exits with 1.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import process from 'node:process';
import { readRunInput, validate } from 'ag-ui-native';
import { upgradeInput } from 'ag-ui-native/compat';
import { AGUI_MEDIA_TYPE, EventEncoder } from 'ag-ui-native/encoder';
import { applyPatch, diff } from 'ag-ui-native/patch';
import { decode, encode } from 'ag-ui-native/proto';
import { RunAgentInputSchema } from 'ag-ui-native/schemas';
import { fetchHandler, nodeHandler } from 'ag-ui-native/server';
import { applyEvents, compactEvents, decodeEvents, decodeEvent, EventDecoder, EventPipeline, PartialArguments, verifyEvents } from 'ag-ui-native/stream';
import { assertEvents, runAgent } from 'ag-ui-native/testing';

const run = { threadId: 't', runId: 'r' };
const events = [
  { type: 'RUN_STARTED', ...run },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Grüße 😀' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1, 2.5, null, 'x'] } },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: { b: true } }] },
  { type: 'RUN_FINISHED', ...run },
];

const checks = {
  encode() {
    const text = new EventEncoder().encode(events[2]);
    assert.equal(text, 'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Grüße 😀"}\n\n');
    assert.deepEqual(new EventEncoder().encodeBinary(events[2]), new TextEncoder().encode(text));
  },
  decode() {
    const encoder = new EventEncoder();
    const bytes = new TextEncoder().encode(events.map((event) => encoder.encode(event)).join(''));
    const whole = new EventDecoder();
    assert.deepEqual([...whole.feed(bytes), ...whole.close()], events);
    const pieces = new EventDecoder();
    assert.deepEqual([...Array.from(bytes, (byte) => pieces.feed(Uint8Array.of(byte))).flat(), ...pieces.close()], events);
    assert.deepEqual(decodeEvent(JSON.stringify(events[4])), events[4]);
  },
  async response() {
    const encoder = new EventEncoder();
    const headers = { 'content-type': encoder.getContentType() };
    const response = new Response(events.map((event) => encoder.encode(event)).join(''), { headers });
    const found = [];
    for await (const event of decodeEvents(response)) found.push(event);
    assert.deepEqual(found, events);
  },
  protobuf() {
    assert.deepEqual(decode(encode(events[2])), events[2]);
    const encoder = new EventEncoder({ accept: AGUI_MEDIA_TYPE });
    const decoder = new EventDecoder({ contentType: encoder.getContentType() });
    const standard = events.filter(({ type }) => type !== 'RUN_STARTED');
    assert.deepEqual(standard.flatMap((event) => decoder.feed(encoder.encodeBinary(event))), standard);
    decoder.close();
  },
  pipeline() {
    const encoder = new EventEncoder();
    const pipeline = new EventPipeline({ messages: [{ id: 'u', role: 'user', content: 'Hi' }] });
    const bytes = events.map((event) => encoder.encodeBinary(event));
    const kinds = [...bytes.flatMap((chunk) => pipeline.feed(chunk)), ...pipeline.close()].map(({ kind }) => kind);
    assert.ok(kinds.includes('text_appended') && kinds.at(-1) === 'run_finished', String(kinds));
    assert.equal(pipeline.messages[1].content, 'Grüße 😀');
    assert.deepEqual(pipeline.state, { a: [1, 2.5, null, 'x', { b: true }] });
    assert.deepEqual(applyEvents(events).state, pipeline.state);
  },
  stages() {
    assert.deepEqual(verifyEvents(events), events);
    assert.equal(compactEvents(events).length, events.length - 1);
  },
  partial() {
    const partial = new PartialArguments();
    partial.feed('{"city":"Par');
    assert.deepEqual(partial.value, { city: 'Par' });
    partial.feed('is"}');
    assert.deepEqual([partial.isComplete, partial.finish()], [true, { city: 'Paris' }]);
  },
  patch() {
    const document = { a: [1, 2], b: { c: 'd' } };
    const changed = applyPatch(document, [{ op: 'add', path: '/a/1', value: 9 }, { op: 'move', from: '/b/c', path: '/e' }]);
    assert.deepEqual(changed, { a: [1, 9, 2], b: {}, e: 'd' });
    assert.deepEqual(applyPatch(document, diff(document, changed)), changed);
    assert.throws(() => applyPatch(document, [{ op: 'remove', path: '/x' }]), { code: 'patch_target_missing', operation: 0 });
  },
  input() {
    const input = { ...run, messages: [{ id: 'u', role: 'user', content: 'Hi' }] };
    assert.ok(RunAgentInputSchema.safeParse(input).success);
    assert.deepEqual(readRunInput(new TextEncoder().encode(JSON.stringify(input))).input.messages, input.messages);
    assert.deepEqual(upgradeInput(input), { input, warnings: [] });
  },
  errors() {
    assert.throws(() => decodeEvent('{}'), { name: 'AGUIValidationError', code: 'missing_event_type', path: '/type' });
    assert.throws(() => validate({ ...events[2], delta: 5 }), { code: 'wrong_type', path: '/delta' });
    assert.throws(() => new EventDecoder({ contentType: 'text/html' }), { code: 'wrong_content_type' });
    assert.throws(() => verifyEvents([events[2]]), { name: 'AGUISequenceError', rule: 'V03' });
    assert.throws(() => encode({ type: 'NONE' }), { code: 'unknown_event_type' });
    const decoder = new EventDecoder();
    assert.throws(() => decoder.feed(new TextEncoder().encode('data: {"type":"RAW","event":1}\n\ndata: {\n\n')), (error) => {
      assert.deepEqual([error.code, error.eventIndex, error.partial], ['invalid_json', 1, [{ type: 'RAW', event: 1 }]]);
      return true;
    });
  },
  async server() {
    let aborted = 0;
    const agent = async (run) => {
      run.signal.addEventListener('abort', () => aborted++);
      const message = run.textMessage();
      for (let piece = 0; piece < 200; piece++) await message.write('Grüße 😀');
      run.state.done = true;
      if (run.input.runId === 'endless') for (;;) await message.write('x'.repeat(10_000));
    };
    const { events, state } = await runAgent(agent, { state: { done: false } });
    assertEvents(events.slice(-3), [{ type: 'STATE_SNAPSHOT', snapshot: { done: true } }, 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
    assert.deepEqual(state, { done: true });
    const answer = fetchHandler(agent);
    const ask = (body) => answer(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }));
    const found = [];
    for await (const event of decodeEvents(await ask({ ...run, messages: [] }))) found.push(event);
    assert.deepEqual([found.length, found[2].delta], [205, 'Grüße 😀']);
    assert.equal((await ask({})).status, 400);
    const server = createServer(nodeHandler(agent));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...run, messages: [] }) };
    const text = await (await fetch(`http://127.0.0.1:${server.address().port}`, init)).text();
    assert.equal(text.match(/Grüße 😀/g).length, 200);
    server.close();
    const reader = (await ask({ ...run, runId: 'endless', messages: [] })).body.getReader();
    await reader.read();
    await reader.cancel();
    for (let wait = 0; aborted === 0 && wait < 1_000; wait++) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(aborted, 1);
  },
  kinds() {
    for (const wrong of [null, undefined, 5, 0, true, {}, [1], 'data: x\n\n', () => 1, Symbol('s'), 5n, new Uint16Array([1])]) {
      const decoder = new EventDecoder();
      if (!ArrayBuffer.isView(wrong)) assert.throws(() => decoder.feed(wrong), TypeError, typeof wrong);
      assert.equal(decoder.feed(new TextEncoder().encode('data: {"type":"RAW","event":1}\n\n')).length, 1);
      assert.throws(() => decode(wrong), typeof wrong);
      assert.throws(() => new PartialArguments().feed(typeof wrong === 'string' ? 5 : wrong), TypeError, typeof wrong);
    }
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    failed++;
    console.error(`${name}: ${error?.stack ?? error}`);
  }
}
if (failed > 0) process.exit(1);
console.log(`${Object.keys(checks).length} checks hold`);

// Data that is decoded, refused and dropped does not stay in memory.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, require } from '../packages.mjs';

// Runs `round` in a process of its own until the memory it holds stays the same over ten rounds. V8 lets its heap grow
// in steps, one of them ten rounds after the last, so no fixed number of rounds tells a leak from a heap that settles.
function settles(preparation, round) {
  const script = `
    ${preparation}
    const refused = (work) => { try { work(); } catch { return; } throw new Error('accepted'); };
    async function used() {
      ${round}
      // Node frees what addons hold between turns of the event loop.
      for (let turn = 0; turn < 3; turn++) { gc(); await new Promise(setImmediate); }
      return process.memoryUsage().rss;
    }
    (async () => {
      const series = [];
      while (series.length < 60) {
        series.push(await used());
        const last = series.slice(-10);
        if (series.length >= 12 && Math.min(...last.slice(5)) - Math.max(...last.slice(0, 2)) < 256 * 1024) return;
      }
      console.error('rss', series);
      process.exitCode = 1;
    })();
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

test('memory stays flat over decoders, chunks and failures', () => {
  settles(
    `
    const { EventDecoder, decodeEvent } = require('ag-ui-native/stream');
    const { EventSchemas } = require('ag-ui-native/schemas');
    const { EventEncoder } = require('ag-ui-native/encoder');
    const encoder = new EventEncoder();
    const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'é'.repeat(50) };
    const good = encoder.encodeBinary(event);
    const bad = Buffer.from('data: {"type":"TEXT_MESSAGE_CONTENT"}\\n\\n');
    const odd = Buffer.from('data: {"type":"RAW","event":1,"extra":2}\\n\\n');
    const one = new EventDecoder();
    `,
    `
    for (let n = 0; n < 20000; n++) one.feed(good);
    for (let at = 0; at < 3000; at++) {
      const decoder = new EventDecoder();
      decoder.feed(good);
      decoder.feed(odd);
      refused(() => decoder.feed(bad));
      refused(() => decodeEvent('{"type":"RAW"}'));
      EventSchemas.safeParse({ ...event, delta: 5 });
      encoder.encodeBinary(event);
    }
    `,
  );
});

test('memory stays flat over pipelines, verifiers, patches and failures', () => {
  settles(
    `
    const { EventPipeline, EventVerifier, applyEvents } = require('ag-ui-native/stream');
    const frame = (event) => Buffer.from('data: ' + JSON.stringify(event) + '\\n\\n');
    const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
    const events = [
      started,
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'héllo' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'f', delta: '{"a":1}' },
      { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: 2 }] },
      { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'done' },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ];
    const bytes = Buffer.concat(events.map(frame));
    const failing = Buffer.concat([frame(started), frame(started)]);
    const patch = frame({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: ['x'.repeat(500)] }] });
    const long = new EventPipeline();
    long.feed(frame(started));
    `,
    `
    for (let at = 0; at < 1500; at++) {
      new EventPipeline({ messages: [{ id: 'u', role: 'user', content: 'hi' }] }).feed(bytes);
      new EventPipeline({ reduce: false }).feed(bytes);
      refused(() => new EventPipeline().feed(failing));
      new EventVerifier().check(started);
      applyEvents(events.slice(3));
      for (let n = 0; n < 10; n++) long.feed(patch);
    }
    `,
  );
});

test('memory stays flat over runs that end, fail, are abandoned or never begin', () => {
  settles(
    `
    const { fetchHandler } = require('ag-ui-native/server');
    const { runAgent } = require('ag-ui-native/testing');
    const input = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'x'.repeat(1000) }], state: { list: [1, 2, 3] } };
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };
    const kept = [];
    const agent = async (run) => {
      const message = run.textMessage();
      for (let n = 0; n < 20; n++) await message.write('é'.repeat(200));
      run.toolCall('f', { a: 1 }).result('x');
      run.state.list.push(4);
      if (run.input.forwardedProps === 'fail') throw new Error('x'.repeat(1000));
    };
    const answer = fetchHandler(agent, { onError() {} });
    const ask = (body = init.body) => answer(new Request('http://localhost/', { ...init, body }));
    `,
    `
    for (let at = 0; at < 150; at++) {
      await (await ask()).text();
      await (await ask(JSON.stringify({ ...input, forwardedProps: 'fail' }))).text();
      await (await ask('{')).text();
      const abandoned = (await ask()).body.getReader();
      await abandoned.read();
      await abandoned.cancel();
      await runAgent(agent, input);
    }
    `,
  );
});

test('memory that threads share is not taken for words', () => {
  const addon = require(Object.keys(require.cache).find((path) => path.endsWith('.node')));
  const plan = addon.createCompaction();
  assert.equal(typeof plan(new Uint32Array(8), 0, 0, undefined), 'number');
  assert.equal(plan(new Uint32Array(new SharedArrayBuffer(32)), 0, 0, undefined), undefined);
});

test('memory stays flat over the runs of agents', () => {
  settles(
    `
    const { Agent, LocalAgent } = require('ag-ui-native/client');
    const run = { threadId: 't', runId: 'r' };
    const frame = (event) => Buffer.from('data: ' + JSON.stringify(event) + '\\n\\n');
    const start = [frame({ type: 'RUN_STARTED', ...run }), frame({ type: 'TEXT_MESSAGE_START', messageId: 'm' })];
    const text = frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'é'.repeat(50) });
    const end = [frame({ type: 'TEXT_MESSAGE_END', messageId: 'm' }), frame({ type: 'RUN_FINISHED', ...run })];
    const whole = [...start, ...Array(50).fill(text), ...end];
    const cut = whole.slice(0, 20);
    const local = (run) => run.write('Hi');
    `,
    `
    for (let at = 0; at < 150; at++) {
      const options = { messages: [{ id: 'u', role: 'user', content: 'x'.repeat(1000) }], state: { n: at } };
      await new Agent(() => whole, options).runAgent();
      await new Agent(() => whole, options).runAgent({}, { onEvent: () => ({ state: at }) });
      await new Agent(() => cut, options).runAgent().then(() => { throw new Error('whole'); }, () => undefined);
      for await (const event of new Agent(() => whole, options).run()) if (event.type === 'TEXT_MESSAGE_CONTENT') break;
      await new LocalAgent(local, options).runAgent();
    }
    `,
  );
});

// What is decoded, refused and thrown away leaves nothing behind.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from './packages.mjs';

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

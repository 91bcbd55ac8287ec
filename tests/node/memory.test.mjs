// What is decoded, refused and thrown away leaves nothing behind.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from './packages.mjs';

const script = `
  const { EventDecoder, decodeEvent } = require('ag-ui-native/stream');
  const { EventSchemas } = require('ag-ui-native/schemas');
  const { EventEncoder } = require('ag-ui-native/encoder');
  const encoder = new EventEncoder();
  const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'é'.repeat(50) };
  const good = encoder.encodeBinary(event);
  const bad = Buffer.from('data: {"type":"TEXT_MESSAGE_CONTENT"}\\n\\n');
  const odd = Buffer.from('data: {"type":"RAW","event":1,"extra":2}\\n\\n');
  const refused = (work) => { try { work(); } catch { return; } throw new Error('accepted'); };
  async function round() {
    for (let at = 0; at < 3000; at++) {
      const decoder = new EventDecoder();
      decoder.feed(good);
      decoder.feed(odd);
      refused(() => decoder.feed(bad));
      refused(() => decodeEvent('{"type":"RAW"}'));
      EventSchemas.safeParse({ ...event, delta: 5 });
      encoder.encodeBinary(event);
    }
    // Node frees what addons hold between turns of the event loop.
    for (let turn = 0; turn < 3; turn++) { gc(); await new Promise(setImmediate); }
    return process.memoryUsage().rss;
  }
  const one = new EventDecoder();
  const used = [];
  (async () => {
  for (let at = 0; at < 14; at++) { for (let n = 0; n < 20000; n++) one.feed(good); used.push(await round()); }
  const early = Math.max(...used.slice(3, 6)), late = Math.min(...used.slice(-3));
  if (late - early > 12 * 1024 * 1024) { console.error(used); process.exit(1); }
  })();
`;

test('memory stays flat over 40,000 decoders and 300,000 chunks', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script], { cwd: fileURLToPath(folder), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

// Deltas that cross together: the bytes are those of deltas that cross one by one, at the same moments.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import test from 'node:test';
import { failure, native, require } from '../packages.mjs';
import { asking, listen } from '../servers.mjs';

const { RunCall } = require('./dist/generated/border.cjs');
const { FrameBuffer } = require('./dist/server/frame_buffer.cjs');
const { nodeHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');
const { runAgent } = require('ag-ui-native/testing');

const names = [
  ...['Write', 'Send', 'Open', 'OpenReasoning', 'End', 'EndAs', 'EndFailed', 'EndRun', 'Decide', 'Conclude', 'AddUsage', 'Take', 'Chunk', 'KeepAlive', 'NextCheck', 'CheckSilence', 'Heard', 'Drop', 'CheckRoom'],
  ...['Read', 'Start', 'OneCall', 'State', 'WantsState', 'StateDue', 'Activity', 'ActivityUpdate', 'Panic', 'Receive'],
];
const calls = RunCall ?? Object.fromEntries(names.map((name, at) => [name, at]));
const body = new TextEncoder().encode('{"threadId":"t","runId":"r","messages":[]}');
const opening = (messageId) => JSON.stringify({ type: 'TEXT_MESSAGE_START', messageId });

/** A run with two open messages, and the names of the calls that crossed into core. */
function opened(transport = 'text') {
  const run = native.createRun(transport, '{}');
  run(calls.Receive, body);
  run(calls.Read);
  run(calls.Start, false);
  const crossed = [];
  const frames = new FrameBuffer((call, ...rest) => {
    crossed.push(names[call]);
    return run(call, ...rest);
  });
  const entities = ['one', 'two'].map((id) => frames.ask(calls.Open, undefined, opening(id)));
  frames.count();
  crossed.length = 0;
  return { frames, crossed, entities };
}

const bytesOf = (chunk) => {
  const at = chunk.indexOf('\r\n');
  const bytes = Buffer.from(chunk.slice(at + 2, -2), 'latin1');
  assert.equal(chunk.slice(0, at), bytes.length.toString(16));
  assert.equal(chunk.slice(-2), '\r\n');
  return bytes;
};

/** Deltas of every kind: of one byte a character, of two, of pairs, of none, long ones, and what JSON escapes. */
const kinds = ['token', '', 'é', '漢字', '👩‍👩‍👧', '\u0000\u0001"\\\n', 'x'.repeat(1_024), 'y'.repeat(1_025), 'é'.repeat(700), '\ud83d\ude00'.repeat(512), '}\n\ndata: {'];
let seed = 7;
const random = (below) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;

test('deltas that cross together make the bytes of those that cross one by one', () => {
  for (const transport of ['text', 'binary']) {
    for (let round = 0; round < 60; round++) {
      const [together, single] = [opened(transport), opened(transport)];
      const script = Array.from({ length: 1 + random(150) }, () => [random(8) === 0 ? 1 : 0, kinds[random(round % 2 ? 2 : kinds.length)], random(40) === 0]);
      const [taken, expected] = [[], []];
      for (const [which, delta, sends] of script) {
        assert.equal(together.frames.write(together.entities[which], delta, true), undefined);
        single.frames.write(single.entities[which], delta, false);
        if (sends) taken.push(random(2) ? bytesOf(together.frames.chunk()) : together.frames.bytes());
      }
      taken.push(bytesOf(together.frames.chunk()));
      expected.push(single.frames.bytes());
      assert.deepEqual(Buffer.concat(taken), Buffer.from(Buffer.concat(expected)));
      assert.equal(together.frames.waiting, 0);
    }
  }
});

test('how often they cross', () => {
  const { frames, crossed, entities } = opened();
  const turn = (count, text = 'token') => {
    crossed.length = 0;
    for (let at = 0; at < count; at++) frames.write(entities[0], text, true);
    const chunk = frames.chunk();
    assert.equal(chunk.split('"delta"').length - 1, count);
    return crossed.join(' ');
  };
  // Core is asked whether a message takes text, and then no more.
  assert.equal(turn(3), 'Write Chunk');
  for (const text of ['token', '"', '\\', '\n', '\u001f', '\u007f', 'é', '漢']) assert.equal(turn(1, text), 'Chunk');
  assert.equal(turn(16), 'Chunk');
  assert.equal(turn(65), 'Write Write Chunk');
  // Another call may have closed the message.
  frames.ask(calls.End, entities[1]);
  assert.equal(turn(2), 'Write Chunk');
});

/** Adds a comment to the waiting frames, as after a long silence. */
function beat(frames) {
  frames.ask(calls.KeepAlive, 1);
  frames.ask(calls.CheckSilence, 2, '');
  frames.count();
}

test('what comes between deltas stays between them, and what is closed is refused at once', () => {
  const { frames, entities } = opened();
  const [message, other] = entities;
  for (const delta of ['a', 'b', 'c']) frames.write(message, delta, true);
  frames.write(other, 'd', true);
  frames.write(message, 'e', true);
  frames.write(message, 'f', true);
  frames.ask(calls.Send, undefined, '{"type":"CUSTOM","name":"c","value":1}');
  frames.write(message, 'g', true);
  frames.write(message, 'h', true);
  frames.ask(calls.End, message);
  assert.equal(JSON.parse(frames.write(message, 'i', true)).code, 'sequence_broken');
  assert.equal(JSON.parse(frames.write(message, 'i', true)).code, 'sequence_broken');
  frames.count();
  const text = Buffer.from(frames.bytes()).toString();
  assert.deepEqual(text.match(/"delta":"."|_END|CUSTOM/g), [...'abcdef'].map((delta) => `"delta":"${delta}"`).concat('CUSTOM', '"delta":"g"', '"delta":"h"', '_END'));
});

test('a heartbeat is a comment, and nothing where every byte belongs to a frame', () => {
  for (const [transport, expected] of [['text', ': \n\n'], ['binary', '']]) {
    const { frames } = opened(transport);
    frames.bytes();
    beat(frames);
    assert.equal(frames.waiting, expected.length);
    assert.equal(Buffer.from(frames.bytes()).toString(), expected);
  }
});

test('dropped frames are not sent, nor are bytes that are no frames', () => {
  const { frames, entities } = opened();
  frames.write(entities[0], 'a', true);
  frames.write(entities[0], 'b', true);
  frames.ask(calls.Drop);
  frames.count();
  assert.equal(frames.waiting, 0);
  const broken = new FrameBuffer((call) => (call === calls.Write ? 10 : '{"code":"internal"}'));
  broken.write(1, 'a', true);
  assert.equal(failure(() => broken.chunk()).code, 'internal');
  assert.equal(failure(() => broken.bytes()).code, 'internal');
});

test('lengths that are not those of the text are an error', () => {
  const run = native.createRun('text', '{}');
  run(calls.Receive, body);
  run(calls.Read);
  run(calls.Start, false);
  const message = run(calls.Open, undefined, opening('m'));
  for (const lengths of [[1, 9], [2, 1, 9], [1, 2 ** 32 - 1]]) {
    assert.equal(JSON.parse(run(calls.Write, message, 'ab', new Uint32Array(lengths))).code, 'internal', `${lengths}`);
    assert.equal(JSON.parse(run(calls.Write, message, 'é', new Uint32Array(lengths))).code, 'internal', `${lengths}`);
  }
  for (const lengths of [[0], [9, 1, 1], [2 ** 32 - 1, 1, 1]]) {
    assert.equal(typeof run(calls.Write, message, 'éé', new Uint32Array(lengths)), 'number');
  }
});

test('a turn is one chunk on the wire, whatever is in it', async () => {
  const deltas = [...kinds, ...Array.from({ length: 100 }, (_, at) => `${at}é `)];
  const agent = async (run) => {
    const [message, call] = [run.textMessage({ id: 'm' }), run.toolCall('f', undefined, { id: 'c' })];
    await new Promise(setImmediate);
    for (const [at, delta] of deltas.entries()) (at % 7 === 6 ? call : message).write(delta);
    await new Promise(setImmediate);
    for (const delta of deltas) await message.write(delta);
  };
  const { events } = await runAgent(agent);
  const { port, close } = await listen(nodeHandler(agent), createServer);
  const outgoing = request({ port, host: '127.0.0.1', agent: false, ...asking });
  outgoing.end(asking.body);
  const [response] = await once(outgoing, 'response');
  const decoder = new EventDecoder({ profile: 'strict' });
  const came = [];
  for await (const piece of response) came.push(...decoder.feed(piece));
  came.push(...decoder.close());
  close();
  const shape = (list) => list.slice(1, -1);
  assert.deepEqual(shape(came), shape(events));
});

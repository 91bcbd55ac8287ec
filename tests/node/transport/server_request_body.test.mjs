// The body of a request in pieces of every kind, and what arrives at the wrong time.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, listen, post, rawRequest, until } from '../servers.mjs';

const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

/** Characters of two, three and four bytes, and a surrogate pair as escapes. */
const text = String.raw`{"threadId":"é€😀","runId":"\ud83d\ude00","messages":[],"state":{"a":[1,2.5,null]}}`;
const bytes = new TextEncoder().encode(text);
const { method, headers } = asking;

const agent = (run) => `${run.threadId} ${run.runId}`;

function cut(size) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
  return pieces;
}

/** Returns the answer of an agent to a body of these pieces: its result, or the status and the error. */
async function asked(pieces, options) {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return said(await fetchHandler(agent, { onError: () => undefined, ...options })(new Request('http://x/', { method, headers, body, duplex: 'half' })));
}

async function said(response) {
  const answer = await response.text();
  if (response.status === 200) return JSON.parse(answer.trim().split('\n\n').at(-1).slice('data: '.length)).result;
  const { code, limit } = JSON.parse(answer);
  return [response.status, code, limit];
}

test('pieces of every size make the same input', async () => {
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = cut(size).flatMap((piece) => [new Uint8Array(), piece, new Uint8Array()]);
    assert.equal(await asked(pieces), 'é€😀 😀', `pieces of ${size} bytes`);
  }
});

test('the limit counts all pieces', async () => {
  for (const size of [1, 7, bytes.length]) {
    for (const [inputBytes, answer] of [
      [bytes.length - 1, [413, 'limit_exceeded', 'input_bytes']],
      [bytes.length, 'é€😀 😀'],
      [bytes.length + 1, 'é€😀 😀'],
    ]) {
      assert.deepEqual(await asked(cut(size), { limits: { inputBytes } }), answer);
    }
  }
});

test('what is no body is refused', async () => {
  for (const pieces of [[], [bytes.slice(0, -1)], [bytes, bytes.slice(0, 2)], [bytes.slice(0, 14), bytes.slice(16)]]) {
    assert.equal((await asked(pieces))[0], 400);
  }
  assert.deepEqual((await asked([text])).slice(0, 2), [500, 'internal']);
});

test('pieces whose memory has gone or is shared', async () => {
  const piece = bytes.slice();
  structuredClone(piece.buffer, { transfer: [piece.buffer] });
  // A detached piece is empty.
  assert.equal((await asked([piece]))[0], 400);
  assert.equal(await asked([bytes.subarray(0, 9), piece, bytes.subarray(9)]), 'é€😀 😀');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  assert.equal(await asked([shared]), 'é€😀 😀');
  // A view of a part, whose bytes change when they have been taken.
  const room = new Uint8Array([91, ...bytes, 93]);
  const answer = asked([room.subarray(1, -1)]);
  await Promise.resolve();
  assert.ok(['é€😀 😀', 400].includes([await answer].flat()[0]));
});

test('a piece behind the end, and an end behind the end', async () => {
  const handler = nodeHandler(agent);
  const { url, close } = await listen((request, response) => {
    void handler(request, response);
    request.once('end', () => {
      request.emit('data', Buffer.from('x'));
      request.emit('end');
      request.emit('error', new Error('late'));
    });
  });
  try {
    assert.equal(await said(await fetch(url, { method, headers, body: text })), 'é€😀 😀');
  } finally {
    close();
  }
});

test('pieces that arrive while another one is being taken', async () => {
  const handler = nodeHandler(agent);
  const half = bytes.length >> 1;
  const { url, close } = await listen((request, response) => {
    let isWithin = false;
    void handler(request, response);
    request.prependListener('data', () => {
      if (isWithin) return;
      isWithin = true;
      // Before the piece itself: a blank may stand before the document.
      request.emit('data', Buffer.from(' '));
    });
  });
  try {
    const response = await fetch(url, { method, headers, body: new Blob([bytes.slice(0, half), bytes.slice(half)]) });
    assert.equal(await said(response), 'é€😀 😀');
  } finally {
    close();
  }
});

test('at the moment of its timeout a body is answered once', async (context) => {
  const answers = [];
  const { port, close } = await listen(nodeHandler(agent, { bodyTimeout: 60 }));
  try {
    for (const wait of [50, 58, 59, 60, 61, 70]) {
      const client = await rawRequest(port, [...post(text), 'Connection: close'], text.slice(0, 20));
      setTimeout(() => client.socket.write(text.slice(20)), wait);
      await until(() => client.socket.closed, 'it is not closed');
      assert.equal(client.text.match(/HTTP\/1\.1 /g).length, 1);
      answers.push(client.text.slice(9, 12));
    }
  } finally {
    close();
  }
  assert.ok(answers.every((status) => status === '200' || status === '408'));
  context.diagnostic(answers.join(' '));
});

// Encodings of answers, and answers of some kilobytes that become gigabytes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fixture, folder, native, require } from '../packages.mjs';
import { peer } from '../peer.mjs';

const { Agent, HttpAgent } = require('ag-ui-native/client');

test('headers', () => {
  for (const { lines, encoding } of fixture('content_encodings')) {
    // As `fetch` joins the lines of a header.
    const contentEncoding = new Headers(lines.map((line) => ['content-encoding', line])).get('content-encoding');
    const tell = native.createRequest('{}');
    tell('{"input":"prepared","url":"http://localhost/","headers":[]}');
    const found = JSON.parse(tell(JSON.stringify({ input: 'head', status: 200, contentEncoding })));
    if (encoding !== null) assert.deepEqual([found.command, found.encoding], ['events', encoding], lines);
    else assert.equal(JSON.parse(tell('{"input":"closed"}')).error.code, 'unsupported_content_encoding', lines);
  }
});

test('only what is understood is asked for', async () => {
  const script = [{ send: 'HTTP/1.1 500 Oh\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' }, { close: true }];
  const server = await peer([script, script]);
  const url = `http://127.0.0.1:${server.port}/`;
  await assert.rejects(new HttpAgent(url).runAgent(), { code: 'http_error' });
  await assert.rejects(new HttpAgent(url, { headers: { 'Accept-Encoding': 'identity' } }).runAgent(), { code: 'http_error' });
  assert.deepEqual(server.requests.map(({ headers }) => headers['accept-encoding']), ['gzip, identity', 'identity']);
  await server.close();
});

test('a response of a transport is looked at, too', async () => {
  let cancelled = 0;
  const body = () => new ReadableStream({ cancel: () => void cancelled++ });
  const answer = (status) => () => new Response(body(), { status, headers: { 'content-encoding': 'br' } });
  await assert.rejects(new Agent(answer(200)).runAgent(), { code: 'unsupported_content_encoding' });
  await assert.rejects(new Agent(answer(500)).runAgent(), { code: 'http_error', status: 500, payload: '' });
  const fetch = async () => answer(200)();
  await assert.rejects(new HttpAgent('http://localhost/', { fetch }).runAgent(), { code: 'unsupported_content_encoding' });
  assert.equal(cancelled, 3);
});

const program = `
const { readFileSync } = require('node:fs');
const { HttpAgent } = require('ag-ui-native/client');
new HttpAgent(process.argv[1]).runAgent().catch(({ code, limit, status }) => {
  let peak;
  // The peak memory of this process; rusage would include that of its parent.
  try { peak = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024; } catch {}
  console.log(JSON.stringify({ code, limit, status, peak }));
  process.exit();
});
`;

for (const { name, script, expect, most_bytes: most } of fixture('client_bombs')) {
  test(`a bomb: ${name}`, { timeout: 60_000 }, async (context) => {
    const server = await peer([script]);
    try {
      const url = `http://127.0.0.1:${server.port}/`;
      const ended = await promisify(execFile)(process.execPath, ['-e', program, url], { cwd: fileURLToPath(folder) }).catch((error) => error);
      // A fault of Node 24's fetch ends the process: a peer that goes while its answer is not read.
      if (/assert\(!this\.paused\)[^]*undici/.test(ended.stderr)) return context.skip('undici fails an assertion of its own');
      if (ended instanceof Error) throw ended;
      const { stdout } = ended;
      const { code, limit, status, peak } = JSON.parse(stdout);
      const wanted = { code: expect.code, limit: expect.limit && 'eventBytes', status: expect.status };
      assert.deepEqual({ code, limit, status }, wanted);
      if (peak !== undefined) assert.ok(peak < most, `${peak} bytes`);
    } finally {
      await server.close();
    }
  });
}

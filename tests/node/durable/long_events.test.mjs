// Events of more than 16 MiB: the log limits their lengths, and nothing else does.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { require } from '../packages.mjs';
import { startRedis } from './redis_server.mjs';
import { eventOf, framesOf, idOf, inputOf, post, readThread, runUrl, serve, typesOf } from './servers.mjs';

const { MemoryLog, RedisLog, SQLiteLog } = require('ag-ui-native/durable');
const { AGUI_MEDIA_TYPE } = require('ag-ui-native/encoder');
const { nodeHandler } = require('ag-ui-native/server');
const { EventDecoder } = require('ag-ui-native/stream');

const LENGTH = 17 << 20;
const larger = { eventBytes: 1 << 26 };
const folder = mkdtempSync(join(tmpdir(), 'agui-long-'));
let redis;
before(async () => void (redis = await startRedis()));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await redis.stop();
});

const engines = {
  MemoryLog: () => new MemoryLog(),
  SQLiteLog: () => new SQLiteLog(join(folder, 'runs.db')),
  RedisLog: () => new RedisLog(redis.url),
};

const agent = (run) => run.textMessage().write('x'.repeat(LENGTH));

const served = (context, log, options) => serve(context, nodeHandler(agent, { log, authorize: 'public', onError: () => undefined, ...options }));

/** The length of the text of a whole run. */
function lengthOf(bytes, contentType = 'text/event-stream') {
  const decoder = new EventDecoder({ contentType, limits: larger });
  const events = [...decoder.feed(bytes), ...decoder.close()];
  assert.equal(events.at(-1).type, 'RUN_FINISHED');
  return events.reduce((sum, { delta = '' }) => sum + delta.length, 0);
}

const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

for (const [name, make] of Object.entries(engines)) {
  for (const limits of [undefined, larger]) {
    test(`${name}, ${limits ? 'larger' : 'default'} limits: a long event is sent, resumed, joined and kept`, async (context) => {
      const log = make();
      const url = await served(context, log, { logBytes: 1 << 26, limits });
      const thread = limits ? 'larger' : 'default';
      const whole = await bytesOf(await post(url, inputOf(thread, 'r')));
      assert.equal(lengthOf(whole), LENGTH);
      const begun = idOf(framesOf(Buffer.from(whole.subarray(0, 1000)).toString())[0]);
      for (const after of [undefined, begun]) {
        for (const accept of ['text/event-stream', AGUI_MEDIA_TYPE]) {
          const response = await fetch(runUrl(url, thread, 'r', after), { headers: { accept } });
          assert.deepEqual([response.status, response.headers.has('ag-ui-prefix')], [200, after === undefined]);
          assert.equal(lengthOf(await bytesOf(response), response.headers.get('content-type')), LENGTH);
        }
      }
      assert.equal((await readThread(url, thread)).messages.at(-1).content.length, LENGTH);
      log.close?.();
    });
  }

  test(`${name}: an event that is longer than the log ends the run`, async (context) => {
    const log = make();
    const url = await served(context, log);
    const text = await (await post(url, inputOf('too long', 'r'))).text();
    assert.deepEqual(typesOf(text), ['RUN_STARTED', 'RUN_ERROR']);
    const { code, message } = eventOf(framesOf(text).at(-1));
    assert.equal(code, 'limit_exceeded');
    assert.match(message, /log_bytes/);
    assert.equal((await readThread(url, 'too long')).activeRunId, undefined);
    log.close?.();
  });
}

test('the memory of a log is a limit, too', async (context) => {
  const url = await served(context, new MemoryLog({ maxBytes: 1 << 24 }), { logBytes: 1 << 26 });
  assert.match(await (await post(url, inputOf('t', 'r'))).text(), /limit_exceeded.*log_bytes|log_bytes.*limit_exceeded/);
});

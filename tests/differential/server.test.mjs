// The official client accepts the streams of Rust's servers: runs that random calls have written, and streams that a guard has
// repaired.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { require } from '../node/packages.mjs';
import * as official from './official.mjs';

const { EventSchema } = require('@ag-ui/core/schemas');
const COUNT = 300;

const seed = process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 32);
const command = ['run', '--quiet', '--example', 'server_streams', '--', String(COUNT), String(seed)];
const cwd = fileURLToPath(new URL('../..', import.meta.url));
const { status, stdout, stderr } = spawnSync('cargo', command, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
assert.equal(status, 0, stderr);
const streams = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));

/** Returns the number of ends of a run: RUN_ERROR may come before the run has begun. */
const ends = (events) => events.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR').length;
const begins = (events) => events.filter(({ type }) => type === 'RUN_STARTED').length;

for (const kind of ['run', 'guarded']) {
  test(`${kind}: legal, ended, and of the agent's state`, async () => {
    const own = streams.filter((stream) => stream.kind === kind);
    assert.equal(own.length, COUNT);
    for (const stream of own) {
      const why = `seed ${seed}: ${JSON.stringify(stream)}`;
      for (const event of stream.events) assert.ok(EventSchema.safeParse(event).success, why);
      const { events, error } = official.chunks(stream);
      assert.equal(error, undefined, why);
      assert.deepEqual(official.verify({ events }), { accepted: events.length }, why);
      assert.equal(ends(events), begins(events) + (events[0]?.type === 'RUN_ERROR' ? 1 : 0), why);
      assert.deepEqual((await official.reduce({ events })).state, stream.state, why);
    }
  });
}

// A web process: `worker.mjs ENGINE PLACE OPTIONS`. See `worker.py`, which is the same in Python.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(new URL('../../../node/package.json', import.meta.url));
const { MemoryLog, RedisLog, SQLiteLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const [engine, place, given] = process.argv.slice(2);
const { faults, ...options } = JSON.parse(given);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function agent(run) {
  const asked = run.input.forwardedProps ?? {};
  say({ begun: run.runId });
  const aborted = once(run.signal, 'abort');
  const message = run.textMessage();
  try {
    for (let number = 0; number < (asked.words ?? 0) && !run.signal.aborted; number++) {
      await message.write(`${asked.stamps ? (Number(process.hrtime.bigint()) / 1e9).toFixed(4) : number} `);
      if (number === asked.blocksAt) for (const until = performance.now() + asked.blocks * 1000; performance.now() < until; );
      await Promise.race([sleep((asked.pause ?? 0) * 1000), aborted]);
    }
    if (asked.waits) await aborted;
    message.end();
  } finally {
    // A write may fail when its log has failed.
    say({ ended: run.runId, how: run.signal.aborted ? 'cancelled' : 'returned' });
  }
}

/** A log that loses replies and hints, repeats what is old, and kills its process at a point of a run. */
function faulty(log) {
  const counts = {};
  const old = [];
  const die = (...points) => points.includes(faults.kill) && process.kill(process.pid, 'SIGKILL');
  return {
    async execute(operation) {
      const name = operation.operation;
      const count = (counts[name] = (counts[name] ?? 0) + 1);
      const isEnd = operation.end !== undefined;
      die(`before ${name} ${count}`, isEnd && 'before end');
      const reply = await log.execute(operation);
      die(`after ${name} ${count}`, isEnd && 'after end');
      if (name === 'append' && faults.repeats) {
        old.push(operation);
        await log.execute(old[(count * 7) % old.length]);
      }
      if (name === 'append' && faults.loses && count % faults.loses === 0) throw new Error('the reply is lost');
      return reply;
    },
    watch: (key, callback) => (faults.deaf ? () => undefined : log.watch(key, callback)),
  };
}

const made = { memory: () => new MemoryLog(), sqlite: () => new SQLiteLog(place), redis: () => new RedisLog(place) }[engine]();
const times = ['grace', 'lease', 'heartbeat', 'keep', 'keepThread', 'maxConnection'];
if (options.keep_thread !== undefined) (options.keepThread = options.keep_thread), delete options.keep_thread;
for (const time of times) if (options[time] !== undefined) options[time] *= 1000;
const authorize = (request) => request.headers['x-user'] ?? '';
const server = createServer(nodeHandler(agent, { log: faults ? faulty(made) : made, authorize, onError: () => undefined, ...options }));
server.listen(0, '127.0.0.1', () => say({ port: server.address().port }));

// Servers with logs, in a process of node:http: `servers.mjs REDIS_URL FOLDER` serves one agent with each engine, and prints its port.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(new URL('../../node/package.json', import.meta.url));
const { MemoryLog, RedisLog, SQLiteLog } = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const [redis, folder] = process.argv.slice(2);

/** Each token has the time at which it was written, in seconds of the machine's monotonic clock, for those who read it elsewhere. */
async function agent(run) {
  const { tokens, pause } = run.input.forwardedProps;
  const message = run.textMessage();
  for (let at = 0; at < tokens; at++) {
    await message.write(pause === null ? 'word' : `<${(Number(process.hrtime.bigint()) / 1e9).toFixed(6)}>`);
    if (pause === 0) await new Promise(setImmediate);
    else if (pause !== null) await sleep(pause * 1000);
  }
  message.end();
}

const logs = { memory: new MemoryLog(), SQLite: new SQLiteLog(join(folder, 'runs.db')), Redis: new RedisLog(redis) };
const handlers = { none: nodeHandler(agent) };
for (const [name, log] of Object.entries(logs)) handlers[name] = nodeHandler(agent, { log, authorize: 'public' });

const server = createServer((request, response) => {
  const handler = handlers[request.url.split('?')[0].slice(1)];
  if (handler !== undefined) return handler(request, response);
  const { user, system } = process.cpuUsage();
  response.end(String(user + system));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => console.log(server.address().port));

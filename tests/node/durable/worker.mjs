// A web process of its own: its agent writes part of a message and then waits until it is cancelled or killed, or, in a brief run, for
// a second; or asks for an approval. It sends its port to its parent, or prints it. SIGTERM shuts it down, by the option `signal` or by
// `drain` of the log: `worker.mjs ENGINE PLACE LEASE [DRAIN [signal|drain]]`.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { require } from '../packages.mjs';

const durable = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const [engine, place, lease, drain, how = 'signal'] = process.argv.slice(2);
const agent = async (run) => {
  if (run.runId === 'asks') return run.interrupt({ id: 'i-asks', reason: 'tool_call' });
  if (run.resume.length > 0) return run.write(run.resume.map(({ interruptId }) => `answered ${interruptId}`).join());
  const message = run.textMessage();
  await message.write('one');
  if (run.input.runId === 'brief') await sleep(1000);
  else await once(run.signal, 'abort');
};
const shutdown = new AbortController();
const log = new durable[engine](place);
const options = { log, authorize: 'public', lease: Number(lease), signal: shutdown.signal };
const server = createServer(nodeHandler(agent, drain === undefined ? options : { ...options, drain: Number(drain) }));
server.listen(0, '127.0.0.1', () => (process.send?.bind(process) ?? console.log)(server.address().port));
process.once('SIGTERM', () => {
  if (how === 'signal') shutdown.abort();
  else void log.drain();
  server.close();
  process.disconnect?.();
});

// A web process of its own: its agent writes part of a message and then waits until it is cancelled or killed, or asks for an approval.
// It sends its port to its parent, or prints it.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { require } from '../packages.mjs';

const durable = require('ag-ui-native/durable');
const { nodeHandler } = require('ag-ui-native/server');

const [engine, place, lease] = process.argv.slice(2);
const agent = async (run) => {
  if (run.runId === 'asks') return run.interrupt({ id: 'i-asks', reason: 'tool_call' });
  if (run.resume.length > 0) return run.write(run.resume.map(({ interruptId }) => `answered ${interruptId}`).join());
  const message = run.textMessage();
  await message.write('one');
  await once(run.signal, 'abort');
};
const server = createServer(nodeHandler(agent, { log: new durable[engine](place), authorize: 'public', lease: Number(lease) }));
server.listen(0, '127.0.0.1', () => (process.send?.bind(process) ?? console.log)(server.address().port));

// A client: reads lines of JSON, each a run to begin, and prints the events that it gets. See `reader.py`, which is the same in Python.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../../../node/package.json', import.meta.url));
const { HttpAgent } = require('ag-ui-native/client');

for await (const line of createInterface({ input: process.stdin })) {
  const { url, thread, run, props, protobuf } = JSON.parse(line);
  const agent = new HttpAgent(url, { threadId: thread, protobuf, reconnect: { first: 5, longest: 200, attempts: 50 } });
  const events = [];
  let error = null;
  try {
    for await (const event of agent.run({ runId: run, forwardedProps: props })) events.push([event.type, event.delta ?? null, event.code ?? null]);
  } catch (failure) {
    error = failure.code ?? String(failure);
  }
  process.stdout.write(`${JSON.stringify({ events, error })}\n`);
}

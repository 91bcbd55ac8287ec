// The Node face of run.py: one request per line in, one line per answer out.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../../node/package.json', import.meta.url));
const { AGUIError, readRunInput } = require('ag-ui-native');
const { HttpAgent } = require('ag-ui-native/client');
const { upgradeInput } = require('ag-ui-native/compat');
const { decodeEvent } = require('ag-ui-native/stream');

/** Returns the code of the error that `work` throws; undefined if it throws none. */
async function failure(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AGUIError)) throw error;
    return error.code;
  }
  return null;
}

/** Returns the code with which the strict profile refuses a document; undefined if it accepts it. */
const read = ({ event, input }) =>
  failure(() => (event ? decodeEvent(JSON.stringify(event), { profile: 'strict' }) : readRunInput(JSON.stringify(input), { profile: 'strict' })));

async function run({ url, threadId, runId, peer, messages }) {
  const events = [];
  const warnings = [];
  const onWarning = ({ eventIndex = null, code, path, message }) => warnings.push([eventIndex, `${code} ${path} ${message}`]);
  // Stored messages may have parts of older versions.
  const stored = upgradeInput({ messages }).input.messages;
  const agent = new HttpAgent({ url, threadId, messages: stored, onWarning, ...(peer && { peer }) });
  const failed = await failure(async () => {
    for await (const event of agent.run({ runId })) events.push(JSON.parse(JSON.stringify(event)));
  });
  return { failed, events, warnings, messages: agent.messages.slice(messages.length), state: agent.state };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(request.url ? await run(request) : { failed: await read(request) }));
}

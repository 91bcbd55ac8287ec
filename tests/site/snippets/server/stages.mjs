// Snippets of docs/server/: what stands between the events of other agents and their clients.

import assert from 'node:assert/strict'
import { runAgent } from 'ag-ui-native/testing'

const written = await runAgent((run) => {
  run.write('Hello!')
}, {})
// An agent that begins no run, and closes nothing.
const framework = { run: (/** @type {unknown} */ _) => written.events.slice(1, -2) }
/** @type {Uint8Array[]} */
const sent = []
const response = { write: (/** @type {Uint8Array} */ bytes) => sent.push(bytes) }
/** @type {import('ag-ui-native').RunAgentInput} */
const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {} }
// --8<-- [start:guard]
import { guard } from 'ag-ui-native/server'
import { EventEncoder } from 'ag-ui-native/encoder'

const encoder = new EventEncoder()
for await (const event of guard(framework.run(input), { input })) response.write(encoder.encodeBinary(event))
// --8<-- [end:guard]
assert.match(Buffer.concat(sent).toString(), /^data: \{"type":"RUN_STARTED".*TEXT_MESSAGE_END.*RUN_FINISHED/s)

// --8<-- [start:tracker]
import { StateTracker } from 'ag-ui-native/server'

const tracker = new StateTracker({ title: 'look, then leap', steps: [] }, { base: input.state })
const event = tracker.flush()
// --8<-- [end:tracker]
assert.match(event?.type ?? '', /^STATE_/)
assert.equal(tracker.flush(), undefined)

const agentEvents = (async function* () {
  yield* written.events
})()
/** @type {{ type: string }[]} */
const joined = []
// --8<-- [start:coalesce]
import { coalesceEvents } from 'ag-ui-native/server'

for await (const event of coalesceEvents(agentEvents, { maxBytes: 4096, maxDelay: 50 })) joined.push(event) // milliseconds
// --8<-- [end:coalesce]
assert.equal(joined.at(-1)?.type, 'RUN_FINISHED')

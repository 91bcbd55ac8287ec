// Snippets of docs/server.md: agents, their test, and what stands between other agents and their clients.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { WebSocketAgent } from 'ag-ui-native/client'

const model = {
  async *stream(messages) {
    if (messages.length) yield* ['Hel', 'lo!']
  },
}

// --8<-- [start:agent]
import { fetchHandler, nodeHandler } from 'ag-ui-native/server'

const agent = async (run) => {
  const message = run.textMessage()
  for await (const delta of model.stream(run.messages, { signal: run.signal })) await message.write(delta)
}
// --8<-- [end:agent]
assert.ok(fetchHandler(agent) && nodeHandler(agent))

const port = 0
// --8<-- [start:websocket]
import { createServer } from 'node:http'

const handler = nodeHandler(agent)
const server = createServer(handler).on('upgrade', handler.upgrade).listen(port)
// --8<-- [end:websocket]
await once(server, 'listening')
const { WebSocket } = createRequire(new URL('../../../node/package.json', import.meta.url))('ws')
assert.equal((await new WebSocketAgent(`ws://127.0.0.1:${server.address().port}/`, { WebSocket }).ask('Hello?')).text, 'Hello!')
server.close()

{
  // Under Bun itself tests/node/websocket_hosts.mjs asks a server.
  const Bun = { serve: ({ fetch, websocket }) => assert.ok(fetch === handler && websocket.open && websocket.message) }
  // --8<-- [start:bun]
  const handler = fetchHandler(agent)
  Bun.serve({ idleTimeout: 60, fetch: handler, websocket: handler.websocket })
  // --8<-- [end:bun]
}

const messages = [{ id: 'u', role: 'user', content: 'Hello?' }]
const written = await runAgent(agent, { messages })
assert.deepEqual(written.messages.map(({ content }) => content), ['Hello?', 'Hello!'])

await (async (agent) => {
  // --8<-- [start:testing]
  const { events, state, outcome, error } = await runAgent(agent, { messages, state: { steps: [] } })
  assertEvents(events, ['RUN_STARTED', 'TEXT_MESSAGE_START', { type: 'TEXT_MESSAGE_CONTENT', delta: 'Hello' }, 'TEXT_MESSAGE_END', 'RUN_FINISHED'])
  // --8<-- [end:testing]
  assert.deepEqual([state, error], [{ steps: [] }, undefined])
  assert.equal(typeof outcome, 'string')
})(scriptedAgent(['Hello']))

// --8<-- [start:testing_imports]
import { assertEvents, runAgent, scriptedAgent } from 'ag-ui-native/testing'
// --8<-- [end:testing_imports]

// An agent that begins no run, and closes nothing.
const framework = { run: () => written.events.slice(1, -2) }
const sent = []
const response = { write: (bytes) => sent.push(bytes) }
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
assert.match(event.type, /^STATE_/)
assert.equal(tracker.flush(), undefined)

const agentEvents = (async function* () {
  yield* written.events
})()
const joined = []
// --8<-- [start:coalesce]
import { coalesceEvents } from 'ag-ui-native/server'

for await (const event of coalesceEvents(agentEvents, { maxBytes: 4096, maxDelay: 50 })) joined.push(event) // milliseconds
// --8<-- [end:coalesce]
assert.equal(joined.at(-1).type, 'RUN_FINISHED')

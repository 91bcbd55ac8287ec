// Snippets of docs/durable/: clients of runs with a log, notices, and an engine.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { HttpAgent } from 'ag-ui-native/client'
import { MemoryLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
const count = async (run) => {
  const message = run.textMessage()
  for (let number = 0; number < 3; number++) await message.write(`${number} `)
  while (run.messages[0]?.id === 'endless' && !run.signal.aborted) {
    await message.write('more ')
    await pause(10)
  }
}
const log = new MemoryLog()

// --8<-- [start:notices]
/** @type {Map<string, number>} */
const counts = new Map()

const handler = nodeHandler(count, {
  log,
  authorize: 'public',
  onLog: (name, { code }) => {
    const key = code ? `${name} ${code}` : name
    counts.set(key, (counts.get(key) ?? 0) + 1) // to your metrics
  },
})
// --8<-- [end:notices]

const server = createServer(handler).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`
await new HttpAgent(url, { threadId: 'thread-1' }).ask('Count.')
{
  // --8<-- [start:connect]
  const agent = new HttpAgent(url, { threadId: 'thread-1' })
  const events = agent.connect() // what the thread has, then its active run, if there is one
  for await (const event of events) console.log(event.type)
  console.log(agent.messages, events.result?.outcome)
  await agent.ask('Go on.') // the conversation continues
  // --8<-- [end:connect]
  assert.deepEqual(agent.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'])
}
{
  const message = { id: 'endless', role: /** @type {const} */ ('user'), content: 'Count.' }
  const agent = new HttpAgent(url, { threadId: 'thread-2', messages: [message] })
  // --8<-- [start:leave]
  const stream = agent.run({ runId: 'run-1' })
  await stream.next()
  await stream.detach() // the run goes on

  const other = new HttpAgent(url, { threadId: 'thread-2', messages: [message] })
  const events = other.join('run-1') // in another tab: from the beginning
  for await (const _ of events) await other.cancel('run-1') // wherever it is executed
  console.log(events.result?.outcome) // cancelled
  // --8<-- [end:leave]
  assert.equal(events.result?.outcome, 'cancelled')
}

// --8<-- [start:delete]
import { deleteThread } from 'ag-ui-native/durable'

await deleteThread(log, '', 'thread-1') // the scope is that of `authorize`
// --8<-- [end:delete]

// --8<-- [start:engine]
import { checkLog } from 'ag-ui-native/testing'

const inner = new MemoryLog()
let seconds = 0
/**
 * Hands operations on, and measures them.
 * @type {import('ag-ui-native/durable').Log}
 */
const timed = {
  async execute(operation) {
    const begun = performance.now()
    try {
      return await inner.execute(operation)
    } finally {
      seconds += (performance.now() - begun) / 1000
    }
  },
  watch: (key, callback) => inner.watch(key, callback),
}
await checkLog(timed)
// --8<-- [end:engine]
assert.ok(seconds > 0 && counts.get('opened') === 3)
server.close()
server.closeAllConnections()

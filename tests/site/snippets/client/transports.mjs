// Snippets of docs/client/: agents over WebSockets, in the same process, and over any function.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {{ WebSocket: import('ag-ui-native/client').SocketClass }} */
const { WebSocket } = createRequire(new URL('../../../../node/package.json', import.meta.url))('ws')

const handler = nodeHandler((run) => {
  run.write('Good day')
})
const server = createServer(handler).on('upgrade', handler.upgrade).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `ws://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`
{
  // --8<-- [start:websocket]
  // Node 20: `npm install ws`, and import { WebSocket } from 'ws'. Node 22, Bun and Deno have the class; leave the option out.
  const agent = new WebSocketAgent(url, { WebSocket, protobuf: true, timeouts: { idle: 60_000 } })
  console.log(String(await agent.ask('Hello!')))
  // --8<-- [end:websocket]
  assert.equal(agent.messages.at(-1)?.content, 'Good day')
}
server.close()

// --8<-- [start:websocket_import]
import { WebSocketAgent } from 'ag-ui-native/client'
// --8<-- [end:websocket_import]

{
  // --8<-- [start:local]
  /** @type {import('ag-ui-native/server').AgentFunction} */
  const echo = async (run) => {
    const message = run.textMessage()
    for (const word of ['Good ', 'day']) await message.write(word)
  }

  const agent = new LocalAgent(echo, { server: { timeLimit: 5000 } })
  console.log(String(await agent.ask('Hello!'))) // Good day
  // --8<-- [end:local]
  assert.equal(agent.messages.at(-1)?.content, 'Good day')
}

// --8<-- [start:local_import]
import { LocalAgent } from 'ag-ui-native/client'
// --8<-- [end:local_import]

// --8<-- [start:function]
import { Agent } from 'ag-ui-native/client'

const agent = new Agent(({ input }) => {
  const ids = { threadId: input.threadId, runId: input.runId }
  const events = [{ type: 'RUN_STARTED', ...ids }, { type: 'RUN_FINISHED', ...ids }]
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
})
console.log((await agent.runAgent()).outcome) // success
// --8<-- [end:function]
assert.equal((await agent.runAgent()).outcome, 'success')

// Snippets of docs/server/: servers of WebSockets, and the user of a request.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { WebSocketAgent } from 'ag-ui-native/client'
import { fetchHandler, nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
const agent = (run) => {
  run.write('Hello!')
}
const port = 0

// --8<-- [start:websocket]
import { createServer } from 'node:http'

const handler = nodeHandler(agent)
const server = createServer(handler).on('upgrade', handler.upgrade).listen(port)
// --8<-- [end:websocket]
await once(server, 'listening')
/** @type {{ WebSocket: import('ag-ui-native/client').SocketClass }} */
const { WebSocket } = createRequire(new URL('../../../../node/package.json', import.meta.url))('ws')
const at = /** @type {import('node:net').AddressInfo} */ (server.address()).port
assert.equal((await new WebSocketAgent(`ws://127.0.0.1:${at}/`, { WebSocket }).ask('Hello?')).text, 'Hello!')
server.close()

{
  // Under Bun itself tests/node/websocket_hosts.mjs asks a server.
  /** @type {{ serve(options: Record<string, unknown>): void }} */
  const Bun = { serve: ({ fetch, websocket }) => assert.ok(fetch === handler && websocket) }
  // --8<-- [start:bun]
  const handler = fetchHandler(agent)
  Bun.serve({ idleTimeout: 60, fetch: handler, websocket: handler.websocket })
  // --8<-- [end:bun]
}

{
  /** @param {Request} request */
  const userOf = (request) => request.headers.get('x-user')
  // --8<-- [start:closure]
  /** @param {Request} request */
  const POST = (request) => {
    const user = userOf(request) // your login
    if (user === null) return new Response(null, { status: 401 })
    return fetchHandler((run) => void run.write(`Hello, ${user}!`))(request)
  }
  // --8<-- [end:closure]
  const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] })
  const request = (/** @type {Record<string, string>} */ more) =>
    new Request('http://server/', { method: 'POST', body, headers: { 'content-type': 'application/json', ...more } })
  assert.equal((await POST(request({}))).status, 401)
  assert.match(await (await POST(request({ 'x-user': 'Ann' }))).text(), /Hello, Ann!/)
}

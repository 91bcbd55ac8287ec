// An agent whose runs outlive their connections. `PORT=8000 node durable_server.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'
import { MemoryLog, RedisLog } from 'ag-ui-native/durable'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  await run.write('A connection that is cut does not end this run.')
}

// --8<-- [start:app]
/**
 * Returns the user: a user sees the own runs only. Null refuses the request.
 * @type {import('ag-ui-native/server').Authorize}
 */
const authorize = (request) => request.headers['x-user'] ?? null // as your login knows it

// A log for many processes and machines, or one that lives as long as this process.
const log = process.env.REDIS_URL ? new RedisLog(process.env.REDIS_URL) : new MemoryLog()

const handler = nodeHandler(agent, { log, authorize })
// --8<-- [end:app]

createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

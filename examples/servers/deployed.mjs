// A deployed agent: with limits, behind a proxy, and with an orderly shutdown. `PORT=8000 node deployed.mjs`

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  await run.write('Let me see.')
  await sleep(Number(process.env.WORK ?? 60) * 1000, undefined, { signal: run.signal })
  await run.write('Done.')
}

// --8<-- [start:app]
const stopping = new AbortController()
const handler = nodeHandler(agent, {
  timeLimit: 300_000, // milliseconds: RUN_ERROR run_timeout
  heartbeat: Number(process.env.HEARTBEAT ?? 15) * 1000, // below the proxy's read timeout
  maxWaiting: 1 << 20, // bytes of an agent that writes without waiting
  limits: { inputBytes: 4 << 20 }, // bytes of a request
  cors: ['https://app.example.org'],
  signal: stopping.signal,
})
// --8<-- [end:app]

// --8<-- [start:serve]
const server = createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')
process.once('SIGTERM', () => {
  server.close() // no new connections; the process ends with its last run
  setTimeout(() => stopping.abort(), Number(process.env.GRACE ?? 20) * 1000).unref() // then runs are cancelled
})
// --8<-- [end:serve]

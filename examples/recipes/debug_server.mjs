// An agent that fails, and a server that says why. `PORT=8000 node debug_server.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  await run.write('Let me see.')
  throw new Error('no such city')
}

const handler = nodeHandler(agent, {
  onError: (error) => console.error('the agent has failed:', error), // into your log
  showErrors: process.env.DEBUG === '1', // in production the client learns no more than "failed"
})
createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent server on node:http. `PORT=8000 node node_server.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction<{ answered?: number }>} */
async function agent(run) {
  const message = run.textMessage()
  for (const delta of ['Hello ', 'from ', 'Node.']) await message.write(delta)
  message.end()
  run.state.answered = (run.state.answered ?? 0) + 1
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

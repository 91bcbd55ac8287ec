// An agent in TypeScript, which knows the type of its state. `PORT=8000 npx tsx typed_server.mts`

import { createServer } from 'node:http'
import { type AgentFunction, nodeHandler } from 'ag-ui-native/server'

interface Kitchen {
  shopping?: string[] // a new client has none
}

const agent: AgentFunction<Kitchen> = async (run) => {
  const shopping = (run.state.shopping ??= [])
  shopping.push('eggs')
  await run.write(`You need ${shopping.join(', ')}.`)
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent that shows its reasoning, and gets it back in the provider's encrypted form. `PORT=8000 node reasoning.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  // --8<-- [start:memory]
  const before = run.messages.flatMap((message) => (message.role === 'reasoning' ? [message.encryptedValue] : []))
  // --8<-- [end:memory]
  // --8<-- [start:think]
  const thought = run.reasoning()
  for (const piece of ['The user greets. ', 'I greet back.']) await thought.write(piece)
  await thought.encryptedValue(`sealed-${before.length}`, 'example.thought') // what your provider gives you
  thought.end()
  // --8<-- [end:think]
  await run.write(`Hello! I remember ${before.length} thoughts.`)
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

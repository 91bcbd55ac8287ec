// An agent that calls a function of its client: `PORT=8000 node notes.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const last = run.messages.at(-1)
  if (last?.role === 'tool') {
    // The client has called its function, and sends the result in a new run.
    await run.write(`It says: ${last.content}`)
  } else if (run.input.tools.some(({ name }) => name === 'read_note')) {
    // The tools are the functions that this client offers. In real life a model chooses the arguments.
    const name = String(last?.content).split(' ').at(-1)?.replace(/\?$/, '')
    run.toolCall('read_note', { name }) // without a result: the run ends, and the client answers
  } else {
    await run.write('You have no notes for me.')
  }
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// A state that the client follows: changes are sent as a patch or as a whole, whichever is shorter.
// `PORT=8000 node state_server.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @typedef {{ title: string, steps: { name: string, done: boolean }[] }} Plan */

// --8<-- [start:agent]
/** @type {import('ag-ui-native/server').AgentFunction<Plan>} */
async function agent(run) {
  run.state = { title: run.state.title ?? 'A trip', steps: run.state.steps ?? [] }
  for (const name of ['pack', 'drive', 'swim']) {
    run.state.steps.push({ name, done: false })
    await run.flushState()
    const step = run.state.steps.at(-1)
    if (step) step.done = true
  }
  await run.write(`${run.state.title} of ${run.state.steps.length} steps.`) // sends the state, too
}
// --8<-- [end:agent]

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

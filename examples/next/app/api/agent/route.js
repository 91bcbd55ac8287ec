// An agent behind a route of Next: POST /api/agent

import { fetchHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction<{ answered?: number }>} */
async function agent(run) {
  const message = run.textMessage()
  for (const delta of ['Hello ', 'from ', 'Next.']) await message.write(delta)
  message.end()
  run.state.answered = (run.state.answered ?? 0) + 1
}

export const POST = fetchHandler(agent)

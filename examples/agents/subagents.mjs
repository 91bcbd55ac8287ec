// An agent that runs two subagents at the same time. `PORT=8000 node subagents.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

// --8<-- [start:subagent]
/** @param {import('ag-ui-native/server').Subagent} subagent @param {string} topic */
async function lookUp(subagent, topic) {
  if (topic === 'nothing') throw new Error('there is nothing about it')
  const call = subagent.toolCall('search', { for: topic })
  await call.result(`three pages about ${topic}`)
  await subagent.write(`I have read about ${topic}.`)
  return `${topic}: well known`
}
// --8<-- [end:subagent]

// --8<-- [start:agent]
/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const topics = ['cats', 'nothing']
  const found = await Promise.allSettled(
    topics.map((topic) => run.subagent('researcher', { description: `Reads about ${topic}.` }).run((subagent) => lookUp(subagent, topic))),
  )
  const lines = found.map((one, index) => (one.status === 'fulfilled' ? one.value : `${topics[index]}: unknown`))
  await run.write(lines.join('\n'))
}
// --8<-- [end:agent]

createServer(nodeHandler(agent, { showErrors: true })).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

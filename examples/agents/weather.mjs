// An agent that streams text and uses a tool itself. `PORT=8000 node weather.mjs`

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentToText } from 'ag-ui-native'
import { nodeHandler } from 'ag-ui-native/server'

/** Stands for the model that you use. @param {string} text */
async function* model(text) {
  for (const piece of text.match(/.{1,8}/gsu) ?? []) {
    await sleep(10)
    yield piece
  }
}

// --8<-- [start:agent]
/** @type {import('ag-ui-native/server').AgentFunction} */
export async function agent(run) {
  const asked = run.messages.at(-1)
  const city = asked?.role === 'user' ? contentToText(asked.content) : 'Rome'
  // --8<-- [start:tool]
  const call = run.toolCall('get_weather')
  for await (const piece of model(JSON.stringify({ city, unit: 'C' }))) await call.write(piece)
  await call.result('sunny, 24')
  // --8<-- [end:tool]
  // --8<-- [start:text]
  const message = run.textMessage()
  for await (const piece of model(`It is sunny in ${city}.`)) await message.write(piece)
  message.end()
  // --8<-- [end:text]
  run.usage({ provider: 'none', inputTokens: 9, outputTokens: 14 })
}
// --8<-- [end:agent]

if (process.argv[1]?.endsWith('weather.mjs')) createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

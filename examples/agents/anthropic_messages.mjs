// An agent with a model behind Anthropic's messages. The model calls a tool, gets the result and answers.
// `ANTHROPIC_API_KEY=... PORT=8000 node anthropic_messages.mjs`

import { createServer } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { messageParams, messageTools, streamMessage } from 'ag-ui-native/adapters/anthropic'
import { nodeHandler } from 'ag-ui-native/server'

const model = process.env.MODEL ?? 'claude-sonnet-4-5'
const weatherTool = {
  name: 'get_weather',
  description: 'The weather of a city now.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const client = new Anthropic() // reads ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server

/** @param {string} city */
const getWeather = (city) => ({ city, sky: 'clear', degrees: 21 })

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const messages = [...run.messages]
  for (let turn = 0; turn < 10; turn++) { // a limit, in case the model never stops calling
    const stream = await client.messages.create(
      {
        ...messageParams(messages),
        model,
        max_tokens: 4096,
        thinking: { type: 'enabled', budget_tokens: 1024 }, // shown to the user
        tools: messageTools([weatherTool]),
        stream: true,
      },
      { signal: run.signal }, // also ends a request that has no answer yet
    )
    const reply = await streamMessage(run, stream)
    if (reply.toolCalls.length === 0) return
    messages.push(...reply.messages)
    for (const call of reply.toolCalls) messages.push(await call.answer(getWeather(call.arguments.city)))
  }
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent with a model behind OpenAI's chat completions. The model calls a tool, gets the result and answers.
// `OPENAI_API_KEY=... PORT=8000 node openai_chat.mjs`

import { createServer } from 'node:http'
import { chatMessages, chatTools, streamChat } from 'ag-ui-native/adapters/openai'
import { nodeHandler } from 'ag-ui-native/server'
import OpenAI from 'openai'

const model = process.env.MODEL ?? 'gpt-5-mini'
const weatherTool = {
  name: 'get_weather',
  description: 'The weather of a city now.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const client = new OpenAI() // reads OPENAI_API_KEY, and OPENAI_BASE_URL for another server

/** @param {string} city */
const getWeather = (city) => ({ city, sky: 'clear', degrees: 21 })

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const messages = [...run.messages]
  for (let turn = 0; turn < 10; turn++) { // a limit, in case the model never stops calling
    const stream = await client.chat.completions.create(
      {
        model,
        messages: chatMessages(messages),
        tools: chatTools([weatherTool]),
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal: run.signal }, // also ends a request that has no answer yet
    )
    const reply = await streamChat(run, stream)
    if (reply.toolCalls.length === 0) return
    messages.push(...reply.messages)
    for (const call of reply.toolCalls) messages.push(await call.answer(getWeather(call.arguments.city)))
  }
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent on a model of your own machine. `ollama pull qwen3`, then `PORT=8000 node ollama_server.mjs`

import { createServer } from 'node:http'
import { chatMessages, chatTools, streamChat } from 'ag-ui-native/adapters/openai'
import { nodeHandler } from 'ag-ui-native/server'
import OpenAI from 'openai'

const model = process.env.MODEL ?? 'qwen3'
const client = new OpenAI({ baseURL: process.env.OLLAMA_URL ?? 'http://127.0.0.1:11434/v1', apiKey: 'ollama' }) // any key

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const tools = chatTools(run.input.tools) // those of the client, which answers the calls
  const stream = await client.chat.completions.create(
    {
      model,
      messages: chatMessages(run.messages),
      ...(tools.length > 0 && { tools }),
      stream: true,
      stream_options: { include_usage: true },
    },
    { signal: run.signal },
  )
  await streamChat(run, stream, { provider: 'ollama' })
}

const handler = nodeHandler(agent, { heartbeat: 10_000 }) // the first answer waits until the model is loaded
createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

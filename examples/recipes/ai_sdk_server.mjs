// An agent on the AI SDK of Vercel. `API_KEY=... PORT=8000 node ai_sdk_server.mjs`

import { createServer } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { nodeHandler } from 'ag-ui-native/server'
import { modelMessages, writeParts } from './ai_sdk.mjs'

const provider = createOpenAICompatible({
  name: 'openai', // or any other provider of the SDK
  baseURL: process.env.BASE_URL ?? 'https://api.openai.com/v1',
  apiKey: process.env.API_KEY ?? '',
  includeUsage: true,
})
/** @type {import('ai').Schema<{ city: string }>} */
const place = jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
const tools = {
  get_weather: tool({
    description: 'The weather of a city now.',
    inputSchema: place, // a schema of zod will do, too
    execute: async ({ city }) => ({ city, sky: 'clear', degrees: 21 }),
  }),
}

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const result = streamText({
    model: provider(process.env.MODEL ?? 'gpt-5-mini'),
    messages: modelMessages(run.messages),
    tools,
    stopWhen: stepCountIs(10), // the SDK calls the tools, and asks again
    abortSignal: run.signal, // the client has gone, or the run was stopped
    onError: () => {}, // the run has the error
  })
  await writeParts(run, result.stream) // version 6 of the SDK, for Node 20: result.fullStream
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent with instructions, two tools and images, whose model may be wrong. `OPENAI_API_KEY=... node openai_tools.mjs`

import { createServer } from 'node:http'
import { AGUIValidationError } from 'ag-ui-native'
import { chatMessages, chatTools, streamChat } from 'ag-ui-native/adapters/openai'
import { nodeHandler } from 'ag-ui-native/server'
import OpenAI from 'openai'

const model = process.env.MODEL ?? 'gpt-5-mini'
/** @type {import('ag-ui-native').Message} */
const instructions = { id: 'instructions', role: 'system', content: 'You plan trips. Be brief.' }
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [
  { name: 'get_weather', description: 'The weather of a city now.', parameters },
  { name: 'get_hotels', description: 'The hotels of a city.', parameters },
]
const client = new OpenAI()

/** Calls the tool that the model names. @param {string} name @param {{ city?: unknown }} args */
function callTool(name, { city }) {
  if (typeof city !== 'string') throw new TypeError('The tool needs a city.')
  if (name === 'get_weather') return { city, sky: 'clear', degrees: 21 }
  if (name === 'get_hotels') return [`Grand Hotel ${city}`]
  throw new TypeError(`There is no tool ${name}.`)
}

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const messages = [instructions, ...run.messages]
  for (let turn = 0; turn < 10; turn++) { // a limit, in case the model never stops calling
    let asked
    try {
      asked = chatMessages(messages) // images go to the model, too
    } catch (error) { // code `unsupported_part`: chat completions take no video, for example
      if (!(error instanceof AGUIValidationError)) throw error
      return run.fail('I cannot read that file. Send an image.', { code: error.code })
    }
    const stream = await client.chat.completions.create(
      { model, messages: asked, tools: chatTools(tools), stream: true, stream_options: { include_usage: true } },
      { signal: run.signal },
    )
    const reply = await streamChat(run, stream)
    if (reply.toolCalls.length === 0) return
    messages.push(...reply.messages)
    for (const call of reply.toolCalls) {
      let result
      try {
        result = callTool(call.name, call.arguments) // `arguments` fails if they are no JSON object
      } catch (error) {
        result = `The call failed: ${error}` // the model reads this, and may try again
      }
      messages.push(await call.answer(result))
    }
  }
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

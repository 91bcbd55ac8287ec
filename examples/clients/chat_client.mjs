// A chat in the terminal, with any agent that speaks AG-UI.
// `URL=http://127.0.0.1:8000/ node chat_client.mjs`

import { createInterface } from 'node:readline'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')
const prompt = () => process.stdout.write('> ')

prompt()
for await (const line of createInterface({ input: process.stdin })) {
  const answer = agent.askStream(line)
  try {
    for await (const text of answer) process.stdout.write(text)
    const { error } = answer.result ?? {}
    console.log(error ? `[${error.message}]` : '')
  } catch (error) {
    // The conversation keeps everything that came before the error.
    console.log(String(error))
  }
  prompt()
}

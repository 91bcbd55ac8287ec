// A function of this program that the agent may call. `URL=http://127.0.0.1:8000/ node tool_client.mjs "What is in my notes?"`

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')

agent.tool({
  name: 'read_note',
  description: "Reads one of the user's notes.",
  // A schema of zod would also check the arguments.
  parameters: { type: 'object', properties: { name: { type: 'string', description: 'without its ending' } }, required: ['name'] },
  /** @param {{ name: string }} args */
  async execute({ name }) {
    // The agent gets this error as the error of the call.
    if (!/^[a-z]+$/.test(name)) throw new Error('There is no such note.')
    return readFile(join(process.env.NOTES ?? '.', `${name}.txt`), 'utf8')
  },
})

const reply = await agent.ask(process.argv[2] ?? 'What is in my notes?')
console.log(reply.text)

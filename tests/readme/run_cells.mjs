// Runs lines of code that stand in tables of docs/, each with an agent of its own. Standard input has them, and the address of a server.

import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import * as client from 'ag-ui-native/client'

const { url, lines } = JSON.parse(await text(process.stdin))
const { WebSocket } = createRequire(new URL('../../node/package.json', import.meta.url))('ws')
const { z } = createRequire(new URL('../../node/package.json', import.meta.url))('zod')
const AsyncFunction = (async () => undefined).constructor

const fixed = {
  ...client,
  url,
  WebSocket,
  anySchema: z.any(),
  message: { id: 'm', role: 'user', content: 'Hi' },
  answer: (run) => void run.write('Good day'),
  async *quiet(input, next) {
    yield* next(input)
  },
  console: { ...console, log: () => undefined },
}

for (const [line, where] of lines) {
  const headers = { 'x-user': 'ann' }
  const reply = await new client.HttpAgent(url, { headers }).ask('Hello?')
  const { result } = reply
  const agent = new client.HttpAgent(url, { headers, threadId: result.threadId })
  const scope = { ...fixed, agent, reply, result, runId: result.runId }
  try {
    await AsyncFunction(...Object.keys(scope), line)(...Object.values(scope))
  } catch (error) {
    console.error(where)
    throw error
  }
}

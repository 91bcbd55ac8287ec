// Runs lines of code that stand in tables of docs/, each with an agent of its own. Standard input has them, and the address of a server.

import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import * as client from 'ag-ui-native/client'
import * as durable from 'ag-ui-native/durable'
import * as server from 'ag-ui-native/server'
import { runAgent } from 'ag-ui-native/testing'

const { url, lines } = JSON.parse(await text(process.stdin))
const { WebSocket } = createRequire(new URL('../../node/package.json', import.meta.url))('ws')
const { z } = createRequire(new URL('../../node/package.json', import.meta.url))('zod')
const AsyncFunction = (async () => undefined).constructor

const fixed = {
  ...durable,
  ...server,
  ...client,
  url,
  WebSocket,
  anySchema: z.any(),
  message: { id: 'm', role: 'user', content: 'Hi' },
  input: { threadId: 't', runId: 'r', messages: [], tools: [], context: [] },
  answer: (run) => void run.write('Good day'),
  async *quiet(input, next) {
    yield* next(input)
  },
  console: { ...console, log: () => undefined },
}

const execute = (line, scope) => AsyncFunction(...Object.keys(scope), line)(...Object.values(scope))

/** Executes a line in an agent. */
async function within(line, scope) {
  let failure
  await runAgent(async (run) => {
    const [message, call, step, subagent] = [run.textMessage(), run.toolCall('look'), run.step('another'), run.subagent('taster')]
    const activity = run.activity('progress', { percent: 0 })
    await execute(line, { ...scope, run, message, call, step, subagent, activity }).catch((error) => (failure = error))
  }, {})
  if (failure) throw failure
}

for (const [line, where, isWithin] of lines) {
  const headers = { 'x-user': 'ann' }
  const reply = await new client.HttpAgent(url, { headers }).ask('Hello?')
  const { result } = reply
  const agent = new client.HttpAgent(url, { headers, threadId: result.threadId })
  const scope = { ...fixed, agent, reply, result, runId: result.runId }
  try {
    await (isWithin ? within : execute)(line, scope)
  } catch (error) {
    console.error(where)
    throw error
  }
}

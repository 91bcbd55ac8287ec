// Conversations that stay: users list, open, continue and delete their own. `PORT=8000 node conversations_server.mjs`

import express from 'express'
import { contentToText } from 'ag-ui-native'
import { SQLiteLog, deleteThread } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

const log = new SQLiteLog(process.env.RUNS ?? 'runs.db') // what was said in each conversation
/** Which there are, for each user: in real life a table of your database. @type {Map<string, Map<string, string>>} */
const titles = new Map()

const app = express()
app.use((request, response, next) => {
  const user = request.get('x-user') // in real life: see "Authenticate"
  if (user === undefined) return response.status(401).end()
  if (!titles.has(user)) titles.set(user, new Map())
  Object.assign(response.locals, { user, own: titles.get(user) })
  next()
})

app.all('/agent', (request, response) => {
  const { user, own } = response.locals
  /** @type {import('ag-ui-native/server').AgentFunction} */
  const agent = async (run) => {
    const said = run.messages.flatMap((message) => (message.role === 'user' ? [contentToText(message.content)] : []))
    if (!own.has(run.threadId)) own.set(run.threadId, said[0]?.slice(0, 40))
    await run.write(`You have said: ${said.join(', ')}.`)
  }
  nodeHandler(agent, { log, authorize: () => user, keepThread: 365 * 86_400_000 })(request, response)
})

app.get('/threads', (request, response) => {
  response.json(Array.from(response.locals.own, ([id, title]) => ({ id, title })))
})

app.delete('/threads/:thread', async (request, response) => {
  response.locals.own.delete(request.params.thread)
  await deleteThread(log, response.locals.user, request.params.thread)
  response.status(204).end()
})

app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

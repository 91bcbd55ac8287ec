// An agent behind bearer tokens, under Express. `PORT=8000 node auth_server.mjs`

import express from 'express'
import { MemoryLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

/** In real life: check the signature and the age of a token. */
const users = new Map([['Bearer secret', 'ada'], ['Bearer hidden', 'bob']])
const log = new MemoryLog()

const app = express()
app.all('/', (request, response) => {
  const user = users.get(request.headers.authorization ?? '')
  const isPreflight = request.method === 'OPTIONS' // a browser asks first, without the token
  if (user === undefined && !isPreflight) return response.status(401).set('www-authenticate', 'Bearer').end()
  /** @type {import('ag-ui-native/server').AgentFunction} */
  const agent = async (run) => run.write(`Hello, ${user}.`)
  // The owner of what is started or read: threads of others do not exist for this user.
  const authorize = () => user ?? null
  nodeHandler(agent, { log, authorize, cors: ['https://app.example.org'] })(request, response)
})

app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

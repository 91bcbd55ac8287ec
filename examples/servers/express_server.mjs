// An agent under Express, after its middleware: the agent knows the user. `PORT=8000 node express_server.mjs`

import express from 'express'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {Record<string, string>} */
const users = { 'Bearer secret': 'Ada' }

const app = express()
app.use(express.json({ limit: '4mb' }))

app.use('/agent', (request, response, next) => {
  response.locals.user = users[request.headers.authorization ?? '']
  if (response.locals.user === undefined) response.status(401).json({ message: 'who are you?' })
  else next()
})

app.post('/agent', (request, response) => {
  // The agent gets data of the request by a closure.
  nodeHandler((run) => run.write(`Hello, ${response.locals.user}.`))(request, response)
})

app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent beside a route that a load balancer asks. `PORT=8000 node healthy_server.mjs`

import { createServer } from 'node:http'
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
const agent = async (run) => {
  await run.write('Hello from behind a load balancer.')
}

const answer = nodeHandler(agent)
const server = createServer((request, response) => {
  if (request.url === '/health') response.end('well')
  else answer(request, response)
})
server.keepAliveTimeout = 75_000 // longer than the idle timeout of the load balancer
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// A Node agent server: `/planner` runs the hand-written agent. `node server.mjs PORT`

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import { EventEncoder } from 'ag-ui-native/encoder'
import { RunAgentInputSchema } from 'ag-ui-native/schemas'

import { plan } from './planner.mjs'

const server = createServer(async (request, response) => {
  const run = RunAgentInputSchema.safeParse(JSON.parse(await text(request)))
  if (!run.success) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(run.error.issues))
    return
  }
  const encoder = new EventEncoder({ accept: request.headers.accept, timestamps: true })
  response.writeHead(200, { 'content-type': encoder.getContentType() })
  for (const event of plan(run.data)) {
    response.write(encoder.encodeBinary(event))
  }
  response.end()
})
server.listen(Number(process.argv[2]), '127.0.0.1')

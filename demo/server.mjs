// A Node agent server: `/planner` runs the hand-written agent. `node server.mjs PORT`

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

import { readRunInput } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'

import { plan } from './planner.mjs'

const server = createServer(async (request, response) => {
  let run
  try {
    run = readRunInput(await buffer(request)).input
  } catch ({ code, path, message }) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code, path, message }))
    return
  }
  const encoder = new EventEncoder({ accept: request.headers.accept, timestamps: true })
  response.writeHead(200, { 'content-type': encoder.getContentType() })
  for (const event of plan(run)) {
    response.write(encoder.encodeBinary(event))
  }
  response.end()
})
server.listen(Number(process.argv[2]), '127.0.0.1')

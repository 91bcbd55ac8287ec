// A Node agent server: `/planner` runs the hand-written agent, `/durable` the same with a log, so that its runs survive cuts.
// `node server.mjs PORT`

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

import { readRunInput } from 'ag-ui-native'
import { MemoryLog } from 'ag-ui-native/durable'
import { EventEncoder } from 'ag-ui-native/encoder'
import { nodeHandler } from 'ag-ui-native/server'

import { plan } from './planner.mjs'

async function planner(request, response) {
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
}

async function agent(run) {
  const [, ...events] = plan(run) // the run has started
  for (const event of events) await run.event(event)
}

const durable = nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' })
const server = createServer((request, response) => (request.url.startsWith('/durable') ? durable : planner)(request, response))
server.listen(Number(process.argv[2]), '127.0.0.1')

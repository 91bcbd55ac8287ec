// Serves AG-UI 1.0 in front of a server that speaks AG-UI 0.x.
// `TARGET=http://127.0.0.1:8001/ PEER=0.0.39 PORT=8000 node gateway.mjs`

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { AGUIError, readRunInput } from 'ag-ui-native'
import { downgradeInput } from 'ag-ui-native/compat'
import { EventEncoder } from 'ag-ui-native/encoder'
import { guard } from 'ag-ui-native/server'
import { decodeEvents } from 'ag-ui-native/stream'

const { TARGET = 'http://127.0.0.1:8001/', PEER = '0.0.39', PORT = '8000' } = process.env
const encoder = new EventEncoder()
const headers = { 'content-type': 'application/json' }

createServer(async (request, response) => {
  try {
    const { input } = readRunInput(await buffer(request))
    const older = downgradeInput(input, PEER)
    for (const { message } of older.warnings) console.warn(message)
    const answer = await fetch(TARGET, { method: 'POST', headers, body: JSON.stringify(older.input) })
    async function* events() {
      for await (const event of guard(decodeEvents(answer), { input })) yield encoder.encode(event)
    }
    response.writeHead(answer.status, { 'content-type': encoder.getContentType() })
    await pipeline(answer.ok ? events() : answer.body ?? [], response)
  } catch (error) {
    if (response.headersSent) response.destroy()
    else response.writeHead(error instanceof AGUIError ? 400 : 502).end(JSON.stringify({ message: String(error) }))
  }
}).listen(Number(PORT), '127.0.0.1')

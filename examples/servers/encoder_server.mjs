// A handler that makes and encodes its events itself, as programs on the official packages do. `PORT=8000 node encoder_server.mjs`

import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { EventType } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'
import { RunAgentInputSchema } from 'ag-ui-native/schemas'

createServer(async (request, response) => {
  const read = RunAgentInputSchema.safeParse(await json(request).catch(() => undefined))
  if (!read.success) return response.writeHead(400).end(JSON.stringify(read.error.issues))
  const { threadId, runId } = read.data
  const messageId = `${runId}-1`
  const encoder = new EventEncoder({ accept: request.headers.accept })
  response.writeHead(200, { 'content-type': encoder.getContentType() })
  for (const event of [
    { type: EventType.RUN_STARTED, threadId, runId },
    { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
    ...['Hello ', 'from ', 'events.'].map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta })),
    { type: EventType.TEXT_MESSAGE_END, messageId },
    { type: EventType.RUN_FINISHED, threadId, runId },
  ]) {
    response.write(encoder.encodeBinary(event))
  }
  response.end()
}).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// An agent that yields events, in a handler of your own: each part by itself. `PORT=8000 node own_handler.mjs`

import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { AGUIError, AGUISequenceError, EventType, readRunInput } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'
import { guard } from 'ag-ui-native/server'
import { checkResume } from 'ag-ui-native/stream'

/** By thread: what your agent waits for. @type {Map<string, import('ag-ui-native').Interrupt[]>} */
const pending = new Map()

/** @returns {AsyncGenerator<import('ag-ui-native').AGUIEvent>} */
async function* agent() {
  for (const delta of ['Hello ', 'there.']) yield { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm', delta }
}

// --8<-- [start:handler]
const server = createServer(async (request, response) => {
  try {
    const { input } = readRunInput(await buffer(request))
    checkResume(pending.get(input.threadId) ?? [], input.resume)
    const encoder = new EventEncoder({ accept: request.headers.accept ?? '', acceptWildcards: false })
    response.setHeader('content-type', encoder.getContentType())
    for await (const event of guard(agent(), { input })) response.write(encoder.encodeBinary(event))
    response.end()
  } catch (error) {
    // Rule L01: an answer is missing. L02: it comes too late. Other errors: the body is no valid input.
    if (error instanceof AGUIError) response.writeHead(error instanceof AGUISequenceError ? 422 : 400).end(error.message)
    else response.writeHead(500).end()
  }
})
// --8<-- [end:handler]

server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

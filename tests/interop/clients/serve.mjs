// A server in JavaScript that tells the conversations: `node serve.mjs (official | ours | durable)` prints its port. It ends with its
// input. With a log (`durable`) the conversation `wait` has two parts, and goes on until the run is cancelled.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../../node/package.json', import.meta.url))
const conversations = JSON.parse(readFileSync(new URL('./conversations.json', import.meta.url), 'utf8'))

/** The conversation that is asked for; answers to its questions are given back. */
function conversation({ messages, resume }) {
  const asked = conversations[messages[0].content]
  return resume ? { ...asked.resumed, result: resume } : asked
}

const listeners = {
  async official(request, response) {
    const { EventEncoder } = require('@ag-ui/encoder')
    const encoder = new EventEncoder({ accept: request.headers.accept })
    const body = []
    for await (const piece of request) body.push(piece)
    const input = JSON.parse(Buffer.concat(body).toString())
    const { threadId, runId } = input
    const { events, result, interrupts, error } = conversation(input)
    const outcome = interrupts && { type: 'interrupt', interrupts }
    const end = error ? { type: 'RUN_ERROR', ...error } : { type: 'RUN_FINISHED', threadId, runId, result, outcome }
    response.writeHead(200, { 'content-type': encoder.getContentType() })
    for (const event of [{ type: 'RUN_STARTED', threadId, runId }, ...events, end]) {
      response.write(encoder.encodeBinary(event))
      await new Promise(setImmediate)
    }
    response.end()
  },
  get ours() {
    return require('ag-ui-native/server').nodeHandler(tell)
  },
  get durable() {
    const { MemoryLog } = require('ag-ui-native/durable')
    const options = { log: new MemoryLog(), authorize: 'public', grace: 200, onError: () => undefined }
    return require('ag-ui-native/server').nodeHandler((run) => (run.input.messages[0].content === 'wait' ? wait(run) : tell(run)), options)
  },
}

async function tell(run) {
  const { events, result, interrupts, error } = conversation(run.input)
  for (const event of events) await run.event(event)
  if (interrupts) await run.interrupt(...interrupts)
  else if (error) await run.fail(error.message, { code: error.code })
  else return result
}

async function wait(run) {
  const message = run.textMessage()
  await message.write('one')
  await message.write(' two')
  await once(run.signal, 'abort')
}

const listener = listeners[process.argv[2]]
const server = createServer(listener)
if (listener.upgrade) server.on('upgrade', listener.upgrade)
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit())

// A Node client: runs an agent and prints the conversation as it arrives. `node client.mjs URL`
// The last line is what was checked, as JSON, for run.py.

import { validate } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'
import { EventDecoder } from 'ag-ui-native/stream'

import { describe } from './describe.mjs'

const [url] = process.argv.slice(2)
const response = await fetch(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  body: JSON.stringify({
    threadId: 'thread-1',
    runId: 'run-1',
    messages: [{ id: 'question-1', role: 'user', content: 'What is the weather in Paris?' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  }),
})

const decoder = new EventDecoder({ contentType: response.headers.get('content-type') })
const encoder = new EventEncoder()
const events = []
let received = ''
const bytes = new TextDecoder()

function take(batch) {
  for (const event of batch) {
    validate(event)
    process.stdout.write(describe(event))
    events.push(event)
  }
}

for await (const chunk of response.body) {
  received += bytes.decode(chunk, { stream: true })
  take(decoder.feed(chunk))
}
take(decoder.close())

const again = events.map((event) => encoder.encode(event)).join('')
console.log()
console.log(
  JSON.stringify({
    events: events.length,
    types: [...new Set(events.map((event) => event.type))],
    warnings: decoder.warnings.length,
    same_bytes: again === received,
  }),
)

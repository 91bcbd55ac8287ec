// A Node client: runs an agent and prints the conversation as it arrives. `node client.mjs URL MEDIA_TYPE` The last line has the
// results of the checks as JSON, for run.py.

import { validate } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'
import { EventDecoder } from 'ag-ui-native/stream'

import { describe } from './describe.mjs'

const [url, accept] = process.argv.slice(2)
const response = await fetch(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
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

const contentType = response.headers.get('content-type')
const decoder = new EventDecoder({ contentType })
const events = []
const received = []

function take(batch) {
  for (const event of batch) {
    validate(event)
    process.stdout.write(describe(event))
    events.push(event)
  }
}

for await (const chunk of response.body) {
  received.push(chunk)
  take(decoder.feed(chunk))
}
take(decoder.close())

const encoder = new EventEncoder({ accept: contentType })
const again = Buffer.concat(events.map((event) => encoder.encodeBinary(event)))
console.log()
console.log(
  JSON.stringify({
    content_type: contentType,
    events,
    warnings: decoder.warnings.length,
    same_bytes: again.equals(Buffer.concat(received)),
  }),
)

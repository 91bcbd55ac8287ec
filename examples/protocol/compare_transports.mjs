// Requests the same run as text and as protobuf. `URL=http://127.0.0.1:8000/ node compare_transports.mjs`

import { AGUI_MEDIA_TYPE } from 'ag-ui-native/encoder'
import { decodeEvents } from 'ag-ui-native/stream'

const url = process.env.URL ?? 'http://127.0.0.1:8000/'
const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'Hello?' }] })

for (const accept of ['text/event-stream', AGUI_MEDIA_TYPE]) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept }, body })
  const contentType = answer.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const events = []
  // The response's content type decides how it is read, not the request.
  for await (const event of decodeEvents([bytes], { contentType })) events.push(event)
  console.log(`${contentType.split(';')[0]}: ${events.length} events in ${bytes.length} bytes`)
}

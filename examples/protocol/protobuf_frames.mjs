// Encodes events as frames of protobuf, to store them or to send them by other means than HTTP, and decodes them:
// `node protobuf_frames.mjs`

import assert from 'node:assert/strict'
import { AGUIError, EventType } from 'ag-ui-native'
import { AGUI_MEDIA_TYPE, EventEncoder } from 'ag-ui-native/encoder'
import { EventDecoder } from 'ag-ui-native/stream'

const events = [
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta: 'Hi' },
  { type: EventType.STATE_SNAPSHOT, snapshot: { seen: 2 ** 53 - 1 } },
]
const encoder = new EventEncoder({ accept: AGUI_MEDIA_TYPE })
const piece = new Uint8Array(64 * 1024)
let end = 0
// All frames go into one buffer, which a writer sends when it is full. If an event does not fit, the result is undefined.
for (const event of events) end += encoder.encodeInto(event, piece, end) ?? assert.fail('send the piece first')
console.log(end, 'bytes')
assert.deepEqual(new EventDecoder({ contentType: AGUI_MEDIA_TYPE }).feed(piece.subarray(0, end)), events)

try {
  encoder.encodeProtobuf({ type: EventType.STATE_SNAPSHOT, snapshot: { seen: 2 ** 53 + 2 } })
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(error.message)
}

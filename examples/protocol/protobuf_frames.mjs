// Events as frames of protobuf, to be kept or sent by other means than HTTP, and back: `node protobuf_frames.mjs`

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
// Into one piece of memory, which a writer sends when it is full. Nothing is returned for an event that has no room.
for (const event of events) end += encoder.encodeInto(event, piece, end) ?? assert.fail('send the piece first')
console.log(end, 'bytes')
assert.deepEqual(new EventDecoder({ contentType: AGUI_MEDIA_TYPE }).feed(piece.subarray(0, end)), events)

try {
  encoder.encodeProtobuf({ type: EventType.STATE_SNAPSHOT, snapshot: { seen: 2 ** 53 + 2 } })
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(error.message)
}

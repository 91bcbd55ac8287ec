// Snippets of docs/guides/single-events.md: one event is written, checked and read.

import assert from 'node:assert/strict'

// --8<-- [start:write]
import { EventType, toJson } from 'ag-ui-native'
import { EventEncoder } from 'ag-ui-native/encoder'

const event = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'Hello' }
const encoder = new EventEncoder()
console.log(encoder.encodeBinary(event)) // a Uint8Array: the bytes of data: {"type":"TEXT_MESSAGE_CONTENT",...} and an empty line
console.log(encoder.encode(event)) // the same as text
console.log(toJson(event)) // the JSON alone
// --8<-- [end:write]
assert.equal(encoder.encode(event), `data: ${toJson(event)}\n\n`)
assert.equal(new TextDecoder().decode(encoder.encodeBinary(event)), encoder.encode(event))

// --8<-- [start:check]
import { AGUIValidationError } from 'ag-ui-native'
import { decodeEvent } from 'ag-ui-native/stream'

const text = '{"type":"TEXT_MESSAGE_CONTENT","messageId":3,"color":"red"}'
try {
  decodeEvent(text, { profile: 'strict' })
} catch (error) {
  if (!(error instanceof AGUIValidationError)) throw error
  for (const { aguiCode, aguiPath, message } of error.issues) console.log(aguiCode, aguiPath, message)
}
// --8<-- [end:check]
assert.throws(
  () => decodeEvent(text, { profile: 'strict' }),
  ({ issues }) => {
    const found = issues.map((/** @type {{ aguiCode: string, aguiPath: string }} */ { aguiCode, aguiPath }) => [aguiCode, aguiPath])
    assert.deepEqual(found, [['unknown_field', '/color'], ['wrong_type', '/messageId'], ['missing_field', '/delta']])
    return true
  },
)

// --8<-- [start:object]
import { validate } from 'ag-ui-native'

validate(event) // returns nothing; throws an AGUIValidationError with all issues
validate(event, { nonEmpty: true }) // ids, names, texts, patches and states must not be empty either
// --8<-- [end:object]
assert.throws(() => validate({ ...event, messageId: '' }, { nonEmpty: true }), { code: 'empty_value', path: '/messageId' })

// A snippet of docs/concepts/errors.md: the members of an error, and the events before it.

import assert from 'node:assert/strict'

// --8<-- [start:errors]
import { AGUISequenceError } from 'ag-ui-native'
import { verifyEvents } from 'ag-ui-native/stream'

const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'other', delta: 'Hello' },
]
try {
  verifyEvents(events)
} catch (error) {
  if (error instanceof AGUISequenceError) console.log(error.code, error.rule, error.eventIndex, error.message)
  console.log(error.partial.length) // the events before it
}
// --8<-- [end:errors]
assert.throws(() => verifyEvents(events), { code: 'sequence_broken', rule: 'V13', eventIndex: 2 })

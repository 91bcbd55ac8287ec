// A snippet of docs/concepts/limits.md: a limit that is met.

import assert from 'node:assert/strict'

// --8<-- [start:limits]
import { AGUILimitError } from 'ag-ui-native'
import { decodeEvent } from 'ag-ui-native/stream'

try {
  decodeEvent('{"type":"STATE_SNAPSHOT","snapshot":[[[1]]]}', { limits: { depth: 3 } })
} catch (error) {
  if (error instanceof AGUILimitError) console.log(error.code, error.limit, error.path)
}
// --8<-- [end:limits]
const deep = '{"type":"STATE_SNAPSHOT","snapshot":[[[1]]]}'
assert.throws(() => decodeEvent(deep, { limits: { depth: 3 } }), { code: 'limit_exceeded', limit: 'depth' })

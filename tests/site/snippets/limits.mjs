// A snippet of docs/concepts/limits.md: a limit that is met.

import assert from 'node:assert/strict'

let met
// --8<-- [start:limits]
import { AGUILimitError } from 'ag-ui-native'
import { decodeEvent } from 'ag-ui-native/stream'

try {
  decodeEvent('{"type":"STATE_SNAPSHOT","snapshot":[[[1]]]}', { limits: { depth: 3 } })
} catch (error) {
  met = error
  if (error instanceof AGUILimitError) console.log(error.code, error.limit, error.path)
}
// --8<-- [end:limits]
assert.deepEqual([met.code, met.limit], ['limit_exceeded', 'depth'])

// A snippet of docs/concepts/profiles.md: one event, read in three ways.

import assert from 'node:assert/strict'

// --8<-- [start:profiles]
import { AGUIValidationError } from 'ag-ui-native'
import { decodeEvent } from 'ag-ui-native/stream'

const text = '{"type":"STEP_STARTED","stepName":"plan","color":"red"}'

try {
  decodeEvent(text, { profile: 'strict' })
} catch (error) {
  if (error instanceof AGUIValidationError) console.log(error.code, error.path) // unknown_field /color
}

const warnings = []
const event = decodeEvent(text, { profile: 'tolerant', onWarning: (warning) => warnings.push(warning) })
console.log(event.stepName, warnings[0].code, warnings[0].path) // plan unknown_field /color

console.log(decodeEvent(text, { profile: 'relay' })) // { type: 'STEP_STARTED', stepName: 'plan', color: 'red' }
// --8<-- [end:profiles]
assert.throws(() => decodeEvent(text, { profile: 'strict' }), { code: 'unknown_field', path: '/color' })
assert.deepEqual(event, { type: 'STEP_STARTED', stepName: 'plan' })
assert.equal(decodeEvent(text, { profile: 'relay' }).color, 'red')

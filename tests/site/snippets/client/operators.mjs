// Snippets of docs/client/: the stream functions of the official client.

import assert from 'node:assert/strict'

const url = process.env.URL ?? ''
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [], tools: [], context: [] })
/** @type {string[]} */
const shown = []
await new Promise((done, report) => {
  /** @param {unknown} event */
  const show = (event) => {
    const { type } = /** @type {{ type: string }} */ (event)
    shown.push(type)
    if (type === 'RUN_FINISHED') done(undefined)
  }
  // --8<-- [start:streams]
  const response = runHttpRequest(() => fetch(url, { method: 'POST', headers, body }))
  /** @type {import('ag-ui-native/operators').Observable<import('ag-ui-native').BaseEvent>} */
  const events = transformHttpEventStream(response)
  events.pipe(enforceEvents(), transformChunks(), verifyEvents()).subscribe({ next: show, error: report })
  // --8<-- [end:streams]
})
assert.equal(shown[0], 'RUN_STARTED')

// --8<-- [start:stream_imports]
import { enforceEvents, runHttpRequest, transformChunks, transformHttpEventStream, verifyEvents } from 'ag-ui-native/operators'
// --8<-- [end:stream_imports]

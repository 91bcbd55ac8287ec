// Requests a run from a server in each transport, and prints everything that AG-UI 1.1 does not allow.
// `URL=http://127.0.0.1:8000/ node verify_server.mjs`

import { AGUI_MEDIA_TYPE } from 'ag-ui-native/encoder'
import { guard } from 'ag-ui-native/server'
import { applyEvents, decodeEvents, expandChunks } from 'ag-ui-native/stream'

const url = process.env.URL ?? 'http://127.0.0.1:8000/'
/** @type {import('ag-ui-native').RunAgentInput} */
const run = { threadId: 't', runId: 'r', state: {}, messages: [{ id: 'u', role: 'user', content: 'Hello?' }], tools: [], context: [] }
const headers = { 'content-type': 'application/json' }
/** @type {string[]} */
const faults = []

for (const accept of ['text/event-stream', AGUI_MEDIA_TYPE]) {
  /** @param {import('ag-ui-native/stream').Warning} warning */
  const onWarning = ({ eventIndex, code, message, rule }) => {
    faults.push(`${accept}: event ${eventIndex}: ${code}: ${message}${rule ? ` (rule ${rule})` : ''}`)
  }
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, accept }, body: JSON.stringify(run) })
  try {
    // --8<-- [start:judge]
    const seen = []
    const events = decodeEvents(answer, { onWarning })
    for await (const event of guard(events, { mode: 'report', input: run, onWarning })) seen.push(event)
    applyEvents(expandChunks(seen), { state: run.state, onWarning })
    // --8<-- [end:judge]
  } catch (error) {
    faults.push(`${accept}: ${error}`)
  }
}
for (const body of ['{', '{}']) {
  const { status } = await fetch(url, { method: 'POST', headers, body })
  if (status < 400 || status > 499) faults.push(`${body} is answered with ${status}`)
}
console.log(faults.join('\n') || 'no faults')
process.exitCode = faults.length ? 1 : 0

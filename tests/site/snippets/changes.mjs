// A snippet of docs/concepts/change-sets.md: what each change of a conversation says.

import assert from 'node:assert/strict'

// --8<-- [start:changes]
import { EventPipeline } from 'ag-ui-native/stream'

const events = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'On my way.' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/steps/-', value: 'look' }] },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
]
const stream = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))

const pipeline = new EventPipeline({ state: { steps: [] } })
for (const change of pipeline.feed(stream)) console.log(change.kind, change.value)
pipeline.close()
console.log(pipeline.messages[0].content, pipeline.state)
// --8<-- [end:changes]
assert.deepEqual([pipeline.messages[0].content, pipeline.state], ['On my way.', { steps: ['look'] }])
const kinds = new EventPipeline({ state: { steps: [] } }).feed(stream).map(({ kind }) => kind)
assert.deepEqual(kinds, ['message_inserted', 'text_appended', 'message_ended', 'state_patched', 'interrupts_set', 'run_finished'])

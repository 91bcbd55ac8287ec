// Says what a client makes of a recorded answer. `node read_stream.mjs answer.txt`

import { open } from 'node:fs/promises'
import { AGUIError } from 'ag-ui-native'
import { EventPipeline } from 'ag-ui-native/stream'

// With profile: 'strict' each warning is an error.
const pipeline = new EventPipeline({ onWarning: ({ eventIndex, message }) => console.log(`! event ${eventIndex}: ${message}`) })
try {
  for await (const line of (await open(process.argv[2] ?? 'answer.txt')).readLines()) {
    for (const change of pipeline.feed(Buffer.from(`${line}\n`))) {
      console.log(change.kind === 'run_failed' ? `run_failed: ${change.value.message}` : change.kind)
    }
  }
  pipeline.close() // throws if the run has not ended
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(`error: ${error.message}`)
}
for (const { role, content } of pipeline.messages) console.log(`${role}: ${content}`)
console.log('state:', pipeline.state)

// Asks an agent to count, and prints what it says. Started again, it reads the same run from its beginning.
// `URL=http://127.0.0.1:8000/ node client.mjs THREAD`

import { EventType } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

// --8<-- [start:read]
const agent = new HttpAgent({
  url: process.env.URL ?? 'http://127.0.0.1:8000/',
  threadId: process.argv[2] ?? 'thread',
  messages: [{ id: 'question', role: 'user', content: 'Count to 20.' }],
})
// The same request again joins the run, wherever it is executed. A connection that is cut is made again.
const events = agent.run({ runId: 'answer' })
for await (const event of events) {
  if (event.type === EventType.TEXT_MESSAGE_CONTENT) process.stdout.write(event.delta)
}
const failed = events.result?.error
console.log(failed ? ` [${failed.code}]` : '')
// --8<-- [end:read]

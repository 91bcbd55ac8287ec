// Opens a thread, and prints what is said there. If the thread has no answer, it asks the agent to count.
// `URL=http://127.0.0.1:8000/ node client.mjs THREAD`

import { EventType } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

// --8<-- [start:read]
const agent = new HttpAgent({ url: process.env.URL ?? 'http://127.0.0.1:8000/', threadId: process.argv[2] ?? 'thread' })

// The messages, and the run that is active, from its beginning: in whatever process it is executed.
let isActive = false
const opened = agent.connect()
for await (const event of opened) {
  isActive = true
  if (event.type === EventType.TEXT_MESSAGE_CONTENT) process.stdout.write(event.delta)
}
let failed = opened.result?.error

const last = agent.messages.at(-1)
if (!isActive && (last === undefined || last.role === 'user')) {
  const answer = agent.askStream('Count to 20.')
  for await (const text of answer) process.stdout.write(text)
  failed = answer.result?.error
} else if (!isActive) {
  process.stdout.write(String(last?.content))
}
console.log(failed ? ` [${failed.code}]` : '')
// --8<-- [end:read]

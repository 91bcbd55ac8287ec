// Shows a tool call while its arguments are written: the client of `weather.mjs`.
// `URL=http://127.0.0.1:8000/ node calls_client.mjs Rome`

import { newMessageId } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'
import { PartialArguments } from 'ag-ui-native/stream'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')
agent.addMessage({ id: newMessageId(), role: 'user', content: process.argv[2] ?? 'Rome' })

/** @type {Map<string, PartialArguments>} */
const forms = new Map()
for await (const event of agent.run()) {
  if (event.type === 'TOOL_CALL_START') {
    forms.set(event.toolCallId, new PartialArguments())
    console.log(event.toolCallName)
  } else if (event.type === 'TOOL_CALL_ARGS') {
    const form = forms.get(event.toolCallId)
    form?.feed(event.delta)
    console.log(form?.value) // an object at any time, however the text is cut
  } else if (event.type === 'TOOL_CALL_RESULT') console.log('->', event.content)
  else if (event.type === 'TEXT_MESSAGE_CONTENT') process.stdout.write(event.delta)
}
console.log()

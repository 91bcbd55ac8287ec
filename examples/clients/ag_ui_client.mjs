// A program on the official client with the native pipeline: only the first import is different.
// `URL=http://127.0.0.1:8000/ node ag_ui_client.mjs`

import { HttpAgent } from 'ag-ui-native/ag-ui-client'

const agent = new HttpAgent({ url: process.env.URL ?? 'http://127.0.0.1:8000/' })
agent.addMessage({ id: 'u', role: 'user', content: 'Hello?' })

const { newMessages } = await agent.runAgent({ runId: 'r' }, {
  onTextMessageContentEvent: ({ event }) => void process.stdout.write(event.delta),
  onRunFinishedEvent: () => console.log(),
})
console.log(JSON.stringify(newMessages))

// Opens a conversation, says something, and lists what there is. `node conversations_client.mjs ID "Hello?"`

import { contentToText } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

const url = process.env.URL ?? 'http://127.0.0.1:8000'
const headers = { 'x-user': process.env.WHO ?? 'ada' }
const [threadId = 'first', text = 'Hello?'] = process.argv.slice(2)

const agent = new HttpAgent(`${url}/agent`, { headers, threadId })
// What was said, from the server, and the events of the run that goes on, if there is one.
for await (const _ of agent.connect());
await agent.ask(text)
for (const message of agent.messages) {
  if (message.role === 'user' || message.role === 'assistant') console.log(`${message.role}: ${contentToText(message.content)}`)
}

const threads = await (await fetch(`${url}/threads`, { headers })).json()
for (const { id, title } of threads) console.log(`- ${title} (${id})`)

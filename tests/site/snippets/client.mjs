// Snippets of docs/client.md: an agent that is asked twice, and the stream functions.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const { URL: url } = process.env
const token = async () => 'secret'

// --8<-- [start:ask]
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(url, { headers: async () => ({ authorization: await token() }) })
console.log((await agent.ask('What is to be done?')).text)
for await (const text of agent.askStream('And then?')) process.stdout.write(text)
// --8<-- [end:ask]
assert.deepEqual(agent.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'])

// --8<-- [start:local]
import { LocalAgent } from 'ag-ui-native/client'

/** @type {import('ag-ui-native/client').AgentSubscriber} */
const typing = { onTextMessageContentEvent: ({ event, textMessageBuffer }) => console.log(textMessageBuffer, '+', event.delta) }

const echo = async (run) => {
  const message = run.textMessage()
  for (const word of ['Good ', 'day']) await message.write(word)
}

const local = new LocalAgent(echo, { server: { timeLimit: 5000 }, subscribers: [typing] })
console.log((await local.ask('Hello!')).text) // after " + Good " and "Good  + day"
// --8<-- [end:local]
assert.deepEqual(local.messages.map(({ content }) => content), ['Hello!', 'Good day'])

const { Observable } = createRequire(new globalThis.URL('../../../node/package.json', import.meta.url))('rxjs')
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [], tools: [], context: [] })
const shown = []
await new Promise((done, report) => {
  const show = (event) => {
    shown.push(event.type)
    if (event.type === 'RUN_FINISHED') done()
  }
  // --8<-- [start:streams]
  const response = runHttpRequest(() => fetch(url, { method: 'POST', headers, body }), Observable)
  transformHttpEventStream(response)
    .pipe(enforceEvents(), transformChunks(), verifyEvents())
    .subscribe({ next: show, error: report })
  // --8<-- [end:streams]
})
assert.equal(shown[0], 'RUN_STARTED')

// --8<-- [start:stream_imports]
import { enforceEvents, runHttpRequest, transformChunks, transformHttpEventStream, verifyEvents } from 'ag-ui-native/operators'
// --8<-- [end:stream_imports]

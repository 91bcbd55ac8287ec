// Snippets of docs/client/: questions, results, and the end of a run before its end.

import assert from 'node:assert/strict'
import { LocalAgent } from 'ag-ui-native/client'

const url = process.env.URL ?? ''

// --8<-- [start:ask]
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(url)
console.log((await agent.ask('What is to be done?')).text)
for await (const text of agent.askStream('And then?')) process.stdout.write(text)
// --8<-- [end:ask]
assert.deepEqual(agent.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'])

// --8<-- [start:parameters]
const reply = await agent.ask('What is to be done?', {
  context: [{ description: "The user's language", value: 'English' }],
  forwardedProps: { model: 'small' },
})
// --8<-- [end:parameters]
// --8<-- [start:result]
reply.throwForOutcome() // RUN_ERROR is a result: this makes an error of it
console.log(reply.text, reply.result.outcome, reply.result.result)
// --8<-- [end:result]
assert.deepEqual([reply.result.outcome, reply.result.result], ['success', { words: 3 }])

// --8<-- [start:branch]
const first = await agent.ask('Name a city.')
const second = await agent.ask('Another one.', { parentRunId: first.responseId })
// --8<-- [end:branch]
assert.equal(second.threadId, first.threadId)

/** @type {import('ag-ui-native/server').AgentFunction} */
const endless = async (run) => {
  const message = run.textMessage()
  for (;;) await message.write('And then? ')
}

await (async (agent) => {
  // --8<-- [start:leave]
  const stream = agent.askStream('Tell me a long story.')
  for await (const text of stream) break // closes the connection
  console.log(stream.result?.outcome) // aborted
  // --8<-- [end:leave]
  assert.equal(stream.result?.outcome, 'aborted')

  // --8<-- [start:abort]
  const asking = agent.ask('Tell me a long story.')
  agent.abortRun() // from a button
  console.log((await asking).result.outcome) // aborted

  const { result } = await agent.ask('Tell me another one.', { signal: AbortSignal.timeout(100) })
  console.log(result.outcome) // aborted
  // --8<-- [end:abort]
  assert.deepEqual([(await asking).result.outcome, result.outcome], ['aborted', 'aborted'])
})(new LocalAgent(endless))

// --8<-- [start:clone]
const twin = agent.clone()
const both = await Promise.all([agent.ask('One?'), twin.ask('Two?')])
// --8<-- [end:clone]
assert.deepEqual(both.map(String), ['Hello from Python.', 'Hello from Python.'])

// Snippets of docs/client/: events and changes, subscribers, middleware.

import assert from 'node:assert/strict'
import { LocalAgent } from 'ag-ui-native/client'

/** @type {import('ag-ui-native/server').AgentFunction} */
const cook = async (run) => {
  run.state.steps = ['cut']
  run.raw({ internal: true })
  const call = run.toolCall('find_recipe', { dish: 'soup' })
  call.result('Boil it.')
  const message = run.textMessage()
  for (const word of ['Good ', 'day']) await message.write(word)
  run.custom('reset', null)
}
const agent = new LocalAgent(cook)

// --8<-- [start:run]
const events = agent.run()
for await (const event of events) {
  if (event.type === 'TEXT_MESSAGE_CONTENT') console.log(event.delta) // type checkers know that it has one
}
console.log(events.result?.outcome)
// --8<-- [end:run]
assert.equal(events.result?.outcome, 'success')

// --8<-- [start:stream]
for await (const change of agent.stream()) {
  if (change.kind === 'text_appended') console.log(change.value)
  if (change.kind === 'state_set' || change.kind === 'state_patched') console.log(agent.state)
}
// --8<-- [end:stream]

/** @type {string[]} */
const shown = []
// --8<-- [start:subscriber]
/** @type {import('ag-ui-native/client').AgentSubscriber} */
const screen = {
  onTextMessageContentEvent({ event, textMessageBuffer }) {
    console.log(textMessageBuffer, '+', event.delta)
  },
  async onToolCallEndEvent({ toolCallName, toolCallArgs }) {
    console.log(toolCallName, toolCallArgs)
  },
}

const subscription = agent.subscribe(screen)
await agent.runAgent()
subscription.unsubscribe()
// --8<-- [end:subscriber]

// --8<-- [start:once]
await agent.runAgent({}, screen)
// --8<-- [end:once]

// --8<-- [start:typed]
/** @typedef {{ steps: string[] }} Kitchen */

/** @type {import('ag-ui-native/client').AgentSubscriber<Kitchen>} */
const kitchen = {
  onStateChanged({ state }) {
    shown.push(...state.steps) // string[]
  },
  onCustomEvent({ event }) {
    if (event.name === 'reset') return { state: { steps: [] }, stopPropagation: true }
  },
}
// --8<-- [end:typed]
/** @type {LocalAgent<Kitchen>} */
const typed = new LocalAgent(cook, { state: { steps: [] }, subscribers: [kitchen] })
await typed.runAgent()
assert.deepEqual([typed.state, shown], [{ steps: [] }, ['cut']])

/** @param {LocalAgent} agent */
const types = async (agent) => {
  /** @type {string[]} */
  const found = []
  for await (const { type } of agent.run()) found.push(type)
  return found
}

assert.ok((await types(agent)).includes('RAW'))
// --8<-- [start:middleware]
agent.use(async function* quiet(input, next) {
  for await (const event of next(input)) if (event.type !== 'RAW') yield event
})
// --8<-- [end:middleware]
assert.ok(!(await types(agent)).includes('RAW'))

// --8<-- [start:input]
agent.use(async function* english(input, next) {
  yield* next({ ...input, forwardedProps: { language: 'en' } })
})
// --8<-- [end:input]

// --8<-- [start:filter]
import { toolCallFilter } from 'ag-ui-native/client'

agent.use(toolCallFilter({ allow: ['find_recipe'] })) // or { deny: [...] }
// --8<-- [end:filter]
assert.ok((await types(agent)).includes('TOOL_CALL_START'))

// Snippets of docs/server/: agents, what they open, how they end, and their tests.

import assert from 'node:assert/strict'

const model = {
  /**
   * @param {readonly unknown[]} messages
   * @param {{ signal: AbortSignal }} _
   */
  async *stream(messages, _) {
    if (messages.length) yield* ['Hel', 'lo!']
  },
}

// --8<-- [start:agent]
import { nodeHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
const agent = async (run) => {
  const message = run.textMessage()
  for await (const delta of model.stream(run.messages, { signal: run.signal })) {
    await message.write(delta) // waits while the client is slow
  }
}

const handler = nodeHandler(agent)
// --8<-- [end:agent]
assert.ok(handler)

// --8<-- [start:open]
/** @type {import('ag-ui-native/server').AgentFunction} */
const cook = async (run) => {
  const step = run.step('plan')
  const thought = run.reasoning()
  await thought.write('Soup takes an hour.')
  thought.end()
  const call = run.toolCall('find_recipe')
  await call.write('{"dish":"soup"}')
  await call.result({ time: 60 })
  step.end()
  await run.subagent('taster').run((taster) => taster.write('More salt.'))
  const activity = run.activity('progress', { percent: 0 })
  await activity.update({ percent: 100 })
}
// --8<-- [end:open]

// --8<-- [start:end]
/** @type {import('ag-ui-native/server').AgentFunction} */
const careful = (run) => {
  if (run.messages.length === 0) run.fail('There is no question.', { code: 'no_question' })
  else if (run.resume.length === 0) run.interrupt({ id: 'ask', reason: 'input', message: 'Which city?' })
  else run.finish({ city: run.resume[0]?.payload }) // or return the result
}
// --8<-- [end:end]

// --8<-- [start:state]
/** @type {import('ag-ui-native/server').AgentFunction<{ steps: string[] }>} */
const planner = async (run) => {
  run.state.steps.push('look')
  await run.write('I looked.') // sends the state, then the text
  run.state.steps.push('leap') // sent at the end of the run
}
// --8<-- [end:state]

const messages = [{ id: 'u', role: /** @type {const} */ ('user'), content: 'Hello?' }]
assert.equal((await runAgent(agent, { messages })).text, 'Hello!')
const cooked = await runAgent(cook, {})
assert.deepEqual([cooked.outcome, cooked.text], ['success', 'More salt.'])
assert.equal((await runAgent(careful, {})).outcome, 'error')
assert.equal((await runAgent(careful, { messages })).outcome, 'interrupt')
assert.deepEqual((await runAgent(planner, { state: { steps: [] } })).state, { steps: ['look', 'leap'] })

await (async (agent) => {
  // --8<-- [start:testing]
  const { events, state, outcome, error } = await runAgent(agent, { messages, state: { steps: [] } })
  assertEvents(events, ['RUN_STARTED', 'TEXT_MESSAGE_START', { type: 'TEXT_MESSAGE_CONTENT', delta: 'Hello' }, 'TEXT_MESSAGE_END', 'RUN_FINISHED'])
  // --8<-- [end:testing]
  assert.deepEqual([state, error], [{ steps: [] }, undefined])
  assert.equal(outcome, 'success')
})(scriptedAgent(['Hello']))

// --8<-- [start:testing_imports]
import { assertEvents, runAgent, scriptedAgent } from 'ag-ui-native/testing'
// --8<-- [end:testing_imports]

// --8<-- [start:scripted]
import { LocalAgent } from 'ag-ui-native/client'

const client = new LocalAgent(scriptedAgent(['Hello', { throw: new Error('no more') }]), { server: { onError: () => undefined } })
assert.equal((await client.ask('Hello?')).result.outcome, 'error')
// --8<-- [end:scripted]

// An agent with its tests, which need no model and no server. `node --test greeting.test.mjs`

import assert from 'node:assert/strict'
import test from 'node:test'
import { runAgent } from 'ag-ui-native/testing'

/**
 * Makes the agent; the application gives it a real model.
 * @param {(prompt: string) => AsyncIterable<string>} model
 * @returns {import('ag-ui-native/server').AgentFunction}
 */
const greeting = (model) => async (run) => {
  const message = run.textMessage()
  for await (const piece of model('Greet the user.')) await message.write(piece)
}

test('a greeting', async () => {
  const run = await runAgent(
    greeting(async function* (prompt) {
      assert.equal(prompt, 'Greet the user.')
      yield* ['Good ', 'day.']
    }),
    'Hi',
  )
  assert.equal(run.outcome, 'success')
  assert.equal(run.text, 'Good day.')
})

test('a model that fails', async () => {
  const run = await runAgent(
    greeting(async function* () {
      yield 'Good '
      throw new Error('the model is down')
    }),
    'Hi',
  )
  assert.deepEqual([run.text, run.outcome], ['Good ', 'error'])
})

// Tests of the agent of `weather.mjs`, without a server: `node --test weather.test.mjs`

// --8<-- [start:whole]
import assert from 'node:assert/strict'
import test from 'node:test'
import { LocalAgent } from 'ag-ui-native/client'
import { assertEvents, runAgent, scriptedAgent } from 'ag-ui-native/testing'
import { agent } from './weather.mjs'

test('the conversation afterwards', async () => {
  const run = await runAgent(agent, 'Rome')
  assert.equal(run.outcome, 'success')
  assert.equal(run.text, 'It is sunny in Rome.')
  assert.deepEqual(run.messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant'])
})
// --8<-- [end:whole]

// --8<-- [start:events]
test('the call', async () => {
  const { events } = await runAgent(agent, 'Rome')
  const calls = events.filter(({ type }) => type.startsWith('TOOL_CALL') && type !== 'TOOL_CALL_ARGS')
  assertEvents(calls, [{ type: 'TOOL_CALL_START', toolCallName: 'get_weather' }, 'TOOL_CALL_END', { type: 'TOOL_CALL_RESULT', content: 'sunny, 24' }])
})
// --8<-- [end:events]

// --8<-- [start:clients]
test('a client without its server', async () => {
  const client = new LocalAgent(scriptedAgent(['Hello!', { throw: new Error('on purpose') }]))
  const result = await client.runAgent()
  assert.deepEqual([result.text, result.outcome], ['Hello!', 'error'])
})
// --8<-- [end:clients]

// Fails at the first event that AG-UI 1.1 does not allow: `URL=http://127.0.0.1:8000/ node strict_client.mjs`

import assert from 'node:assert/strict'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', { profile: 'strict' })
for (const question of ['Hello?', 'And then?']) {
  const { result } = await agent.ask(question)
  assert.equal(result.outcome, 'success', result.error?.message)
}
assert.deepEqual(agent.messages.map(({ role }) => role).slice(0, 2), ['user', 'assistant'])

// Snippets of docs/client/: timeouts, retries, headers and errors.

import assert from 'node:assert/strict'

const url = process.env.URL ?? ''
const newToken = async () => 'secret'

// --8<-- [start:import]
import { HttpAgent } from 'ag-ui-native/client'
// --8<-- [end:import]

{
  // --8<-- [start:timeouts]
  const agent = new HttpAgent(url, {
    timeouts: { idle: 30_000, total: 300_000 },
    retry: { attempts: 3 }, // of requests that have begun no run
    reconnect: { attempts: 8 }, // of runs that a server keeps in a log
  })
  // --8<-- [end:timeouts]
  await agent.ask('Hello?')
}
{
  // --8<-- [start:headers]
  const headers = async () => ({ authorization: `Bearer ${await newToken()}` })
  const agent = new HttpAgent(url, { headers }) // called before each request
  // --8<-- [end:headers]
  await agent.ask('Hello?')
}
{
  // --8<-- [start:client]
  /** @type {import('ag-ui-native/client').Fetch} */
  const send = (url, init) => fetch(url, init) // with undici's `dispatcher`: proxies, certificates, timeouts
  const agent = new HttpAgent(url, { fetch: send })
  // --8<-- [end:client]
  await agent.ask('Hello?')
}

{
  /** @type {(string | null)[]} */
  const sent = []
  /** @type {import('ag-ui-native/client').Fetch} */
  const look = (url, init) => {
    sent.push(new Headers(init.headers).get('x-run'))
    return fetch(url, init)
  }
  const agent = new HttpAgent(url, { fetch: look })
  // --8<-- [start:middleware]
  agent.use(async function* marked(input, next) {
    agent.headers = { 'x-run': input.runId } // this replaces the headers that the agent had
    yield* next(input)
  })
  // --8<-- [end:middleware]
  await agent.runAgent({ runId: 'first' })
  assert.deepEqual(sent, ['first'])
}

// --8<-- [start:errors]
import { AGUIConnectionError, AGUIError } from 'ag-ui-native/client'

const agent = new HttpAgent('http://127.0.0.1:9/') // nothing listens there
try {
  const reply = await agent.ask('Hello?')
  reply.throwForOutcome()
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(error.code, error.path) // connection_failed
  if (error instanceof AGUIConnectionError) console.log(error.status, error.payload)
  console.log(/** @type {import('ag-ui-native/client').RunFailure} */ (error).run?.text) // what came before
}
// --8<-- [end:errors]
assert.equal(agent.messages.length, 0)

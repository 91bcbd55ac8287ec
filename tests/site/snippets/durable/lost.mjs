// Snippet of docs/durable/clients.md: a client reads a run whose process is killed, and starts again.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent } from 'ag-ui-native/client'
import { SQLiteLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

const folder = process.env.RUNS ?? mkdtempSync(join(tmpdir(), 'lost-'))

/** @type {import('ag-ui-native/server').AgentFunction} */
async function count(run) {
  const message = run.textMessage()
  await message.write('0')
  if (process.send) await once(run.signal, 'abort') // the first process is killed here
  await message.write(' 1')
}
const handler = nodeHandler(count, { log: new SQLiteLog(join(folder, 'runs.db')), authorize: 'public', lease: 2000 })
const server = createServer(handler).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`

if (process.send) process.send(url)
else {
  const other = fork(new URL(import.meta.url), { env: { ...process.env, RUNS: folder } })
  const [otherUrl] = await once(other, 'message')
  const starter = new HttpAgent({ url: otherUrl, threadId: 'thread-1', messages: [{ id: 'm1', role: 'user', content: 'Count.' }] })
  const begun = starter.run()
  for (let type = ''; type !== 'TEXT_MESSAGE_CONTENT'; ) type = (await begun.next()).value?.type ?? ''
  await begun.detach()

  const agent = new HttpAgent({ url, threadId: 'thread-1' })
  const types = []
  let events = agent.connect()
  for await (const event of events) {
    types.push(event.type)
    if (event.type === 'TEXT_MESSAGE_CONTENT') other.kill('SIGKILL')
  }
  const { result } = events
  assert.deepEqual(types, ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'RUN_ERROR'])
  assert.deepEqual(agent.messages.map(({ role }) => role), ['user', 'assistant'])
  assert.equal(result?.outcome, 'error')
  assert.equal(result.error?.message, 'the process that ran the agent is lost')

  // --8<-- [start:again]
  if (result.error?.code === 'producer_lost') {
    events = agent.connect() // the messages as they were when the lost run began
    for await (const _ of events); // only another client's new run has events here
    await agent.runAgent() // the same question, in a new run
  }
  // --8<-- [end:again]
  assert.equal(events.result?.outcome, 'success')
  assert.deepEqual(agent.messages.map(({ content }) => content), ['Count.', '0 1'])
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
}

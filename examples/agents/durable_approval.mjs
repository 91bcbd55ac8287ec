// A tool that needs approval, with a log: the thread keeps the question, and the answer may reach any process.
// `PORT=8000 node durable_approval.mjs`

import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { MemoryLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

// --8<-- [start:app]
/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  if (run.resume.length === 0) {
    const call = run.toolCall('delete_files', { folder: '/tmp' })
    run.interrupt({ id: call.id, reason: 'tool_call', message: 'Delete?', toolCallId: call.id })
  }
  // To the questions that wait in this thread, and to no others.
  for (const { interruptId, status, payload } of run.resume) {
    const isApproved = status === 'resolved' && isDeepStrictEqual(payload, { approved: true })
    await run.toolResult(interruptId, isApproved ? 'deleted' : 'refused')
    await run.write(isApproved ? 'They are gone.' : 'They stay.')
  }
}

// With RedisLog or SQLiteLog the next request may reach another process.
const handler = nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' })
// --8<-- [end:app]

createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// A tool that needs the user's approval: the run ends with an interrupt, and the next run of the conversation brings the answer. A
// run without the answer is refused with 422. `PORT=8000 node approval.mjs`

import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { nodeHandler } from 'ag-ui-native/server'

/** The pending interrupt of each conversation. @type {Map<string, import('ag-ui-native').Interrupt>} */
const pending = new Map()

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const asked = pending.get(run.threadId)
  if (asked === undefined) {
    const call = run.toolCall('delete_files', { folder: '/tmp' })
    const interrupt = { id: call.id, reason: 'tool_call', message: 'Delete?', toolCallId: call.id }
    pending.set(run.threadId, interrupt)
    run.interrupt(interrupt)
    return
  }
  pending.delete(run.threadId)
  const answer = run.answer(asked.id)
  const isApproved = answer?.status === 'resolved' && isDeepStrictEqual(answer.payload, { approved: true })
  await run.toolResult(asked.id, isApproved ? 'deleted' : 'refused')
  await run.write(isApproved ? 'They are gone.' : 'They stay.')
}

const handler = nodeHandler(agent, {
  pendingInterrupts: ({ threadId }) => [pending.get(threadId)].filter((interrupt) => interrupt !== undefined),
})
createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// Snippets of docs/client/: functions that the agent may call, and questions to a person.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { LocalAgent } from 'ag-ui-native/client'

/** @type {typeof import('zod')} */
const { z } = createRequire(new URL('../../../../node/package.json', import.meta.url))('zod')
/** @type {Record<string, string>} */
const notes = { shopping: 'Milk.' }

/** @type {import('ag-ui-native/server').AgentFunction} */
const reader = (run) => {
  const last = run.messages.at(-1)
  if (last?.role === 'tool') run.write(`It says: ${last.content}`)
  else run.toolCall(run.input.tools[0]?.name ?? '', { name: 'shopping' })
}

{
  const agent = new LocalAgent(reader)
  // --8<-- [start:tool]
  agent.tool({
    name: 'read_note',
    description: "Reads one of the user's notes.",
    parameters: z.object({ name: z.string().describe('without its ending') }),
    execute: ({ name }) => notes[name],
  })
  console.log(String(await agent.ask('What is in my notes?')))
  // --8<-- [end:tool]
  assert.equal(agent.messages.at(-1)?.content, 'It says: Milk.')
}
{
  const agent = new LocalAgent(reader)
  // --8<-- [start:schema]
  agent.tool({
    name: 'find_note',
    description: 'Finds a note.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    execute: async (args, { toolCall, signal }) => ({ text: notes[args.name], call: toolCall.id.length > 0 && !signal.aborted }),
  })
  // --8<-- [end:schema]
  assert.equal((await agent.ask('What is in my notes?')).text, 'It says: {"text":"Milk.","call":true}')
}

{
  const agent = new LocalAgent(reader)
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  // --8<-- [start:declared]
  const declared = { name: 'find_note', description: 'Finds a note.', parameters: schema }
  const reply = await agent.ask('What is in my notes?', { tools: [declared] })
  for (const toolCallId of reply.result.pendingToolCallIds) {
    agent.addMessage({ id: `answer to ${toolCallId}`, role: 'tool', toolCallId, content: 'Milk.' })
  }
  await agent.runAgent()
  // --8<-- [end:declared]
  assert.equal(agent.messages.at(-1)?.content, 'It says: Milk.')
}

/** @type {unknown[]} */
const answered = []
/** @type {import('ag-ui-native/server').AgentFunction} */
const cleaner = (run) => {
  if (run.resume.length === 0) return run.interrupt({ id: 'delete', reason: 'tool_call', message: 'Delete the old files?' })
  answered.push(run.resume[0]?.payload)
  run.write('Done.')
}

const agent = new LocalAgent(cleaner)
// --8<-- [start:interrupt]
import { approve, reject } from 'ag-ui-native/client'

let { result } = await agent.ask('Clean up.')
while (result.outcome === 'interrupt') {
  const answers = Object.fromEntries(result.interrupts.map(({ id, reason }) => [id, reason === 'tool_call' ? approve() : reject()]))
  result = await agent.runAgent({ resume: agent.buildResume(answers) })
}
console.log(result.text)
// --8<-- [end:interrupt]
assert.deepEqual([result.text, answered], ['Done.', [{ approved: true }]])

// Snippets of docs/client/: messages, state and files of a conversation.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent, LocalAgent } from 'ag-ui-native/client'

const url = process.env.URL ?? ''

{
  // --8<-- [start:conversation]
  const agent = new HttpAgent(url, {
    threadId: 'thread-1',
    messages: [{ id: 'm1', role: 'user', content: 'My name is Ann.' }],
    state: { steps: [] },
  })
  agent.addMessage({ id: 'm2', role: 'user', content: 'What is my name?' })
  const result = await agent.runAgent()
  console.log(agent.messages.at(-1), agent.state)
  // --8<-- [end:conversation]
  assert.deepEqual([result.outcome, agent.messages.length, agent.state], ['success', 3, { steps: [] }])
}

const folder = await mkdtemp(join(tmpdir(), 'snippet-'))
const picture = join(folder, 'photo.png')
await writeFile(picture, Buffer.from([0x89, 0x50, 0x4e, 0x47]))
/** @type {string[]} */
const seen = []

/** @type {import('ag-ui-native/server').AgentFunction} */
const looking = (run) => {
  // --8<-- [start:receive]
  const question = run.messages.at(-1)
  if (question?.role !== 'user') throw new TypeError('a question is expected')
  for (const part of contentParts(question.content)) {
    if (part.type !== 'image' || part.source.type !== 'data') continue
    const image = Buffer.from(part.source.value, 'base64')
    seen.push(`${contentToText(question.content)} ${part.source.mimeType} ${image.length}`)
  }
  // --8<-- [end:receive]
  run.write('A cat.')
}
const agent = new LocalAgent(looking)

// --8<-- [start:receive_imports]
import { contentParts, contentToText } from 'ag-ui-native'
// --8<-- [end:receive_imports]

// --8<-- [start:send]
import { readFile } from 'node:fs/promises'

const image = await readFile(picture, 'base64')
const reply = await agent.ask([
  { type: 'text', text: 'What is in this picture?' },
  { type: 'image', source: { type: 'data', value: image, mimeType: 'image/png' } },
])
// --8<-- [end:send]
assert.deepEqual([reply.text, seen], ['A cat.', ['What is in this picture? image/png 4']])
await rm(folder, { recursive: true })

// --8<-- [start:url]
await agent.ask([{ type: 'document', source: { type: 'url', value: 'https://example.org/report.pdf' } }])
await agent.ask([{ type: 'document', source: { type: 'file', value: 'file-123', provider: 'openai' } }])
// --8<-- [end:url]
assert.equal(agent.messages.length, 6)

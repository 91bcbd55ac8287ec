// The AI SDK of Vercel for agents: what a model streams becomes a run, and a conversation becomes the SDK's messages.

import { contentParts, contentToText } from 'ag-ui-native'

/** Writes what the SDK streams. @param {import('ag-ui-native/server').Run} run @param {AsyncIterable<import('ai').TextStreamPart<any>>} parts */
export async function writeParts(run, parts) {
  /** The messages, thoughts and calls that are open. @type {Map<string, any>} */
  const open = new Map()
  let parentMessageId = '' // the calls of one answer belong to one message
  for await (const part of parts) {
    if (part.type === 'start-step') parentMessageId = crypto.randomUUID()
    else if (part.type === 'text-start') open.set(part.id, run.textMessage())
    else if (part.type === 'reasoning-start') open.set(part.id, run.reasoning())
    else if (part.type === 'tool-input-start') open.set(part.id, run.toolCall(part.toolName, undefined, { id: part.id, parentMessageId }))
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') await open.get(part.id).write(part.text)
    else if (part.type === 'tool-input-delta') await open.get(part.id).write(part.delta)
    else if (part.type === 'text-end' || part.type === 'reasoning-end' || part.type === 'tool-input-end') open.get(part.id).end()
    else if (part.type === 'tool-result') await open.get(part.toolCallId).result(part.output)
    else if (part.type === 'tool-error') await open.get(part.toolCallId).result({ error: String(part.error) })
    else if (part.type === 'finish') run.usage({ inputTokens: part.totalUsage.inputTokens ?? 0, outputTokens: part.totalUsage.outputTokens ?? 0 })
    else if (part.type === 'error') throw part.error
  }
}

/** @param {readonly import('ag-ui-native').Message[]} messages @returns {import('ai').ModelMessage[]} */
export function modelMessages(messages) {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])))
  /** The names of the tools, by call. @type {Map<string, string>} */
  const names = new Map()
  return messages.flatMap((message) => {
    if (message.role === 'user') return { role: 'user', content: contentParts(message.content).map(part) }
    if (message.role === 'assistant') {
      const calls = (message.toolCalls ?? []).filter(({ id }) => answered.has(id)) // providers refuse those without an answer
      for (const { id, function: { name } } of calls) names.set(id, name)
      return { role: 'assistant', content: [{ type: 'text', text: contentToText(message.content) }, ...calls.map(callPart)] }
    }
    const toolName = message.role === 'tool' && names.get(message.toolCallId)
    if (message.role !== 'tool' || !toolName) return []
    const output = { type: /** @type {const} */ ('text'), value: contentToText(message.content) }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.toolCallId, toolName, output }] }
  })
}

/** @param {import('ag-ui-native').ToolCall} call @returns {import('ai').ToolCallPart} */
const callPart = ({ id, function: { name, arguments: text } }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.parse(text || '{}') })

/** @param {import('ag-ui-native').ContentPart} part @returns {import('ai').TextPart | import('ai').FilePart} */
function part(part) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { source } = part
  const data = source.type === 'url' ? new URL(source.value) : source.value
  return { type: 'file', data, mediaType: source.mimeType ?? (part.type === 'image' ? 'image/*' : 'application/octet-stream') }
}

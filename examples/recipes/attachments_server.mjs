// An agent that reads images and files. `PORT=8000 node attachments_server.mjs`

import { createServer } from 'node:http'
import { contentParts } from 'ag-ui-native'
import { nodeHandler } from 'ag-ui-native/server'

const kinds = ['image/png', 'image/jpeg', 'application/pdf']

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const asked = run.messages.at(-1)
  for (const part of contentParts(asked?.role === 'user' ? asked.content : [])) {
    if (part.type === 'text') continue
    const { source } = part
    if (source.type !== 'data') {
      await run.write(`[${part.type} at ${source.value}]`) // the model's provider can fetch it
    } else if (kinds.includes(source.mimeType)) {
      const content = Buffer.from(source.value, 'base64') // give these bytes to the model
      await run.write(`[${part.type}: ${source.mimeType}, ${content.length} bytes]`)
    } else {
      return run.fail(`Send one of ${kinds.join(', ')}.`, { code: 'unknown_kind' })
    }
  }
}

const limits = { inputBytes: 8 << 20 } // bytes of a request: base64 takes a third more than a file
createServer(nodeHandler(agent, { limits })).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

// Sends a picture to a server that knows only text: `URL=http://127.0.0.1:8000/ node older_server_client.mjs`

import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', { peer: '0.0.39' })
const { text, result } = await agent.ask([
  { type: 'text', text: 'What is this?' },
  { type: 'image', source: { type: 'url', value: 'https://example.org/sea.png' } },
])
console.log(text)
for (const { code, path } of result.warnings) console.log(`${code} at ${path}`)

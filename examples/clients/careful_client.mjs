// A client with retries, timeouts and an abort, which prints how the run has ended.
// `URL=http://127.0.0.1:8000/ node careful_client.mjs "Hello?"`

import { AGUIError } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', {
  retry: { attempts: 3 },
  timeouts: { idle: 30_000, total: Number(process.env.SECONDS ?? 300) * 1000 },
})
process.once('SIGINT', () => agent.abortRun())

// --8<-- [start:subscriber]
agent.subscribe({
  onToolCallEndEvent: ({ toolCallName, toolCallArgs }) => console.log(`[${toolCallName} is called with ${JSON.stringify(toolCallArgs)}]`),
})
// --8<-- [end:subscriber]

try {
  const { result } = await agent.ask(process.argv[2] ?? 'Hello?')
  const { outcome, text, interrupts, error } = result
  if (outcome === 'success') console.log(text)
  else if (outcome === 'interrupt') console.log(`[the agent asks: ${interrupts[0]?.message}]`)
  else if (outcome === 'error') console.log(`[the agent failed: ${error?.message}]`)
  else console.log(`[${outcome}] ${text}`)
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(`[${error.code}: ${error.message}]`) // no end of the run came; error.run is what did
  process.exitCode = 1
}

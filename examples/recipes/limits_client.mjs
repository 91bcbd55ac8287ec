// A client that waits when it is told to. `node limits_client.mjs "Hello?"`

import { AGUIConnectionError } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', {
  headers: { 'x-user': process.env.WHO ?? 'ada' },
  retry: { attempts: 5 }, // waits as long as `Retry-After` says, before each further attempt
  timeouts: { total: Number(process.env.SECONDS ?? 30) * 1000 }, // but not longer than this altogether
})
try {
  console.log((await agent.ask(process.argv[2] ?? 'Hello?')).text)
} catch (error) {
  if (!(error instanceof AGUIConnectionError)) throw error
  console.log(`Please try again later. [${error.code} ${error.status ?? ''}]`)
}

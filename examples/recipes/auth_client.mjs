// A client that gets a new token when the old one ends. `node auth_client.mjs "Hello?"`

import { AGUIError } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'

const login = { token: '', ends: 0 }

/** Is called before every request, also when a run that was cut is read on. */
async function headers() {
  if (Date.now() >= login.ends) {
    login.token = process.env.TOKEN ?? 'secret' // in real life: ask your identity provider
    login.ends = Date.now() + 300_000
  }
  return { authorization: `Bearer ${login.token}` }
}

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', { headers })
try {
  console.log((await agent.ask(process.argv[2] ?? 'Hello?')).text)
} catch (error) {
  if (!(error instanceof AGUIError)) throw error
  console.log(`[${error.message}]`)
}

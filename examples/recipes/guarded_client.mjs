// Asks a server that breaks rules of event streams. `URL=http://127.0.0.1:8000/ node guarded_client.mjs`

import { HttpAgent } from 'ag-ui-native/client'
import { guard } from 'ag-ui-native/server'

/** @param {import('ag-ui-native/stream').Warning} warning */
const onWarning = ({ eventIndex, code, message }) => console.log(`! event ${eventIndex}: ${code}: ${message}`)

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')
agent.use((input, next) => guard(next(input), { input, onWarning }))

const reply = await agent.ask('Hello?')
console.log(reply.result.outcome, reply.text)

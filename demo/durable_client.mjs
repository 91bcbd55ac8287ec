// A Node client of runs that survive: it reads on by itself when its connection is cut. `node durable_client.mjs URL` The last line
// has what was read as JSON, for run.py.

import { validate } from 'ag-ui-native'
import { HttpAgent } from 'ag-ui-native/client'
import { EventEncoder } from 'ag-ui-native/encoder'

import { describe } from './describe.mjs'

const agent = new HttpAgent(process.argv[2])
const encoder = new EventEncoder()
let text = ''
for await (const event of agent.run()) {
  validate(event)
  process.stdout.write(describe(event))
  text += encoder.encode(event)
}
console.log()
console.log(JSON.stringify({ thread: agent.threadId, text }))

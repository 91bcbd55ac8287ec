// Asks a person before the agent continues: the client of `approval.mjs`. `URL=http://127.0.0.1:8000/ node approval_client.mjs`

import { createInterface } from 'node:readline'
import { approve, HttpAgent, reject } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/')
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

let { result } = await agent.ask('Clean up, please.')
while (result.outcome === 'interrupt') {
  /** @type {Record<string, unknown>} */
  const answers = {}
  for (const { id, message, reason } of result.interrupts) {
    console.log(`${message ?? reason} [y/n]`)
    answers[id] = (await lines.next()).value === 'y' ? approve() : reject()
  }
  result = await agent.runAgent({ resume: agent.buildResume(answers) })
}
console.log(result.text)
process.exit()

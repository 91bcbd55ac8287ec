// Verifies streams with the official client: one list of events per line in, one line per stream that it refuses out.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(new URL('../../node/package.json', import.meta.url))
const { verifyEvents } = require('@ag-ui/client')
const { EventSchema } = require('@ag-ui/core/schemas')
const { from, lastValueFrom } = require('rxjs')

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const events = JSON.parse(line).map((event) => EventSchema.parse(event))
    await lastValueFrom(from(events).pipe(verifyEvents(false)))
  } catch (error) {
    console.log(`${error.message}: ${line}`)
  }
}

// An agent with limits for each user and for the whole process. `PORT=8000 node limits_server.mjs`

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

const perMinute = 20 // requests of one user
const all = Number(process.env.ALL ?? 200) // runs of all users at one time
/** @type {Map<string, number[]>} */
const started = new Map()
let active = 0

/** @type {import('ag-ui-native/server').AgentFunction} */
const agent = async (run) => {
  await sleep(Number(process.env.WORK ?? 1) * 1000)
  await run.write('Done.')
}

/** In real life: see "Authenticate". @param {import('node:http').IncomingMessage} request */
const userOf = (request) => String(request.headers['x-user'] ?? 'guest')

// Two runs of a user at one time, and four connections that read them.
const handler = nodeHandler(agent, { log: new MemoryLog(), authorize: userOf, maxActiveRuns: 2, maxReaders: 4 })

/** Counts a request; if it comes too early, returns when the user may ask again. @param {string} user */
function secondsToWait(user) {
  const now = performance.now() / 1000
  const times = (started.get(user) ?? []).filter((at) => at > now - 60)
  started.set(user, times)
  if (active >= all) return 2
  if (times.length >= perMinute) return (times[0] ?? now) + 60 - now
  times.push(now)
  return 0
}

const server = createServer((request, response) => {
  const query = new URLSearchParams((request.url ?? '').replace(/^[^?]*/, ''))
  const starts = request.method === 'POST' && !query.has('cancel')
  const seconds = starts ? secondsToWait(userOf(request)) : 0
  if (seconds > 0) return response.writeHead(429, { 'retry-after': String(Math.ceil(seconds)) }).end('too many runs')
  if (starts) {
    active += 1
    response.once('close', () => (active -= 1))
  }
  handler(request, response)
})
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

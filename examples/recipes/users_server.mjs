// Who is it, and how much: bearer tokens, then limits for each user. `PORT=8000 node users_server.mjs`

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

/** In real life: check the signature and the age of a token. */
const users = new Map([['Bearer secret', 'ada'], ['Bearer hidden', 'bob']])
const perMinute = 20 // requests of one user that start runs
/** @type {Map<string, number[]>} */
const started = new Map()
const log = new MemoryLog()

/** @param {string} user */
function handlerFor(user) {
  /** @type {import('ag-ui-native/server').AgentFunction} */
  const agent = async (run) => {
    await sleep(Number(process.env.WORK ?? 1) * 1000)
    await run.write(`Hello, ${user}.`)
  }
  const authorize = () => user // owns the run, and is the one whose runs are counted
  return nodeHandler(agent, { log, authorize, maxActiveRuns: 2, maxReaders: 4 })
}

/** Counts a request; if it comes too early, returns when the user may ask again. @param {string} user */
function secondsToWait(user) {
  const now = performance.now() / 1000
  const times = (started.get(user) ?? []).filter((at) => at > now - 60)
  started.set(user, times)
  if (times.length >= perMinute) return (times[0] ?? now) + 60 - now
  times.push(now)
  return 0
}

const server = createServer((request, response) => {
  const user = users.get(request.headers.authorization ?? '')
  // 1. Who is it?
  if (user === undefined) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('who are you?')
  const query = new URLSearchParams((request.url ?? '').replace(/^[^?]*/, ''))
  const starts = request.method === 'POST' && !query.has('cancel')
  const seconds = starts ? secondsToWait(user) : 0
  // 2. How many in a minute?
  if (seconds > 0) return response.writeHead(429, { 'retry-after': String(Math.ceil(seconds)) }).end('too many runs')
  // 3. How many at one time?
  handlerFor(user)(request, response)
})
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

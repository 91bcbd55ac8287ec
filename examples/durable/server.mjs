// One of several web processes that share a log: the file RUNS, or the Redis at REDIS_URL. `PORT=8000 node server.mjs`

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { RedisLog, SQLiteLog } from 'ag-ui-native/durable'
import { nodeHandler } from 'ag-ui-native/server'

/**
 * Says which process it is, and counts.
 * @type {import('ag-ui-native/server').AgentFunction}
 */
async function agent(run) {
  const message = run.textMessage()
  await message.write(`[process ${process.pid}]`)
  for (let number = 1; number <= 20; number += 1) {
    await sleep(200, undefined, { signal: run.signal })
    await message.write(` ${number}`)
  }
}

// --8<-- [start:app]
const url = process.env.REDIS_URL
const log = url ? new RedisLog(url) : new SQLiteLog(process.env.RUNS ?? 'runs.db')

const handler = nodeHandler(agent, {
  log,
  authorize: 'public', // in real life a function that knows the user
  lease: 2000, // milliseconds after which the runs of a process that has died end
})
// --8<-- [end:app]

createServer(handler).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')

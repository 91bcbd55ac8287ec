import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { SQLiteLog } from 'ag-ui-native/durable' // New: instead of MemoryLog
import { nodeHandler } from 'ag-ui-native/server'

const recipes = new Map([
  ['pancakes', ['flour', 'milk', 'eggs']],
  ['salad', ['tomatoes', 'oil']],
])

const lookInPantry = () => ['flour', 'milk', 'oil']

/** @param {string[]} items */
const order = (items) => `ordered: ${items.join(', ')}`

/** @typedef {{ shopping: string[] }} Kitchen */

/** @type {import('ag-ui-native/server').AgentFunction<Kitchen>} */
async function agent(run) {
  const shopping = (run.state.shopping ??= [])

  const [answer] = run.resume
  if (answer) {
    if (isDeepStrictEqual(answer.payload, { approved: true })) {
      await run.toolResult(answer.interruptId, order(shopping))
      shopping.length = 0
      await run.write('It comes at six.')
    } else {
      await run.toolResult(answer.interruptId, 'the user said no')
      await run.write('Then I order nothing.')
    }
    return
  }

  const dish = String(run.messages.at(-1)?.content)
  const needed = recipes.get(dish) ?? ['a recipe']

  const call = run.toolCall('look_in_pantry', {})
  const pantry = lookInPantry()
  await call.result(pantry)
  const missing = needed.filter((item) => !pantry.includes(item))

  for (const item of missing) {
    if (!shopping.includes(item)) shopping.push(item)
  }

  const message = run.textMessage()
  for (const word of `For ${dish} you need ${missing.join(', ')}.`.split(' ')) {
    await sleep(3000) // New: time for you to leave and come back
    await message.write(`${word} `)
  }
  message.end()

  const { id } = run.toolCall('order', { items: shopping })
  run.interrupt({ id, reason: 'tool_call', message: 'Order it?', toolCallId: id })
}

// New: the log is a file, and outlives the server.
const handler = nodeHandler(agent, { log: new SQLiteLog('kitchen.db'), authorize: 'public' })
createServer(handler).listen(8000, '127.0.0.1')

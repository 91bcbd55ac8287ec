import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util' // New
import { MemoryLog } from 'ag-ui-native/durable' // New
import { nodeHandler } from 'ag-ui-native/server'

const recipes = new Map([
  ['pancakes', ['flour', 'milk', 'eggs']],
  ['salad', ['tomatoes', 'oil']],
])

const lookInPantry = () => ['flour', 'milk', 'oil']

// New: a tool that spends money, so a person has to agree.
/** @param {string[]} items */
const order = (items) => `ordered: ${items.join(', ')}`

/** @typedef {{ shopping: string[] }} Kitchen */

/** @type {import('ag-ui-native/server').AgentFunction<Kitchen>} */
async function agent(run) {
  const shopping = (run.state.shopping ??= [])

  // New: this run brings the answer to the question that ended the run before.
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
    await sleep(300) // about as slow as a model
    await message.write(`${word} `)
  }
  message.end()

  // New: the agent says that it calls the tool. A question ends the run, and nothing is ordered yet.
  const { id } = run.toolCall('order', { items: shopping })
  run.interrupt({ id, reason: 'tool_call', message: 'Order it?', toolCallId: id })
}

// New: the log keeps the question until it is answered.
// 'public' lets everybody answer, which is fine on your own machine.
const handler = nodeHandler(agent, { log: new MemoryLog(), authorize: 'public' })
createServer(handler).listen(8000, '127.0.0.1')

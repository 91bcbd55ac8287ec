import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeHandler } from 'ag-ui-native/server'

const recipes = new Map([
  ['pancakes', ['flour', 'milk', 'eggs']],
  ['salad', ['tomatoes', 'oil']],
])

const lookInPantry = () => ['flour', 'milk', 'oil']

// New: what agent and client share.
/** @typedef {{ shopping: string[] }} Kitchen */

/** @type {import('ag-ui-native/server').AgentFunction<Kitchen>} */
async function agent(run) {
  const shopping = (run.state.shopping ??= []) // New: the list that the client has sent

  const dish = String(run.messages.at(-1)?.content)
  const needed = recipes.get(dish) ?? ['a recipe']

  const call = run.toolCall('look_in_pantry', {})
  const pantry = lookInPantry()
  await call.result(pantry)
  const missing = needed.filter((item) => !pantry.includes(item))

  // New: change the state like any other list.
  for (const item of missing) {
    if (!shopping.includes(item)) shopping.push(item)
  }

  const message = run.textMessage()
  for (const word of `For ${dish} you need ${missing.join(', ')}.`.split(' ')) {
    await sleep(300) // about as slow as a model
    await message.write(`${word} `)
  }
  message.end()
}

createServer(nodeHandler(agent)).listen(8000, '127.0.0.1')

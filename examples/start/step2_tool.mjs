import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeHandler } from 'ag-ui-native/server'

const recipes = new Map([
  ['pancakes', ['flour', 'milk', 'eggs']],
  ['salad', ['tomatoes', 'oil']],
])

// New: a tool is a function of yours.
const lookInPantry = () => ['flour', 'milk', 'oil']

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const dish = String(run.messages.at(-1)?.content)
  const needed = recipes.get(dish) ?? ['a recipe']

  // New: the agent says that it calls the tool, calls it, and says what came back.
  const call = run.toolCall('look_in_pantry', {})
  const pantry = lookInPantry()
  await call.result(pantry)
  const missing = needed.filter((item) => !pantry.includes(item))

  const message = run.textMessage()
  for (const word of `For ${dish} you need ${missing.join(', ')}.`.split(' ')) { // New: only what is missing
    await sleep(300) // about as slow as a model
    await message.write(`${word} `)
  }
  message.end()
}

createServer(nodeHandler(agent)).listen(8000, '127.0.0.1')

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeHandler } from 'ag-ui-native/server'

const recipes = new Map([
  ['pancakes', ['flour', 'milk', 'eggs']],
  ['salad', ['tomatoes', 'oil']],
])

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const dish = String(run.messages.at(-1)?.content)
  const needed = recipes.get(dish) ?? ['a recipe']

  const message = run.textMessage()
  for (const word of `For ${dish} you need ${needed.join(', ')}.`.split(' ')) {
    await sleep(300) // about as slow as a model
    await message.write(`${word} `)
  }
  message.end()
}

createServer(nodeHandler(agent)).listen(8000, '127.0.0.1')

// A view that follows the agent's state.
// `URL=http://127.0.0.1:8000/ node state_client.mjs`

import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent(process.env.URL ?? 'http://127.0.0.1:8000/', { state: { title: 'A swim in the sea', steps: [] } })

/** Shows the state whenever it has changed. */
agent.subscribe({ onStateChanged: ({ state }) => console.log(`${state.title}: ${state.steps.length} steps`) })

const { text } = await agent.runAgent()
console.log(text)

import { HttpAgent } from '@ag-ui/client'

const agent = new HttpAgent({ url: 'http://127.0.0.1:8000/' })
const form = document.forms[0]
const screen = document.body.appendChild(document.createElement('pre'))

/** @type {import('@ag-ui/client').AgentSubscriber} */
const shown = {
  onTextMessageContentEvent: ({ event }) => screen.append(event.delta),
  onTextMessageEndEvent: () => screen.append('\n'),
  onRunErrorEvent: ({ event }) => screen.append(`[the agent failed: ${event.message}]\n`),
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const dish = String(new FormData(form).get('dish'))
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: dish })
  try {
    await agent.runAgent({}, shown)
    while (agent.pendingInterrupts.length > 0) {
      const [{ id, message }] = agent.pendingInterrupts // this agent asks one question at a time
      const payload = { approved: confirm(message) }
      await agent.runAgent({ resume: [{ interruptId: id, status: 'resolved', payload }] }, shown)
    }
    screen.append(`Shopping list: ${agent.state.shopping.join(', ')}\n`)
  } catch (error) {
    screen.append(`[${error}]\n`)
  }
})

import { createInterface } from 'node:readline/promises'
import { approve, HttpAgent, reject } from 'ag-ui-native/client'

const agent = new HttpAgent({ url: 'http://127.0.0.1:8000/', threadId: 'kitchen' }) // New: a name
const terminal = createInterface({ input: process.stdin, output: process.stdout })
terminal.on('SIGINT', () => process.exit()) // Ctrl-C

async function decide() {
  while (agent.pendingInterrupts.length > 0) {
    const [question] = agent.pendingInterrupts
    const agrees = (await terminal.question(`${question.message} [y/n] `)) === 'y'
    const resume = agent.buildResume({ [question.id]: agrees ? approve() : reject() })
    console.log((await agent.runAgent({ resume })).text)
  }
}

// New: gets the conversation from the server, and reads on where a run still goes on.
for await (const event of agent.connect()) {
  if (event.type === 'TEXT_MESSAGE_CONTENT') process.stdout.write(event.delta)
}
await decide()

for (;;) {
  const dish = await terminal.question('What shall we cook? ')
  if (dish === '') break
  for await (const text of agent.askStream(dish)) process.stdout.write(text)
  console.log()
  await decide()
  console.log('Shopping list:', agent.state.shopping.join(', '))
}
terminal.close()

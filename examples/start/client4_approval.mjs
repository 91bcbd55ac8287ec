import { createInterface } from 'node:readline/promises'
import { approve, HttpAgent, reject } from 'ag-ui-native/client' // New: approve, reject

const agent = new HttpAgent('http://127.0.0.1:8000/')
const terminal = createInterface({ input: process.stdin, output: process.stdout })
terminal.on('SIGINT', () => process.exit()) // Ctrl-C

// New: asks the person, until the agent has no more questions.
async function decide() {
  while (agent.pendingInterrupts.length > 0) {
    const [question] = agent.pendingInterrupts
    const agrees = (await terminal.question(`${question.message} [y/n] `)) === 'y'
    const resume = agent.buildResume({ [question.id]: agrees ? approve() : reject() })
    console.log((await agent.runAgent({ resume })).text)
  }
}

for (;;) {
  const dish = await terminal.question('What shall we cook? ')
  if (dish === '') break
  for await (const text of agent.askStream(dish)) process.stdout.write(text)
  console.log()
  await decide() // New
  console.log('Shopping list:', agent.state.shopping.join(', '))
}
terminal.close()

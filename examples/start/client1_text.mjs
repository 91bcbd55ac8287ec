import { createInterface } from 'node:readline/promises'
import { HttpAgent } from 'ag-ui-native/client'

const agent = new HttpAgent('http://127.0.0.1:8000/')
const terminal = createInterface({ input: process.stdin, output: process.stdout })
terminal.on('SIGINT', () => process.exit()) // Ctrl-C

for (;;) {
  const dish = await terminal.question('What shall we cook? ')
  if (dish === '') break
  for await (const text of agent.askStream(dish)) process.stdout.write(text)
  console.log()
}
terminal.close()

// Work of the Node face that must grow with its input and no faster. `works.mjs SIZE...` does all of it, once for each size; without a
// size it prints what there is.
import { createRequire } from 'node:module'
import { loadavg as mark } from 'node:os'

const require = createRequire(new URL('../../node/package.json', import.meta.url))
const { Agent } = require('ag-ui-native/client')

const run = { threadId: 't', runId: 'r' }
const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
const [started, start, content, end, finished] = [
  { type: 'RUN_STARTED', ...run },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'some text' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', ...run },
].map(frame)

/**
 * An agent that answers with so many pieces of text, behind as many messages: no event may cost more for them. Who reads the list of messages
 * is handed a new one after each event: its pointers are copied.
 */
function agent(size, options, answer = [started, start, ...Array(size).fill(content), end, finished]) {
  const messages = Array.from({ length: size }, (_, at) => ({ id: `h${at}`, role: 'user', content: 'Hi' }))
  return new Agent(() => answer, { messages, ...options })
}

const hears = {
  onEvent: ({ event }) => void event.type,
  onTextMessageContentEvent: ({ textMessageBuffer }) => void textMessageBuffer.length,
  onMessagesChanged() {},
}

const works = {
  'a run to its end': (size) => agent(size).runAgent(),
  'a run in one piece': (size) => agent(size, {}, [Buffer.concat([started, start, ...Array(size).fill(content), end, finished])]).runAgent(),
  async 'events of an agent with a history'(size) {
    for await (const _ of agent(size).run());
  },
  async 'messages read after every event'(size) {
    const one = agent(size)
    for await (const _ of one.stream()) void one.messages.at(-1)
  },
  async 'changes of an agent with a history'(size) {
    for await (const _ of agent(size).stream());
  },
  'a subscriber of an agent with a history': (size) => agent(size, { subscribers: [hears] }).runAgent(),
  'middleware around an agent with a history': (size) => agent(size, { middleware: [(input, next) => next(input)] }).runAgent(),
  async 'what an agent with a history says'(size) {
    for await (const _ of agent(size).askStream('Hi'));
  },
}

const sizes = process.argv.slice(2).map(Number)
if (sizes.length === 0) console.log(Object.keys(works).join('\n'))
else {
  // What is made once is made.
  for (const work of Object.values(works)) await work(10)
  for (const work of Object.values(works)) {
    for (const size of sizes) {
      // What the work before has left is no cost of this one.
      globalThis.gc?.()
      mark()
      await work(size)
      mark()
    }
  }
}

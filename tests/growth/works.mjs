// Work of the Node package that must not grow faster than its input. `works.mjs SIZE...` does all of it, once for each size;
// without a size it prints the names of the works.
import { createRequire } from 'node:module'
import { loadavg as mark } from 'node:os'

const require = createRequire(new URL('../../node/package.json', import.meta.url))
const { Agent } = require('ag-ui-native/client')
const { runAgent } = require('ag-ui-native/testing')

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
 * An agent that answers with this number of pieces of text, after the same number of messages: no event may cost more because of
 * them. A program that reads the list of messages gets a new one after each event, whose pointers are copied.
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

/** A run on a state of `items` items. It awaits `tokens` tokens, and calls `act` before each. */
function served(items, tokens, act) {
  const state = { items: Array.from({ length: items }, (_, at) => at) }
  const agent = async (run) => {
    const message = run.textMessage()
    for (let at = 0; at < tokens; at++) {
      act(run)
      await message.write('token')
    }
    message.end()
  }
  return runAgent(agent, { ...run, messages: [], tools: [], context: [], state })
}

const look = (run) => void run.state
const append = (run) => run.state.items.push(1)

/** Of more values than `stateValues`, and so not compared at every await: as many tokens as there are more values take no more each. */
const LARGE = 12

/** A run on a state of `items` items. The agent itself sends `deltas` deltas of it. */
function relayed(items, deltas, act) {
  const state = { items: Array.from({ length: items }, (_, at) => at) }
  const agent = async (run) => {
    act(run)
    for (let value = 0; value < deltas; value++) await run.event({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/items/-', value }] })
  }
  return runAgent(agent, { ...run, messages: [], tools: [], context: [], state })
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
  async 'messages added while an agent with a history runs'(size) {
    const one = agent(size, { subscribers: [{ onNewMessage() {}, onMessagesChanged() {} }] })
    let count = 0
    for await (const { type } of one.run()) if (type === 'TEXT_MESSAGE_CONTENT') one.addMessage({ id: `a${count++}`, role: 'user', content: 'Hi' })
  },
  'middleware around an agent with a history': (size) => agent(size, { middleware: [(input, next) => next(input)] }).runAgent(),
  async 'what an agent with a history says'(size) {
    for await (const _ of agent(size).askStream('Hi'));
  },
  'tokens beside a state that is not accessed': (size) => served(LARGE * size, size, () => {}),
  'tokens beside a small state': (size) => served(size, 20, look),
  'tokens beside a large state': (size) => served(LARGE * size, size, look),
  'awaited appends to a small list': (size) => served(size, 20, append),
  'awaited appends to a large list': (size) => served(LARGE * size, size, append),
  'relayed deltas of a large state': (size) => relayed(LARGE * size, size, look),
  'relayed deltas of a state that is not accessed': (size) => relayed(LARGE * size, size, () => {}),
}

const sizes = process.argv.slice(2).map(Number)
if (sizes.length === 0) console.log(Object.keys(works).join('\n'))
else {
  // The first calls make the objects that are made only once.
  for (const work of Object.values(works)) await work(10)
  for (const work of Object.values(works)) {
    for (const size of sizes) {
      // The garbage of the work before does not count for this one.
      globalThis.gc?.()
      mark()
      await work(size)
      mark()
    }
  }
}

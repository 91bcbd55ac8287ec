// A client in JavaScript: requests each conversation of a server, and prints one JSON line for each: the result of the run, and
// that of the next run if it had interrupts, which are answered with an approval.
//
//   node ask.mjs (official | underneath | ours | ours-protobuf) URL NAME...
//
// At an address of ws or wss our client uses WebSockets: with the package ws, and for protobuf with the global class if there is
// one.
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../../node/package.json', import.meta.url))
const [who, url, ...names] = process.argv.slice(2)
const payload = { approved: true }

/** A conversation of its own. */
const thread = (name) => ({ url, threadId: `${name} ${process.pid}` })
const messages = (name) => [{ id: 'u', role: 'user', content: name }]

function official(HttpAgent, name) {
  const { buildResumeArray } = require('@ag-ui/client')
  const agent = new HttpAgent({ ...thread(name), initialMessages: messages(name), initialState: {} })
  return talk(agent, { status: 'resolved', payload }, async (answers) => {
    let outcome, error
    const resume = answers && buildResumeArray(agent.pendingInterrupts, answers)
    const { result } = await agent.runAgent({ resume }, {
      onRunFinishedEvent: (end) => void (outcome = end.outcome),
      onRunErrorEvent: ({ event }) => void ([outcome, error] = ['error', { message: event.message, code: event.code }]),
    })
    return { outcome, result, error }
  })
}

function ours(name, protobuf) {
  const { HttpAgent, WebSocketAgent } = require('ag-ui-native/client')
  const options = { ...thread(name), messages: messages(name), state: {}, protobuf }
  const WebSocket = (protobuf && globalThis.WebSocket) || require('ws')
  const agent = url.startsWith('ws') ? new WebSocketAgent({ ...options, WebSocket }) : new HttpAgent(options)
  return talk(agent, payload, async (answers) => {
    const { outcome, result, error } = await agent.runAgent({ resume: answers && agent.buildResume(answers) })
    return { outcome, result, error }
  })
}

async function talk(agent, answer, run) {
  const seen = (end) => ({ ...end, messages: agent.messages, state: agent.state, interrupts: agent.pendingInterrupts })
  const first = seen(await run())
  if (!first.interrupts.length) return [first]
  return [first, seen(await run(Object.fromEntries(first.interrupts.map(({ id }) => [id, answer]))))]
}

const ask = {
  official: (name) => official(require('@ag-ui/client').HttpAgent, name),
  underneath: (name) => official(require('ag-ui-native/ag-ui-client').HttpAgent, name),
  ours: (name) => ours(name, false),
  'ours-protobuf': (name) => ours(name, true),
}

for (const name of names) console.log(JSON.stringify(await ask[who](name)))

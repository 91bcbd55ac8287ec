// The HttpAgent of @ag-ui/client at a server with a log: `node official.mjs (official | underneath) URL` prints what it has seen, as
// JSON: of two runs, of a run that is aborted and of one after it, and of a thread that is opened.
import { once } from 'node:events'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../../node/package.json', import.meta.url))
const [who, url] = process.argv.slice(2)
const { HttpAgent } = require(who === 'official' ? '@ag-ui/client' : 'ag-ui-native/ag-ui-client')

const user = (id, content) => ({ id, role: 'user', content })
const thread = async (threadId) => (await fetch(`${url}?thread=${threadId}`)).json()
const told = ({ messages }) => messages.map(({ role, content }) => [role, content])

/** Reads a thread until none of its runs is active. */
async function ended(threadId) {
  for (;;) {
    const read = await thread(threadId)
    if (!read.activeRunId) return read
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function twice() {
  const agent = new HttpAgent({ url, threadId: 'twice', initialMessages: [user('u1', 'text')] })
  const results = [await agent.runAgent({ runId: 'first' })]
  agent.addMessage(user('u2', 'again'))
  results.push(await agent.runAgent({ runId: 'second' }))
  const { messages, lastRunId } = await thread('twice')
  return { results: results.map(({ result }) => result), isKept: JSON.stringify(messages) === JSON.stringify(agent.messages), lastRunId }
}

/** Aborts a run in the middle. It is not resumable, so the server cancels it after its grace time. */
async function aborted() {
  const agent = new HttpAgent({ url, threadId: 'aborted', initialMessages: [user('u1', 'wait')] })
  let parts = 0
  await agent.runAgent({ runId: 'stopped' }, { onTextMessageContentEvent: () => void (++parts === 2 && agent.abortRun()) }).catch(() => undefined)
  const { lastRunId } = await ended('aborted')
  const events = (await (await fetch(`${url}?thread=aborted&run=stopped&after=`)).text()).split('\n').filter((line) => line.startsWith('data: '))
  const end = JSON.parse(events.at(-1).slice(6))
  agent.setMessages([user('u2', 'text')])
  const { result } = await agent.runAgent({ runId: 'next' })
  return { parts, lastRunId, end: end.outcome ?? end, shown: told(agent), result }
}

/** Opens a thread that another agent has left, and one whose run goes on: that one is left again. */
async function connected() {
  const agent = new HttpAgent({ url, threadId: 'twice' })
  const { result, newMessages } = await agent.connectAgent()
  const other = new HttpAgent({ url, threadId: 'active', initialMessages: [user('u1', 'wait')] })
  const seen = []
  const running = other.runAgent({ runId: 'active' }, { onTextMessageContentEvent: ({ event }) => void seen.push(event.delta) }).catch(() => undefined)
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  const second = new HttpAgent({ url, threadId: 'active' })
  const parts = []
  let isOver = false
  const opened = second.connectAgent({}, { onTextMessageContentEvent: ({ event }) => void parts.push(event.delta) }).finally(() => (isOver = true))
  // The official agent ends at once; ours reads until it is detached.
  while (!isOver && parts.join('') !== 'one two') await new Promise((resolve) => setTimeout(resolve, 5))
  const { activeRunId } = await thread('active')
  await second.detachActiveRun()
  await opened
  other.abortRun()
  await running
  await ended('active')
  return { result, newMessages: newMessages.map(({ id }) => id), isRunning: agent.isRunning, parts: parts.join(''), activeRunId }
}

console.log(JSON.stringify({ twice: await twice(), aborted: await aborted(), connected: await connected() }))

// A conversation for a page: a store that React's `useSyncExternalStore`, Svelte and others read. It runs in browsers.

import { HttpAgent } from '@ag-ui/client'

/** @typedef {{ messages: import('@ag-ui/client').Message[], isRunning: boolean, problem: string }} Chat */

/** @param {ConstructorParameters<typeof HttpAgent>[0]} options The address of the agent, headers, the id of the thread. */
export function chatStore(options) {
  const agent = new HttpAgent(options)
  /** @type {Set<() => void>} */
  const listeners = new Set()
  /** @type {Chat} */
  let chat = { messages: agent.messages, isRunning: false, problem: '' }

  /** Makes a new object: React compares it with the old one. @param {Partial<Chat>} part */
  const change = (part) => {
    chat = { ...chat, ...part }
    for (const listener of listeners) listener()
  }

  return {
    /** @param {() => void} listener */
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getSnapshot: () => chat,
    /** Asks, and shows the answer as it arrives. @param {string} content */
    async send(content) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
      change({ messages: [...agent.messages], isRunning: true, problem: '' })
      try {
        await agent.runAgent({}, {
          onMessagesChanged: ({ messages }) => change({ messages: [...messages] }),
          onRunErrorEvent: ({ event }) => change({ problem: event.message }), // the agent has failed
        })
      } catch (error) {
        change({ problem: String(error) }) // the connection, or the server
      } finally {
        change({ isRunning: false })
      }
    },
    stop: () => agent.abortRun(),
  }
}

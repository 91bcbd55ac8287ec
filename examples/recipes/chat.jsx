// A chat in React. `createRoot(document.getElementById('root')).render(<Chat chat={chatStore({ url: 'http://127.0.0.1:8000/' })} />)`

import { useSyncExternalStore } from 'react'

/** @param {{ chat: ReturnType<typeof import('./chat_store.mjs').chatStore> }} props */
export function Chat({ chat }) {
  const { messages, isRunning, problem } = useSyncExternalStore(chat.subscribe, chat.getSnapshot, chat.getSnapshot)
  /** @param {import('react').FormEvent<HTMLFormElement>} event */
  const send = (event) => {
    event.preventDefault()
    void chat.send(String(new FormData(event.currentTarget).get('text')))
    event.currentTarget.reset()
  }
  return (
    <main>
      {messages.map(({ id, role, content }) =>
        role === 'user' || role === 'assistant' ? <p key={id} className={role}>{String(content ?? '')}</p> : null,
      )}
      {problem && <p role="alert">{problem}</p>}
      <form onSubmit={send}>
        <input name="text" required disabled={isRunning} />
        {isRunning ? <button type="button" onClick={chat.stop}>Stop</button> : <button>Send</button>}
      </form>
    </main>
  )
}

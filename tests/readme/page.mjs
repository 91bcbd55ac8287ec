// The page of docs/guides/browsers.md with the official client, in as much of a browser as it needs: `node page.mjs MAIN DISH YES`
// prints what it shows when the form is sent, and the person answers each question by YES.

const [main, dish, agrees] = process.argv.slice(2)
const shown = []
const asked = []
const screen = { append: (text) => shown.push(text) }
const listeners = {}
globalThis.document = {
  forms: [{ addEventListener: (type, listener) => (listeners[type] = listener) }],
  createElement: () => screen,
  body: { appendChild: (element) => element },
}
globalThis.FormData = class {
  get(name) {
    return name === 'dish' ? dish : null
  }
}
globalThis.confirm = (question) => (asked.push(question), agrees === 'yes')

await import(main)
await listeners.submit({ preventDefault() {} })
console.log(JSON.stringify({ asked, shown: shown.join('') }))

// Prints the titles of the tests of files as JSON: `titles.mjs FILE...`. No test runs.
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

const module = (source) => `data:text/javascript,${encodeURIComponent(source)}`
const said = module(`
  const test = (title, options) => { if (!options?.skip && !options?.todo) globalThis.titles.push(title) }
  export default Object.assign(test, { skip() {}, todo() {} })
`)
register(module(`
  export const resolve = (name, context, next) => name === 'node:test' ? { url: ${JSON.stringify(said)}, shortCircuit: true } : next(name, context)
`))

const titles = {}
for (const file of process.argv.slice(2)) {
  globalThis.titles = titles[file] = []
  await import(pathToFileURL(file))
}
process.stdout.write(JSON.stringify(titles), () => process.exit())

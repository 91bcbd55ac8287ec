// Every public name of the package has an example in its documentation, and the examples are type-checked and run.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

import { documentation, programOf, typeErrors } from '../../reference/node_examples.mjs'

const root = new URL('../../../', import.meta.url)
const { names, methods } = documentation()
const examples = [...names, ...methods].flatMap(([name, codes]) => codes.map((code) => ({ name, code })))
// The package is found by its name from a folder within the project.
const folder = new URL('.build/examples/', root)

test('every name has an example', () => {
  assert.ok(names.size > 500)
  const missing = [...names].filter(([, codes]) => codes.length === 0)
  assert.deepEqual(missing.map(([name]) => name), [])
})

test('every method is in an example', () => {
  const shown = examples.map(({ code }) => code).join('\n')
  const missing = [...methods.keys()].filter((name) => !new RegExp(`\\.${name.split('.').at(-1)}\\b`).test(shown))
  assert.deepEqual(missing, [])
})

test('the examples have no type errors', () => {
  const modules = examples.map(({ code }, at) => [fileURLToPath(new URL(`${at}.mts`, folder)), `${code}\nexport {};\n`])
  assert.deepEqual(typeErrors(new Map(modules)), [])
})

test('an expected value that is another is told', () => {
  const program = programOf("const list = [1];\nlist; // => [2]\nfor (const each of list) {\n  each; // => 1\n}\n")
  assert.match(program, /assertEqual\(list, \[2\]\)/)
  assert.match(program, /assertEqual\(each, 1\)/)
  const wrong = new Map([[fileURLToPath(new URL('wrong.mts', folder)), "import { diff } from 'ag-ui-native/patch';\ndiff(1);\nexport {};\n"]])
  assert.match(typeErrors(wrong)[0], /Expected 2 arguments/)
})

test('the examples run', { timeout: 300_000 }, async (t) => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [at, { name, code }] of examples.entries()) {
    await t.test(name, async () => {
      const file = new URL(`${at}.mjs`, folder)
      writeFileSync(file, programOf(code))
      await import(file)
    })
  }
})

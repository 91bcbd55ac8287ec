// The Node column of docs/names.md names things that exist.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'node:test'

const require = createRequire(import.meta.url)
const root = new URL('../../../', import.meta.url)

const cells = readFileSync(new URL('docs/names.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|')[4].trim())
  .filter((cell) => cell !== '–')

function declaredTypes() {
  const folder = new URL('node/lib/', root)
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.cts'))
  const text = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  const names = /export (?:interface|type|class) (\w+)|^  \w+ as (\w+),$/gm
  return new Set([...text.matchAll(names)].map((match) => match[1] ?? match[2]))
}

test('every name of the table exists', () => {
  const types = declaredTypes()
  assert.ok(cells.length > 70)
  for (const cell of new Set(cells)) {
    const [, isType, name, subpath] = /^(type )?`(\w+)`(?: of `\/(\w+)`)?$/.exec(cell)
    if (isType) {
      assert.ok(types.has(name), `type ${name}`)
    } else {
      const path = new URL(`node/dist/${subpath ?? 'index'}.cjs`, root)
      assert.ok(name in require(path.pathname), cell)
    }
  }
})

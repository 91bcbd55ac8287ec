// Prints the exports of each entrance of the Node package, types too, as the TypeScript compiler sees them: JSON, by entrance.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const root = new URL('../../', import.meta.url)
const ts = createRequire(new URL('.build/typedoc/package.json', root))('typescript')
const { exports } = JSON.parse(readFileSync(new URL('node/package.json', root), 'utf8'))
const files = Object.entries(exports).flatMap(([entrance, { require: to }]) => (to ? [[entrance, new URL(`node/${to.types}`, root).pathname]] : []))
const program = ts.createProgram(
  files.map(([, file]) => file),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true, noEmit: true },
)
const checker = program.getTypeChecker()
const found = files.map(([entrance, file]) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  return [entrance, checker.getExportsOfModule(module).map(({ name }) => name)]
})
console.log(JSON.stringify(Object.fromEntries(found)))

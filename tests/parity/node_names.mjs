// Prints the public names of the package for Node as its declarations have them: by entrance, export and member.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const node = join(dirname(fileURLToPath(import.meta.url)), '../../node');
const ts = createRequire(join(node, 'package.json'))('typescript-5');
const entrances = { '': 'index', client: 'client', operators: 'operators', encoder: 'encoder', patch: 'patch', proto: 'proto', server: 'server', stream: 'stream', compat: 'compat', testing: 'testing', durable: 'durable', 'adapters/openai': 'adapters/openai', 'adapters/anthropic': 'adapters/anthropic' };
const fileOf = (name) => join(node, 'dist', `${name}.d.cts`);
const program = ts.createProgram(Object.values(entrances).map(fileOf), { module: ts.ModuleKind.NodeNext, skipLibCheck: true, lib: ['lib.es2022.d.ts'] });
const checker = program.getTypeChecker();

// Names that the language gives to every object of a kind, and names that programs cannot use, do not count.
const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
const isHidden = (one) => ts.getCombinedModifierFlags(one) & hidden || ts.getJSDocTags(one).some((tag) => tag.tagName.text === 'internal');
const isOurs = (symbol) =>
  !/^(__|#)/.test(symbol.name) && !symbol.declarations?.every(isHidden) && symbol.declarations?.some((one) => one.getSourceFile().fileName.startsWith(join(node, 'dist')));

function membersOf(symbol) {
  const type = symbol.flags & ts.SymbolFlags.Type ? checker.getDeclaredTypeOfSymbol(symbol) : undefined;
  if (!type || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) return [];
  const parts = type.isUnion() ? type.types.filter((part) => part.flags & ts.TypeFlags.Object) : [type];
  const own = parts.flatMap((part) => checker.getPropertiesOfType(part)).filter(isOurs).map((member) => member.name);
  const fixed = symbol.flags & ts.SymbolFlags.Class ? [...(symbol.exports?.values() ?? [])].filter((member) => member.name !== 'prototype').map((member) => member.name) : [];
  const words = type.isUnion() ? type.types.filter((part) => part.isStringLiteral()).map((part) => part.value) : [];
  return [...new Set([...own, ...fixed, ...words])].sort();
}

const found = {};
for (const [entrance, file] of Object.entries(entrances)) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(file)));
  found[entrance] = {};
  for (const named of checker.getExportsOfModule(module)) {
    const symbol = named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    found[entrance][named.name] = membersOf(symbol);
  }
}
console.log(JSON.stringify(found));

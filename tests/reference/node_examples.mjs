// The public names of the package for Node, and the examples of their documentation, as its declarations have them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const node = join(dirname(fileURLToPath(import.meta.url)), '../../node');
export const ts = createRequire(join(node, 'package.json'))('typescript-5');
const entrances = Object.keys(JSON.parse(readFileSync(join(node, 'package.json'), 'utf8')).exports).filter((each) => each !== './package.json');
const fileOf = (entrance) => join(node, 'dist', `${entrance === '.' ? 'index' : entrance.slice(2)}.d.cts`);

// The classes and interfaces that programs call: each of their methods is in an example. Others are given to programs, or implemented by
// them: their own example shows that.
const CALLED = [
  './adapters/openai ModelCall',
  './client Agent AgentHandle HttpAgent LocalAgent WebSocketAgent Reply RunStream TextStream RunResult',
  './durable MemoryLog RedisLog SQLiteLog',
  './encoder EventEncoder',
  './proto ProtobufEncoder',
  './server Run Scope Subagent TextMessage Reasoning ToolCall Step Activity Coalescer StateTracker',
  './stream ChunkExpander EventDecoder EventPipeline EventVerifier PartialArguments Reducer',
];
// What an engine of logs implements: programs give the engine to a server, which calls it.
const IMPLEMENTED = new Set(['execute', 'watch']);

/** Returns the code of the examples in a documentation. */
function examplesOf(declarations) {
  const tags = declarations.flatMap((each) => ts.getJSDocTags(each)).filter((tag) => tag.tagName.text === 'example');
  const texts = tags.map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? '');
  return [...new Set(texts)].flatMap((text) => [...text.matchAll(/```ts\n(.*?)```/gs)].map((found) => found[1]));
}

/** Returns the declarations that document a name: those of a constant, or of the class or the function that it is. */
function documented(checker, symbol) {
  const own = symbol.declarations ?? [];
  const type = symbol.flags & ts.SymbolFlags.Variable ? checker.getTypeOfSymbol(symbol).symbol : undefined;
  const isOther = type !== undefined && type.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function);
  return isOther ? [...own, ...(type.declarations ?? [])] : own;
}

function methodsOf(checker, symbol) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isOurs = (one) => one.getSourceFile().fileName.startsWith(join(node, 'dist'));
  const isPublic = (one) => isOurs(one) && !(ts.getCombinedModifierFlags(one) & hidden) && !ts.getJSDocTags(one).some((tag) => tag.tagName.text === 'internal');
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  const isMethod = (each) => each.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor) && /^[a-z]/.test(each.name);
  return members.filter((each) => isMethod(each) && each.declarations.some(isPublic) && !IMPLEMENTED.has(each.name));
}

/** Returns the examples of each public name, and of each method of the classes that programs call. */
export function documentation() {
  const program = ts.createProgram(entrances.map(fileOf), { module: ts.ModuleKind.NodeNext, skipLibCheck: true, lib: ['lib.es2022.d.ts'] });
  const checker = program.getTypeChecker();
  const [names, methods] = [new Map(), new Map()];
  const seen = new Set();
  for (const entrance of entrances) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(entrance)));
    const called = new Set(CALLED.filter((line) => line.startsWith(`${entrance} `)).flatMap((line) => line.split(' ').slice(1)));
    for (const named of checker.getExportsOfModule(module)) {
      const symbol = named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
      if (called.delete(named.name)) {
        for (const each of methodsOf(checker, symbol)) methods.set(`${entrance} ${named.name}.${each.name}`, examplesOf(each.declarations));
      }
      if (seen.has(symbol)) continue;
      seen.add(symbol);
      names.set(`${entrance} ${named.name}`, examplesOf(documented(checker, symbol)));
    }
    if (called.size > 0) throw new Error(`${entrance} exports no ${[...called]}`);
  }
  return { names, methods };
}

const options = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  typeRoots: [join(node, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Type-checks modules by their files' names, which are below the project's root. Returns what is wrong. */
export function typeErrors(modules) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...more) => (modules.has(name) ? ts.createSourceFile(name, modules.get(name), ts.ScriptTarget.ES2023, true) : getSourceFile(name, ...more));
  host.fileExists = (name) => modules.has(name) || fileExists(name);
  host.readFile = (name) => modules.get(name) ?? readFile(name);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...modules.keys()], options, host));
  return found.map((each) => `${each.file?.fileName}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n')}`);
}

/** Returns an example as a program: `value; // => expected` asserts that they are equal. */
export function programOf(code) {
  const file = ts.createSourceFile('example.mts', code, ts.ScriptTarget.ES2023, true);
  let [made, at] = ["import { deepEqual as assertEqual } from 'node:assert/strict';\n", 0];
  const visit = (statement) => {
    const comment = ts.getTrailingCommentRanges(code, statement.end)?.map(({ pos, end }) => code.slice(pos, end));
    const expected = /^\/\/ => (.*)$/.exec(comment?.[0] ?? '')?.[1];
    if (expected !== undefined && ts.isExpressionStatement(statement)) {
      made += `${code.slice(at, statement.getStart())}assertEqual(${statement.expression.getText()}, ${expected});`;
      at = statement.end;
    } else ts.forEachChild(statement, visit);
  };
  ts.forEachChild(file, visit);
  return ts.transpileModule(made + code.slice(at), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } }).outputText;
}

// Joins the package's modules into few files. A file costs more to find and to load than most of them cost to run:
// `ag-ui-native/client` consists of a hundred, and is loaded in half the time from six.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { neededAtLoad, requiringLater } from './later.mjs';

const ts = createRequire(import.meta.url)('typescript-5');
const lib = join(dirname(fileURLToPath(import.meta.url)), 'lib');
const source = (importer, name) => join(importer, '..', name.replace(/\.cjs$/, '.cts'));
const module = (name) => join(lib, `${name}.cts`);

/** The members of the manifest that the package's code reads. */
const about = JSON.stringify({ version: JSON.parse(readFileSync(join(lib, '..', 'package.json'), 'utf8')).version });

const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, isolatedModules: true, removeComments: true };

/**
 * The files of the package: each has these modules and the modules that they need at load time, unless an earlier file has them.
 * Modules that their functions need later are in further files, one for each of these.
 */
const files = {
  base: ['native/native', 'native/addon_targets', 'options/kinds', 'options/option_reader', 'compat', 'encoder', 'index', 'patch'],
  engine: ['native/engine', 'proto'],
  stream: ['stream', 'errors/failure', 'runtime/timers'],
  server: ['server'],
  durable: ['durable', 'durable/log_server'],
  client: ['client'],
  operators: ['operators', 'official/drop_in'],
  schemas: ['schemas', 'schema/shape'],
  adapters: ['adapters/openai', 'adapters/anthropic'],
  testing: ['testing'],
};

/** Reads TypeScript. A module that a function requires at its first use gets a file of its own, unless it is an entrance. */
const typescript = (entrances) => ({
  name: 'typescript',
  resolveId: (name, importer) => (name.startsWith('.') ? source(importer, name) : null),
  transform(text, file) {
    const { outputText } = ts.transpileModule(text, { fileName: file.replace(/\.cts$/, '.ts'), compilerOptions });
    const code = outputText.replace(/^export const (\w+) = (\w+)\.\1;$/gm, (_, name, other) => {
      // A constant for what another module has: left as it is, that would be there twice, under two names.
      return `export { ${name} } from ${RegExp(`^import \\* as ${other} from ('.+');$`, 'm').exec(outputText)[1]};`;
    });
    // All code stands in one folder, so the package's own folder is one step up.
    const required = code.replace(/(?<=require\(')\.[^']+\.cjs(?='\))/g, (name) => {
      const fileName = relative(lib, source(file, name)).replaceAll('\\', '/').replace(/\.cts$/, '.cjs');
      if (!entrances.includes(fileName.replace(/\.cjs$/, ''))) this.emitFile({ type: 'chunk', id: source(file, name), fileName });
      return `./${fileName}`;
    });
    return { code: required.replace("require('../../package.json')", about).replace("__dirname, '../..'", "__dirname, '..'"), map: null };
  },
});

/**
 * The file of an entrance only names the files of its exports. For `import`, Node parses the whole text of a CommonJS file to find
 * its names, which takes longer than loading the modules that it requires.
 */
const names = {
  name: 'names',
  resolveId: (name) => (name.startsWith('entrance:') ? name : null),
  load: (name) => (name.startsWith('entrance:') ? `export * from ${JSON.stringify(module(name.slice('entrance:'.length)))};` : null),
};

/** Says in which of the files a module stands. */
function placed() {
  const places = new Map();
  const place = (file, id, imports, seen = new Set()) => {
    if (seen.has(id)) return;
    seen.add(id);
    if (!places.has(id)) places.set(id, file);
    for (const imported of imports(id)) place(file, imported, imports, seen);
  };
  return (asked, { getModuleInfo }) => {
    const imports = (id) => getModuleInfo(id)?.importedIds ?? [];
    const importsAtLoad = (id) => {
      const needed = neededAtLoad(getModuleInfo(id).ast).map((name) => source(id, name));
      return imports(id).filter((imported) => needed.includes(imported));
    };
    if (places.size === 0) {
      const each = (visit) => Object.entries(files).forEach(([file, modules]) => modules.forEach((name) => visit(file, module(name))));
      each((file, id) => place(`shared-${file}`, id, importsAtLoad));
      each((file, id) => place(`later-${file}`, id, imports));
    }
    return places.get(asked);
  };
}

/** Has a file load others by the first use of something in them, if it does not need them to be loaded itself. The first is there always. */
const later = {
  name: 'later',
  renderChunk(code, { name }) {
    if (!/^(shared|later)-/.test(name)) return null;
    return { code: requiringLater(code, this.parse(code), (path) => path !== './shared-base.cjs'), map: null };
  },
};

/** Replaces the modules in `folder` by one file for each entrance, with its name in lib/. The files of types stay. */
export async function bundle(entrances, folder) {
  const warnings = [];
  const joined = await rollup({
    input: Object.fromEntries(entrances.map((name) => [name, `entrance:${name}`])),
    external: (name) => !name.startsWith('.') && !name.startsWith('entrance:') && !isAbsolute(name),
    plugins: [names, typescript(entrances), later],
    // Two files that need each other are no circle if one waits.
    onwarn: ({ code, message }) => code !== 'CIRCULAR_CHUNK' && warnings.push(message),
  });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  for (const name of readdirSync(folder, { recursive: true })) if (name.endsWith('.cjs')) rmSync(join(folder, name));
  await joined.write({
    dir: folder,
    format: 'cjs',
    esModule: true,
    hoistTransitiveImports: false,
    manualChunks: placed(),
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
  });
  await joined.close();
}

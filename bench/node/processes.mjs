// Load times of the package as it is installed, in separate processes.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { median, shuffle } from './measure.mjs';

const node = fileURLToPath(new URL('../../node/', import.meta.url));

const operations = {
  'load the package': {
    ours: ['ag-ui-native', 'ag-ui-native/schemas', 'ag-ui-native/encoder', 'ag-ui-native/stream'],
    official: ['@ag-ui/core', '@ag-ui/core/schemas', '@ag-ui/encoder'],
    // The lower bound for a package with four entry points and an addon.
    'four empty entrances and the addon': ['bare', 'bare/b', 'bare/c', 'bare/d'],
  },
  'load the client': { ours: ['ag-ui-native/client'], official: ['@ag-ui/client'] },
};

/** The ways in which a program loads a module. */
const ways = {
  '': { options: ['-e'], get: (name) => `require('${name}');` },
  ', by import': { options: ['--input-type=module', '-e'], get: (name) => `await import('${name}');` },
};

/**
 * Makes a folder with this package and the official packages as npm installs them, and a package with four entry points that only
 * loads the addon.
 */
function installed() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'ag-ui-native-')));
  const packed = join(path, 'packed');
  execFileSync(process.execPath, [join(node, 'pack.mjs'), packed], { stdio: ['ignore', 'ignore', 'inherit'] });
  const modules = join(path, 'node_modules');
  let addon;
  for (const tarball of readdirSync(packed)) {
    const isMain = /^ag-ui-native-\d/.test(tarball);
    const into = join(modules, isMain ? 'ag-ui-native' : tarball.replace(/-\d.*$/, ''));
    mkdirSync(into, { recursive: true });
    execFileSync('tar', ['-xzf', join(packed, tarball), '-C', into, '--strip-components=1']);
    if (!isMain) addon = into;
  }
  symlinkSync(join(node, 'node_modules', '@ag-ui'), join(modules, '@ag-ui'));
  mkdirSync(join(modules, 'bare'));
  const texts = { '.': `require(${JSON.stringify(addon)});`, './b': '', './c': '', './d': '' };
  const exports = Object.fromEntries(Object.keys(texts).map((name) => [name, `./entrance${name.slice(1)}.cjs`]));
  mkdirSync(join(modules, 'bare', 'entrance'));
  writeFileSync(join(modules, 'bare', 'package.json'), JSON.stringify({ name: 'bare', exports }));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(modules, 'bare', exports[name]), text);
  return path;
}

/** Measures the CPU time of loading, over all threads, in the process itself. */
export function loadTimes(rounds, choice) {
  const path = installed();
  try {
    const rows = Object.entries(ways).flatMap(([way, { options, get }]) =>
      Object.entries(operations).map(([operation, competitors]) => {
        const entries = choice.of(Object.keys(competitors)).map((who) => ({ who, options, code: competitors[who].map(get).join(''), times: [] }));
        return { operation: operation + way, entries };
      }),
    );
    const turns = rows.flatMap(({ entries }) => entries);
    for (let round = 0; round < rounds; round++) {
      shuffle(turns);
      for (const { options, code, times } of turns) times.push(cpuMs(path, options, code));
    }
    return rows.map(({ operation, entries }) => {
      const times = Object.fromEntries(entries.map(({ who, times }) => [who, median(times)]));
      return { operation, unit: 'ms', replaced: true, times };
    });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function cpuMs(path, options, code) {
  const program = `const before = process.cpuUsage(); ${code} const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [...options, program], { cwd: path, encoding: 'utf8' });
  if (status !== 0) throw new Error(`failed: ${code}\n${stderr}`);
  return Number(stdout);
}

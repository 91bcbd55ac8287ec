// Makes the packages for npm: the main package, which has no addon, and one package for each addon that has been built.
// `node pack.mjs FOLDER` packs the addons that exist; with `--release`, a missing addon is an error.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const home = dirname(fileURLToPath(import.meta.url));
const [folder, release] = process.argv.slice(2);
const out = resolve(folder);
const staged = join(home, '..', '.build', 'packages', 'node');

const read = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
const write = (path, manifest) => writeFileSync(join(path, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// npm is a script with another name on Windows.
const npm = (...args) => execFileSync('npm', args, { cwd: home, encoding: 'utf8', shell: process.platform === 'win32' });

/**
 * Returns the modules that must stay files of their own: those that CommonJS programs require, and those that the package's ES
 * modules import.
 */
function entrances({ exports }, dist) {
  const required = Object.values(exports).map((entrance) => entrance.require?.default ?? '');
  const modules = readdirSync(dist).filter((name) => name.endsWith('.mjs'));
  const imported = modules.map((name) => readFileSync(join(dist, name), 'utf8')).flatMap((text) => text.match(/(?<=from ')\.\/[^']+/g) ?? []);
  return [...new Set([...required, ...imported].flatMap((path) => /^\.\/(?:dist\/)?(.+)\.cjs$/.exec(path)?.[1] ?? []))];
}

/** Stages the main package, and has the napi tooling write the manifest of a package for each target. */
async function stage() {
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  for (const part of ['dist', 'package.json', '../README.md', '../LICENSE']) {
    cpSync(join(home, part), join(staged, part.replace('../', '')), { recursive: true });
  }
  const dist = join(staged, 'dist');
  await bundle(entrances(read(staged), dist), dist);
  npm('exec', '--', 'napi', 'create-npm-dirs', '--cwd', staged);
  const { scripts, devDependencies, napi, ...manifest } = read(staged);
  const platforms = readdirSync(join(staged, 'npm')).map((name) => join(staged, 'npm', name));
  manifest.optionalDependencies = Object.fromEntries(platforms.map((path) => [read(path).name, manifest.version]));
  write(staged, manifest);
  for (const path of platforms) write(path, { ...read(path), publishConfig: manifest.publishConfig });
  return platforms;
}

/** Puts a target's addon into its package, if it has been built. */
function fill(path) {
  const { name, main } = read(path);
  const addon = join(home, main);
  if (!existsSync(addon)) {
    if (release) throw new Error(`${main} is missing: ${name} cannot be released`);
    return false;
  }
  cpSync(addon, join(path, main));
  cpSync(join(home, '..', 'LICENSE'), join(path, 'LICENSE'));
  return true;
}

const platforms = (await stage()).filter(fill);
mkdirSync(out, { recursive: true });
for (const old of readdirSync(out)) if (/^ag-ui-native-.*\.tgz$/.test(old)) rmSync(join(out, old));
for (const path of [...platforms, staged]) npm('pack', path, '--silent', '--pack-destination', out);

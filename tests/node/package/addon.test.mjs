// The error of a package whose addon is missing or cannot be loaded by this process: each row makes the situation in a folder of
// its own.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from '../packages.mjs';

const home = fileURLToPath(folder);
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const subpaths = Object.keys(manifest.exports).filter((name) => !/json|ag-ui-client/.test(name));
const [built] = readdirSync(home).filter((name) => name.endsWith('.node'));
const here = /ag-ui-native\.(.*)\.node/.exec(built)[1];
const addon = readFileSync(join(home, built));
const glibc = process.report.getReport().header.glibcVersionRuntime;

/** Returns the addon with one text replaced by another of the same length. */
function patched(from, to) {
  assert.equal(from.length, to.length);
  assert.ok(addon.includes(from), from);
  return Buffer.from(addon.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Code that makes a process think it runs on another host. */
const host = (platform, arch, report = {}) => `
  Object.defineProperty(process, 'platform', { value: '${platform}' });
  Object.defineProperty(process, 'arch', { value: '${arch}' });
  process.report.getReport = () => (${JSON.stringify(report)});`;
const musl = { header: {}, sharedObjects: ['/lib/ld-musl-x86_64.so.1'] };

/**
 * Returns the error of an import of the package.
 *
 * `installed` has the contents of the file in each target's package: bytes, or null if the file is absent.
 */
function refused({ installed = {}, preload = '' }) {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'ag-ui-native-')));
  try {
    const modules = join(project, 'node_modules');
    for (const part of ['dist', 'package.json']) cpSync(join(home, part), join(modules, 'ag-ui-native', part), { recursive: true });
    for (const [target, contents] of Object.entries(installed)) {
      const inside = join(modules, `ag-ui-native-${target}`);
      const main = `ag-ui-native.${target}.node`;
      mkdirSync(inside);
      writeFileSync(join(inside, 'package.json'), JSON.stringify({ name: `ag-ui-native-${target}`, version: manifest.version, main }));
      if (contents) writeFileSync(join(inside, main), contents);
    }
    const script = `${preload}
      try { require('ag-ui-native') }
      catch (error) { console.log(JSON.stringify({ message: error.message, code: error.code, cause: error.cause?.message })) }`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8', timeout: 60_000 });
    assert.notEqual(stdout, '', stderr || 'it was loaded');
    const { message, code, cause } = JSON.parse(stdout);
    assert.equal(code, 'ERR_AGUI_ADDON');
    // The message contains the loader's error, and the loader's error is the cause.
    if (cause) assert.ok(message.includes(cause), message);
    const [first, ...lines] = message.replaceAll(project, '').split('\n');
    assert.equal(lines.filter((line) => /^(Cause|Cure): \S/.test(line)).length, 2, message);
    return { first, lines: lines.join('\n') };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const file = `/node_modules/ag-ui-native-${here}/ag-ui-native.${here}.node`;
const other = (target) => (target === 'darwin-arm64' ? 'win32-x64-msvc' : 'darwin-arm64');
const libc = glibc ? ` with glibc ${glibc}` : '';
const thisHost = `ag-ui-native cannot load its addon on ${process.platform} ${process.arch}${libc}.`;

// name, situation, first line, the others
const rows = [
  [
    'a platform without addon',
    { preload: host('freebsd', 'x64') },
    'ag-ui-native cannot load its addon on freebsd x64.',
    [/^Cause: There is no addon for it\. There are addons for linux-x64-gnu, .*\nCure: Run it on one of these\.$/],
  ],
  [
    'a processor without addon',
    { preload: host('linux', 'arm') },
    'ag-ui-native cannot load its addon on linux arm with an unknown C library.',
    [/^Cause: There is no addon for it\./],
  ],
  [
    'nothing installed',
    {},
    thisHost,
    [`Expected: ag-ui-native.${here}.node of the package ag-ui-native-${here}\n`, `Cause: The package ag-ui-native-${here} is not installed.\nCure: `, '--include=optional'],
  ],
  [
    'installed for another platform',
    { installed: { [other(here)]: 'x' } },
    thisHost,
    [`Cause: What was installed is for another system: ag-ui-native-${other(here)}.\nCure: Install on the system that runs the program`],
  ],
  ['the file removed', { installed: { [here]: null } }, thisHost, [`Expected: ${file}\n`, /Cause: .* this file of it is missing\.\nCure: Remove node_modules and install again\./]],
  [
    'the file truncated',
    { installed: { [here]: addon.subarray(0, 4096) } },
    thisHost,
    [`Expected: ${file}\nThe loader says of ${file}: `, /Cause: The file, of 4096 bytes, is damaged, or not for this system\.\nCure: Remove/],
  ],
  ['no library at all', { installed: { [here]: 'no library' } }, thisHost, [/The loader says of .*: .*(too short|invalid|not a|header|slice)/i, 'Cause: The file, of 10 bytes, is damaged']],
  [
    'an addon of another version',
    {
      installed: { [here]: 'x' },
      preload: `
        const Module = require('node:module');
        const load = Module._load;
        Module._load = (name, ...rest) => (name === 'ag-ui-native-${here}' ? { version: () => '0.0.0-other' } : load(name, ...rest));`,
    },
    thisHost,
    [`It is of version 0.0.0-other, ag-ui-native of ${manifest.version}.`, 'Cause: The package and its addon are of different versions.\nCure: Remove'],
  ],
];
for (const [name, situation, first, parts] of rows) {
  test(name, () => {
    const said = refused(situation);
    assert.equal(said.first, first);
    for (const part of parts) assert.ok(part instanceof RegExp ? part.test(said.lines) : said.lines.includes(part), `${part}\n${said.lines}`);
  });
}

const onGlibc = { skip: glibc ? false : 'the situation is made of an ELF file for glibc' };
const [, arch] = here.split('-');

test('the last byte missing', onGlibc, () => {
  const { lines } = refused({ installed: { [here]: addon.subarray(0, -1) } });
  assert.ok(lines.includes(`Cause: The file, of ${addon.length - 1} bytes, is damaged`), lines);
});

test('an addon that needs a newer glibc', onGlibc, () => {
  const newest = addon.toString('latin1').match(/GLIBC_2\.\d+/g).reduce((one, two) => (one.split('.')[1] - two.split('.')[1] >= 0 ? one : two));
  const future = newest.replace('_2', '_9');
  const { first, lines } = refused({ installed: { [here]: patched(newest, future) } });
  assert.equal(first, thisHost);
  assert.match(lines, new RegExp(`The loader says of .*${future}' not found`));
  const number = future.slice('GLIBC_'.length);
  assert.ok(lines.includes(`Cause: The addon needs glibc ${number} or newer; this system has glibc ${glibc}.\nCure: Use a newer system`), lines);
});

test('installed for musl, run with glibc', onGlibc, () => {
  const { first, lines } = refused({ installed: { [`linux-${arch}-musl`]: patched('libc.so.6', 'libc.mu.1') } });
  assert.equal(first, thisHost);
  assert.match(lines, new RegExp(`The loader says of .*linux-${arch}-musl.node: libc\\.mu\\.1: cannot open`));
  assert.ok(lines.includes(`Cause: What was installed is for another system: ag-ui-native-linux-${arch}-musl.\nCure: Install on the system`), lines);
});

test('installed for glibc, run with musl', onGlibc, () => {
  const { first, lines } = refused({ installed: { [here]: patched('libc.so.6', 'libc.gn.6') }, preload: host('linux', arch, musl) });
  assert.equal(first, `ag-ui-native cannot load its addon on linux ${arch} with musl.`);
  assert.ok(lines.includes(`Expected: ag-ui-native.linux-${arch}-musl.node of the package ag-ui-native-linux-${arch}-musl\n`), lines);
  assert.ok(lines.includes(`Cause: What was installed is for another system: ag-ui-native-${here}.`), lines);
});

test('every entrance says so', () => {
  const preload = `
    for (const name of ${JSON.stringify(subpaths)}) {
      try { require('ag-ui-native' + name.slice(1)); process.exit(1) } catch (error) { if (error.code !== 'ERR_AGUI_ADDON') throw error }
    }`;
  assert.ok(subpaths.length >= 10);
  assert.equal(refused({ preload }).first, thisHost);
});

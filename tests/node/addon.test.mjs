// What is said where the addon is missing, or is none that this process can load.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from './packages.mjs';

const home = fileURLToPath(folder);
const [file] = readdirSync(home).filter((name) => name.endsWith('.node'));
const target = /ag-ui-native\.(.*)\.node/.exec(file)[1];
const subpaths = ['', '/schemas', '/encoder', '/proto', '/stream', '/compat', '/patch'];

/** What importing the package says, from a copy whose addon is what `contents` says, on a host that `preload` makes. */
function refused(contents, subpath = '', preload = '') {
  const copy = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  try {
    const inside = join(copy, 'node_modules', 'ag-ui-native');
    for (const part of ['dist', 'package.json']) cpSync(join(home, part), join(inside, part), { recursive: true });
    if (contents !== undefined) writeFileSync(join(inside, file), contents);
    const script = `${preload}\ntry { require('ag-ui-native${subpath}') } catch (error) { console.log(JSON.stringify([error.message, error.code])) }`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
    assert.notEqual(stdout, '', stderr);
    const [message, code] = JSON.parse(stdout);
    assert.equal(code, 'ERR_AGUI_ADDON');
    return { message, inside };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

test('a missing addon is reported at import, with platform and file', () => {
  for (const subpath of subpaths) {
    const { message, inside } = refused(undefined, subpath);
    assert.match(message, new RegExp(`cannot load its addon on ${process.platform} ${process.arch}`));
    assert.ok(message.includes(join(inside, file)) && message.includes(`ag-ui-native-${target}`), message);
    assert.match(message, /Neither is there/);
  }
});

test('of an addon that is none the loader tells why', () => {
  const { message, inside } = refused('no library');
  assert.ok(message.includes(`Expected: ${join(inside, file)}`), message);
  assert.match(message, /The loader says: .*(too short|invalid|not a|header|slice)/i);
  assert.ok(!/npm has a bug/.test(message));
});

const hostOf = (platform, arch, report = {}) => `
  Object.defineProperty(process, 'platform', { value: '${platform}' });
  Object.defineProperty(process, 'arch', { value: '${arch}' });
  process.report.getReport = () => (${JSON.stringify(report)});`;

test('a platform without addon is named, and so are those that have one', () => {
  assert.match(refused(undefined, '', hostOf('freebsd', 'x64')).message, /on freebsd x64\.\nThere is none for it; there are addons for linux-x64-gnu, /);
  assert.match(refused(undefined, '', hostOf('linux', 'arm')).message, /on linux arm with an unknown libc\.\nThere is none/);
});

test('the libc is named, and the addon for it', () => {
  const musl = refused(undefined, '', hostOf('linux', 'x64', { header: {}, sharedObjects: ['/lib/ld-musl-x86_64.so.1'] })).message;
  assert.match(musl, /on linux x64 with musl\.\nExpected: .*linux-x64-musl\.node, or the package ag-ui-native-linux-x64-musl\./);
  assert.ok(!musl.includes('gnu'), musl);
  const none = refused(undefined, '', hostOf('linux', 'arm64', { header: {}, sharedObjects: ['/lib/ld-musl-aarch64.so.1'] })).message;
  assert.match(none, /on linux arm64 with musl\.\nThere is none for it/);
  const glibc = refused(undefined, '', hostOf('linux', 'x64', { header: { glibcVersionRuntime: '2.17' } })).message;
  assert.match(glibc, /on linux x64 with glibc 2\.17\.\nExpected: .*linux-x64-gnu\.node/);
});

test('an addon of another version is refused', () => {
  const version = '0.0.0-other';
  const preload = `
    const { join } = require('node:path');
    const Module = require('node:module');
    const load = Module._load;
    Module._load = (name, ...rest) => (name.endsWith('.node') ? { version: () => '${version}' } : load(name, ...rest));`;
  assert.match(refused('x', '', preload).message, /The loader says: .* is of version 0\.0\.0-other, the package of \d/);
});

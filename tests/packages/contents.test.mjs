// The contents of the packages, and their manifests.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { dist, manifest, platforms, tarballOf } from './registry.mjs';

const bin = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));
const packed = readdirSync(dist).filter((name) => name.endsWith('.tgz'));
const built = platforms.filter((platform) => packed.includes(tarballOf(platform)));
const inside = (name) => execFileSync('tar', ['-tzf', join(dist, name)], { encoding: 'utf8' }).trim().split('\n').map((path) => path.replace('package/', ''));
const inManifest = (name) => JSON.parse(execFileSync('tar', ['-xzOf', join(dist, name), 'package/package.json'], { encoding: 'utf8' }));

test('the package holds code, types and no addon', () => {
  const files = inside(tarballOf(manifest));
  assert.deepEqual(files.filter((path) => !path.startsWith('dist/')).sort(), ['LICENSE', 'README.md', 'package.json']);
  assert.deepEqual(files.filter((path) => path.startsWith('dist/') && !/\.(cjs|mjs|d\.cts|d\.mts)$/.test(path)), []);
});

test('every file that a file names is there', () => {
  const files = inside(tarballOf(manifest));
  const code = files.filter((path) => /(?<!\.d)\.[cm]js$/.test(path));
  let named = 0;
  for (const path of code) {
    const text = execFileSync('tar', ['-xzOf', join(dist, tarballOf(manifest)), `package/${path}`], { encoding: 'utf8' });
    for (const [, name] of text.matchAll(/(?:from |require\()'(\.[^']+)'/g)) {
      named++;
      assert.ok(files.includes(posix.join(path, '..', name)), `${path} names ${name}`);
    }
  }
  assert.ok(named > 50, String(named));
});

// For `import`, Node looks for the names of a CommonJS module in all its text.
test('the file of an entrance holds names, and no code', () => {
  for (const [name, { require }] of Object.entries(manifest.exports)) {
    // A class that replaces one of @ag-ui/client extends it.
    if (require === undefined || name === './ag-ui-client') continue;
    const text = execFileSync('tar', ['-xzOf', join(dist, tarballOf(manifest)), require.default.replace('./', 'package/')], { encoding: 'utf8' });
    const getters = /^Object\.defineProperty\(exports, "\w+", \{\n\tenumerable: true,\n\tget: function \(\) \{ return \w+\.\w+; \}\n\}\);$/gm;
    const line = /^$|^'use strict';$|^Object\.defineProperty\(exports, '__esModule', .+$|^(?:var \w+ = )?require\('[^']+'\);$|^exports\.\w+ = \w+\.[\w$]+;$/;
    const code = text.replace(getters, '').split('\n').filter((each) => !line.test(each));
    assert.deepEqual(code, [], require.default);
  }
});

test('loading an entrance loads nothing that can wait', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  try {
    const modules = join(folder, 'node_modules');
    for (const { name, version } of [manifest, ...built]) {
      mkdirSync(join(modules, name), { recursive: true });
      execFileSync('tar', ['-xzf', join(dist, tarballOf({ name, version })), '-C', join(modules, name), '--strip-components=1']);
    }
    for (const [name, { require }] of Object.entries(manifest.exports)) {
      if (require === undefined || name === './ag-ui-client') continue;
      const program = `require('${name.replace('.', manifest.name)}'); console.log(JSON.stringify(Object.keys(require.cache).filter((path) => /later-/.test(path))));`;
      assert.equal(execFileSync(process.execPath, ['-e', program], { cwd: folder, encoding: 'utf8' }), '[]\n', name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the package of a platform holds its addon', () => {
  assert.ok(built.length > 0);
  for (const platform of built) assert.deepEqual(inside(tarballOf(platform)).sort(), ['LICENSE', 'README.md', platform.main, 'package.json']);
});

test('there is a package for each platform', () => {
  const expected = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-gnu', 'linux-x64-musl', 'win32-arm64-msvc', 'win32-x64-msvc'];
  assert.deepEqual(inManifest(tarballOf(manifest)).optionalDependencies, Object.fromEntries(expected.map((target) => [`ag-ui-native-${target}`, manifest.version])));
  for (const { os, cpu, libc } of platforms) assert.deepEqual([os.length, cpu.length, libc?.length ?? 1], [1, 1, 1]);
});

test('nothing runs at installation, and nothing else is installed', () => {
  for (const found of [manifest, ...built].map((each) => inManifest(tarballOf(each)))) {
    assert.deepEqual([found.scripts, found.dependencies, found.devDependencies], [undefined, undefined, undefined]);
  }
});

test('each package says where it comes from', () => {
  for (const found of [manifest, ...built].map((each) => inManifest(tarballOf(each)))) {
    assert.deepEqual(found.repository, { type: 'git', url: 'git+https://github.com/ag-ui-native/ag-ui-native.git' });
    assert.deepEqual([found.homepage, typeof found.bugs.url, found.license, found.engines.node], ['https://ag-ui-native.github.io/ag-ui-native/latest/', 'string', 'MIT', '>=20']);
    assert.deepEqual(found.publishConfig, { access: 'public', provenance: true });
  }
});

test('publint and arethetypeswrong find nothing', () => {
  for (const name of packed) execFileSync(join(bin, 'publint'), ['run', join(dist, name), '--strict'], { encoding: 'utf8' });
  execFileSync(join(bin, 'attw'), [join(dist, tarballOf(manifest))], { encoding: 'utf8' });
});

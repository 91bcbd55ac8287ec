// The example server, bundled in each of the ways that docs/node-package.md has.

import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { nodeFileTrace } from '@vercel/nft';
import { build } from 'esbuild';
import webpack from 'webpack';
import { manifest, startRegistry } from './registry.mjs';
import { converse, emptyProject, run } from './projects.mjs';

let project;
let entry;

before(async () => {
  const registry = await startRegistry();
  const files = { 'package.json': { private: true, dependencies: { [manifest.name]: manifest.version } }, '.npmrc': `registry=${registry.url}/\n` };
  project = emptyProject(files, 'examples/servers/node_server.mjs', 'examples/clients/chat_client.mjs', 'examples/bundlers/webpack.config.cjs');
  entry = join(project.path, 'node_server.mjs');
  await run({ path: project.path, command: ['npm', 'install', '--no-audit', '--no-fund'] });
  await registry.stop();
});
after(() => project.remove());

// A file costs more to find and to load than most cost to run: the entrances would be a hundred files otherwise.
test('an entrance is loaded from few files', async () => {
  for (const entrance of Object.keys(manifest.exports).filter((name) => !/json|ag-ui-client/.test(name))) {
    const script = `require('ag-ui-native${entrance.slice(1)}'); console.log(Object.keys(require.cache).length)`;
    const files = Number(await run({ path: project.path, command: ['node', '-e', script] }));
    assert.ok(files > 2 && files < 10, `${entrance}: ${files}`);
  }
});

// Stack traces have these names, and errors are told apart by them.
test('what an entrance has is called so inside', async () => {
  const entrances = Object.keys(manifest.exports).filter((name) => !/json|ag-ui-client/.test(name));
  const script = `
    const all = ${JSON.stringify(entrances)}.flatMap((name) => Object.entries(require('ag-ui-native' + name.slice(1))));
    const functions = all.filter(([, value]) => typeof value === 'function');
    console.log(JSON.stringify([functions.length, functions.filter(([, { name }]) => name.includes('$'))]));`;
  const [found, renamed] = JSON.parse(await run({ path: project.path, command: ['node', '-e', script] }));
  assert.ok(found > 100, String(found));
  assert.deepEqual(renamed, []);
});

test('what is needed rarely is loaded when it is needed', async () => {
  const script = `
    const { LocalAgent } = require('ag-ui-native/client');
    const count = () => Object.keys(require.cache).length;
    const before = count();
    const agent = new LocalAgent(async (run) => run.text('Hello.'));
    console.log(JSON.stringify([before < count(), typeof agent]));`;
  assert.deepEqual(JSON.parse(await run({ path: project.path, command: ['node', '-e', script] })), [true, 'object']);
});

// The file that has the words is loaded while the one that misses the addon is.
test('without the addon each entrance says what is missing', async () => {
  const alone = emptyProject();
  try {
    cpSync(join(project.path, 'node_modules', manifest.name), join(alone.path, 'node_modules', manifest.name), { recursive: true });
    const entrances = Object.keys(manifest.exports).filter((name) => !/json|ag-ui-client/.test(name));
    const script = `
      const said = ${JSON.stringify(entrances)}.map((name) => {
        try { require('ag-ui-native' + name.slice(1)) } catch ({ code, message }) { return [code, message] }
      });
      console.log(JSON.stringify(said));`;
    const said = JSON.parse(await run({ path: alone.path, command: ['node', '-e', script] }));
    assert.ok(said.length >= 10);
    for (const [code, message] of said) {
      assert.equal(code, 'ERR_AGUI_ADDON');
      assert.match(message, /\nCause: The package ag-ui-native-\S+ is not installed\.\nCure: Install with optional dependencies/);
    }
  } finally {
    alone.remove();
  }
});

/** Asks the server that is in a file. */
async function served(path, file) {
  const answer = await converse({ path, command: ['node', file] }, { path: project.path, command: ['node', 'chat_client.mjs'] });
  assert.match(answer, /Hello from Node\./);
}

for (const format of ['cjs', 'esm']) {
  test(`esbuild, left outside, ${format}`, async () => {
    const outfile = join(project.path, `outside.${format === 'cjs' ? 'cjs' : 'mjs'}`);
    const { warnings } = await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format, external: ['ag-ui-native'], logLevel: 'silent' });
    assert.deepEqual(warnings, []);
    await served(project.path, outfile);
  });
}

test('esbuild, bundled, the addon copied', async () => {
  const alone = emptyProject();
  try {
    const outfile = join(alone.path, 'bundle.cjs');
    const { warnings } = await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', loader: { '.node': 'copy' }, logLevel: 'silent' });
    assert.deepEqual(warnings, []);
    // One file of code and one addon are the whole program.
    assert.equal(readdirSync(alone.path).filter((name) => name.endsWith('.node')).length, 1);
    assert.equal(readdirSync(alone.path).length, 2);
    await served(alone.path, outfile);
  } finally {
    alone.remove();
  }
});

test('webpack, left outside', async () => {
  const config = createRequire(entry)('./webpack.config.cjs');
  const stats = await new Promise((resolve, reject) => {
    webpack({ ...config, mode: 'production', context: project.path, output: { ...config.output, path: project.path } }, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
  assert.deepEqual(stats.toJson().errors, []);
  assert.deepEqual(stats.toJson().warnings, []);
  await served(project.path, 'node_server.cjs');
});

// Next and hosts of functions find out so which files a program needs.
test('files traced', async () => {
  const { fileList } = await nodeFileTrace([entry], { base: project.path });
  const alone = emptyProject();
  try {
    for (const file of fileList) cpSync(join(project.path, file), join(alone.path, file), { recursive: true });
    assert.equal([...fileList].filter((file) => file.endsWith('.node')).length, 1);
    await served(alone.path, 'node_server.mjs');
  } finally {
    alone.remove();
  }
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { folder, native, ours, require } from '../packages.mjs';

const home = fileURLToPath(folder);
const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));

test('one version', () => {
  const workspace = readFileSync(new URL('../Cargo.toml', folder), 'utf8');
  const [, version] = /\[workspace\.package\]\s*version = "([^"]+)"/.exec(workspace);
  assert.equal(manifest.version, version);
  assert.equal(native.version(), version);
});

test('nothing is needed at run time', () => {
  assert.equal(manifest.dependencies, undefined);
  // One entry stands on another package, and so do servers of WebSockets and logs in Redis, for those who have it.
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['@ag-ui/client', '@anthropic-ai/sdk', 'ioredis', 'openai', 'redis', 'ws']);
  for (const { optional } of Object.values(manifest.peerDependenciesMeta)) assert.equal(optional, true);
});

const uses = `
  const frame = encoder.encodeBinary({ type: 'RAW', event: 1 });
  if (new stream.EventDecoder().feed(frame).length !== 1) throw new Error('decode');
  if (!schemas.EventSchemas.safeParse({ type: 'RAW', event: 1 }).success) throw new Error('schema');
  if (schemas.EventSchemas.safeParse({ type: 'RAW' }).success) throw new Error('schema');
  if (core.PROTOCOL_VERSION !== '1.1') throw new Error('core');
  if (patch.applyPatch({}, [{ op: 'add', path: '', value: 1 }]) !== 1) throw new Error('patch');
  if (compat.checkProtocolVersion('1.0') !== undefined) throw new Error('compat');
`;
const names = ['', '/schemas', '/stream', '/encoder', '/patch', '/compat', '/server', '/durable', '/testing', '/client', '/operators'];
const commonjs = `
  const [core, schemas, stream, { EventEncoder }, patch, compat] = ${JSON.stringify(names)}.map((name) => require('ag-ui-native' + name));
  const encoder = new EventEncoder();
  ${uses}
`;
const esm = `
  import * as core from 'ag-ui-native';
  import * as schemas from 'ag-ui-native/schemas';
  import * as stream from 'ag-ui-native/stream';
  import { EventEncoder } from 'ag-ui-native/encoder';
  import * as patch from 'ag-ui-native/patch';
  import * as compat from 'ag-ui-native/compat';
  import { createRequire } from 'node:module';
  const encoder = new EventEncoder();
  ${uses}
  // One class in both worlds.
  if (createRequire(import.meta.url)('ag-ui-native').AGUIError !== core.AGUIError) throw new Error('two classes');
`;

test('require and import', () => {
  execFileSync(process.execPath, ['-e', commonjs], { cwd: home });
  execFileSync(process.execPath, ['--input-type=module', '-e', esm], { cwd: home });
});

test('import gives the names that require gives', async () => {
  for (const name of names) {
    const imported = await import(require.resolve('ag-ui-native' + name).replace(/\.cjs$/, '.mjs'));
    const required = require('ag-ui-native' + name);
    for (const key of Object.keys(required)) assert.equal(imported[key], required[key], key);
  }
});

test('worker threads', async () => {
  const workers = Array.from({ length: 4 }, () => {
    const worker = new Worker(`${commonjs.replaceAll('require(', "require('node:module').createRequire(require('node:worker_threads').workerData)(")}`, {
      eval: true,
      workerData: join(home, 'package.json'),
    });
    return new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  });
  assert.deepEqual(await Promise.all(workers), [0, 0, 0, 0]);
});

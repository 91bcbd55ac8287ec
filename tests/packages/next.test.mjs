// The example for Next, next.config.mjs and the handler of a route, built and asked.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { manifest, startRegistry } from './registry.mjs';
import { emptyProject, run, whileServing } from './projects.mjs';

const tools = fileURLToPath(new URL('node_modules/', import.meta.url));
let project;
const next = (...args) => ({ path: project.path, command: ['node', 'node_modules/next/dist/bin/next', ...args] });

/** Copies installed packages with their dependencies: Next does not read outside of the project, and does not follow links. */
function bring(...names) {
  for (const name of names) {
    const place = join('node_modules', name);
    if (!existsSync(join(tools, name)) || existsSync(join(project.path, place))) continue;
    cpSync(join(tools, name), join(project.path, place), { recursive: true });
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(tools, name, 'package.json'), 'utf8'));
    bring(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
}

before(async () => {
  const registry = await startRegistry();
  const files = { 'package.json': { private: true, dependencies: { [manifest.name]: manifest.version } }, '.npmrc': `registry=${registry.url}/\npackage-lock=false\n` };
  project = emptyProject(files);
  await run({ path: project.path, command: ['npm', 'install', '--no-audit', '--no-fund'] });
  await registry.stop();
  cpSync(fileURLToPath(new URL('../../examples/next/', import.meta.url)), project.path, { recursive: true });
  bring('next', 'react', 'react-dom');
});
after(() => project.remove());

test('Next builds it, and its route answers with a run', { timeout: 300_000 }, async () => {
  await run(next('build'));
  const answer = await whileServing(next('start', '--hostname', '127.0.0.1'), async (url) => {
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
    const response = await fetch(`${url}api/agent`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return [response.status, response.headers.get('content-type'), await response.text()];
  });
  assert.deepEqual(answer.slice(0, 2), [200, 'text/event-stream']);
  const events = answer[2].trim().split('\n\n').map((frame) => JSON.parse(frame.replace('data: ', '')));
  assert.equal(events.map(({ delta }) => delta ?? '').join(''), 'Hello from Next.');
  assert.deepEqual([events.at(0).type, events.at(-1)], ['RUN_STARTED', { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }]);
});

// The files that `output: 'standalone'` copies.
test('Next finds the addon among the files that the route needs', () => {
  const trace = join(project.path, '.next/server/app/api/agent/route.js.nft.json');
  const addons = JSON.parse(readFileSync(trace, 'utf8')).files.filter((file) => /ag-ui-native.*\.node$/.test(file));
  assert.equal(addons.length, 1);
  assert.ok(existsSync(join(dirname(trace), addons[0])));
});

test('without the setting Next names the addon, and builds nothing', { timeout: 300_000 }, async () => {
  rmSync(join(project.path, 'next.config.mjs'));
  await assert.rejects(run(next('build')), /ag-ui-native\.\S+\.node/);
});

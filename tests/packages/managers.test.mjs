// Each package manager installs the package by its name into an empty project; each host runs the smoke test and an example.

import assert from 'node:assert/strict';
import test from 'node:test';
import { manifest, platforms, startRegistry, tarballOf } from './registry.mjs';
import { converse, emptyProject, run } from './projects.mjs';

const libc = process.platform === 'linux' && (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');
const here = platforms.filter(({ os, cpu }) => os.includes(process.platform) && cpu.includes(process.arch));
const exactlyHere = here.filter((platform) => !libc || platform.libc.includes(libc));

// name: its command to install, how it runs a program, the platforms it fetches
const managers = {
  npm: [['npm', 'install', '--no-audit', '--no-fund'], ['node'], exactlyHere],
  pnpm: [['pnpm', 'install'], ['node'], exactlyHere],
  yarn: [['yarn', 'install'], ['yarn', 'node'], exactlyHere],
  bun: [['bun', 'install'], ['bun'], exactlyHere],
  // It does not read `libc`: the addon that loads is taken.
  deno: [['deno', 'install'], ['deno', 'run', '--allow-all'], here],
};

// In CI Yarn refuses an install that makes a lock file: an empty project has none.
const yarnSettings = (url) => `
npmRegistryServer: '${url}'
unsafeHttpWhitelist: ['127.0.0.1']
enableTelemetry: false
enableImmutableInstalls: false
nodeLinker: pnp
`;

// Hosts that have a server for functions from a `Request` to a `Response`, as docs/server/hosts.md calls it.
const served = (serve) => `
import { fetchHandler } from 'ag-ui-native/server';
const place = { port: Number(process.env.PORT), hostname: '127.0.0.1' };
const handler = fetchHandler(async (run) => void (await run.write('Hello from a Response.')));
${serve};`;
const fetching = { bun: 'Bun.serve({ ...place, idleTimeout: 60, fetch: handler, websocket: handler.websocket })', deno: 'Deno.serve(place, handler)' };

// These hosts have WebSockets of their own; the others need the package ws, which is not installed.
const asked = `
import { WebSocketAgent } from 'ag-ui-native/client';
console.log((await new WebSocketAgent(process.env.URL.replace('http:', 'ws:')).ask('Hello?')).text);`;
const upgraded = `
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { nodeHandler } from 'ag-ui-native/server';
const handler = nodeHandler(async () => {}, { onError: ({ message }) => console.log(message) });
const server = createServer(handler).on('upgrade', handler.upgrade).listen(0, '127.0.0.1');
await once(server, 'listening');
const headers = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
const [{ statusCode }] = await once(get({ port: server.address().port, host: '127.0.0.1', headers }), 'response');
console.log(statusCode);
process.exit();`;

for (const [name, [install, host, fetched]] of Object.entries(managers)) {
  test(`${name} installs it, and it runs`, { timeout: 300_000 }, async () => {
    const registry = await startRegistry();
    const files = {
      'package.json': { name: 'project', private: true, type: 'module', dependencies: { [manifest.name]: manifest.version } },
      'required.cjs': "console.log(new (require('ag-ui-native/encoder').EventEncoder)().encode({ type: 'STEP_STARTED', stepName: 'x' }))",
      'served.mjs': served(fetching[name] ?? ''),
      'asked.mjs': asked,
      'upgraded.mjs': upgraded,
      '.npmrc': `registry=${registry.url}/\n`,
      '.yarnrc.yml': yarnSettings(registry.url),
    };
    const project = emptyProject(files, 'tests/node/smoke.mjs', 'examples/servers/node_server.mjs', 'examples/clients/chat_client.mjs');
    try {
      const program = (name) => ({ path: project.path, command: [...host, name] });
      await run({ path: project.path, command: install });
      assert.deepEqual([...registry.fetched].sort(), [manifest, ...fetched].map(tarballOf).sort());
      assert.match(await run(program('smoke.mjs')), /\d+ checks hold/);
      assert.match(await run(program('required.cjs')), /^data: {"type":"STEP_STARTED","stepName":"x"}$/m);
      assert.match(await converse(program('node_server.mjs'), program('chat_client.mjs')), /Hello from Node\./);
      if (name in fetching) {
        assert.match(await converse(program('served.mjs'), program('chat_client.mjs')), /Hello from a Response\./);
        assert.match(await converse(program('served.mjs'), program('asked.mjs')), /Hello from a Response\./);
      } else {
        assert.equal(await run(program('upgraded.mjs')), 'WebSockets need the package ws: npm install ws\n500\n');
      }
    } finally {
      project.remove();
      await registry.stop();
    }
  });
}

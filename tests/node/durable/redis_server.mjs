// A redis-server of the tests' own.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.mjs';

/** Starts redis-server on a free port, with more options. Resolves when it accepts connections. `REDIS_SERVER` names another program. */
export async function startRedis(...options) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'agui-redis-'));
  const server = spawn(process.env.REDIS_SERVER ?? 'redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...options]);
  await new Promise((resolve, reject) => {
    server.once('error', () => reject(new Error('redis-server is missing: install it, for example by `apt-get install redis-server`')));
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    let said = '';
    server.stdout.on('data', (piece) => {
      said += piece;
      if (said.includes('Ready to accept connections')) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      if (server.exitCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve));
        server.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts nodes that share the slots of a cluster. `talk` makes a client of a port, which executes commands. */
export async function startCluster(count, talk) {
  const nodes = [];
  for (let at = 0; at < count; at++) nodes.push(await startRedis('--cluster-enabled', 'yes'));
  const clients = nodes.map(({ port }) => talk(port));
  const first = (at) => Math.floor((at * 16384) / count);
  for (const [at, client] of clients.entries()) {
    const slots = Array.from({ length: first(at + 1) - first(at) }, (_, slot) => String(first(at) + slot));
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
    await client.call('CLUSTER', 'ADDSLOTS', ...slots);
    if (at > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', String(nodes[0].port));
  }
  const wanted = ['cluster_state:ok', 'cluster_slots_assigned:16384', `cluster_known_nodes:${count}`];
  for (const client of clients) {
    for (let info = []; !wanted.every((line) => info.includes(line)); ) info = (await client.call('CLUSTER', 'INFO')).split('\r\n');
    client.disconnect();
  }
  return { ports: nodes.map(({ port }) => port), stop: () => Promise.all(nodes.map((node) => node.stop())) };
}

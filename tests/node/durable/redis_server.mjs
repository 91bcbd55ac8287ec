// A redis-server of the tests' own.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts redis-server on a free port, with more options. Resolves when it accepts connections. */
export async function startRedis(...options) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'agui-redis-'));
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...options]);
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

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

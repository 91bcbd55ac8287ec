// Empty projects, and what runs in them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));

// Nothing of this machine's settings counts, and nothing of its caches.
const settings = /^(npm_|yarn_|bun_|deno_|pnpm_|node_)/i;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
env.NEXT_TELEMETRY_DISABLED = '1';

/** An empty folder with files of these contents, and copies of files of this project. */
export function emptyProject(files = {}, ...copies) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'ag-ui-native-')));
  for (const [name, contents] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof contents === 'string' ? contents : JSON.stringify(contents));
  }
  for (const name of copies) copyFileSync(join(root, name), join(path, basename(name)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a program: a command in a folder. The tools of these tests come first. */
function start({ path, command: [command, ...args] }, more = {}) {
  const home = join(path, 'home');
  return spawn(command, args, {
    cwd: path,
    env: { ...env, HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, PATH: `${bin}:${env.PATH}`, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 120_000,
  });
}

/** Runs a program to its end. Returns its output, or throws an error with all its output. */
export async function run(program, { input = '', env } = {}) {
  const child = start(program, env);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  child.stdin.end(input);
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program.command.join(' ')} ended with ${code ?? signal}\n${said.stdout}${said.stderr}`);
  return said.stdout;
}

/** Runs the program of a server while `work` uses it at its address. Returns the result of `work`. */
export async function whileServing(server, use) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  const child = start(server, { PORT: String(port) });
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'close');
  try {
    const url = `http://127.0.0.1:${port}/`;
    while (!(await fetch(url).then(() => true, () => false))) {
      if (child.exitCode !== null) throw new Error(`the server ended\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await use(url);
  } finally {
    child.kill();
    await ended;
  }
}

/** Runs the example server, and the example client against it, each a program. Returns the client's output. */
export const converse = (server, client) => whileServing(server, (url) => run(client, { input: 'Hello?\n', env: { URL: url } }));

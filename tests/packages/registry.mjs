// A registry on loopback that has what dist/ holds. For other platforms it has packages without an addon.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = join(root, 'dist');
/** The folders that `node/pack.mjs` packs. */
const staged = join(root, '.build', 'packages', 'node');
const read = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

export const manifest = read(staged);
const folders = readdirSync(join(staged, 'npm')).map((name) => join(staged, 'npm', name));
export const platforms = folders.map(read);
export const tarballOf = ({ name, version }) => `${name}-${version}.tgz`;

/** Returns the tarballs by their names. */
function tarballs() {
  const stand = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', stand, ...folders], { stdio: 'ignore' });
    return new Map(
      [manifest, ...platforms].map(tarballOf).map((name) => {
        const packed = join(dist, name);
        return [name, readFileSync(existsSync(packed) ? packed : join(stand, name))];
      }),
    );
  } finally {
    rmSync(stand, { recursive: true, force: true });
  }
}

function packument(found, bytes, url) {
  const dist = {
    tarball: `${url}/${found.name}/-/${tarballOf(found)}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  };
  const time = '2020-01-01T00:00:00.000Z';
  const { name, version } = found;
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...found, dist } }, time: { created: time, modified: time, [version]: time } };
}

/** Starts it; `fetched` is a set of the names of the tarballs that were asked for. */
export async function startRegistry() {
  const files = tarballs();
  const fetched = new Set();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split('?')[0]);
    const name = path.split('/').at(-1);
    const found = [manifest, ...platforms].find((each) => `/${each.name}` === path);
    if (name.endsWith('.tgz')) fetched.add(name);
    if (found) response.setHeader('content-type', 'application/json').end(JSON.stringify(packument(found, files.get(tarballOf(found)), url)));
    else if (files.has(name)) response.end(files.get(name));
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, fetched, stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) };
}

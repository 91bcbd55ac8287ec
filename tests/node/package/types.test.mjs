// The declarations compile in strict programs that use the official names, and stand where the official ones do. So do the README's
// examples, by both compilers.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from '../packages.mjs';

const examples = new URL('../../../.build/types/', import.meta.url);

mkdirSync(examples, { recursive: true });
const page = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const found = [...page.matchAll(/<!-- (node [a-z ]+) -->\n```js\n(.*?)```/gs)];
for (const [, name, text] of found) writeFileSync(new URL(`${name.replaceAll(' ', '_')}.mjs`, examples), text);

for (const version of ['typescript', 'typescript-5']) {
  test(`programs against the declarations, ${version}`, () => {
    assert.equal(found.length, 3);
    const project = fileURLToPath(new URL('../types/', import.meta.url));
    const compiler = fileURLToPath(new URL(`node_modules/${version}/bin/tsc`, folder));
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
}

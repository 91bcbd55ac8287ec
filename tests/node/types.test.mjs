// The declarations compile in a strict program that uses the official names, and stand where the official ones do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from './packages.mjs';

test('programs against the declarations', () => {
  const project = fileURLToPath(new URL('types/', import.meta.url));
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', folder));
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

test('what runs on every host of Node-API runs here', () => {
  const script = fileURLToPath(new URL('../smoke.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /checks hold/);
});

// Electron's own rule for addons: no array buffer may point to memory that an addon has made. Its program cannot be fetched where the
// tests run, so Node is made to refuse such buffers as Electron does.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

/** Code that replaces the functions that make such buffers. They answer `napi_no_external_buffers_allowed`. */
const REFUSING = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int refuse(void) {
  fputs("refused\\n", stderr);
  return 22;
}

void *dlsym(void *library, const char *name) {
  static void *(*found)(void *, const char *);
  const char *versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
  for (int i = 0; !found && i < 3; i++) found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  if (!strcmp(name, "napi_create_external_arraybuffer") || !strcmp(name, "napi_create_external_buffer")) return refuse;
  return found(library, name);
}
`;

const isGlibc = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime !== undefined;

test('what an addon does under Electron', { skip: !isGlibc && 'functions are put in the place of others by glibc' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ag-ui-native-'));
  t.before(() => {
    writeFileSync(join(folder, 'refusing.c'), REFUSING);
    execFileSync('cc', ['-shared', '-fPIC', '-o', join(folder, 'refusing.so'), join(folder, 'refusing.c'), '-ldl']);
  });
  t.after(() => rmSync(folder, { recursive: true }));

  const run = (name) => {
    const program = fileURLToPath(new URL(name, import.meta.url));
    const env = { ...process.env, LD_PRELOAD: join(folder, 'refusing.so'), NODE_TEST_CONTEXT: undefined };
    return spawnSync(process.execPath, [program], { encoding: 'utf8', env });
  };
  await t.test('it asks for no such buffer where everything is done once', () => {
    const { status, stdout, stderr } = run('../smoke.mjs');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /checks hold/);
    assert.equal(stderr, '');
  });
  await t.test('where it would have one, it copies', () => {
    const { status, stdout, stderr } = run('../client/client_rules.test.mjs');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stderr, /^refused$/m);
  });
});

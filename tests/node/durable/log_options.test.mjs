// The options of servers with a log: those that are refused where a server is made.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';
import { speaker } from './servers.mjs';

const { MemoryLog } = require('ag-ui-native/durable');
const { fetchHandler, nodeHandler } = require('ag-ui-native/server');

const standsFor = { '<log>': new MemoryLog(), '<infinity>': Infinity, '<nan>': NaN };
const camelCase = (name) => name.replace(/_./g, ([, letter]) => letter.toUpperCase());

for (const { name, options, code, path, message } of fixture('log_options')) {
  test(`options are refused where the server is made: ${name}`, () => {
    const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), standsFor[value] ?? value ?? undefined]));
    for (const make of [nodeHandler, fetchHandler]) {
      if (code === undefined) assert.ok(make(speaker(), given));
      else assert.throws(() => make(speaker(), given), { code, path: camelCase(path), ...(message && { message }) });
    }
  });
}

// Load times, in processes of their own.

import { spawnSync } from 'node:child_process';

import { median, shuffle } from './measure.mjs';

const codes = {
  nothing: '',
  ours: "require('ag-ui-native'); require('ag-ui-native/schemas'); require('ag-ui-native/encoder'); require('ag-ui-native/stream');",
  official: "require('@ag-ui/core'); require('@ag-ui/core/schemas'); require('@ag-ui/encoder');",
};

/** CPU time above that of a bare process, as the process itself sees it at its end. */
export function loadTimes(folder, rounds) {
  const times = Object.fromEntries(Object.keys(codes).map((name) => [name, []]));
  const order = Object.entries(codes);
  for (let round = 0; round < rounds; round++) {
    shuffle(order);
    for (const [name, code] of order) times[name].push(cpuMs(folder, code));
  }
  const above = (name) => median(times[name]) - median(times.nothing);
  const row = { ours: above('ours'), official: above('official') };
  return [{ operation: 'load the package', unit: 'ms', replaced: true, times: row }];
}

function cpuMs(folder, code) {
  const report = '{ const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); }';
  const { stdout, status } = spawnSync(process.execPath, ['-e', code + report], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`failed: ${code}`);
  return Number(stdout);
}

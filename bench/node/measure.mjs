// Compares packages side by side: in each of many rounds in one process, every competitor of every operation has a turn, in
// shuffled order. No garbage collection is forced between rounds: that would drop optimised code and make all competitors look
// slow.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';

/** The approximate duration of one turn, in nanoseconds. */
const TURN_NS = 6e6;

/** Results are assigned to this object, so that no call can be optimised away. */
export const sink = { value: undefined };

/** Makes one operation with its competitors. A call does `per` things; results are for one of them. */
export function operation(name, competitors, { per = 1, same = plain, replaced = true } = {}) {
  const entries = Object.entries(competitors).map(([who, work]) => ({ who, work, loops: 1, times: [] }));
  return { name, per, same, replaced, entries };
}

/** Reads the options of a benchmark: `DATA RESULT [--quick] [--ours] [--rows FILE]`. */
export function choiceOf(language) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, ours: { type: 'boolean' }, rows: { type: 'string' } },
  });
  const [data, result] = positionals;
  const rows = values.rows === undefined ? undefined : JSON.parse(readFileSync(values.rows, 'utf8'))[language];
  return {
    data,
    result,
    quick: values.quick ?? false,
    /** True if a row is selected. */
    takes: (row) => rows === undefined || rows.includes(row),
    /** True if a row is selected whose name begins with `group`. */
    takesAny: (group) => rows === undefined || rows.some((row) => row.startsWith(group)),
    /** Returns the selected competitors. */
    of: (competitors) => competitors.filter((who) => who === 'ours' || !values.ours),
  };
}

/** Returns the medians of the CPU time of every competitor, after checking that all of them give the same results. */
export function run(all, rounds, choice) {
  const operations = all
    .filter(({ name }) => choice.takes(name))
    .map((one) => ({ ...one, entries: one.entries.filter(({ who }) => choice.of([who]).length > 0) }));
  for (const { name, same, entries } of operations) {
    const results = entries.map(({ work }) => same(work()));
    const odd = results.findIndex((result) => !isDeepStrictEqual(result, results[0]));
    if (odd > 0) throw new Error(`${name}: ${entries[odd].who} gives ${JSON.stringify(results[odd])?.slice(0, 300)}`);
  }
  const turns = operations.flatMap(({ per, entries }) => entries.map((entry) => ({ entry, per })));
  for (const { entry } of turns) calibrate(entry);
  for (let round = 1; round <= rounds; round++) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round} of ${rounds}`);
    shuffle(turns);
    for (const { entry, per } of turns) entry.times.push(turn(entry) / entry.loops / per);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return operations.map(({ name, replaced, entries }) => {
    const times = Object.fromEntries(entries.map(({ who, times }) => [who, median(times)]));
    return { operation: name, unit: 'ns', replaced, times };
  });
}

/** Runs twice, because the first time includes compiling. */
function calibrate(entry) {
  for (let pass = 0; pass < 2; pass++) {
    entry.loops = 1;
    while (turn(entry) < TURN_NS / 2) entry.loops *= 2;
  }
}

/** Runs one turn. The work is called through a variable for all competitors, which costs one to three nanoseconds. */
function turn({ work, loops }) {
  const start = process.cpuUsage();
  for (let index = 0; index < loops; index++) sink.value = work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

export function shuffle(items) {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}

/** Converts values of all packages to one form, for comparing them. */
function plain(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

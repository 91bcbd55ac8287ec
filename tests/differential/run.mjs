// Random streams through @ag-ui/client and through ours, stage by stage: no difference without an explanation.
//
//   node run.mjs [--seed N] [--count N] [--out FILE]
//
// Stream i has the seed N + i, so `--seed <that number> --count 1` is that stream again. FILE (JSON lines, gzip) takes streams and
// outcomes of ours, for ours.py to compare with. README.md says more.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { compare, inputsOf } from './compare.mjs';
import { outcomeOf } from './ours.mjs';
import { relayOf } from './relay.mjs';
import { shrink } from './shrink.mjs';
import { streamOf } from './streams.mjs';

const { values: options } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '1' }, out: { type: 'string' } },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed);
const count = Number(options.count);
const out = options.out && createGzip();
out?.pipe(createWriteStream(options.out));

const tally = { same: 0, explained: 0, unexplained: 0 };
const explanations = new Map();
const rules = new Set();

console.log(`${count} streams from seed ${seed}`);
for (let number = seed; number < seed + count; number++) {
  await judge(number).catch((error) => {
    throw new Error(`seed ${number}`, { cause: error });
  });
}
out?.end();

async function judge(number) {
  const judged = [];
  for (const [stage, input] of await inputsOf(streamOf(number))) {
    const verdict = await compare(stage, input);
    judged.push([stage, input, verdict.outcome]);
    rules.add(verdict.expected.rule);
    if (!verdict.explained) tally.same += 1;
    else if (verdict.explained.length) tally.explained += 1;
    else await report(number, verdict);
    for (const name of verdict.explained ?? []) explanations.set(name, (explanations.get(name) ?? 0) + 1);
  }
  if (out) for (const stage of ['relay', 'tolerate', 'decode']) judged.push([stage, relayOf(number), outcomeOf(stage, relayOf(number))]);
  if (out && !out.write(`${JSON.stringify([number, judged])}\n`)) await once(out, 'drain');
}

/** Prints the smallest stream that shows the difference. */
async function report(number, { stage, input, broken, ...verdict }) {
  tally.unexplained += 1;
  if (tally.unexplained > 5) return;
  const sign = (verdict) => [verdict.found.rule, verdict.expected.rule, ...(verdict.broken ?? [])].join();
  const isBad = async (smaller) => {
    const judged = await compare(stage, smaller);
    return judged.explained?.length === 0 && sign(judged) === sign({ ...verdict, broken });
  };
  const smallest = await shrink(input, isBad);
  const { found, expected } = await compare(stage, smallest);
  console.log(`seed ${number}, ${stage}${broken ? `, ours breaks: ${broken}` : ''}`);
  console.log(`  stream   ${JSON.stringify(smallest)}`);
  console.log(`  ours     ${JSON.stringify(found)}`);
  console.log(`  official ${JSON.stringify(expected)}`);
}

const counts = [...explanations].sort().map(([name, times]) => `${times}\t${name}`);
console.log(`${tally.same} outcomes the same, ${tally.explained} explained, ${tally.unexplained} not`);
for (const line of counts) console.log(`  ${line}`);
if (count > 1) console.log(`rules that failures named: ${[...rules].filter(Boolean).sort().join(' ')}`);
process.exitCode = tally.unexplained > 0 || !(tally.same > 0) ? 1 : 0;

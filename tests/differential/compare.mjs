// One stream through every stage of both sides, and what became of the differences.
import { isDeepStrictEqual } from 'node:util';
import { compareCompaction } from './compaction.mjs';
import { explain } from './explain.mjs';
import * as official from './official.mjs';
import { outcomeOf } from './ours.mjs';
import { comparable, recorded } from './recorded.mjs';

/** The input of each stage: the stream itself, after enforcement, or with chunks expanded. Our stages make these. */
export async function inputsOf({ seed, kind, ...stream }) {
  const typed = { ...stream, events: (await outcomeOf('enforce', stream)).events };
  const expanded = { ...stream, events: (await outcomeOf('chunks', typed)).events };
  return [
    ['enforce', stream],
    ['chunks', typed],
    ['verify', typed],
    ['verify', expanded],
    ['apply', kind === 'hostile' ? typed : expanded],
    ['compact', seed % 2 ? typed : expanded],
    ['pipeline', stream],
    ['burst', stream],
  ];
}

/**
 * Compares a stage on one input. The verdict has our outcome and the explanations of a difference: none if there is no difference,
 * an empty list if nothing explains it.
 */
export async function compare(stage, input) {
  const outcome = await outcomeOf(stage, input);
  // The outcome does not depend on the pieces of bytes; the client's outcome is that of single events.
  if (stage === 'burst') return burst(input, outcome);
  const found = recorded(stage, input, outcome);
  const expected = comparable(await official[stage](input));
  const verdict = { stage, input, outcome, found, expected };
  if (stage === 'compact') return { ...verdict, ...(await compareCompaction(input, found, expected)) };
  if (isDeepStrictEqual(found, expected)) return verdict;
  if (stage === 'pipeline' && outcome.warnings.some(([, code]) => code === 'role_conflict')) {
    // Tolerant keeps thoughts out of answers that have their id. With that taken away it is as it was.
    const shared = await outcomeOf('shared', input);
    const sharing = { ...verdict, outcome: { ...shared, warnings: outcome.warnings }, found: recorded(stage, input, shared) };
    if (isDeepStrictEqual(sharing.found, expected)) return { ...verdict, explained: ['apart'] };
    const others = await explain(stage, input, sharing, async (read, as) => comparable(await official[stage](read, as)));
    if (others) return { ...verdict, explained: ['apart', ...others] };
  }
  const run = async (read, as) => comparable(await official[stage](read, as));
  return { ...verdict, explained: (await explain(stage, input, verdict, run)) ?? [] };
}

/** A stream in one piece must have the same outcome as its events one by one. */
async function burst(input, found) {
  const expected = await outcomeOf('pipeline', input);
  const verdict = { stage: 'burst', input, outcome: found, found, expected };
  return isDeepStrictEqual(found, expected) ? verdict : { ...verdict, explained: [] };
}

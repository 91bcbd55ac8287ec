import { MAX_DEPTH } from '../generated/border.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Event } from '../generated/types.cjs';
import { equal } from '../patch/patching.cjs';
import { stringify } from '../json/text.cjs';

/**
 * An expected event: its type, or some of its members.
 *
 * @example
 * ```ts
 * import { assertEvents, type Expected, runAgent, scriptedAgent } from 'ag-ui-native/testing';
 *
 * const content: Expected = { type: 'TEXT_MESSAGE_CONTENT', delta: 'Hello!' };
 * const { events } = await runAgent(scriptedAgent(['Hello!']));
 * assertEvents(events, ['RUN_STARTED', 'TEXT_MESSAGE_START', content, 'TEXT_MESSAGE_END', 'RUN_FINISHED']);
 * ```
 */
export type Expected = string | { readonly [member: string]: unknown };

/**
 * Compares events with the expected ones.
 *
 * @throws Error with both lists: `-` marks missing events, `+` unexpected ones
 *
 * @example
 * ```ts
 * import { assertEvents, runAgent, scriptedAgent } from 'ag-ui-native/testing';
 *
 * const { events } = await runAgent(scriptedAgent([{ custom: 'progress', value: 0.5 }]));
 * assertEvents(events, ['RUN_STARTED', { type: 'CUSTOM', name: 'progress' }, 'RUN_FINISHED']);
 * ```
 */
export function assertEvents(actual: readonly (Event | BaseEvent)[], expected: readonly Expected[]): void {
  const lines = difference(actual, expected);
  if (lines.every((line) => line.startsWith('  '))) return;
  const error = new Error(`the events differ from the expected ones\n${lines.join('\n')}`);
  throw Object.assign(error, { name: 'AssertionError', code: 'ERR_ASSERTION', actual, expected });
}

/** Returns both lists as lines, with as many common lines as possible. */
function difference(actual: readonly object[], expected: readonly Expected[]): string[] {
  // The length of the longest common part from each pair of places on.
  const common = Array.from(expected, () => new Uint32Array(actual.length + 1)).concat(new Uint32Array(actual.length + 1));
  for (let at = expected.length - 1; at >= 0; at--) {
    for (let to = actual.length - 1; to >= 0; to--) {
      const both = matches(actual[to]!, expected[at]!) ? common[at + 1]![to + 1]! + 1 : 0;
      common[at]![to] = Math.max(both, common[at + 1]![to]!, common[at]![to + 1]!);
    }
  }
  const lines: string[] = [];
  let [at, to] = [0, 0];
  while (at < expected.length || to < actual.length) {
    const [wanted, found] = [expected[at], actual[to]];
    if (wanted !== undefined && found !== undefined && matches(found, wanted)) lines.push(`  ${shown(wanted)}`), at++, to++;
    else if (found === undefined || (wanted !== undefined && common[at + 1]![to]! >= common[at]![to + 1]!)) lines.push(`- ${shown(wanted!)}`), at++;
    else lines.push(`+ ${shown(found)}`), to++;
  }
  return lines;
}

function matches(event: object, expected: Expected): boolean {
  const members = typeof expected === 'string' ? { type: expected } : expected;
  return Object.entries(members).every(([name, value]) => equal((event as Record<string, unknown>)[name], value, MAX_DEPTH) === 1);
}

function shown(event: Expected | object): string {
  if (typeof event === 'string') return event;
  const { type, ...members } = event as { type?: string };
  return `${type ?? '*'} ${stringify(members)}`;
}

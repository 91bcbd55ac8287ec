import { isObject, type Loose } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { nestedProjections, type Projection, projections } from '../generated/projections.cjs';
import { quote, stringify } from '../json/text.cjs';

// Events in brief: of what JavaScript has as an object, only that crosses which a stage looks at. The rest of a brief event stands
// in for members that must be there. Which those are is core's to say: `generated/projections.cts`.

/** What a stage looks at, by the type of event. */
export type Looks = ReadonlyMap<unknown, Projection>;

/** The looks of a stage. */
export function looksOf(stage: keyof typeof projections): Looks {
  return new Map(Object.entries(projections[stage]));
}

const inside: ReadonlyMap<unknown, Projection> = new Map(Object.entries(nestedProjections));

/** An event in brief, as JSON text; with `isWhole` messages in it are whole. */
export function briefText(event: BaseEvent, look: Projection | undefined, isWhole = false): string {
  let out = '{' + typeText(event);
  if (look === undefined) return out + '}';
  out += membersText(event as unknown as Loose, look, isWhole);
  for (let at = 0; at < look.marks.length; at++) {
    const mark = look.marks[at]!;
    if (event[mark] !== undefined) out += ',"' + mark + '":' + look.signs[at]!;
  }
  return out + '}';
}

function typeText(event: BaseEvent): string {
  const type = event.type as unknown;
  return '"type":' + (typeof type === 'string' ? quote(type) : (stringify(type) ?? 'null'));
}

/** The members that are looked at, and what stands for others. */
function membersText(value: Loose, { keys, kinds, rest }: Projection, isWhole: boolean): string {
  let out = '';
  for (let at = 0; at < keys.length; at++) {
    const member = value[keys[at]!];
    // An input without a list of messages is as good as none.
    if (member === undefined || (kinds[at] === INPUT && !(isObject(member) && Array.isArray(member['messages'])))) continue;
    out += ',"' + keys[at]! + '":' + (typeof member === 'string' ? quote(member) : valueText(kinds[at]!, member, isWhole));
  }
  return out + rest;
}

function valueText(kind: string, value: unknown, isWhole: boolean): string {
  if (kind === INPUT) return insideText(value, 'RunAgentInput', isWhole);
  if (kind === 'URunFinishedOutcome') return insideText(value, isObject(value) && value['type'] === 'interrupt' ? 'RunFinishedInterruptOutcome' : undefined);
  if (kind === '[TInterrupt') return listOf(value, (interrupt) => insideText(interrupt, 'Interrupt'));
  if (kind === '[UMessage' && !isWhole) return listOf(value, (message) => insideText(message, isObject(message) ? message['role'] : undefined));
  if (kind === '[TToolCall' && !isWhole) return listOf(value, (call) => insideText(call, 'ToolCall'));
  return stringify(value) ?? 'null';
}

function listOf(value: unknown, write: (item: unknown) => string): string {
  if (!Array.isArray(value)) return stringify(value) ?? 'null';
  let out = '';
  for (let at = 0; at < value.length; at++) out += (at === 0 ? '' : ',') + write(value[at]);
  return '[' + out + ']';
}

/** What stands inside of an event, in brief; whole if nothing is known of it. */
function insideText(value: unknown, name: unknown, isWhole = false): string {
  const look = inside.get(name);
  if (look === undefined || !isObject(value)) return stringify(value) ?? 'null';
  return '{' + membersText(value, look, isWhole).slice(1) + '}';
}

/** One of the strings that an event in brief consists of; nothing if it is none, or none that crosses as it is. */
export function briefString(event: BaseEvent, key: string | null | undefined): string | undefined {
  if (key === null) return '';
  const value = key === undefined ? undefined : event[key];
  // Native code would not see halves of surrogate pairs.
  return typeof value === 'string' && (value as unknown as { isWellFormed(): boolean }).isWellFormed() ? value : undefined;
}

/** True if an event has no members, of those that are looked at, but the strings and perhaps its tag. */
export function isBriefStrings(event: BaseEvent, { keys }: Pick<Projection, 'keys'>, strings: readonly (string | null)[]): boolean {
  for (const key of keys) if (key !== TAG && event[key] !== undefined && !strings.includes(key)) return false;
  return true;
}

/** What the input of a run is among the kinds of members. */
const INPUT = 'TRunAgentInput';

/** The member that says whose an event is. */
export const TAG = 'subagentRunId';

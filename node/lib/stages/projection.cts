import { isObject, type Loose } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { nestedProjections, type Projection, projections } from '../generated/projections.cjs';
import { quote, stringify } from '../json/text.cjs';

// Writes projections of events: only the members that a stage reads are passed to native code. Placeholders replace other required
// members. Core declares the projections: `generated/projections.cts`.

/** The projection of each event type for one stage. */
export type Projections = ReadonlyMap<unknown, Projection>;

/** Returns the projections for a stage. */
export function projectionsOf(stage: keyof typeof projections): Projections {
  return new Map(Object.entries(projections[stage]));
}

const nested: ReadonlyMap<unknown, Projection> = new Map(Object.entries(nestedProjections));

/** Returns the JSON text of the projection of an event. With `isWhole` it has whole messages. */
export function projectionText(event: BaseEvent, projection: Projection | undefined, isWhole = false): string {
  let out = '{' + typeText(event);
  if (projection === undefined) return out + '}';
  out += membersText(event as unknown as Loose, projection, isWhole);
  for (let at = 0; at < projection.marks.length; at++) {
    const mark = projection.marks[at]!;
    if (event[mark] !== undefined) out += ',"' + mark + '":' + projection.signs[at]!;
  }
  return out + '}';
}

function typeText(event: BaseEvent): string {
  const type = event.type as unknown;
  return '"type":' + (typeof type === 'string' ? quote(type) : (stringify(type) ?? 'null'));
}

/** Writes the members that the stage reads, and the placeholders. */
function membersText(value: Loose, { keys, kinds, rest }: Projection, isWhole: boolean): string {
  let out = '';
  for (let at = 0; at < keys.length; at++) {
    const member = value[keys[at]!];
    // An input without a list of messages counts as absent.
    if (member === undefined || (kinds[at] === INPUT && !(isObject(member) && Array.isArray(member['messages'])))) continue;
    out += ',"' + keys[at]! + '":' + (typeof member === 'string' ? quote(member) : valueText(kinds[at]!, member, isWhole));
  }
  return out + rest;
}

function valueText(kind: string, value: unknown, isWhole: boolean): string {
  if (kind === INPUT) return nestedText(value, 'RunAgentInput', isWhole);
  if (kind === 'URunFinishedOutcome') return nestedText(value, isObject(value) && value['type'] === 'interrupt' ? 'RunFinishedInterruptOutcome' : undefined);
  if (kind === '[TInterrupt') return listOf(value, (interrupt) => nestedText(interrupt, 'Interrupt'));
  if (kind === '[UMessage' && !isWhole) return listOf(value, (message) => nestedText(message, isObject(message) ? message['role'] : undefined));
  if (kind === '[TToolCall' && !isWhole) return listOf(value, (call) => nestedText(call, 'ToolCall'));
  return stringify(value) ?? 'null';
}

function listOf(value: unknown, write: (item: unknown) => string): string {
  if (!Array.isArray(value)) return stringify(value) ?? 'null';
  let out = '';
  for (let at = 0; at < value.length; at++) out += (at === 0 ? '' : ',') + write(value[at]);
  return '[' + out + ']';
}

/** Writes the projection of a nested object, or the whole object if it has no projection. */
function nestedText(value: unknown, name: unknown, isWhole = false): string {
  const projection = nested.get(name);
  if (projection === undefined || !isObject(value)) return stringify(value) ?? 'null';
  return '{' + membersText(value, projection, isWhole).slice(1) + '}';
}

/** Returns one of the strings of a projection, or undefined if the member is no string or cannot cross unchanged. */
export function projectionString(event: BaseEvent, key: string | null | undefined): string | undefined {
  if (key === null) return '';
  const value = key === undefined ? undefined : event[key];
  // Native code would not see halves of surrogate pairs.
  return typeof value === 'string' && (value as unknown as { isWellFormed(): boolean }).isWellFormed() ? value : undefined;
}

/** Returns true if an event has no members that the stage reads besides the strings and the tag. */
export function hasOnlyStrings(event: BaseEvent, { keys }: Pick<Projection, 'keys'>, strings: readonly (string | null)[]): boolean {
  for (const key of keys) if (key !== TAG && event[key] !== undefined && !strings.includes(key)) return false;
  return true;
}

/** The kind of the member that holds the input of a run. */
const INPUT = 'TRunAgentInput';

/** The member with the owner of an event. */
export const TAG = 'subagentRunId';

import type { Loose } from '../json/check.cjs';
import { FIRST, JSON_TEXT, LENGTH } from '../generated/border.cjs';
import { literalEvent, optionals, types, unions } from '../generated/tables.cjs';
import type { Event } from '../generated/types.cjs';

// Reads the output of an engine: one string, and marks into it. JavaScript makes the objects: native code would take 500 ns and
// more for each, a literal takes 20. The strings of an event share the memory of their chunk's text.

/**
 * Makes the events. Each has a head, `shape | count << 8 | optional << 16`, and then the ends of its `count` pieces of text, which
 * follow one another without gaps. The shape is the place of the event's type in `Event`; `optional` has a bit for each optional
 * member that is present.
 */
export function readEvents(text: string, marks: Uint32Array): Event[] {
  const events: Event[] = [];
  const end = FIRST + marks[LENGTH]!;
  let start = 0;
  for (let at = FIRST; at < end; ) {
    const head = marks[at++]!;
    const shape = head & 255;
    const optional = head >>> 16;
    const count = (head >>> 8) & 255;
    if (shape === JSON_TEXT) events.push(JSON.parse(text.slice(start, marks[at])) as Event);
    else if (optional === 0) events.push(literalEvent(shape, text, start, marks, at) as Event);
    else events.push(memberEvent(shape, optional, text, start, marks, at));
    if (count === 0) continue;
    at += count;
    start = marks[at - 1]!;
  }
  return events;
}

/** Makes the event whose head is at `at`, an event of strings and integers. */
export function readFlat(text: string, start: number, marks: Uint32Array, at: number): Event {
  const head = marks[at]!;
  const [shape, optional] = [head & 255, head >>> 16];
  if (optional !== 0) return memberEvent(shape, optional, text, start, marks, at + 1);
  return literalEvent(shape, text, start, marks, at + 1) as Event;
}

/** Makes an event of strings and integers member by member, in declaration order. */
function memberEvent(shape: number, optional: number, text: string, start: number, marks: Uint32Array, at: number): Event {
  const { type, keys, required, integers } = shapes[shape]!;
  const event: Loose = { type };
  const there = optional | required;
  for (let index = 0; index < keys.length; index++) {
    if (!(there & (1 << index))) continue;
    const piece = text.slice(start, (start = marks[at++]!));
    event[keys[index]!] = integers & (1 << index) ? Number(piece) : piece;
  }
  return event as Event;
}

/** The members of the events of one shape: their keys, and the bit of each member besides the tag. */
interface Shape {
  type: string;
  keys: string[];
  required: number;
  integers: number;
}

const shapes = Object.entries(unions['Event']!.variants).map(([type, name]): Shape => {
  const members = Object.entries(types[name]!);
  const bits = (matches: (kind: string, key: string) => boolean) =>
    members.reduce((sum, [key, kind], index) => sum | (matches(kind, key) ? 1 << index : 0), 0);
  return {
    type,
    keys: members.map(([key]) => key),
    required: bits((kind, key) => kind !== 'l' && !optionals[name]!.includes(key)),
    integers: bits((kind) => kind === 'i' || kind === 'u'),
  };
});

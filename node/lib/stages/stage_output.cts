import type { BaseEvent } from '../types/events.cjs';
import { FIRST, FLAT, LENGTH, MADE } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { readFlat } from '../stream/event_reader.cjs';

/**
 * Reads the output of a stage. The marks of an event are the index of the caller's object + 1, which `own` finds; or `MADE` and the end of
 * its JSON text; or `FLAT` and the marks of a decoder's event.
 */
export function readStageOutput<T extends Event | BaseEvent>(
  text: string,
  marks: Uint32Array,
  own: (index: number) => T,
  made: (event: T) => T = (event) => event,
): T[] {
  const events: T[] = [];
  const end = FIRST + marks[LENGTH]!;
  let start = 0;
  for (let at = FIRST; at < end; at += 2) {
    const origin = marks[at]!;
    if (origin === FLAT) {
      const count = (marks[at + 1]! >>> 8) & 255;
      events.push(made(readFlat(text, start, marks, at + 1) as T));
      at += count;
      start = marks[at + 1]!;
    } else {
      const piece = text.slice(start, (start = marks[at + 1]!));
      events.push(origin === MADE ? made(JSON.parse(piece)) : own(origin - 1));
    }
  }
  return events;
}

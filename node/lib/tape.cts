import { flatEvent } from './generated/tables.cjs';
import type { Event } from './generated/types.cjs';

// What the native decoder hands over: one string, and marks into it. JavaScript makes the objects: native code would
// take 500 ns and more for each, a literal takes 20.

/** In `marks[STATUS]`: bits. */
export const STATUS = 0;
/** In `marks[LENGTH]`: the number of marks that follow. */
export const LENGTH = 1;
/** Where the marks of the first event stand. */
const FIRST = 2;

/** The stream has failed; ask for the error. */
export const FAILED = 1;
/** There are warnings; ask for them. */
export const WARNED = 2;
/** The marks are too few; provide `LENGTH + 2` and ask again. */
export const SHORT = 4;

/** The shape of an event that is handed over as JSON text. */
const JSON_TEXT = 255;

/**
 * Makes the events. Each has a head, `shape | count << 8`, and then the ends of its `count` pieces of text, which
 * follow one another without gaps.
 */
export function readTape(text: string, marks: Uint32Array): Event[] {
  const events: Event[] = [];
  const end = FIRST + marks[LENGTH]!;
  let start = 0;
  for (let at = FIRST; at < end; ) {
    const head = marks[at++]!;
    const count = head >>> 8;
    const shape = head & 255;
    if (shape === JSON_TEXT) events.push(JSON.parse(text.slice(start, marks[at])) as Event);
    else events.push(flatEvent(shape, text, start, marks, at) as Event);
    at += count;
    start = marks[at - 1]!;
  }
  return events;
}

import { FIRST, JSON_TEXT } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { expect } from '../options/kinds.cjs';
import { readEvents } from './event_reader.cjs';

/** The texts of events. The text is empty for events of strings and safe integers, which `JSON.stringify` writes without change. */
const texts = new WeakMap<Event, string>();

/** Makes the events and keeps their texts for `textOf`. */
export function readEventsWithText(text: string, marks: Uint32Array): Event[] {
  const events = readEvents(text, marks);
  let start = 0;
  let at = FIRST;
  for (const event of events) {
    const head = marks[at]!;
    const count = (head >>> 8) & 255;
    const end = count === 0 ? start : marks[at + count]!;
    texts.set(event, (head & 255) === JSON_TEXT ? text.slice(start, end) : '');
    at += 1 + count;
    start = end;
  }
  return events;
}

/**
 * Returns the JSON text of an event that was decoded with the option `text`. It has the original order of members, and all digits
 * of numbers. Returns undefined for any other object.
 *
 * @example
 * ```ts
 * import { decodeEvents, textOf } from 'ag-ui-native/stream';
 *
 * const bytes = new TextEncoder().encode('data: {"type":"CUSTOM","name":"height","value":1.50}\n\n');
 * for await (const event of decodeEvents([bytes], { text: true })) {
 *   textOf(event); // => '{"type":"CUSTOM","name":"height","value":1.50}'
 * }
 * ```
 */
export function textOf(event: Event): string | undefined {
  expect('object', 'event', event);
  const text = texts.get(event);
  return text === '' ? JSON.stringify(event) : text;
}

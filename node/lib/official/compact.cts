import { compacted } from '../compact/compact.cjs';
import type { BaseEvent } from '../types/events.cjs';

/**
 * Returns a shorter list of events with the same effect: pieces of text and arguments are joined, state deltas folded into snapshots.
 * Chunks are not expanded, and nothing is validated.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { compactEvents } from 'ag-ui-native/operators';
 *
 * const pieces = ['Hel', 'lo'].map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta }));
 * const start = { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' };
 * compactEvents([start, ...pieces, { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' }]).length; // => 3
 * ```
 */
export function compactEvents(events: BaseEvent[]): BaseEvent[] {
  return compacted(events);
}

import { compacted } from '../compact/compact.cjs';
import type { BaseEvent } from '../types/events.cjs';

/**
 * Returns a shorter list of events with the same effect: pieces of text and arguments are joined, state deltas folded into snapshots.
 * Chunks are not expanded, and nothing is validated.
 */
export function compactEvents(events: BaseEvent[]): BaseEvent[] {
  return compacted(events);
}

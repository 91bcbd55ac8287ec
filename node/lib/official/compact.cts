import { compacted } from '../compact/compact.cjs';
import type { BaseEvent } from '../types/events.cjs';

/**
 * A shorter list of events that comes to the same: pieces of text and arguments joined, state deltas folded into snapshots. Chunks
 * are not expanded, and nothing is judged.
 */
export function compactEvents(events: BaseEvent[]): BaseEvent[] {
  return compacted(events);
}

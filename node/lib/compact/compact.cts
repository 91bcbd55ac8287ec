import { projectionText, projectionsOf } from '../stages/projection.cjs';
import type { Loose } from '../json/check.cjs';
import { keysOf } from '../stages/declared.cjs';
import { Engine } from '../native/engine.cjs';
import { AGUIError } from '../errors/errors.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { FIRST, LENGTH, MISSING_EVENTS, MISSING_TABLE } from '../generated/border.cjs';
import { deltaLike, Action } from '../generated/event_table.cjs';
import { mergeMetadata } from '../types/metadata.cjs';
import { native, type CompactionFunction } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import { EventTable } from './event_table.cjs';
import { readStageOutput } from '../stages/stage_output.cjs';

type OnWarning = ((warning: Warning) => void) | undefined;

/** A plan of compaction: `words[from]` to `words[end]` are actions over rows; the table has the places of their events. */
interface CompactionPlan {
  words: Uint32Array;
  from: number;
  end: number;
  rows: Rows;
}

/** The places of the events of each row: see `EventTable`. */
type Rows = Pick<EventTable, 'places' | 'texts'>;

/** Returns a shorter list of events with the same effect, without validating it. Core decides from numbers in most cases; this code joins the texts. */
export function compacted(events: readonly BaseEvent[], onWarning?: OnWarning): BaseEvent[] {
  const table = EventTable.of(events, false);
  const isLoose = table === undefined || table.isLoose;
  const out = isLoose ? carriedOut(events, planFor(events, table) ?? planOf(events), onWarning) : events.slice();
  table?.release();
  return out;
}

let compaction: CompactionFunction | undefined;

/** Returns the plan for a table. Undefined if core needs more members of the events. */
function planFor(events: readonly BaseEvent[], table: EventTable | undefined): CompactionPlan | undefined {
  if (table === undefined) return undefined;
  compaction ??= native().createCompaction();
  const { words, rows, listed, count } = table;
  const end = compaction(words, rows, count, listed && Uint32Array.from(listed));
  if (end === MISSING_TABLE) return planFor(events, EventTable.of(events, true));
  return end === undefined || end === MISSING_EVENTS ? undefined : { words, from: 0, end, rows: table };
}

const projections = projectionsOf('compact');
const RELAY = '{"profile":"relay"}';

/** Returns the plan for the projections of the events. */
function planOf(events: readonly BaseEvent[]): CompactionPlan {
  const engine = new Engine<Uint32Array>(native().createStage('plan', RELAY), (_, marks) => [marks]);
  const [words] = engine.run(events.map((event) => projectionText(event, projections.get(event.type))).join('\n'));
  const places = Uint32Array.from({ length: 2 * events.length }, (_, at) => (at + 1) >> 1);
  const texts = events.map((event) => event['delta'] as string);
  return { words: words!, from: FIRST, end: FIRST + words![LENGTH]!, rows: { places, texts } };
}

function carriedOut(events: readonly BaseEvent[], { words, from, end, rows }: CompactionPlan, onWarning: OnWarning): BaseEvent[] {
  const out: BaseEvent[] = [];
  const { places } = rows;
  for (let at = from; at < end; ) {
    const action = words[at]! & 3;
    const count = words[at++]! >>> 2;
    if (action === Action.Keep) {
      const first = words[at++]!;
      for (let row = first; row < first + count; row++) {
        const last = places[2 * row + 1]!;
        for (let index = places[2 * row]!; index < last; index++) out.push(events[index]!);
      }
      continue;
    }
    const next = at + count;
    if (action === Action.Delta) out.push(joined(events, rows, words, at, next));
    else if (action === Action.Start) out.push(merged(firstsOf(words.subarray(at, next), places).map((index) => events[index]!)));
    else out.push(folded(events, firstsOf(words.subarray(at, next), places), onWarning));
    at = next;
  }
  return out;
}

/** Returns the index of each row's first event. */
function firstsOf(rows: Uint32Array, places: Uint32Array): number[] {
  return Array.from(rows, (row) => places[2 * row]!);
}

/** Joins the deltas of the rows at `words[at]` to `words[end]` into one; other rows among them add only metadata. */
function joined(events: readonly BaseEvent[], { places, texts }: Rows, words: Uint32Array, at: number, end: number): BaseEvent {
  const first = events[places[2 * words[at]!]!]!;
  let delta = texts[words[at]!]!;
  // Events that share a row have no metadata.
  let metadata = mergeMetadata(undefined, first.metadata as Loose | undefined);
  while (++at < end) {
    const row = words[at]!;
    const event = events[places[2 * row]!]!;
    if (event.type === first.type) delta += texts[row]!;
    if (event.metadata !== undefined) metadata = mergeMetadata(metadata, event.metadata as Loose);
  }
  const made = deltaLike(first, delta);
  const tag = first['subagentRunId'];
  if (tag === undefined && metadata === undefined) return made;
  return inOrder({ ...made, ...(tag !== undefined && { subagentRunId: tag }), ...(metadata !== undefined && { metadata }) });
}

/** Returns the first start event with the metadata of all others but the last, which has the name. */
function merged(starts: BaseEvent[]): BaseEvent {
  const named = starts.pop()!;
  const made = { ...starts[0]! };
  if (named['toolCallName'] !== undefined) made['toolCallName'] = named['toolCallName'];
  return inOrder(withMetadata(made, starts));
}

/** Returns the event with its members in the order in which core writes them. */
function inOrder(event: BaseEvent): BaseEvent {
  const made: Loose = {};
  for (const key of keysOf(event.type)) if (event[key] !== undefined) made[key] = event[key];
  return Object.assign(made, event) as BaseEvent;
}

/** Returns an event with the metadata of several events: per key the last value. */
function withMetadata(event: BaseEvent, from: readonly BaseEvent[]): BaseEvent {
  for (const { metadata } of from) if (metadata !== undefined) event.metadata = mergeMetadata(event.metadata as Loose, metadata as Loose)!;
  return event;
}

/** Folds the state events at the indexes into one snapshot: core applies the deltas. */
function folded(events: readonly BaseEvent[], indexes: readonly number[], onWarning: OnWarning): BaseEvent {
  const states = indexes.map((index) => events[index]!);
  const make = (text: string, marks: Uint32Array) => readStageOutput<BaseEvent>(text, marks, (at) => ({ ...states[at]! }));
  const warn = onWarning && ((warning: Warning) => onWarning({ ...warning, eventIndex: indexes[warning.eventIndex!]! }));
  const engine = new Engine<BaseEvent>(native().createStage('compact', RELAY), make, warn);
  try {
    const [made] = engine.run(states.map((event) => projectionText(event, projections.get(event.type))).join('\n'));
    const { metadata: _, ...rest } = made!;
    return inOrder(withMetadata(rest as BaseEvent, states));
  } catch (error) {
    if (!(error instanceof AGUIError) || error.eventIndex === undefined) throw error;
    throw Object.assign(error, { eventIndex: indexes[error.eventIndex]! });
  }
}

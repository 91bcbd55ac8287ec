import { compacted } from '../compact/compact.cjs';
import { isDeclared, isScalar } from './declared.cjs';
import { Engine } from '../native/engine.cjs';
import { AGUIError } from '../errors/errors.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect, expectIfGiven } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { type EventOptions, optionsText, type Warning } from '../options/options.cjs';
import { readStageOutput } from './stage_output.cjs';
import { EnforceStage, ExpandStage, readStageEvents, type EventStage, VerifyStage } from './event_stages.cjs';

// Runs single stages on events that are objects. An event that a stage does not change is returned as the caller's own object.

/**
 * Reads events by the rules of a profile: undeclared parts are dropped, and retired shapes are translated, each time with a
 * warning.
 *
 * @throws AGUIValidationError for the first invalid event; `partial` has those before it
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { enforceEvents } from 'ag-ui-native/stream';
 *
 * enforceEvents([{ type: EventType.TEXT_MESSAGE_END, messageId: 'm1', mood: 'fine' }]); // => [{ type: 'TEXT_MESSAGE_END', messageId: 'm1' }]
 * ```
 */
export function enforceEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runEventStage('enforce', events, options);
}

/**
 * Expands chunk events to START, CONTENT and END events; all others pass.
 *
 * @throws AGUISequenceError (a C rule) for the first chunk that does not fit; `partial` has the events before
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { expandChunks } from 'ag-ui-native/stream';
 *
 * const chunk = { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm1', delta: 'Hello' };
 * expandChunks([chunk]).map(({ type }) => type); // => ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']
 * ```
 */
export function expandChunks(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runEventStage('expand', events, options);
}

/**
 * Verifies the order of events, and returns them. The end of the stream is not checked: `EventVerifier.finish` does that.
 *
 * @throws AGUISequenceError (a V rule) for the first event that is out of order; `partial` has those before it
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { verifyEvents } from 'ag-ui-native/stream';
 *
 * const start = { type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' };
 * verifyEvents([start, { type: EventType.RUN_ERROR, message: 'No model.' }]).length; // => 2
 * ```
 */
export function verifyEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runEventStage('verify', events, options);
}

/**
 * Returns a shorter list of events with the same effect: pieces of text and arguments are joined, state deltas folded into
 * snapshots. Chunks are not expanded.
 *
 * @throws AGUIValidationError for the first invalid event; `partial` has those before it, compacted
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { compactEvents } from 'ag-ui-native/stream';
 *
 * const pieces = ['Hel', 'lo'].map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta }));
 * const start = { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' };
 * compactEvents([start, ...pieces, { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' }]).length; // => 3
 * ```
 */
export function compactEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  expect('items', 'events', events);
  const given = [...events] as BaseEvent[];
  const isPlain = options?.limits === undefined && given.every(isDeclared);
  // Invalid options are refused in any case.
  return isPlain && optionsText(options, 'event') ? (compacted(given, options.onWarning) as Event[]) : runStage('compact', given, options);
}

function runStage(name: string, events: Iterable<Event | BaseEvent>, options: EventOptions): Event[] {
  expect('items', 'events', events);
  const given = [...events];
  const make = (text: string, marks: Uint32Array) => readEvents(text, marks, given, 0);
  const engine = new Engine(native().createStage(name, optionsText(options, 'event')), make, options.onWarning);
  // Only the whole list can be compacted.
  return engine.events(given, undefined, name === 'compact' ? Infinity : undefined);
}

/**
 * Runs a stage on one event after the other. Of events that are exactly as declared, only the projection is passed to native code,
 * if any part is.
 */
function runEventStage(name: 'enforce' | 'expand' | 'verify', events: Iterable<Event | BaseEvent>, options: EventOptions): Event[] {
  expect('items', 'events', events);
  // A limit also counts members that the stage does not read, and `strict` checks all events of a producer.
  if (options?.limits !== undefined || (name === 'verify' && options?.profile === 'strict')) return runStage(name, events, options);
  const stage = stageOf(name, new Engine<BaseEvent>(native().createStage(name, optionsText(options, 'event')), readStageEvents, options.onWarning));
  const isPlain = name === 'enforce' ? isScalar : isDeclared;
  const out: Event[] = [];
  let thrown: { error: unknown } | undefined;
  for (const event of [...events] as BaseEvent[]) {
    try {
      for (const made of isPlain(event) ? stage.take(event) : stage.whole(event)) out.push(made as Event);
    } catch (error) {
      if (error instanceof AGUIError) throw Object.assign(error, { partial: out.concat(error.partial ?? []) });
      // An exception of a callback is thrown at the end. A value that JSON cannot express ends the call.
      thrown ??= { error };
      if (options.onWarning === undefined) break;
    }
  }
  if (thrown) throw thrown.error;
  return out;
}

function stageOf(name: 'enforce' | 'expand' | 'verify', engine: Engine<BaseEvent>): EventStage {
  if (name === 'enforce') return new EnforceStage(engine);
  return name === 'verify' ? new VerifyStage(engine) : new ExpandStage(engine);
}

/** Reads the output of a stage whose input begins at the index `first` of `given`. */
export function readEvents(text: string, marks: Uint32Array, given: readonly unknown[], first: number): Event[] {
  return readStageOutput(text, marks, (index) => given[index - first] as Event);
}

/**
 * Expands chunk events to START, CONTENT and END events, one event at a time.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { ChunkExpander } from 'ag-ui-native/stream';
 *
 * const expander = new ChunkExpander();
 * const chunk = { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm1', delta: 'Hello' };
 * expander.push(chunk).map(({ type }) => type); // => ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']
 * ```
 */
export class ChunkExpander {
  readonly #engine: Engine<Event>;
  #count = 0;

  constructor(options: EventOptions = {}) {
    const make = (text: string, marks: Uint32Array, given: unknown) => readEvents(text, marks, [given], this.#count++);
    this.#engine = new Engine(native().createStage('expand', optionsText(options, 'event')), make, options.onWarning);
  }

  /**
   * Returns the events that replace a chunk. Another event is returned itself, after the END events of the entities that it closes.
   *
   * @throws AGUISequenceError (a C rule) for a chunk that does not fit, which changes nothing
   */
  push(event: Event | BaseEvent): Event[] {
    return this.#engine.event(event);
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }

  static {
    inspectable(this, (expander) => ({ events: expander.#count, warnings: expander.warnings.length }));
  }
}

/**
 * The kinds of entities that can be open during a run.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { EventVerifier, type OpenKind } from 'ag-ui-native/stream';
 *
 * const verifier = new EventVerifier();
 * verifier.check({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' });
 * verifier.check({ type: EventType.STEP_STARTED, stepName: 'search' });
 * const kind: OpenKind = 'step';
 * verifier.open(kind).length; // => 1
 * ```
 */
export type OpenKind = 'step' | 'message' | 'reasoning message' | 'reasoning span' | 'tool call' | 'subagent';

/**
 * An open entity.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { EventVerifier, type OpenEntity } from 'ag-ui-native/stream';
 *
 * const verifier = new EventVerifier();
 * verifier.check({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' });
 * verifier.check({ type: EventType.STEP_STARTED, stepName: 'search' });
 * const open: OpenEntity[] = verifier.open();
 * open; // => [{ kind: 'step', id: 'search' }]
 * ```
 */
export interface OpenEntity {
  kind: OpenKind;
  /** The id of the entity; of a step its name. */
  id: string;
  /** The subagent invocation it belongs to; absent for the agent itself. */
  subagentRunId?: string;
}

/** The caller has the verified events, so no objects are made. */
const nothing = (): never[] => [];

/**
 * Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent.
 *
 * @example
 * ```ts
 * import { AGUIStreamError, EventType } from 'ag-ui-native';
 * import { EventVerifier } from 'ag-ui-native/stream';
 *
 * const verifier = new EventVerifier();
 * verifier.check({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' });
 * verifier.admit({ type: EventType.STEP_STARTED, stepName: 'search' });
 * verifier.isRunning; // => true
 * verifier.open(); // => [{ kind: 'step', id: 'search' }]
 * try {
 *   verifier.finish();
 * } catch (error) {
 *   error instanceof AGUIStreamError; // => true
 * }
 * ```
 */
export class EventVerifier {
  readonly #engine: Engine;

  constructor(options: EventOptions = {}) {
    this.#engine = new Engine(native().createStage('verify', optionsText(options, 'event')), nothing, options.onWarning);
  }

  /**
   * Checks the next event. After a failure every later call fails.
   *
   * @throws AGUISequenceError (a V rule) if the event is not allowed now
   */
  check(event: Event | BaseEvent): void {
    this.#engine.event(event);
  }

  /**
   * Checks the next event. A refused event changes nothing, and other events may follow.
   *
   * @throws AGUISequenceError (a V rule) if the event is not allowed now
   */
  admit(event: Event | BaseEvent): void {
    this.#engine.event(event, true);
  }

  /**
   * Ends the stream.
   *
   * @throws AGUIStreamError `stream_truncated` if no run has begun or one has not ended
   */
  finish(): void {
    this.#engine.run(Ask.Close);
  }

  /** True if a run has begun and not ended. */
  get isRunning(): boolean {
    return this.#status().isRunning;
  }

  /** Returns the open entities in order of opening: all, or those of one kind. */
  open(kind?: OpenKind): OpenEntity[] {
    expectIfGiven('text', 'kind', kind);
    const { open } = this.#status();
    return kind === undefined || kind === null ? open : open.filter((entity) => entity.kind === kind);
  }

  /** The warnings so far, if there is no `onWarning` to take them. */
  get warnings(): Warning[] {
    return this.#engine.warnings;
  }

  #status(): { isRunning: boolean; open: OpenEntity[] } {
    return JSON.parse(this.#engine.ask(Ask.Status));
  }

  static {
    inspectable(this, (verifier) => {
      const { isRunning, open } = verifier.#status();
      return { isRunning, open: open.length, warnings: verifier.warnings.length };
    });
  }
}

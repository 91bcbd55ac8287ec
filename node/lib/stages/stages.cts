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
import { readPassed } from './stage_output.cjs';
import { Enforcing, Expanding, readOwn, type Steps, Verifying } from './event_stages.cjs';

// Each stage alone, on events that are objects already. An event that a stage passes on as it is comes out as the
// caller's own object.

/**
 * Reads events by the rules of a profile: what AG-UI 1.0 does not know is left out, what is retired is translated, each
 * time with a warning.
 *
 * @throws AGUIValidationError for the first event that cannot be read; `partial` has those before
 */
export function enforceEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runSteps('enforce', events, options);
}

/**
 * Turns chunk events into the START, CONTENT and END events they stand for; all others pass.
 *
 * @throws AGUISequenceError (a C rule) for the first chunk that fits nowhere; `partial` has the events before
 */
export function expandChunks(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runSteps('expand', events, options);
}

/**
 * Verifies the order of events, and returns them. The end is not judged: `EventVerifier.finish` does that.
 *
 * @throws AGUISequenceError (a V rule) for the first event that does not belong where it is; `partial` has those before
 */
export function verifyEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  return runSteps('verify', events, options);
}

/**
 * A shorter list of events that comes to the same: pieces of text and arguments joined, state deltas folded into
 * snapshots. Chunks are not expanded.
 *
 * @throws AGUIValidationError for the first event that cannot be read; `partial` has those before, compacted
 */
export function compactEvents(events: Iterable<Event | BaseEvent>, options: EventOptions = {}): Event[] {
  expect('items', 'events', events);
  const given = [...events] as BaseEvent[];
  const isPlain = options?.limits === undefined && given.every(isDeclared);
  // Options that are none are refused all the same.
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

/** Runs a stage that takes one event after the other: those that are plainly as declared cross in brief, if at all. */
function runSteps(name: 'enforce' | 'expand' | 'verify', events: Iterable<Event | BaseEvent>, options: EventOptions): Event[] {
  expect('items', 'events', events);
  // A limit counts for what is not looked at, too; and producers of events are judged by all of them.
  if (options?.limits !== undefined || (name === 'verify' && options?.profile === 'strict')) return runStage(name, events, options);
  const stage = stepsOf(name, new Engine<BaseEvent>(native().createStage(name, optionsText(options, 'event')), readOwn, options.onWarning));
  const isPlain = name === 'enforce' ? isScalar : isDeclared;
  const out: Event[] = [];
  let thrown: { error: unknown } | undefined;
  for (const event of [...events] as BaseEvent[]) {
    try {
      for (const made of isPlain(event) ? stage.take(event) : stage.whole(event)) out.push(made as Event);
    } catch (error) {
      if (error instanceof AGUIError) throw Object.assign(error, { partial: out.concat(error.partial ?? []) });
      // What a callback throws is thrown when all is done; what JSON cannot hold ends it.
      thrown ??= { error };
      if (options.onWarning === undefined) break;
    }
  }
  if (thrown) throw thrown.error;
  return out;
}

function stepsOf(name: 'enforce' | 'expand' | 'verify', engine: Engine<BaseEvent>): Steps {
  if (name === 'enforce') return new Enforcing(engine);
  return name === 'verify' ? new Verifying(engine) : new Expanding(engine);
}

/** Makes a stage's events of those that it was given from the index `first` on. */
export function readEvents(text: string, marks: Uint32Array, given: readonly unknown[], first: number): Event[] {
  return readPassed(text, marks, (index) => given[index - first] as Event);
}

/** Turns chunk events into the START, CONTENT and END events they stand for, one event at a time. */
export class ChunkExpander {
  readonly #engine: Engine<Event>;
  #count = 0;

  constructor(options: EventOptions = {}) {
    const make = (text: string, marks: Uint32Array, given: unknown) => readEvents(text, marks, [given], this.#count++);
    this.#engine = new Engine(native().createStage('expand', optionsText(options, 'event')), make, options.onWarning);
  }

  /**
   * The events that `event` stands for: itself, if it is no chunk, behind the ENDs of what it closes.
   *
   * @throws AGUISequenceError (a C rule) for a chunk that fits nowhere, which changes nothing
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

/** What can be open during a run. */
export type OpenKind = 'step' | 'message' | 'reasoning message' | 'reasoning span' | 'tool call' | 'subagent';

/** Something that is open. */
export interface OpenEntity {
  kind: OpenKind;
  /** Its id; the name of a step. */
  id: string;
  /** The subagent invocation it belongs to; absent for the agent itself. */
  subagentRunId?: string;
}

/** What is verified is the caller's already. */
const nothing = (): never[] => [];

/** Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent. */
export class EventVerifier {
  readonly #engine: Engine;

  constructor(options: EventOptions = {}) {
    this.#engine = new Engine(native().createStage('verify', optionsText(options, 'event')), nothing, options.onWarning);
  }

  /**
   * Takes the next event. After a failure the verifier takes no more.
   *
   * @throws AGUISequenceError (a V rule) if it may not come next
   */
  check(event: Event | BaseEvent): void {
    this.#engine.event(event);
  }

  /**
   * Takes the next event; one that is refused changes nothing, and others may follow.
   *
   * @throws AGUISequenceError (a V rule) if it may not come next
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

  /** What is open, in order of opening: all, or of one kind. */
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

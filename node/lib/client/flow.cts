import { codeOf } from '../errors/errors.cjs';
import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { type EventOptions, optionsText, type PipelineOptions } from '../options/options.cjs';
import { readStageEvents } from '../stages/event_stages.cjs';
import { readEvents } from '../stream/event_reader.cjs';

// The two ends of a chain of middleware: the events that it gets, and those that it returns.

/** Decodes the events that middleware gets: every event of the answer, translated from 0.x. */
export class Arrivals {
  readonly engine: Engine<Event>;

  constructor(options: PipelineOptions) {
    this.engine = new Engine<Event>(native().createDecoder(optionsText(options), true), readEvents, options.onWarning);
  }

  feed(chunk: Uint8Array): Event[] {
    return this.engine.feed(chunk);
  }

  close(): Event[] {
    return this.engine.run(Ask.Close);
  }

  get lastEventId(): string {
    return this.engine.resumePoint().lastEventId;
  }
}

/** Takes the events that the outermost middleware returns: enforces the profile, expands chunks, verifies the order. */
export class Intake {
  readonly engine: Engine<BaseEvent>;

  /** The ids are those that the run was requested with. */
  constructor({ threadId, runId }: { threadId: string; runId: string }, options: EventOptions) {
    this.engine = new Engine<BaseEvent>(native().createStage('intake', optionsText(options, 'event')), readStageEvents, options.onWarning);
    this.engine.ask(Ask.Asked, JSON.stringify([threadId, runId]));
  }

  /** Returns the events that replace an event. An error has those before it as `partial`. */
  push(event: Event): Event[] {
    return this.engine.event(event) as Event[];
  }

  /** Returns the milliseconds to wait for the next event, with `idle` as the limit; undefined for no limit, false at the end of the stream. */
  idleTime(idle: number | undefined): number | false | undefined {
    return this.engine.hasEnded ? this.engine.idleTime(idle) : undefined;
  }

  /** Middleware has failed. Returns true if the run ends as finished. */
  toleratesLoss(error: unknown): boolean {
    return this.engine.ask(Ask.Lost, codeOf(error)) === 'true';
  }

  /** @throws AGUIStreamError `stream_truncated` if no run has begun or one has not ended */
  finish(): void {
    this.engine.run(Ask.Close);
  }
}

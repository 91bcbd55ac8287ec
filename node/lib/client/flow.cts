import { codeOf } from '../errors/errors.cjs';
import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { type EventOptions, optionsText, type PipelineOptions } from '../options/options.cjs';
import { readStageEvents } from '../stages/event_stages.cjs';
import { readEvents } from '../stream/event_reader.cjs';

// The two ends of a chain of middleware: what it sees, and what becomes of what it gives.

/** The events of an answer as middleware sees them: all that has come, translated from 0.x. */
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

/** Takes what the outermost gives, an event at a time: enforces the profile, expands chunks, verifies the order. */
export class Intake {
  readonly engine: Engine<BaseEvent>;

  /** Of the stream that was asked for with these ids. */
  constructor({ threadId, runId }: { threadId: string; runId: string }, options: EventOptions) {
    this.engine = new Engine<BaseEvent>(native().createStage('intake', optionsText(options, 'event')), readStageEvents, options.onWarning);
    this.engine.ask(Ask.Asked, JSON.stringify([threadId, runId]));
  }

  /** The events that one stands for. What comes before a failure is its `partial`. */
  push(event: Event): Event[] {
    return this.engine.event(event) as Event[];
  }

  /** The milliseconds to wait for the next event, with `idle` as the limit; nothing is as long as the run may take. 0 means that the stream is at its end. */
  idleTime(idle: number | undefined): number | undefined {
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

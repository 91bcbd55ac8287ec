import type { Change } from '../reduce/changes.cjs';
import type { Engine } from '../native/engine.cjs';
import { Ask } from '../generated/border.cjs';
import type { Event, State } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { type Carry, native } from '../native/native.cjs';
import { checkOptions, type PipelineOptions } from '../options/options.cjs';
import { readEvents } from './event_reader.cjs';
import { readEventsWithText } from './event_text.cjs';
import { ConversationView, reducing } from '../reduce/view.cjs';

/** @internal Sets the run for which the stream of a pipeline was requested. */
export let askPipeline: <S, Reduce extends boolean>(pipeline: EventPipeline<S, Reduce>, run: { threadId: string; runId: string }) => void;
/** @internal Returns the stream index of each event of a pipeline since the last call. The first call starts the record. */
export let takeIndices: <S>(pipeline: EventPipeline<S, false>) => number[];

/** @internal Returns the engine of a pipeline. */
export let engineOf: (pipeline: EventPipeline<any, boolean>) => Engine<any>;

/**
 * Takes a stream of events from bytes to changes of a conversation: decodes, translates 0.x, enforces, expands, verifies
 * and reduces, in one crossing for each chunk. With `reduce: false` it returns events instead of changes, and the
 * conversation stays as it begins. `S` is the type of the state.
 *
 * A failure ends the stream: everything before it has been applied, and the error's `partial` has the items that the failing call
 * had made. Returned messages and states are never changed afterwards, see `Reducer`.
 *
 * @example
 * ```ts
 * import { EventPipeline } from 'ag-ui-native/stream';
 *
 * const pipeline = new EventPipeline({ contentType: 'text/event-stream' });
 * const feed = (event: object) => pipeline.feed(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
 * feed({ type: 'RUN_STARTED', threadId: 't1', runId: 'r1' });
 * feed({ type: 'STATE_SNAPSHOT', snapshot: { tasks: 2 } }).map(({ kind }) => kind); // => ['state_set']
 * pipeline.state; // => { tasks: 2 }
 * feed({ type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' });
 * pipeline.close(); // => []
 * [pipeline.messages, pipeline.pendingInterrupts, pipeline.stateInSync]; // => [[], [], true]
 * ```
 */
export class EventPipeline<S = State, Reduce extends boolean = true> extends ConversationView<S> {
  readonly #engine: Engine<Change | Event>;
  /** Undefined if the pipeline returns events. */
  readonly #carry: Carry | undefined;

  /**
   * @throws AGUIStreamError `wrong_content_type` if the response is not an event stream, AGUIValidationError for messages
   * or interrupts that are invalid
   */
  constructor(options: PipelineOptions<S> & { /** Reduce events to changes; true by default. */ reduce?: Reduce | undefined } = {}) {
    checkOptions(options, 'pipeline');
    const makesEvents = options.reduce === false;
    const made = reducing(native().createPipeline, options, 'pipeline', makesEvents ? (options.text ? readEventsWithText : readEvents) : undefined);
    super(made);
    this.#engine = made.engine;
    this.#carry = makesEvents ? undefined : made.carry;
  }

  /**
   * Reads a chunk and returns its changes, or the events that it completes.
   *
   * @throws AGUIError for the first event that fails; `partial` has the items of the events before it in the chunk
   */
  feed(chunk: Uint8Array): (Reduce extends false ? Event : Change)[] {
    return this.#engine.feed(chunk, this.#carry) as (Reduce extends false ? Event : Change)[];
  }

  /**
   * Ends the stream and returns the items of a last event without its blank line.
   *
   * @throws AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does
   */
  close(): (Reduce extends false ? Event : Change)[] {
    return this.#engine.run(Ask.Close, this.#carry) as (Reduce extends false ? Event : Change)[];
  }

  /** The id that the stream has set last, to resume from; empty if there is none. */
  get lastEventId(): string {
    return this.#engine.resumePoint().lastEventId;
  }

  /** The time that the server asks clients to wait before they connect again, in milliseconds. */
  get retry(): number | undefined {
    return this.#engine.resumePoint().retry ?? undefined;
  }

  static {
    askPipeline = (pipeline, { threadId, runId }) => void pipeline.#engine.ask(Ask.Asked, JSON.stringify([threadId, runId]));
    takeIndices = (pipeline) => pipeline.#engine.ask(Ask.Indices).split(',').map(Number);
    engineOf = (pipeline) => pipeline.#engine;
    inspectable(this, (pipeline) => {
      const { events } = pipeline.#engine.resumePoint();
      return { events, ...pipeline.summary() };
    });
  }
}

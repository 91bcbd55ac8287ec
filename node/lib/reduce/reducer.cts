import { projectionText, projectionsOf } from '../stages/projection.cjs';
import type { Change } from './changes.cjs';
import type { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import type { Event, Interrupt, Message, State } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { type Carry, native } from '../native/native.cjs';
import type { ReducerOptions, Warning } from '../options/options.cjs';
import { ConversationView, reducing } from './view.cjs';

/** @internal Lets the reducer put the texts of messages with one id into one message, even if their kinds differ. */
export let shareIds: <S>(reducer: Reducer<S>) => void;
/** @internal Applies an event of which only the members that change a conversation are validated. */
export let applyLoosely: <S>(reducer: Reducer<S>, event: BaseEvent) => Change[];
/** @internal Applies the event with this index in its stream. */
export let applyAt: <S>(reducer: Reducer<S>, event: BaseEvent, index: number) => Change[];

/**
 * Turns events into changes of a conversation.
 *
 * Returned messages and states (of getters, or the target of a change) are never changed afterwards: an event makes new objects for what
 * it changes and keeps all others. Chunk events must be expanded before. `S` is the type of the state.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { Reducer } from 'ag-ui-native/stream';
 *
 * const reducer = new Reducer();
 * reducer.apply({ type: EventType.TOOL_CALL_START, toolCallId: 'c1', toolCallName: 'weather' });
 * const args = [{ type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{"city": "Par' }];
 * reducer.applyAll(args).map(({ kind }) => kind); // => ['text_appended']
 * reducer.partialArguments('c1')?.value; // => { city: 'Par' }
 * reducer.replace({ messages: [], state: { tasks: 2 } });
 * reducer.state; // => { tasks: 2 }
 * ```
 */
export class Reducer<S = State> extends ConversationView<S> {
  readonly #engine: Engine<Change>;
  readonly #carry: Carry;
  /** The index of the next event, if the caller gives it. */
  #next = 0;

  /** @throws AGUIValidationError for invalid messages or interrupts */
  constructor(options: ReducerOptions<S> = {}) {
    const made = reducing(native().createReducer, options, 'reducer');
    super(made);
    this.#engine = made.engine;
    this.#carry = made.carry;
  }

  /**
   * Applies one event and returns its changes.
   *
   * @throws AGUIValidationError for an invalid event, AGUISequenceError (rule A01) for a chunk, AGUIPatchError under the
   * policy `error`
   */
  apply(event: Event | BaseEvent): Change[] {
    return this.#engine.event(event, this.#carry);
  }

  /** Applies several events, as `apply` does; on failure, `partial` has the changes of the events before it. */
  applyAll(events: Iterable<Event | BaseEvent>): Change[] {
    expect('items', 'events', events);
    return this.#engine.events([...events], this.#carry);
  }

  /** @internal True if the last event may have changed messages. */
  get touched(): boolean {
    return this.#engine.ask(Ask.Status) === 'true';
  }

  static {
    let projections: ReturnType<typeof projectionsOf> | undefined;
    shareIds = (reducer) => void reducer.#engine.ask(Ask.Shared);
    applyLoosely = (reducer, event) => {
      // Made at the first use: loading this class needs no projections.
      projections ??= projectionsOf('reduce');
      const projection = projections.get(event.type);
      return reducer.#engine.event(event, reducer.#carry, (event) => projectionText(event, projection, true));
    };
    applyAt = (reducer, event, index) => {
      if (index !== reducer.#next) reducer.#engine.ask(Ask.GoTo, String(index));
      reducer.#next = index + 1;
      return reducer.apply(event);
    };
    inspectable(this, (reducer) => reducer.summary());
  }
}

/**
 * A conversation after a list of events.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { applyEvents, type Reduced } from 'ag-ui-native/stream';
 *
 * const reduced: Reduced = applyEvents([{ type: EventType.STATE_SNAPSHOT, snapshot: { tasks: 2 } }]);
 * reduced.state; // => { tasks: 2 }
 * reduced.stateInSync; // => true
 * ```
 */
export interface Reduced<S = State> {
  messages: Message[];
  state: S;
  /** The interrupts that wait for an answer. */
  pendingInterrupts: Interrupt[];
  /** True if the state equals the agent's: no patch of it has failed since the last snapshot. */
  stateInSync: boolean;
  /** The changes of the events, in order. */
  changes: Change[];
  /** The warnings, if there is no `onWarning` to take them. */
  warnings: Warning[];
}

/**
 * Applies events to a conversation. Chunk events must have been expanded.
 *
 * @throws as `Reducer.apply`, for the first event that fails; `partial` has the changes of the events before it
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { applyEvents } from 'ag-ui-native/stream';
 *
 * const { messages } = applyEvents([
 *   { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' },
 *   { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'Hello' },
 *   { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' },
 * ]);
 * messages[0]?.content; // => 'Hello'
 * ```
 */
export function applyEvents<S = State>(events: Iterable<Event | BaseEvent>, options: ReducerOptions<S> = {}): Reduced<S> {
  const reducer = new Reducer<S>(options);
  const changes = reducer.applyAll(events);
  const { messages, state, pendingInterrupts, stateInSync, warnings } = reducer;
  return { messages, state, pendingInterrupts, stateInSync, changes, warnings };
}

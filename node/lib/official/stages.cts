import { isScalar } from '../stages/declared.cjs';
import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import { EnforceStage, ExpandStage, readStageEvents, VerifyStage } from '../stages/event_stages.cjs';
import { type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import { derived, type ObservableInput, type Subscribable, type Subscriber } from './observable.cjs';

/**
 * A function from a stream of events to another one of the same class.
 *
 * @example
 * ```ts
 * import { enforceEvents, type EventOperator } from 'ag-ui-native/operators';
 *
 * const operator: EventOperator = enforceEvents();
 * ```
 */
export type EventOperator = <S extends ObservableInput<any>>(source: S) => S extends Subscribable<any> ? S : Subscribable<BaseEvent>;

/** Returns the operator that calls a function for each event. */
function operator(attach: (subscriber: Subscriber<BaseEvent>) => (event: BaseEvent) => void): EventOperator {
  return ((source: ObservableInput<BaseEvent>) => derived(source, attach)) as EventOperator;
}

/**
 * Passes events on while their order is valid. The first event out of order is the stream's error, an `AGUISequenceError` that names the rule.
 * Only the members that the order depends on are read.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { Observable, verifyEvents } from 'ag-ui-native/operators';
 *
 * const events = new Observable<object>((subscriber) => {
 *   subscriber.next({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' });
 *   subscriber.next({ type: EventType.RUN_ERROR, message: 'No model.' });
 *   subscriber.complete();
 * });
 * let count = 0;
 * for await (const event of events.pipe(verifyEvents())) count++;
 * count; // => 2
 * ```
 */
export const verifyEvents = (debug?: DebugLoggerInput): EventOperator => (source) => {
  const log = resolveDebugLogger(debug);
  const verifier = new VerifyStage();
  return operator((subscriber) => (event) => {
    log?.event('VERIFY', 'Event:', event, { type: event.type });
    verifier.check(event);
    subscriber.next(event);
  })(source);
};

/**
 * Expands chunk events to START, CONTENT and END events; all others pass. The first chunk that fits nowhere is the stream's error, an
 * `AGUISequenceError` that names the rule.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { Observable, transformChunks } from 'ag-ui-native/operators';
 *
 * const chunks = new Observable<object>((subscriber) => {
 *   subscriber.next({ type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm1', delta: 'Hello' });
 *   subscriber.complete();
 * });
 * const types: string[] = [];
 * for await (const event of chunks.pipe(transformChunks())) types.push(event.type);
 * types.slice(0, 2); // => ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']
 * ```
 */
export const transformChunks = (debug?: DebugLoggerInput): EventOperator => (source) => {
  const log = resolveDebugLogger(debug);
  const expander = new ExpandStage();
  return operator((subscriber) => (event) => {
    for (const made of expander.take(event)) {
      if (made !== event) log?.event('TRANSFORM', made.type, made, { messageId: made['messageId'], toolCallId: made['toolCallId'] });
      subscriber.next(made);
    }
  })(source);
};

/**
 * Leaves out members and events that AG-UI 1.0 does not know, and translates retired ones. The first invalid event is the stream's error, an
 * `AGUIValidationError`. With `debug`, warnings are printed.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { enforceEvents, Observable } from 'ag-ui-native/operators';
 *
 * const events = new Observable<object>((subscriber) => {
 *   subscriber.next({ type: EventType.TEXT_MESSAGE_END, messageId: 'm1', mood: 'fine' });
 *   subscriber.complete();
 * });
 * for await (const event of events.pipe(enforceEvents())) {
 *   event; // => { type: 'TEXT_MESSAGE_END', messageId: 'm1' }
 * }
 * ```
 */
export const enforceEvents = (debug?: DebugLoggerInput): EventOperator => (source) => {
  const log = resolveDebugLogger(debug);
  const warn = ({ code, path, message }: Warning) => log?.event('ENFORCE', 'Warning:', message, { code, path });
  const stage = new EnforceStage(new Engine<BaseEvent>(native().createStage('enforce', '{}'), readStageEvents, warn));
  return operator((subscriber) => (event) => {
    for (const made of isScalar(event) ? stage.take(event) : stage.whole(event)) subscriber.next(made);
  })(source);
};

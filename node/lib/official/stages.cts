import { isScalar } from '../stages/declared.cjs';
import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { native } from '../native/native.cjs';
import type { Warning } from '../options/options.cjs';
import { EnforceStage, ExpandStage, readStageEvents, VerifyStage } from '../stages/event_stages.cjs';
import { type DebugLoggerInput, resolveDebugLogger } from './debug.cjs';
import { derived, type Source, type Subscribable, type Subscriber } from './observable.cjs';

/** A function of streams of events: what comes out is of the class of what goes in. */
export type EventOperator = <S extends Source<any>>(source: S) => S extends Subscribable<any> ? S : Subscribable<BaseEvent>;

/** An operator from what is done with each event. */
function operator(attach: (subscriber: Subscriber<BaseEvent>) => (event: BaseEvent) => void): EventOperator {
  return ((source: Source<BaseEvent>) => derived(source, attach)) as EventOperator;
}

/**
 * Passes events on as long as they come in a legal order; the first that does not is the stream's error, an `AGUISequenceError` that
 * names the rule. Only what the order depends on is looked at.
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
 * Turns chunk events into the START, CONTENT and END events they stand for; all others pass. The first chunk that fits nowhere is the
 * stream's error, an `AGUISequenceError` that names the rule.
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
 * Leaves out of events what AG-UI 1.0 does not know, and events that it does not know; translates what is retired. What is malformed is
 * the stream's error, an `AGUIValidationError`. What was left out is printed if `debug` says so.
 */
export const enforceEvents = (debug?: DebugLoggerInput): EventOperator => (source) => {
  const log = resolveDebugLogger(debug);
  const warn = ({ code, path, message }: Warning) => log?.event('ENFORCE', 'Warning:', message, { code, path });
  const stage = new EnforceStage(new Engine<BaseEvent>(native().createStage('enforce', '{}'), readStageEvents, warn));
  return operator((subscriber) => (event) => {
    for (const made of isScalar(event) ? stage.take(event) : stage.whole(event)) subscriber.next(made);
  })(source);
};

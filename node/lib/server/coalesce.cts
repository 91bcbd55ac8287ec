import { answerOf } from '../errors/errors.cjs';
import { jsonOf } from '../json/encode.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { COALESCE_BYTES, COALESCE_DELAY } from '../generated/border.cjs';
import type { Event } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { type CoalesceFunction, native } from '../native/native.cjs';
import { known } from '../options/option_reader.cjs';

/**
 * The options of a `Coalescer`.
 *
 * @example
 * ```ts
 * import { Coalescer, type CoalesceOptions } from 'ag-ui-native/server';
 *
 * const options: CoalesceOptions = { maxBytes: 1024, maxDelay: 100 };
 * new Coalescer(options).deadline; // => undefined
 * ```
 */
export interface CoalesceOptions {
  /** The maximum size of joined text in bytes. The default is 4096. */
  maxBytes?: number | undefined;
  /** The maximum delay of a delta in milliseconds. The default is 50. With 0, nothing is joined. */
  maxDelay?: number | undefined;
}

/** The types of events whose content core needs. */
const deltas = new Set<unknown>(['TEXT_MESSAGE_CONTENT', 'TOOL_CALL_ARGS', 'REASONING_MESSAGE_CONTENT']);

/** The answer of core. */
interface Coalesced<E> {
  out: (number | E)[];
  waits: number | null;
  isWaiting: boolean;
  deadline: number | null;
}

/**
 * Joins adjacent deltas of one entity: TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS and REASONING_MESSAGE_CONTENT.
 *
 * The first of adjacent deltas goes out at once, and so does a delta that arrives `maxDelay` after the last one that went out.
 * Deltas in between wait, and are joined up to `maxBytes` of text. Any other event releases the waiting delta, and follows it. Only
 * deltas with the same `subagentRunId` are joined. Of metadata, the last value of each key is kept; `timestamp` is lost. A delta
 * with a `rawEvent` or undeclared members is not joined.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { Coalescer } from 'ag-ui-native/server';
 *
 * const words = ['One', ' two', ' three'].map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT as const, messageId: 'm1', delta }));
 * const coalescer = new Coalescer({ maxDelay: 5000 });
 * words.map((word) => coalescer.push(word).length); // => [1, 0, 0]
 * typeof coalescer.deadline; // => 'number'
 * coalescer.flush().map((event) => 'delta' in event && event.delta); // => [' two three']
 * ```
 */
export class Coalescer<E extends Event | BaseEvent = Event> {
  readonly #coalesce: CoalesceFunction;
  #calls = 0;
  /** The waiting event, as the caller has passed it. */
  #waiting: E | undefined;
  #isWaiting = false;
  #deadline: number | undefined;

  constructor(options: CoalesceOptions = {}) {
    const { maxBytes, maxDelay = COALESCE_DELAY } = known<CoalesceOptions>({ maxBytes: 1, maxDelay: 1 }, options);
    expectIfGiven('count', 'maxBytes', maxBytes);
    if (!(typeof maxDelay === 'number' && maxDelay >= 0)) throw wrongKind('maxDelay', 'a number of milliseconds, 0 or more', maxDelay);
    this.#coalesce = native().createCoalescer(maxBytes ?? COALESCE_BYTES, maxDelay);
  }

  /**
   * Takes the next event, and returns the events that go out now. An event that is not joined is the caller's own object. `now` is
   * a time of the clock `performance.now`.
   *
   * @throws AGUIValidationError for an invalid delta; the waiting delta stays
   */
  push(event: E, now: number = performance.now()): E[] {
    expect('object', 'event', event);
    const isDelta = deltas.has(event.type);
    const number = this.#calls;
    const text = isDelta ? jsonOf(event) : undefined;
    const out = this.#take(now, text, number, event);
    if (!isDelta) out.push(event);
    return out;
  }

  /** The latest time to send the waiting event, by the clock `performance.now`: call `flush` then. Undefined if no event waits. */
  get deadline(): number | undefined {
    return this.#deadline;
  }

  /** Removes and returns the waiting event, as a list of one or none. */
  flush(now: number = performance.now()): E[] {
    return this.#take(now, true);
  }

  #take(now: number, asked: string | true | undefined, number = -1, given?: E): E[] {
    expect('number', 'now', now);
    // A refused delta counts as a call too.
    if (typeof asked === 'string') this.#calls++;
    const { out, waits, isWaiting, deadline } = answerOf<Coalesced<E>>(this.#coalesce(Math.max(0, Math.floor(now * 1000)), asked));
    const events = out.map((one) => (typeof one !== 'number' ? one : one === number ? given! : this.#waiting!));
    this.#waiting = waits === null ? undefined : waits === number ? given : this.#waiting;
    this.#isWaiting = isWaiting;
    this.#deadline = deadline === null ? undefined : deadline / 1000;
    return events;
  }

  static {
    inspectable(this, (coalescer) => ({ isWaiting: coalescer.#isWaiting }));
  }
}

/**
 * Yields the events, with adjacent deltas of one entity joined as `Coalescer` does it. If `events` throws, the waiting event is
 * yielded first.
 *
 * One event is requested at a time. Closing this iterator closes `events`; if a request for the next event is pending then, its end
 * is not awaited.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { coalesceEvents } from 'ag-ui-native/server';
 *
 * const words = ['One', ' two', ' three'].map((delta) => ({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta }));
 * const texts = [];
 * for await (const event of coalesceEvents(words, { maxDelay: 5000 })) texts.push(event.delta);
 * texts; // => ['One', ' two three']
 * ```
 */
export function coalesceEvents<E extends Event | BaseEvent = Event>(
  events: AsyncIterable<E> | Iterable<E>,
  options: CoalesceOptions = {},
): AsyncGenerator<E, void, undefined> {
  return coalesced(events, new Coalescer<E>(options));
}

async function* coalesced<E extends Event | BaseEvent>(events: AsyncIterable<E> | Iterable<E>, coalescer: Coalescer<E>): AsyncGenerator<E, void, undefined> {
  const source = iteratorOf(events);
  let next: Promise<IteratorResult<E>> | undefined;
  let isOver = false;
  try {
    for (;;) {
      let arrived: IteratorResult<E> | undefined;
      try {
        next ??= Promise.resolve(source.next());
        arrived = await inTime(next, coalescer.deadline);
      } catch (error) {
        isOver = true;
        for (const event of coalescer.flush()) yield event;
        throw error;
      }
      if (arrived === undefined) {
        for (const event of coalescer.flush()) yield event;
        continue;
      }
      next = undefined;
      isOver = arrived.done === true;
      // Not `yield*`: the iterator of a list has no `throw`, so an error that is thrown into the stream would become a TypeError.
      for (const event of arrived.done ? coalescer.flush() : coalescer.push(arrived.value)) yield event;
      if (arrived.done) return;
    }
  } finally {
    if (!isOver) {
      const closed = Promise.resolve(source.return?.());
      if (next === undefined) await closed;
      else Promise.allSettled([next, closed]);
    }
  }
}

function iteratorOf<E>(events: AsyncIterable<E> | Iterable<E>): AsyncIterator<E> | Iterator<E> {
  if (typeof events === 'object' && events !== null) {
    if (Symbol.asyncIterator in events) return events[Symbol.asyncIterator]();
    if (Symbol.iterator in events) return events[Symbol.iterator]();
  }
  throw wrongKind('events', 'an iterable', events);
}

/** Waits for a promise until `deadline`, a time of the clock `performance.now`. Resolves to undefined if it is still pending then. */
async function inTime<T>(promise: Promise<T>, deadline: number | undefined): Promise<T | undefined> {
  if (deadline === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, Math.ceil(deadline - performance.now())), undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

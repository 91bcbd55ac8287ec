import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Event, RunAgentInput } from '../generated/types.cjs';
import { expect, wrongKind } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { readEvents } from '../stages/stages.cjs';
import { textOf } from '../json/value.cjs';
import { kind, listOf, settled } from '../options/option_reader.cjs';
import { iterated } from './transport/transport.cjs';

/** Asks for the run, maybe with another input, and gives its events as they arrive. */
export type Next = (input: RunAgentInput) => AsyncIterable<Event>;

/**
 * Stands around a run: may change the input, the events, or answer itself. Events are as they arrive, with all that this version does not
 * know, unknown events too; only AG-UI 0.x is translated. What it gives is enforced by the profile, chunks are expanded, the order is verified.
 *
 * ```js
 * agent.use(async function* (input, next) {
 *   for await (const event of next(input)) if (event.type !== 'RAW') yield event;
 * });
 * ```
 */
export type Middleware = (input: RunAgentInput, next: Next) => AsyncIterable<Event | BaseEvent>;

/** Refuses what is no middleware. */
export function checkMiddleware(middleware: readonly Middleware[]): void {
  for (const one of middleware) if (typeof one !== 'function') throw wrongKind('middleware', 'a function', one);
}

/** The chain: the first is outermost. */
export function chain(middleware: readonly Middleware[], innermost: Next): Next {
  return middleware.reduceRight<Next>((next, one) => (input) => eventsOf(one(input, next)), (input) => {
    expect('object', "what a middleware's next is given", input);
    return innermost(input);
  });
}

/** The events that middleware gives, if it gives any. */
function eventsOf(given: AsyncIterable<Event | BaseEvent>): AsyncIterable<Event> {
  const begin = given?.[Symbol.asyncIterator];
  if (typeof begin !== 'function') throw wrongKind('what a middleware returns', 'an async iterable of events', given);
  return { [Symbol.asyncIterator]: () => iterated(begin.call(given) as AsyncIterator<Event>, 'what a middleware returns') };
}

const names = listOf(kind('text'));

/** Lets through the calls of certain tools only: exactly one of the lists is given. Chunks come out as what they stand for; snapshots are not looked at. */
export function filterToolCalls(given: { allow?: readonly string[]; deny?: readonly string[] }): Middleware {
  const { allow, deny } = settled({ allow: names, deny: names }, given);
  if ((allow === undefined) === (deny === undefined)) throw wrongKind('allow, deny', 'exactly one of them', allow);
  const written = textOf(allow ?? deny);
  return async function* (input, next) {
    // Whose call an event belongs to is for core to say: subagents take turns.
    let count = 0;
    const make = (text: string, marks: Uint32Array, event: unknown) => readEvents(text, marks, [event], count++);
    const engine = new Engine(native().createToolFilter(written, allow !== undefined), make);
    for await (const event of next(input)) for (const filtered of engine.event(event)) yield filtered;
  };
}

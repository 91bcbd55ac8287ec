import { Engine } from '../native/engine.cjs';
import type { BaseEvent } from '../types/events.cjs';
import type { Event, RunAgentInput } from '../generated/types.cjs';
import { expect, wrongKind } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { readEvents } from '../stages/stages.cjs';
import { textOf } from '../json/value.cjs';
import { kind, listOf, settled } from '../options/option_reader.cjs';
import { iterated } from './transport/transport.cjs';

/**
 * Requests the run with an input, and returns its events as they arrive.
 *
 * @example
 * ```ts
 * import type { RunAgentInput } from 'ag-ui-native';
 * import { LocalAgent, type Next } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const named = (input: RunAgentInput, next: Next) => next({ ...input, forwardedProps: { user: 'ada' } });
 * (await new LocalAgent(scriptedAgent(['Hello!']), { middleware: [named] }).ask('Hi')).text; // => 'Hello!'
 * ```
 */
export type Next = (input: RunAgentInput) => AsyncIterable<Event>;

/**
 * Wraps a run: may change the input or the events, or return events of its own. It gets the events as they arrive, with unknown members and
 * unknown events; only AG-UI 0.x is translated. The events it returns are enforced by the profile, expanded and verified.
 *
 * ```js
 * agent.use(async function* (input, next) {
 *   for await (const event of next(input)) if (event.type !== 'RAW') yield event;
 * });
 * ```
 *
 * @example
 * ```ts
 * import { LocalAgent, type Middleware } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const types: string[] = [];
 * const show: Middleware = async function* (input, next) {
 *   for await (const event of next(input)) {
 *     types.push(event.type);
 *     yield event;
 *   }
 * };
 * await new LocalAgent(scriptedAgent([]), { middleware: [show] }).runAgent();
 * types; // => ['RUN_STARTED', 'RUN_FINISHED']
 * ```
 */
export type Middleware = (input: RunAgentInput, next: Next) => AsyncIterable<Event | BaseEvent>;

/** @throws AGUIValidationError for middleware that is no function */
export function checkMiddleware(middleware: readonly Middleware[]): void {
  for (const one of middleware) if (typeof one !== 'function') throw wrongKind('middleware', 'a function', one);
}

/** Returns the chain of middleware, the first outermost. */
export function chain(middleware: readonly Middleware[], innermost: Next): Next {
  return middleware.reduceRight<Next>((next, one) => (input) => eventsOf(one(input, next)), (input) => {
    expect('object', "the input of a middleware's next", input);
    return innermost(input);
  });
}

/** Returns the events of a middleware. */
function eventsOf(given: AsyncIterable<Event | BaseEvent>): AsyncIterable<Event> {
  const begin = given?.[Symbol.asyncIterator];
  if (typeof begin !== 'function') throw wrongKind('the result of a middleware', 'an async iterable of events', given);
  return { [Symbol.asyncIterator]: () => iterated(begin.call(given) as AsyncIterator<Event>, 'the result of a middleware') };
}

const names = listOf(kind('text'));

/**
 * Passes only the calls of some tools: give either `allow` or `deny`. Chunks are expanded; snapshots pass unchanged.
 *
 * @example
 * ```ts
 * import { LocalAgent, toolCallFilter } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const agent = new LocalAgent(scriptedAgent([{ toolCall: 'delete_mail' }]), { middleware: [toolCallFilter({ allow: ['weather'] })] });
 * (await agent.runAgent()).newMessages; // => []
 * ```
 */
export function toolCallFilter(given: { allow?: readonly string[]; deny?: readonly string[] }): Middleware {
  const { allow, deny } = settled({ allow: names, deny: names }, given);
  if ((allow === undefined) === (deny === undefined)) throw wrongKind('allow, deny', 'one of the two lists, and not both', allow);
  const written = textOf(allow ?? deny);
  return async function* (input, next) {
    // Core finds the call of an event, also when events of subagents alternate.
    let count = 0;
    const make = (text: string, marks: Uint32Array, event: unknown) => readEvents(text, marks, [event], count++);
    const engine = new Engine(native().createToolFilter(written, allow !== undefined), make);
    for await (const event of next(input)) for (const filtered of engine.event(event)) yield filtered;
  };
}

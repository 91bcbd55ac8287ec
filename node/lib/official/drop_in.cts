import type { RunAgentInput } from '../generated/types.cjs';
import { defaultApplyEvents } from './apply.cjs';
import type { DebugLoggerInput } from './debug.cjs';
import { runHttpRequest } from './http.cjs';
import type { ObservableClass } from './observable.cjs';
import { preparedOf } from '../client/runs.cjs';
import { textOf } from '../json/value.cjs';
import { native } from '../native/native.cjs';
import { transformHttpEventStream } from './transform.cjs';

// What the native pipeline does underneath the agent of `@ag-ui/client`. That comes in two builds, each with classes of its own: whoever
// imports one gets an heir of that one.

/** The class of observables of a function that makes one, and does nothing before somebody subscribes. */
export function classBehind(make: (never: () => Promise<Response>) => object): ObservableClass<any> {
  return make(() => Promise.reject(new Error('nobody subscribes'))).constructor as ObservableClass<any>;
}

/** The events of a response, as observables of the class. */
export function eventsOf<R>(Class: ObservableClass<any>, ask: (input: any) => Promise<Response>, input: unknown, debug: object | undefined): R {
  const responses = runHttpRequest(async () => ask(outgoing(input as RunAgentInput)), Class);
  return transformHttpEventStream(responses, debug as DebugLoggerInput) as R;
}

/** A request to where an address leads: its credentials are a header unless the application sets that, and what stands behind `#` stays here. */
export function addressed(address: string, init: RequestInit): [url: string, init: RequestInit] {
  const whole = URL.canParse(address) ? new URL(address).href : address;
  const split = JSON.parse(native().addressOf(whole, undefined, false)) as { url: string; authorization: string | null };
  const { authorization } = split;
  // A `fetch` of the application gets the address as the application wrote it, if nothing is taken out of it.
  const url = split.url === whole ? address : split.url;
  const headers = new Headers(init.headers);
  if (authorization === null || headers.has('authorization')) return [url, init];
  headers.set('authorization', authorization);
  return [url, { ...init, headers }];
}

/** Applies events, for an agent that tells its subscribers. */
export function applied<R>(input: unknown, events: any, agent: any, subscribers: readonly object[], debug: object | undefined): R {
  return defaultApplyEvents(input as RunAgentInput, events, agent, subscribers as any, debug as DebugLoggerInput) as R;
}

/** The input as it may leave: enforced, and with no version where it had none. */
function outgoing(input: RunAgentInput): RunAgentInput {
  const { state, protocolVersion, ...members } = input;
  const text = native().prepareInput(textOf({ ...members, state: state ?? undefined }), '[]', undefined, '{}', Date.now());
  const sent = JSON.parse(preparedOf(text).body) as RunAgentInput;
  if (protocolVersion === undefined) delete sent.protocolVersion;
  return sent;
}

import type { RunAgentInput } from '../generated/types.cjs';
import { defaultApplyEvents } from './apply.cjs';
import type { DebugLoggerInput } from './debug.cjs';
import { runHttpRequest } from './http.cjs';
import type { ObservableClass } from './observable.cjs';
import { preparedOf } from '../client/runs.cjs';
import { textOf } from '../json/value.cjs';
import { native } from '../native/native.cjs';
import { transformHttpEventStream } from './transform.cjs';

// The native pipeline below the agent of `@ag-ui/client`. That package has two builds with separate classes, so each entry point of
// this package extends the class of its own build.

/** Returns the class of the observables that a function makes. The function does nothing before a subscription. */
export function classBehind(make: (never: () => Promise<Response>) => object): ObservableClass<any> {
  return make(() => Promise.reject(new Error('this observable must not be subscribed to'))).constructor as ObservableClass<any>;
}

/** Returns the events of a response as an observable of a class. */
export function eventsOf<R>(Class: ObservableClass<any>, ask: (input: any) => Promise<Response>, input: unknown, debug: object | undefined): R {
  const responses = runHttpRequest(async () => ask(outgoing(input as RunAgentInput)), Class);
  return transformHttpEventStream(responses, debug as DebugLoggerInput) as R;
}

/** Returns the URL and the options of a request: credentials move from the address to a header, and the fragment is removed. */
export function addressed(address: string, init: RequestInit): [url: string, init: RequestInit] {
  const whole = URL.canParse(address) ? new URL(address).href : address;
  const split = JSON.parse(native().addressOf(whole, undefined, false)) as { url: string; authorization: string | null };
  const { authorization } = split;
  // An address that needs no change is passed as the application wrote it.
  const url = split.url === whole ? address : split.url;
  const headers = new Headers(init.headers);
  if (authorization === null || headers.has('authorization')) return [url, init];
  headers.set('authorization', authorization);
  return [url, { ...init, headers }];
}

/** Applies events to an agent and notifies its subscribers. */
export function applied<R>(input: unknown, events: any, agent: any, subscribers: readonly object[], debug: object | undefined): R {
  return defaultApplyEvents(input as RunAgentInput, events, agent, subscribers as any, debug as DebugLoggerInput) as R;
}

/** Returns the input as it is sent: enforced, and without a version if it had none. */
function outgoing(input: RunAgentInput): RunAgentInput {
  const { state, protocolVersion, ...members } = input;
  const text = native().prepareInput(textOf({ ...members, state: state ?? undefined }), '[]', undefined, '{}', Date.now());
  const sent = JSON.parse(preparedOf(text).body) as RunAgentInput;
  if (protocolVersion === undefined) delete sent.protocolVersion;
  return sent;
}

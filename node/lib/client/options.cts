import { errorFrom } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { Context, Message, ResumeEntry, State, Tool } from '../generated/types.cjs';
import { native } from '../native/native.cjs';
import { optionsText, type Profile, type Warning } from '../options/options.cjs';
import { copyOf } from '../json/value.cjs';
import { eachOf, kind, known, listOf, members, one, settled, type Table, type OptionReader, oneOf } from '../options/option_reader.cjs';
import type { Timeouts } from './cancel_scope.cjs';
import type { Middleware } from './middleware.cjs';
import { type AgentSubscriber, subscriberLike } from './subscriber.cjs';
import { anyTool, type FrontendTool, functionTool } from './tools.cjs';

/**
 * The retries of a request that has begun no run, and the pauses between them.
 *
 * @example
 * ```ts
 * import { HttpAgent, type Retry } from 'ag-ui-native/client';
 *
 * const retry: Retry = { attempts: 3, first: 500, longest: 10_000 };
 * new HttpAgent('http://127.0.0.1:8000/', { retry }).retry; // => retry
 * ```
 */
export interface Retry {
  /** The maximum number of attempts to send it; 3 by default. */
  attempts?: number | undefined;
  /** The pause before the second attempt, in milliseconds, 500 by default; each later one is twice as long. */
  first?: number | undefined;
  /** The longest pause, in milliseconds, 30,000 by default. A server that asks for a longer one is not asked again. */
  longest?: number | undefined;
  /** The random part of a pause, from 0 to 1; 0.5 by default. */
  jitter?: number | undefined;
}

/**
 * The attempts to read on with a run whose connection is lost.
 *
 * @example
 * ```ts
 * import { HttpAgent, type Reconnect } from 'ag-ui-native/client';
 *
 * const reconnect: Reconnect = { attempts: 5 };
 * new HttpAgent('http://127.0.0.1:8000/', { reconnect }).isRunning; // => false
 * ```
 */
export interface Reconnect {
  /** The maximum number of attempts without a new event; 8 by default. */
  attempts?: number | undefined;
  /** The pause before the second attempt, in milliseconds, 250 by default; each later one is twice as long. The first attempt does not wait. */
  first?: number | undefined;
  /** The longest pause, in milliseconds, 10,000 by default. A server may ask for a longer one. */
  longest?: number | undefined;
  /** The random part of a pause, from 0 to 1; 0.5 by default. */
  jitter?: number | undefined;
}

/**
 * The options of every agent.
 *
 * @example
 * ```ts
 * import { type AgentOptions, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const options: AgentOptions = { threadId: 't1', maxRuns: 3 };
 * new LocalAgent(scriptedAgent([]), options).threadId; // => 't1'
 * ```
 */
export interface AgentOptions<S = State> {
  /** The conversation's id; a new one by default. */
  threadId?: string | undefined;
  agentId?: string | undefined;
  /** The purpose of the agent. */
  description?: string | undefined;
  /** The first messages; they are copied. */
  messages?: readonly Message[] | undefined;
  /** The first state; it is copied. `{}` by default. */
  state?: S | undefined;
  /** The name of `messages` in `@ag-ui/client`. */
  initialMessages?: readonly Message[] | undefined;
  /** The name of `state` in `@ag-ui/client`. */
  initialState?: S | undefined;
  /** The profile that reads events; `tolerant` by default. */
  profile?: Exclude<Profile, 'relay'> | undefined;
  limits?: Limits | undefined;
  /** The newest AG-UI version that the server knows, such as `0.0.57`; the version of this package by default. */
  peer?: string | undefined;
  /** The policy for a patch that does not apply: see `ConversationOptions`. */
  onPatchFailure?: 'flag' | 'error' | undefined;
  /** Requests the binary transport. The server may answer with text. */
  protobuf?: boolean | undefined;
  timeouts?: Timeouts | undefined;
  /** The subscribers of every run. */
  subscribers?: readonly AgentSubscriber<S>[] | undefined;
  /** The middleware around every run, the first outermost. */
  middleware?: readonly Middleware[] | undefined;
  /** Functions of the application that the agent may call. */
  tools?: readonly FrontendTool<any>[] | undefined;
  /** The maximum number of times that one call runs the agent, which is run again after tools have answered; 10 by default. */
  maxRuns?: number | undefined;
  /** Gets every warning; the result has them too. Its errors go to `onError`. */
  onWarning?: ((warning: Warning) => void) | undefined;
  /** Gets the errors of subscribers and tools that end no run. */
  onError?: ((error: unknown) => void) | undefined;
  /** Logs each step to the console or to a function. The log holds the contents of messages. */
  debug?: boolean | Debug | undefined;
}

/**
 * Takes the log of an agent.
 *
 * @example
 * ```ts
 * import { type Debug, LocalAgent } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const lines: string[] = [];
 * const debug: Debug = (what) => void lines.push(what);
 * await new LocalAgent(scriptedAgent([]), { debug }).runAgent();
 * lines.length > 0; // => true
 * ```
 */
export type Debug = (what: string, about?: unknown) => void;

/**
 * The parameters of a run.
 *
 * @example
 * ```ts
 * import { LocalAgent, type RunParameters } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const parameters: RunParameters = { runId: 'r1', forwardedProps: { user: 'ada' } };
 * (await new LocalAgent(scriptedAgent([])).runAgent(parameters)).runId; // => 'r1'
 * ```
 */
export interface RunParameters {
  /** The run's id; a new one by default. */
  runId?: string | undefined;
  /** An earlier run to branch from. */
  parentRunId?: string | undefined;
  /** More tools for this run. Those with `execute` answer the agent's calls. */
  tools?: readonly (Tool | FrontendTool<any>)[] | undefined;
  context?: readonly Context[] | undefined;
  forwardedProps?: any;
  /** The answers to the pending interrupts. */
  resume?: readonly ResumeEntry[] | undefined;
  /** Aborts the run. */
  signal?: AbortSignal | undefined;
  /** The parameter of `@ag-ui/client` for `signal`. */
  abortController?: AbortController | undefined;
}

/**
 * The parameters of reading a run that was started elsewhere, or a thread.
 *
 * @example
 * ```ts
 * import { HttpAgent, type ReadParameters } from 'ag-ui-native/client';
 *
 * const parameters: ReadParameters = { signal: AbortSignal.timeout(60_000) };
 * const events = new HttpAgent('http://127.0.0.1:8000/', { threadId: 't1' }).connect(parameters);
 * ```
 */
export type ReadParameters = Pick<RunParameters, 'signal' | 'abortController'>;

const duration = one('a number of milliseconds above 0', (value) => typeof value === 'number' && value > 0);
const pause = one('a number of milliseconds, 0 or more', (value) => Number.isFinite(value) && value >= 0);

/** Reads a `Retry`, and a `Reconnect`. */
export const retryOption = members({
  attempts: one('a whole number, 1 or more', (value) => Number.isSafeInteger(value) && value > 0),
  first: pause,
  longest: pause,
  jitter: one('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
});

/** Reads a `Reconnect`, or false. */
export const reconnectOption: OptionReader = {
  copy: (given) => retryOption.copy!(given),
  fault(given) {
    if (given === false) return undefined;
    const fault = retryOption.fault(given);
    return fault?.pointer === '' ? { ...fault, expected: `${fault.expected}, or false` } : fault;
  },
};

const anything: OptionReader = { fault: () => undefined };
const aborts = (signal: any) => typeof signal?.addEventListener === 'function';

const options: Table<AgentOptions> = {
  threadId: kind('text'),
  agentId: kind('text'),
  description: kind('text'),
  // Core knows what messages are, and what versions there are.
  messages: kind('list'),
  initialMessages: kind('list'),
  state: { ...anything, takesNull: true },
  initialState: anything,
  profile: oneOf('strict', 'tolerant'),
  limits: eachOf(kind('count')),
  peer: kind('text'),
  onPatchFailure: oneOf('flag', 'error'),
  protobuf: kind('flag'),
  timeouts: members({ connect: duration, firstByte: duration, idle: duration, total: duration }),
  subscribers: listOf(subscriberLike),
  middleware: listOf(kind('callback')),
  tools: listOf(functionTool),
  maxRuns: kind('count'),
  onWarning: kind('callback'),
  onError: kind('callback'),
  debug: one('a boolean or a function', (value) => typeof value === 'boolean' || typeof value === 'function'),
};

const readParameters: Table<ReadParameters> = {
  signal: one('an AbortSignal', aborts),
  abortController: one('an AbortController', (controller) => aborts(controller.signal)),
};

const parameters: Table<RunParameters> = {
  runId: kind('text'),
  parentRunId: kind('text'),
  tools: listOf(anyTool),
  context: kind('list'),
  forwardedProps: anything,
  resume: kind('list'),
  ...readParameters,
};

/** @throws AGUIValidationError for an unknown option; `own` has the options of one class of agents */
export function checkNames(own: Readonly<Record<string, unknown>>, given: object): void {
  known({ ...own, ...options }, given);
}

/** Validates options and returns a copy. */
export function checkAgentOptions<S>(given: AgentOptions<S>): AgentOptions<S> {
  const { limits, peer, ...more } = settled<AgentOptions<any>>(options, given);
  const judged = native().createStage('verify', optionsText({ limits, peer }));
  if (typeof judged === 'string') throw errorFrom(judged);
  return { ...more, limits, peer };
}

/** Validates the parameters of a run and returns a copy. */
export function checkParameters(given: RunParameters): RunParameters {
  const { forwardedProps, ...kept } = settled(parameters, given, 'parameters');
  return forwardedProps === undefined ? kept : { ...kept, forwardedProps: copyOf(forwardedProps, '/forwardedProps') };
}

/** Validates the parameters of reading and returns a copy. */
export function checkReadParameters(given: ReadParameters): ReadParameters {
  return settled(readParameters, given, 'parameters');
}

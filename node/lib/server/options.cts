import { isUint } from '../json/check.cjs';
import { errorFrom } from '../errors/errors.cjs';
import { BODY_TIMEOUT, HEARTBEAT, type Limits, MAX_WAITING } from '../generated/border.cjs';
import type { Interrupt, RunAgentInput } from '../generated/types.cjs';
import type { IdGenerator } from '../types/ids.cjs';
import { native } from '../native/native.cjs';
import { type LogOptions, logReaders, type LogSettings, logSettings } from '../durable/log_options.cjs';
import { optionsText } from '../options/options.cjs';
import { eachOf, kind, listOf, one, settled, type Table, type OptionReader, oneOf } from '../options/option_reader.cjs';

/**
 * The options of a server. Times are in milliseconds.
 *
 * @example
 * ```ts
 * import { type RunOptions } from 'ag-ui-native/server';
 * import { runAgent, scriptedAgent } from 'ag-ui-native/testing';
 *
 * const options: RunOptions = { timeLimit: 60_000, showErrors: true };
 * (await runAgent(scriptedAgent(['Hello!']), 'Hi', options)).text; // => 'Hello!'
 * ```
 */
export interface RunOptions {
  /** The limits of requests and runs; `inputBytes` bounds a request's body. */
  limits?: Limits | undefined;
  /** Puts the request's input into RUN_STARTED. */
  echoInput?: boolean | undefined;
  /** Puts the message of the agent's error into RUN_ERROR. Without it, the client learns only that the agent failed. */
  showErrors?: boolean | undefined;
  /**
   * Called with every error of the agent, and with a warning if its state is no JSON value or is large. The default is
   * `console.error`.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** The time limit of a run. After it the run is aborted, and ends with the code `run_timeout`. By default there is no limit. */
  timeLimit?: number | undefined;
  /** The time limit for receiving a request's body. The default is 30,000. */
  bodyTimeout?: number | undefined;
  /**
   * The time of silence after which a comment is sent, so that proxies keep the connection; only on the text transport. The default
   * is 15,000; 0 means never.
   */
  heartbeat?: number | undefined;
  /**
   * The maximum number of bytes that wait for a slow client while the agent does not await its writes. A write beyond it is refused
   * with `client_too_slow`. The default is 16 MiB.
   */
  maxWaiting?: number | undefined;
  /**
   * The times at which a changed state is sent: at every `await` of a write and at the end (`await`), only at the end (`end`), or
   * only by `flushState` (`manual`). With `await`, a state of more values than `limits.stateValues` is sent when something has
   * ended: a message, a call, a step.
   */
  stateFlush?: StateFlush | undefined;
  /** Makes the ids of messages and calls. */
  ids?: IdGenerator | undefined;
  /** The origins of web pages that may send requests, `*` for any. Without it no CORS headers are sent. */
  cors?: readonly string[] | '*' | undefined;
  /** Returns the interrupts of this conversation that wait for an answer. A request that does not answer one of them is refused. */
  pendingInterrupts?: ((input: RunAgentInput) => readonly Interrupt[] | PromiseLike<readonly Interrupt[]>) | undefined;
  /** Sends protobuf to clients that accept any type. By default, only clients that name it get it. */
  acceptWildcards?: boolean | undefined;
  /** Ends every run as cancelled when it is aborted: for the shutdown of the server. */
  signal?: AbortSignal | undefined;
}

/**
 * The times at which changes of `run.state` are sent automatically.
 *
 * @example
 * ```ts
 * import type { Run, StateFlush } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const stateFlush: StateFlush = 'end';
 * const count = async (run: Run) => {
 *   for (const number of [1, 2]) {
 *     run.state.count = number;
 *     await run.custom('counted', number);
 *   }
 * };
 * (await runAgent(count, {}, { stateFlush })).events.length; // => 5
 * ```
 */
export type StateFlush = 'await' | 'end' | 'manual';

/**
 * The options of a server whose runs may have a log. Times are in milliseconds.
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { nodeHandler, type ServerOptions } from 'ag-ui-native/server';
 *
 * const options: ServerOptions = { timeLimit: 60_000, log: new MemoryLog(), authorize: 'public' };
 * const handler = nodeHandler((run) => run.write('Hello!'), options);
 * ```
 */
export interface ServerOptions extends RunOptions, LogOptions {}

/** The options of a server, with their defaults. */
export interface ServerSettings extends RunOptions {
  bodyTimeout: number;
  heartbeat: number;
  maxWaiting: number;
  /** The limits, in the form that the addon reads. */
  native: string;
  /** The server of runs with a log; undefined without `log`. */
  durable: LogSettings | undefined;
}

const duration = one('a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0);

/** The check of every option. */
const readers: Table<RunOptions> = {
  limits: eachOf(kind('count')),
  echoInput: kind('flag'),
  showErrors: kind('flag'),
  onError: kind('callback'),
  timeLimit: duration,
  bodyTimeout: duration,
  heartbeat: duration,
  maxWaiting: one('a whole number of bytes, 1 or more', (value) => isUint(value) && value > 0),
  stateFlush: oneOf('await', 'end', 'manual'),
  ids: one('an IdGenerator', (value) => typeof value === 'object'),
  cors: origins(),
  pendingInterrupts: kind('callback'),
  acceptWildcards: kind('flag'),
  signal: one('an AbortSignal', (value) => typeof value === 'object' && typeof value.addEventListener === 'function'),
};

function origins(): OptionReader {
  // In a list, `*` would be an origin that does not exist: it must be given alone.
  const expected = "'*' or a list of origins";
  const list = listOf(one(expected, (origin) => typeof origin === 'string' && origin !== '*'));
  return { copy: list.copy!, fault: (cors) => (Array.isArray(cors) ? list.fault(cors) : one(expected, (given) => given === '*').fault(cors)) };
}

/** Completes and checks the options. Throws `wrong_type` or `unknown_field`, with the option as path. */
export function settingsOf(options: RunOptions = {}): ServerSettings {
  return completed(settled(readers, options));
}

/** Completes and checks the options of a server whose runs may have a log. */
export function serverSettingsOf(options: ServerOptions = {}): ServerSettings {
  const given = settled({ ...readers, ...logReaders }, options);
  const settings = completed(given);
  return { ...settings, durable: logSettings(given, settings) };
}

function completed(given: RunOptions): ServerSettings {
  const text = optionsText(given.limits ? { limits: given.limits } : {});
  // Core checks the names of the limits.
  const judged = native().createRun('text', text);
  if (typeof judged === 'string') throw errorFrom(judged);
  return {
    ...given,
    bodyTimeout: given.bodyTimeout ?? BODY_TIMEOUT,
    heartbeat: given.heartbeat ?? HEARTBEAT,
    maxWaiting: given.maxWaiting ?? MAX_WAITING,
    native: text,
    durable: undefined,
  };
}

import { errorFrom } from '../errors/errors.cjs';
import { report } from '../errors/failure.cjs';
import { LONGEST_TIME } from '../generated/border.cjs';
import type { NativeLogServer } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { kind, one, type Table, oneOf } from '../options/option_reader.cjs';
import { isUint } from '../json/check.cjs';
import type { Notify } from './driver.cjs';
import { type Engine, engineOf } from './engine.cjs';
import type { Log } from './log.cjs';
import { type LogWork, workOf } from './work.cjs';

/**
 * The access that a request asks for.
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { fetchHandler, type LogAction } from 'ag-ui-native/server';
 *
 * const scopeOf = (request: Request, action: LogAction) => (action === 'cancel' ? null : request.headers.get('X-User'));
 * const handler = fetchHandler((run) => run.write('Hello!'), { log: new MemoryLog(), authorize: scopeOf });
 * ```
 */
export type LogAction = 'start' | 'read' | 'cancel';

/**
 * Decides who may do what: returns the scope of the request, such as the user's id; or null, which is answered as an unknown run.
 * `request` is that of the framework: `IncomingMessage` or `Request`. Runs of one scope are unknown in others.
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { type Authorize, fetchHandler } from 'ag-ui-native/server';
 *
 * const authorize: Authorize = async (request: Request) => request.headers.get('X-User');
 * const handler = fetchHandler((run) => run.write('Hello!'), { log: new MemoryLog(), authorize });
 * ```
 */
export type Authorize = (request: any, action: LogAction, threadId: string, runId: string | undefined) => string | null | PromiseLike<string | null>;

/**
 * The options of a server whose runs have a log. Times are in milliseconds.
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { fetchHandler, type LogOptions } from 'ag-ui-native/server';
 *
 * const options: LogOptions = { log: new MemoryLog(), authorize: 'public', grace: 60_000 };
 * const handler = fetchHandler((run) => run.write('Hello!'), options);
 * ```
 */
export interface LogOptions {
  /** The log of the runs, which then outlive their connections: see `ag-ui-native/durable`. It needs `authorize`. */
  log?: Log | undefined;
  /** Decides who may do what; `public` gives all requests the scope `''`. */
  authorize?: Authorize | 'public' | undefined;
  /**
   * The end of a run that no client reads. With `resume`, a run goes on if its client has said that it resumes; with `continue`
   * always, with `cancel` never. The default is `resume`.
   */
  onDisconnect?: 'resume' | 'continue' | 'cancel' | undefined;
  /** The time for which a run goes on without a client that reads it. The default is 30,000. */
  grace?: number | undefined;
  /** The treatment of a request whose thread has an active run: it is refused, or that run is cancelled. The default is `reject`. */
  onBusy?: 'reject' | 'interrupt' | undefined;
  /** The time for which a process owns a run without a sign of life. The default is 30,000. */
  lease?: number | undefined;
  /** The maximum number of bytes of the events of a run. The default is 16 MiB. */
  logBytes?: number | undefined;
  /** The time for which the events of a run are kept after its end. The default is 15 minutes. */
  keep?: number | undefined;
  /** The time for which the messages and the state of a thread are kept after its last run. The default is 7 days. */
  keepThread?: number | undefined;
  /** The longest duration of a connection. A client that goes on is authorized again. The default is 15 minutes. */
  maxConnection?: number | undefined;
  /** The longest duration of a run: a longer one ends with RUN_ERROR `limit_exceeded`. The default is an hour. */
  maxAge?: number | undefined;
  /** The maximum number of runs of one scope that this process executes: another one is refused with status 429. By default there is no limit. */
  maxActiveRuns?: number | undefined;
  /** The maximum number of connections of one scope that read runs in this process. By default there is no limit. */
  maxReaders?: number | undefined;
  /**
   * The time that runs have to end when the server shuts down (`signal`). Others end with RUN_ERROR `producer_lost`. The default is
   * 10,000.
   */
  drain?: number | undefined;
  /**
   * Called with the name and the fields of what happens to runs and requests (`opened`, `joined`, `refused` and others), for metrics; never
   * with contents. What it throws goes to `onError`.
   */
  onLog?: ((name: LogNoticeName, fields: LogNoticeFields) => void) | undefined;
}

/** What has happened to a run with a log, or to a request. The page "Durable runs" describes each. */
export type LogNoticeName = 'opened' | 'joined' | 'ended' | 'cancelled' | 'fenced' | 'lost' | 'lag' | 'refused' | 'unavailable';

/** The fields of a notice, as they apply. */
export interface LogNoticeFields {
  readonly scope?: string;
  readonly threadId?: string;
  readonly runId?: string;
  /** The number of an event. */
  readonly number?: number;
  /** True if a client has resumed a run, false if it has joined. */
  readonly resumed?: boolean;
  /** The reason of an end. */
  readonly reason?: string;
  /** The code of a refusal. */
  readonly code?: string;
}

/** A server with a log. */
export interface LogSettings {
  engine: Engine;
  server: NativeLogServer;
  /** What this process does for the log. */
  work: LogWork;
  /** Gives notices to the application; undefined if it wants none. */
  notify: Notify | undefined;
  /** Returns the scope of a request. */
  authorize: Authorize;
  /** Is aborted when the server shuts down. */
  signal: AbortSignal | undefined;
}

const isCount = (value: unknown) => isUint(value) && (value as number) > 0;

const duration = one('a finite number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIME);

/** The check of every option. */
export const logReaders: Table<LogOptions> = {
  log: one('a log, such as new MemoryLog()', (value) => typeof value?.execute === 'function' && typeof value.watch === 'function'),
  authorize: one("a function, or 'public'", (value) => typeof value === 'function' || value === 'public'),
  onDisconnect: oneOf('resume', 'continue', 'cancel'),
  grace: duration,
  onBusy: oneOf('reject', 'interrupt'),
  lease: duration,
  logBytes: one('a whole number of bytes, 1 or more', isCount),
  keep: duration,
  keepThread: duration,
  maxConnection: duration,
  maxAge: duration,
  maxActiveRuns: one('a whole number of runs, 1 or more', isCount),
  maxReaders: one('a whole number of connections, 1 or more', isCount),
  drain: duration,
  onLog: kind('callback'),
};

/** Calls the function of the application. What it throws changes nothing. */
function notifying(onLog: LogOptions['onLog'], run: { onError?: ((error: unknown) => void) | undefined }): Notify | undefined {
  if (onLog === undefined) return undefined;
  return (notice) => {
    const { name, fields } = JSON.parse(notice) as { name: LogNoticeName; fields: LogNoticeFields };
    try {
      onLog(name, fields);
    } catch (error) {
      report(run, error);
    }
  };
}

/** The options of runs that a log needs. */
interface Run {
  native: string;
  heartbeat: number;
  onError?: ((error: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Completes the options; undefined without a log. */
export function logSettings(options: LogOptions, run: Run): LogSettings | undefined {
  const { log, authorize, onLog, ...rules } = options;
  const given = Object.keys(logReaders).filter((name) => options[name as keyof LogOptions] !== undefined);
  const fault = given.length > 0 ? native().checkLogOptions(given) : null;
  if (fault) throw errorFrom(fault);
  if (log === undefined || authorize === undefined) return undefined;
  const { onDisconnect, grace, onBusy, lease, logBytes, keep, keepThread, maxConnection, maxAge, maxActiveRuns, maxReaders, drain } = rules;
  const limits = { onDisconnect, grace, onBusy, lease, logBytes, keep, keepThread, maxConnection, maxAge, maxActiveRuns, maxReaders, drain };
  const work = workOf(log);
  return {
    engine: engineOf(log),
    server: new (native().LogServer)(limits, run.native, run.heartbeat, work.occupancy),
    work,
    signal: run.signal,
    notify: notifying(onLog, run),
    authorize: authorize === 'public' ? () => '' : authorize,
  };
}

import { faultAt } from '../errors/errors.cjs';
import type { NativeLogServer } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { one, type Table, oneOf } from '../options/option_reader.cjs';
import { isUint } from '../json/check.cjs';
import { type Engine, engineOf } from './engine.cjs';
import type { Log } from './log.cjs';

/** The access that a request asks for. */
export type LogAction = 'start' | 'read' | 'cancel';

/**
 * Decides who may do what: returns the scope of the request, such as the user's id; or null, which is answered as an unknown run.
 * `request` is that of the framework: `IncomingMessage` or `Request`. Runs of one scope are unknown in others.
 */
export type Authorize = (request: any, action: LogAction, threadId: string, runId: string | undefined) => string | null | PromiseLike<string | null>;

/** The options of a server whose runs have a log. Times are in milliseconds. */
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
}

/** A server with a log. */
export interface LogSettings {
  engine: Engine;
  server: NativeLogServer;
  /** Returns the scope of a request. */
  authorize: Authorize;
}

const duration = one('a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0);

/** The check of every option. */
export const logReaders: Table<LogOptions> = {
  log: one('a log, such as new MemoryLog()', (value) => typeof value?.execute === 'function' && typeof value.watch === 'function'),
  authorize: one("a function, or 'public'", (value) => typeof value === 'function' || value === 'public'),
  onDisconnect: oneOf('resume', 'continue', 'cancel'),
  grace: duration,
  onBusy: oneOf('reject', 'interrupt'),
  lease: duration,
  logBytes: one('a whole number of bytes, 1 or more', (value) => isUint(value) && value > 0),
  keep: duration,
  keepThread: duration,
  maxConnection: duration,
};

/** Completes the options; undefined without a log. */
export function logSettings(options: LogOptions, run: { native: string; heartbeat: number }): LogSettings | undefined {
  const { log, authorize, ...rules } = options;
  if (log === undefined) return undefined;
  if (authorize === undefined) throw faultAt('/authorize', 'missing_field', NEEDED);
  const { onDisconnect, grace, onBusy, lease, logBytes, keep, keepThread, maxConnection } = rules;
  const given = { onDisconnect, grace, onBusy, lease, logBytes, keep, keepThread, maxConnection };
  return {
    engine: engineOf(log),
    server: new (native().LogServer)(given, run.native, run.heartbeat),
    authorize: authorize === 'public' ? () => '' : authorize,
  };
}

const NEEDED =
  "with a log, authorize decides who may read which runs: give a function (request, action, threadId, runId) that returns the scope of the request, such as the user's id, or null; or 'public' if everybody may read all runs";

import { isUint } from '../json/check.cjs';
import { errorFrom } from '../errors/errors.cjs';
import { BODY_TIMEOUT, HEARTBEAT, type Limits, MAX_WAITING } from '../generated/border.cjs';
import type { Interrupt, RunAgentInput } from '../generated/types.cjs';
import type { IdGenerator } from '../types/ids.cjs';
import { native } from '../native/native.cjs';
import { optionsText } from '../options/options.cjs';
import { eachOf, kind, listOf, one, settled, type Table, type OptionReader, words } from '../options/option_reader.cjs';

/** The options of a server. Times are in milliseconds. */
export interface RunOptions {
  /** The limits of requests and runs; `inputBytes` bounds a request's body. */
  limits?: Limits | undefined;
  /** Have RUN_STARTED carry the request's input. */
  echoInput?: boolean | undefined;
  /** Have RUN_ERROR carry the message of what the agent throws. Without it the client learns only that the agent failed. */
  showErrors?: boolean | undefined;
  /** Told of everything that an agent throws, and of what becomes of its state if that is no JSON or large. `console.error` by default. */
  onError?: ((error: unknown) => void) | undefined;
  /** The time limit of a run. After it the run is aborted, and ends with the code `run_timeout`. No limit by default. */
  timeLimit?: number | undefined;
  /** The time limit for receiving a request's body. 30,000 by default. */
  bodyTimeout?: number | undefined;
  /** After how long a silence a comment is sent, so that proxies keep the connection; text only. 15,000 by default, 0 for never. */
  heartbeat?: number | undefined;
  /** Most bytes that may wait for a slow client if nothing is awaited: more is refused with `client_too_slow`. 16 MiB by default. */
  maxWaiting?: number | undefined;
  /**
   * The times at which a changed state is sent: at every `await` of a write and at the end (`await`), only there (`end`), or by `flushState` alone
   * (`manual`). With `await`, a state of more values than `limits.stateValues` is sent when something has ended: a message, a call, a step.
   */
  stateFlush?: StateFlush | undefined;
  /** Makes the ids of messages and calls. */
  ids?: IdGenerator | undefined;
  /** Origins whose pages may ask, `*` for any. Without it nothing is said about origins. */
  cors?: readonly string[] | '*' | undefined;
  /** The interrupts that wait for an answer in this conversation: a request that leaves one unanswered is refused. */
  pendingInterrupts?: ((input: RunAgentInput) => readonly Interrupt[] | PromiseLike<readonly Interrupt[]>) | undefined;
  /** Answer with protobuf to those who take anything; otherwise only to those who name it. */
  wildcards?: boolean | undefined;
  /** Ends every run as cancelled when it is aborted: for the server's shutdown. */
  signal?: AbortSignal | undefined;
}

export type StateFlush = 'await' | 'end' | 'manual';

/** The options with their defaults. */
export interface Settings extends RunOptions {
  bodyTimeout: number;
  heartbeat: number;
  maxWaiting: number;
  /** The limits as the addon reads them. */
  native: string;
}

const duration = one('a number of milliseconds from 0', (value) => typeof value === 'number' && value >= 0);

/** Every option. */
const wanted: Table<RunOptions> = {
  limits: eachOf(kind('count')),
  echoInput: kind('flag'),
  showErrors: kind('flag'),
  onError: kind('callback'),
  timeLimit: duration,
  bodyTimeout: duration,
  heartbeat: duration,
  maxWaiting: one('a whole number of bytes from 1', (value) => isUint(value) && value > 0),
  stateFlush: words('await', 'end', 'manual'),
  ids: one('an IdGenerator', (value) => typeof value === 'object'),
  cors: origins(),
  pendingInterrupts: kind('callback'),
  wildcards: kind('flag'),
  signal: one('an AbortSignal', (value) => typeof value === 'object' && typeof value.addEventListener === 'function'),
};

function origins(): OptionReader {
  // Within a list, `*` would match no origin: it has to stand alone.
  const expected = "'*' or a list of origins";
  const list = listOf(one(expected, (origin) => typeof origin === 'string' && origin !== '*'));
  return { copy: list.copy!, fault: (cors) => (Array.isArray(cors) ? list.fault(cors) : one(expected, (given) => given === '*').fault(cors)) };
}

/** Completes options, and refuses those that are not what they must be: `wrong_type`, or `unknown_field`, with the option as path. */
export function settingsOf(options: RunOptions = {}): Settings {
  const given = settled(wanted, options);
  const text = optionsText(given.limits ? { limits: given.limits } : {});
  // Core knows the names of the limits.
  const judged = native().createRun('text', text);
  if (typeof judged === 'string') throw errorFrom(judged);
  return {
    ...given,
    bodyTimeout: given.bodyTimeout ?? BODY_TIMEOUT,
    heartbeat: given.heartbeat ?? HEARTBEAT,
    maxWaiting: given.maxWaiting ?? MAX_WAITING,
    native: text,
  };
}

import { answerOf } from '../errors/errors.cjs';
import { report } from '../errors/failure.cjs';
import { stringify } from '../json/text.cjs';
import type { Command, Machine, Place } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { wrongOption } from '../options/option_reader.cjs';
import type { ServerSettings } from '../server/options.cjs';
import { type PlainResponse, refused, unanswered } from '../server/request.cjs';
import type { Asked } from '../server/request_body.cjs';
import type { AgentFunction } from '../server/run.cjs';
import { decide } from './driver.cjs';
import type { LogReading } from './log_connection.cjs';
import type { LogAction, LogSettings } from './log_options.cjs';
import { startRun } from './log_run.cjs';
import { type LogSubject, tellRefused } from './notices.cjs';

/** A request, as the framework has it. */
export interface LogRequest {
  /** The request for `authorize`. */
  readonly native: unknown;
  readonly method: string;
  /** The path of its address, and the query without the question mark. */
  readonly path: string;
  readonly query: string;
  header(name: string): string | undefined;
  /** Receives the input of a run. Returns it, or the refusal; undefined if the client has disconnected. */
  asked(): Promise<Asked | string | undefined>;
}

/** The answer to a request: a response, or a log to read; undefined if the client has disconnected. */
export type LogAnswer = { plain: PlainResponse } | { reading: LogReading; cors: Record<string, string> } | undefined;

/** A request whose head is accepted. */
interface Accepted {
  request: 'run' | 'read' | 'cancel' | 'thread';
  action: LogAction;
  threadId?: string;
  runId?: string;
  after?: string;
  wireFormat: string;
  cors: Record<string, string>;
  address: string;
}

/** Answers a request to a server with a log. `seeCors` gets the CORS headers once they are known. */
export async function answerLogRequest<S>(agent: AgentFunction<S>, settings: ServerSettings, log: LogSettings, request: LogRequest, seeCors: (cors: Record<string, string>) => void): Promise<LogAnswer> {
  const { header } = request;
  const accepted = answerOf<Accepted & { answer?: PlainResponse }>(
    log.server.accept(
      stringify({
        method: request.method,
        path: request.path,
        query: request.query,
        lastEventId: header('last-event-id'),
        origin: header('origin'),
        contentType: header('content-type'),
        accept: header('accept'),
        contentLength: header('content-length'),
        requestMethod: header('access-control-request-method'),
        requestHeaders: header('access-control-request-headers'),
        acceptWildcards: settings.acceptWildcards,
        cors: settings.cors,
      }) as string,
    ),
  );
  if (accepted.answer) return { plain: accepted.answer };
  seeCors(accepted.cors);
  const dispatch = new Dispatch(agent, settings, log, request, accepted);
  const answered = await dispatch.answer();
  if (typeof answered !== 'string') return answered;
  tellRefused(log, answered, dispatch.subject);
  return { plain: refused(answered, accepted.cors) };
}

/** A run that was started, or that has been started before. */
export interface StartedRun {
  key: string;
  /** The place before its first event. */
  beginning: string;
  /** True if it was started now. */
  isNew: boolean;
  /** Counts its reader. */
  place: Place;
  scope: string;
}

/**
 * Starts a run, unless it has been started. `resume` is the header `AG-UI-Resume`. Returns the refusal as text if it is refused.
 */
export async function startLogRun<S>(agent: AgentFunction<S>, settings: ServerSettings, log: LogSettings, asked: Asked, request: { native: unknown; resume: string | undefined }, subject: LogSubject = {}): Promise<StartedRun | string> {
  const { threadId, runId } = asked.input;
  Object.assign(subject, { threadId, runId });
  const scope = await scopeOf(log, request.native, 'start', threadId, runId);
  subject.scope = scope;
  if (scope === undefined) return native().refuse('run_unknown');
  const refusal = await unanswered(asked, settings);
  if (refusal !== undefined) return refusal;
  const { engine, server } = log;
  const key = server.key(scope, threadId, runId);
  if (isRefusal(key)) return key;
  return inPlace(server.place(scope), async (place) => {
    // Without a function of the application, the thread knows what waits for an answer.
    const now = settings.pendingInterrupts === undefined ? Date.now() : undefined;
    const start = server.start(scope, stringify(asked.input) as string, request.resume, now, log.signal?.aborted ?? false);
    if (typeof start === 'string') return start;
    const { kind, text, number } = await decide(start.machine, engine, (error) => report(settings, error), log.notify);
    if (kind === 'refused') return text!;
    const recorder = start.recorder();
    if (recorder) startRun(agent, asked, settings, log, recorder, key);
    return { key, beginning: text!, isNew: number === 1, place, scope };
  });
}

/** Does this with the place of a reader, which is released if there is nothing to read. A refusal is a text. */
async function inPlace<T>(place: Place | string, work: (place: Place) => Promise<T | string>): Promise<T | string> {
  if (typeof place === 'string') return place;
  let done: T | string = '';
  try {
    return (done = await work(place));
  } finally {
    if (typeof done === 'string') place.release();
  }
}

/** Returns the scope of a request; undefined if it may not do this. */
async function scopeOf({ authorize }: LogSettings, request: unknown, action: LogAction, threadId: string, runId: string | undefined): Promise<string | undefined> {
  const scope: unknown = await authorize(request, action, threadId, runId);
  if (scope === null || scope === undefined) return undefined;
  if (typeof scope !== 'string') throw wrongOption('/authorize', 'a function that returns a string or null', scope);
  return scope;
}

/** One request on its way. Refusals are texts. */
class Dispatch<S> {
  readonly #agent: AgentFunction<S>;
  readonly #settings: ServerSettings;
  readonly #log: LogSettings;
  readonly #request: LogRequest;
  readonly #accepted: Accepted;
  /** What the request is about. */
  readonly subject: LogSubject = {};

  constructor(agent: AgentFunction<S>, settings: ServerSettings, log: LogSettings, request: LogRequest, accepted: Accepted) {
    this.#agent = agent;
    this.#settings = settings;
    this.#log = log;
    this.#request = request;
    this.#accepted = accepted;
  }

  answer(): Promise<LogAnswer | string> {
    const { request, threadId, runId } = this.#accepted;
    if (request === 'run') return this.#run();
    if (request === 'read') return this.#read(threadId!, runId!);
    return request === 'cancel' ? this.#cancel(threadId!, runId!) : this.#thread(threadId!);
  }

  #decide(machine: Machine): Promise<Command> {
    return decide(machine, this.#log.engine, (error) => report(this.#settings, error));
  }

  async #scope(threadId: string, runId: string | undefined): Promise<string | undefined> {
    Object.assign(this.subject, { threadId, runId });
    return (this.subject.scope = await scopeOf(this.#log, this.#request.native, this.#accepted.action, threadId, runId));
  }

  async #run(): Promise<LogAnswer | string> {
    const { native, header } = this.#request;
    const asked = await this.#request.asked();
    if (asked === undefined || typeof asked === 'string') return asked;
    const started = await startLogRun(this.#agent, this.#settings, this.#log, asked, { native, resume: header('ag-ui-resume') }, this.subject);
    if (typeof started === 'string') return started;
    const after = started.isNew ? started.beginning : this.#accepted.after;
    const { threadId, runId } = asked.input;
    return this.#reading(started, threadId, runId, after);
  }

  async #read(threadId: string, runId: string): Promise<LogAnswer | string> {
    const scope = await this.#scope(threadId, runId);
    if (scope === undefined) return native().refuse('run_unknown');
    const key = this.#log.server.key(scope, threadId, runId);
    if (isRefusal(key)) return key;
    const place = this.#log.server.place(scope);
    return typeof place === 'string' ? place : this.#reading({ key, place, scope, isNew: false }, threadId, runId, this.#accepted.after);
  }

  #reading({ key, place, scope, isNew }: Pick<StartedRun, 'key' | 'place' | 'scope' | 'isNew'>, threadId: string, runId: string, after: string | undefined): LogAnswer {
    const { wireFormat, address, cors } = this.#accepted;
    return { reading: { head: { key, threadId, runId, after, wireFormat, address, isNew }, scope, place }, cors };
  }

  async #cancel(threadId: string, runId: string): Promise<string> {
    const scope = await this.#scope(threadId, runId);
    if (scope === undefined) return native().refuse('run_unknown');
    const { server } = this.#log;
    const key = server.key(scope, threadId, runId);
    return isRefusal(key) ? key : (await this.#decide(server.cancel(key))).text!;
  }

  async #thread(threadId: string): Promise<string> {
    const scope = await this.#scope(threadId, undefined);
    if (scope === undefined) return native().refuse('run_unknown');
    const { server } = this.#log;
    const key = server.key(scope, threadId, '');
    return isRefusal(key) ? key : (await this.#decide(server.readThread(scope, threadId))).text!;
  }
}

const isRefusal = (text: string) => text.startsWith('{"refusal"');

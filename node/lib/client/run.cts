import type { Change } from '../reduce/changes.cjs';
import { ACCEPT, ACCEPT_PROTOBUF } from '../generated/border.cjs';
import type { Event, Message, RunAgentInput, State } from '../generated/types.cjs';
import type { PipelineOptions, Warning } from '../options/options.cjs';
import { askPipeline, engineOf, EventPipeline, takeIndices } from '../stream/pipeline.cjs';
import { Reducer } from '../reduce/reducer.cjs';
import { checkValue } from '../json/value.cjs';
import type { ConversationView } from '../reduce/view.cjs';
import type { Agent } from './agent.cjs';
import type { RunLoop } from './loop.cjs';
import { chain, type Middleware } from './middleware.cjs';
import { errorOf } from './transport/failures.cjs';
import { Arrivals, Intake } from './flow.cjs';
import { Delivery, isOver, type RunOver } from './delivery.cjs';
import type { AgentOptions, RunParameters } from './options.cjs';
import { isThenable, quietly, tellAside } from './unawaited.cjs';
import { blank, type RunResult, textOf } from './result.cjs';
import { met, type Prepared } from './rules.cjs';
import type { Runs } from './runs.cjs';
import { fed, Source } from './source.cjs';
import type { Subscribers } from './subscriber.cjs';
import type { Thread } from './thread.cjs';
import type { FrontendTool } from './tools.cjs';
import type { RunRequest, Transport } from './transport/transport.cjs';
import { Watch } from './watch.cjs';

/** The parts of an agent that a run needs. */
export interface Host<S> {
  agent: Agent<S>;
  thread: Thread<S>;
  options: AgentOptions<S>;
  transport: Transport;
  middleware: readonly Middleware[];
  tools: readonly FrontendTool<any>[];
  /** Those who are there now. */
  subscribers(): Subscribers<S>;
  say(what: string, about?: unknown): void;
  report(error: unknown): void;
}

/** The items that the caller of a run gets: events, changes, or only the end. */
export type Wanted = 'events' | 'changes' | 'end';

/** A thrown value. */
export interface Thrown {
  readonly error: unknown;
}

/** One run of an agent: asks for it, reads it, and has it take effect. */
export class ActiveRun<S = State> {
  /** The results of the answer's runs, when it is read. */
  results: RunResult[] = [];
  /** True if all of the answer was read. */
  isWhole = false;
  readonly #ids: { readonly threadId: string; readonly runId: string };
  readonly #runs: Runs;
  /** The number of runs before. */
  readonly #first: number;
  /** The ends of the answer's runs. */
  readonly #ends: RunOver['value'][] = [];
  readonly #warnings: Warning[] = [];
  readonly #host: Host<S>;
  /** The loop of the run. */
  readonly #loop: RunLoop<S>;
  readonly #watch: Watch;
  readonly #subscribers: Subscribers<S>;
  readonly #middleware: readonly Middleware[];
  readonly #delivery: Delivery<S>;
  readonly #said: Message | undefined;
  /** Its place in the conversation. */
  #saidAt = -1;
  /** The run has changed something. */
  #hasChanges = false;
  readonly #known: Set<string>;
  #body: string;
  #input: RunAgentInput | undefined;
  #stream: { readonly lastEventId: string } | undefined;
  #view: ConversationView<S> | undefined;

  /**
   * `own` are the tools that the client has functions for; `said` is a message that the run begins with.
   *
   * @throws AGUISequenceError L01, L02 for interrupts that are not answered
   */
  constructor(host: Host<S>, parameters: RunParameters, own: readonly object[], loop: RunLoop<S>, runs: Runs, said?: Message) {
    this.#host = host;
    this.#loop = loop;
    this.#runs = runs;
    this.#first = runs.sum.runs.length;
    this.#said = said;
    const { agent, thread, options } = host;
    const { runId = '', parentRunId, tools, context, forwardedProps, resume } = parameters;
    const { threadId } = agent;
    const messages = said ? [...thread.messages, said] : thread.messages;
    const members = { threadId, runId, parentRunId, state: thread.state, messages, tools, context, forwardedProps, resume };
    this.#known = new Set(messages.map((message) => message.id));
    // What is in the conversation was looked at when it was given.
    checkValue({ tools: own }, '');
    checkValue({ tools, context, resume, messages: said && { [thread.messages.length]: said } }, '');
    const prepared = runs.prepare(members, options, { parentRunId: agent.parentRunId, tools: own, pending: thread.pendingInterrupts });
    this.#body = prepared.body;
    const { input } = this;
    this.#ids = { threadId: input.threadId, runId: input.runId };
    this.#lose(prepared.warnings);
    this.#subscribers = host.subscribers();
    this.#middleware = host.middleware.slice();
    this.#delivery = new Delivery<S>(host, this.#subscribers, this);
    this.#watch = new Watch(options.timeouts ?? {}, loop.watch);
  }

  /** Waits for callbacks. */
  get watch(): Watch {
    return this.#loop.watch;
  }

  /** The same, of those that are told of the end. */
  get ending(): Watch {
    return this.#loop.ending;
  }

  /** The input of the run. */
  get input(): RunAgentInput {
    return (this.#input ??= JSON.parse(this.#body) as RunAgentInput);
  }

  /** The run, in parts. What it has come to stands in `result` then. */
  async *parts(wanted: Wanted): AsyncGenerator<(Event | Change)[], void> {
    const { say, thread } = this.#host;
    let thrown: Thrown | undefined;
    try {
      say('run begins', { ...this.#ids });
      await this.#initialize();
      yield* this.#read(wanted);
      this.isWhole = true;
    } catch (error) {
      thrown = { error: errorOf(error) };
    } finally {
      if (this.isWhole) this.#watch.done();
      else this.#watch.stop(met('run_aborted'));
      thread.end();
      thread.commit();
      await this.#conclude(thrown);
      say('run ends', { outcome: this.#runs.sum.runs.at(-1)!.outcome });
    }
  }

  /** Adds a message that answers a tool's call, and tells of it. */
  async say(message: Message): Promise<Message[]> {
    const added = this.#host.thread.add([message]);
    await this.#delivery.added(added);
    return added;
  }

  /** Before the request: subscribers may change what is asked for with. */
  async #initialize(): Promise<void> {
    const { thread } = this.#host;
    const said = this.#said;
    if (said && !this.#loop.watch.stopped) {
      this.#saidAt = thread.messages.length;
      const added = thread.add([said]);
      await this.#told(() => this.#delivery.added(added));
    }
    await this.#told(() => this.#delivery.run('initialized'), this.#subscribers.has('onRunInitialized'));
  }

  /** Tells subscribers: what they set then is asked with. `wantsInput`: they may edit the input, too. */
  async #told(tell: () => Promise<unknown>, wantsInput = false): Promise<void> {
    const { thread, options } = this.#host;
    const { messages, state } = thread;
    await tell();
    const [hasMessages, hasState] = [thread.messages !== messages, thread.state !== state];
    if (!hasMessages && !hasState && !wantsInput) return;
    const { input } = this;
    if (hasMessages) input.messages = thread.messages;
    if (hasState) input.state = thread.state;
    this.#take(input, () => this.#runs.prepare(input, options));
  }

  /** Goes on with another input. */
  #take(input: RunAgentInput, prepare: () => Prepared): void {
    checkValue(input, '');
    const { body, warnings } = prepare();
    this.#body = body;
    this.#input = undefined;
    this.#lose(warnings);
  }

  #lose(warnings: readonly Warning[]): void {
    for (const warning of warnings) this.#warn(warning);
  }

  /** Tells of the end, as core says. */
  async #conclude(thrown: Thrown | undefined): Promise<void> {
    const loop = this.#loop;
    const later = this.#view?.laterRuns ?? { ids: [], messages: {} };
    this.#runs.nameLater(later.ids);
    const ending = this.isWhole ? undefined : loop.ends(thrown, this.#hasChanges);
    if (ending?.removesMessage && this.#said) this.#host.thread.takeBack(this.#said, this.#saidAt);
    const tell = async (what: 'failed' | 'finalized', more?: object) => {
      try {
        return (await this.#delivery.run(what, more)).stopped;
      } catch (error) {
        loop.ends({ error: errorOf(error) });
        return false;
      }
    };
    const error = ending?.raises ? thrown?.error : (loop.watch.stopped?.reason ?? thrown?.error);
    const isHandled = ending?.notifies && this.#runs.isHandled(await tell('failed', { error }));
    if (isHandled) loop.raised = undefined;
    await tell('finalized');
    this.results = this.#sum(new Map(Object.entries(later.messages)));
    if (isHandled) this.results.at(-1)!.failure = error as Error;
  }

  /** Makes the results of the answer's runs, which brought these messages. What is known of the answer as a whole stands with the last. */
  #sum(brought: ReadonlyMap<string, number>): RunResult[] {
    const { thread } = this.#host;
    const results = this.#runs.sum.runs.slice(this.#first).map(() => blank(this.#ids));
    this.#ends.forEach((end, index) => Object.assign(results[index]!, contentOf(end)));
    for (const message of thread.messages) {
      if (this.#known.has(message.id)) continue;
      results[Math.min(brought.get(message.id) ?? 0, results.length - 1)]!.newMessages.push(message);
    }
    for (const result of results) result.text = textOf(result.newMessages);
    // Who reads is ahead of who carries out.
    const warnings = this.#warnings.toSorted((one, other) => one.eventIndex - other.eventIndex);
    Object.assign(results.at(-1)!, { warnings, lastEventId: this.#stream?.lastEventId ?? '' });
    return results;
  }

  /** Notes the end of a run. */
  #ended({ value }: RunOver): void {
    this.#runs.ended(value);
    this.#ends.push(value);
  }

  #warn(warning: Warning): void {
    this.#warnings.push(warning);
    tellAside(() => this.#host.options.onWarning?.(warning), this.#host.report);
  }

  #read(wanted: Wanted): AsyncGenerator<(Event | Change)[], void> {
    if (this.#middleware.length > 0) return this.#readThrough(wanted);
    const isEach = wanted === 'events' || this.#delivery.wantsEvents;
    return isEach ? this.#readEvents(wanted) : this.#readChanges(wanted);
  }

  /** Asks for the run. How the answer is read stands beside it. */
  async #open(watch: Watch): Promise<{ source: Source; reading: PipelineOptions<S> }> {
    const run = this;
    const { transport, options } = this.#host;
    const { profile, limits, peer, onPatchFailure } = options;
    const request: RunRequest = {
      agent: this.#host.agent,
      get input() {
        return run.input;
      },
      body: this.#body,
      accept: options.protobuf ? ACCEPT_PROTOBUF : ACCEPT,
      signal: watch.signal,
      watch,
    };
    const source = new Source(watch);
    const contentType = await source.open(transport, request);
    return { source, reading: { contentType, profile, limits, peer, onPatchFailure, onWarning: (warning) => this.#warn(warning) } };
  }

  /** The way without events: one call for each piece. */
  async *#readChanges(wanted: Wanted): AsyncGenerator<Change[], void> {
    const { source, reading } = await this.#open(this.#watch);
    const { thread } = this.#host;
    const { messages, state, pendingInterrupts } = thread;
    const pipeline = new EventPipeline<S>({ ...reading, messages, state, pendingInterrupts });
    askPipeline(pipeline, this.#ids);
    this.#stream = this.#view = pipeline;
    thread.begin(pipeline);
    for await (const changes of source.through(pipeline, engineOf(pipeline))) {
      this.#hasChanges = true;
      for (const change of changes) {
        if (isOver(change)) this.#ended(change);
        else if (change.kind === 'interrupts_set') thread.pendingInterrupts = pipeline.pendingInterrupts;
      }
      if (wanted !== 'end') yield changes;
    }
  }

  /** The way of events that somebody wants to see. */
  async *#readEvents(wanted: Wanted): AsyncGenerator<(Event | Change)[], void> {
    const { source, reading } = await this.#open(this.#watch);
    const pipeline = new EventPipeline<S, false>({ ...reading, reduce: false });
    askPipeline(pipeline, this.#ids);
    takeIndices(pipeline);
    this.#stream = pipeline;
    const reducer = this.#reducer();
    for await (const events of source.through(pipeline, engineOf(pipeline))) {
      const indices = takeIndices(pipeline);
      yield* this.#offer(events, (at) => indices[at]!, reducer, wanted);
    }
  }

  /** The way through middleware, which may do with events what it likes. */
  async *#readThrough(wanted: Wanted): AsyncGenerator<(Event | Change)[], void> {
    const { profile, limits } = this.#host.options;
    const intake = new Intake(this.#ids, { profile, limits, onWarning: (warning) => this.#warn(warning) });
    const reducer = this.#reducer();
    const watch = this.#watch;
    watch.check();
    // Middleware may leave behind what it has asked for.
    const inner = new Watch(this.#host.options.timeouts ?? {}, watch);
    const left = met('run_aborted');
    const events = chain(this.#middleware, (input) => this.#innermost(input, inner, left))(this.input)[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (let index = 0; ; index++) {
        let step: IteratorResult<Event>;
        try {
          const turn = watch.turn();
          if (turn) await turn;
          watch.check();
          step = await watch.until(events.next(), intake.idleTime(watch.duration('idle')));
        } catch (error) {
          if (intake.toleratesLoss(error)) return;
          throw error;
        }
        isDone = step.done === true;
        if (isDone) break;
        for (const events of fed(() => intake.push(step.value))) yield* this.#offer(events, () => index, reducer, wanted);
      }
    } finally {
      // One that is at work hears of it when it is done.
      if (!isDone) quietly(() => events.return?.());
      inner.stop(left);
    }
    intake.finish();
  }

  /** Behind the middleware: the events as they come. */
  async *#innermost(input: RunAgentInput, within: Watch, left: unknown): AsyncGenerator<Event, void> {
    this.#take(input, () => this.#runs.preparePassed(input, this.#host.options));
    const watch = new Watch(this.#host.options.timeouts ?? {}, within);
    try {
      const { source, reading } = await this.#open(watch);
      const { contentType, profile, limits, peer, onWarning } = reading;
      const arrivals = new Arrivals({ contentType, profile, limits, peer, onWarning });
      this.#stream = arrivals;
      for await (const events of source.through(arrivals, arrivals.engine)) yield* events;
    } catch (error) {
      // Nobody is there to hear of it.
      if (error !== left) throw error;
    } finally {
      watch.stop(met('run_aborted'));
    }
  }

  #reducer(): Reducer<S> {
    const { thread, options } = this.#host;
    const { profile, limits, onPatchFailure } = options;
    const { messages, state, pendingInterrupts } = thread;
    const onWarning = (warning: Warning) => this.#warn(warning);
    const reducer = new Reducer<S>({ profile, limits, onPatchFailure, messages, state, pendingInterrupts, onWarning });
    thread.begin(reducer);
    this.#view = reducer;
    return reducer;
  }

  /** `indexAt` says the index of each of the events in its stream. */
  async *#offer(
    events: readonly Event[],
    indexAt: (at: number) => number,
    reducer: Reducer<S>,
    wanted: Wanted,
  ): AsyncGenerator<(Event | Change)[], void> {
    for (let at = 0; at < events.length; at++) {
      const event = events[at]!;
      this.#loop.watch.check();
      this.#host.say('event', event);
      const delivered = this.#delivery.event(event, indexAt(at), reducer);
      const { changes, end } = isThenable(delivered) ? await delivered : delivered;
      if (changes.length > 0) this.#hasChanges = true;
      if (end) this.#ended(end);
      if (wanted === 'events') yield [event];
      else if (wanted === 'changes' && changes.length > 0) yield changes;
    }
  }
}

/** The members of an end for the result, besides those that core sums up. */
function contentOf(end: RunOver['value']): Partial<RunResult> {
  if (!('outcome' in end)) {
    const { usage, ...error } = end;
    return { error };
  }
  if ('interrupts' in end) return { interrupts: end.interrupts };
  return 'result' in end ? { result: end.result } : {};
}

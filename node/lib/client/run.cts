import { clientError } from '../errors/errors.cjs';
import type { Change } from '../reduce/changes.cjs';
import { ACCEPT, ACCEPT_PROTOBUF } from '../generated/border.cjs';
import type { Event, Message, RunAgentInput, State } from '../generated/types.cjs';
import type { PipelineOptions, Warning } from '../options/options.cjs';
import { askPipeline, engineOf, EventPipeline, takeIndices } from '../stream/pipeline.cjs';
import { Reducer } from '../reduce/reducer.cjs';
import { checkValue } from '../json/value.cjs';
import type { ConversationView } from '../reduce/view.cjs';
import type { AgentHandle } from './agent_handle.cjs';
import { chain, type Middleware } from './middleware.cjs';
import { errorOf } from './transport/failures.cjs';
import { Arrivals, Intake } from './flow.cjs';
import { Notifier, isOver, type RunOver } from './notifier.cjs';
import type { AgentOptions, RunParameters } from './options.cjs';
import { isThenable, ignoreErrors, reportErrors } from './promises.cjs';
import { blank, type RunResult, textOf } from './result.cjs';
import type { EarlyEnd, Prepared, Runs } from './runs.cjs';
import { EventSource, withPartial } from './event_source.cjs';
import type { Subscribers } from './subscriber.cjs';
import type { Conversation } from './conversation.cjs';
import type { FrontendTool } from './tools.cjs';
import type { RunRequest, Transport } from './transport/transport.cjs';
import { CancelScope } from './cancel_scope.cjs';

/** The parts of an agent that a run needs. */
export interface AgentParts<S> {
  agent: AgentHandle<S>;
  conversation: Conversation<S>;
  options: AgentOptions<S>;
  transport: Transport;
  middleware: readonly Middleware[];
  tools: readonly FrontendTool<any>[];
  /** Returns the current subscribers. */
  subscribers(): Subscribers<S>;
  log(what: string, about?: unknown): void;
  report(error: unknown): void;
}

/** The items that the caller of a run gets: events, changes, or none before the end. */
export type RunOutput = 'events' | 'changes' | 'end';

/** The beginning of a run: with a message of the user, or as a run that was started elsewhere. */
export interface RunBeginning {
  readonly prompt?: Message | undefined;
  readonly isJoined?: boolean;
}

/** The call that has started a run. */
interface RunOwner {
  /** Waits for everything that belongs to the call. */
  readonly scope: CancelScope;
  /** Waits for the callbacks about the end. */
  readonly endScope: CancelScope;
  /** The error that the call throws at its end. */
  raised: object | undefined;
  /** Ends the call early, by an error if there is one. Returns the steps to take. `hasChanges`: the run has changed the conversation. */
  endEarly(thrown: object | undefined, hasChanges?: boolean): EarlyEnd;
}

/** One run of an agent: requests it, reads its answer, and applies the events. */
export class ActiveRun<S = State> {
  /** The results of the answer's runs, once it is read. */
  results: RunResult[] = [];
  /** True if the answer was read to its end. */
  isWhole = false;
  readonly #ids: { readonly threadId: string; readonly runId: string };
  readonly #runs: Runs;
  /** The number of earlier runs in the call. */
  readonly #first: number;
  /** The ends of the answer's runs. */
  readonly #ends: RunOver['value'][] = [];
  readonly #warnings: Warning[] = [];
  readonly #parts: AgentParts<S>;
  readonly #owner: RunOwner;
  readonly #scope: CancelScope;
  readonly #subscribers: Subscribers<S>;
  readonly #middleware: readonly Middleware[];
  readonly #notifier: Notifier<S>;
  readonly #prompt: Message | undefined;
  /** True if the run was started elsewhere: its input is not sent. */
  readonly #isJoined: boolean;
  /** The index of the prompt in the conversation. */
  #promptIndex = -1;
  /** True if the run has changed the conversation. */
  #hasChanges = false;
  readonly #known: Set<string>;
  #body: string;
  #input: RunAgentInput | undefined;
  #stream: { readonly lastEventId: string } | undefined;
  #view: ConversationView<S> | undefined;

  /**
   * `own` has the tools with functions.
   *
   * @throws AGUISequenceError L01, L02 for interrupts without an answer
   */
  constructor(parts: AgentParts<S>, parameters: RunParameters, own: readonly object[], owner: RunOwner, runs: Runs, { prompt, isJoined = false }: RunBeginning) {
    this.#parts = parts;
    this.#owner = owner;
    this.#runs = runs;
    this.#first = runs.sum.runs.length;
    this.#prompt = prompt;
    this.#isJoined = isJoined;
    const { agent, conversation, options } = parts;
    const { runId = '', parentRunId, tools, context, forwardedProps, resume } = parameters;
    const { threadId } = agent;
    const messages = prompt ? [...conversation.messages, prompt] : conversation.messages;
    const members = { threadId, runId, parentRunId, state: conversation.state, messages, tools, context, forwardedProps, resume };
    this.#known = new Set(messages.map((message) => message.id));
    // The messages of the conversation were validated when they were set.
    checkValue({ tools: own }, '');
    checkValue({ tools, context, resume, messages: prompt && { [conversation.messages.length]: prompt } }, '');
    const prepared = runs.prepare(members, options, { parentRunId: agent.parentRunId, tools: own, pending: conversation.pendingInterrupts });
    this.#body = prepared.body;
    const { input } = this;
    this.#ids = { threadId: input.threadId, runId: input.runId };
    this.#lose(prepared.warnings);
    this.#subscribers = parts.subscribers();
    this.#middleware = parts.middleware.slice();
    this.#notifier = new Notifier<S>(parts, this.#subscribers, this);
    this.#scope = new CancelScope(options.timeouts ?? {}, owner.scope);
  }

  get runId(): string {
    return this.#ids.runId;
  }

  /** Waits for callbacks. */
  get scope(): CancelScope {
    return this.#owner.scope;
  }

  /** Waits for the callbacks about the end. */
  get endScope(): CancelScope {
    return this.#owner.endScope;
  }

  /** The input of the run. */
  get input(): RunAgentInput {
    return (this.#input ??= JSON.parse(this.#body) as RunAgentInput);
  }

  /** Yields the items of the run in batches. Afterwards `results` has the results. */
  async *batches(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    const { log, conversation } = this.#parts;
    let error: object | undefined;
    try {
      log('run begins', { ...this.#ids });
      await this.#initialize();
      yield* this.#read(output);
      this.isWhole = true;
    } catch (thrown) {
      error = errorOf(thrown);
    } finally {
      if (this.isWhole) this.#scope.close();
      else this.#scope.cancel(clientError('run_aborted'));
      conversation.end();
      conversation.commit();
      await this.#conclude(error);
      log('run ends', { outcome: this.#runs.sum.runs.at(-1)!.outcome });
    }
  }

  /** Notifies subscribers of the result of a tool call. */
  async notifyAdded(added: Message[]): Promise<void> {
    await this.#notifier.added(added);
  }

  /** Notifies subscribers before the request. They may change the input. */
  async #initialize(): Promise<void> {
    const { conversation } = this.#parts;
    const prompt = this.#prompt;
    if (prompt && !this.#owner.scope.isCancelled) {
      this.#promptIndex = conversation.messages.length;
      const added = conversation.add([prompt]);
      await this.#notify(() => this.#notifier.added(added));
    }
    await this.#notify(() => this.#notifier.run('initialized'), this.#subscribers.has('onRunInitialized'));
  }

  /** Notifies subscribers, and prepares the input again if they have changed it. With `wantsInput` they may have changed its other members. */
  async #notify(call: () => Promise<unknown>, wantsInput = false): Promise<void> {
    const { conversation, options } = this.#parts;
    const { messages, state } = conversation;
    await call();
    const [hasMessages, hasState] = [conversation.messages !== messages, conversation.state !== state];
    if (!hasMessages && !hasState && !wantsInput) return;
    const { input } = this;
    if (hasMessages) input.messages = conversation.messages;
    if (hasState) input.state = conversation.state;
    this.#take(input, () => this.#runs.prepare(input, options));
  }

  /** Continues with another input. */
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

  /** Notifies subscribers of the end, as core decides. */
  async #conclude(thrown: object | undefined): Promise<void> {
    const owner = this.#owner;
    const later = this.#view?.laterRuns ?? { ids: [], messages: {} };
    this.#runs.nameLater(later.ids);
    const end = this.isWhole ? undefined : owner.endEarly(thrown, this.#hasChanges);
    if (end?.removesMessage && this.#prompt) this.#parts.conversation.remove(this.#prompt, this.#promptIndex);
    const notify = async (what: 'failed' | 'finalized', more?: object) => {
      try {
        return (await this.#notifier.run(what, more)).stopped;
      } catch (error) {
        owner.endEarly(errorOf(error));
        return false;
      }
    };
    const error = end?.raises ? thrown : (owner.scope.reason ?? thrown);
    const isHandled = end?.notifies && this.#runs.isHandled(await notify('failed', { error }));
    if (isHandled) owner.raised = undefined;
    await notify('finalized');
    this.results = this.#sum(new Map(Object.entries(later.messages)));
    if (isHandled) this.results.at(-1)!.failure = error as Error;
  }

  /** Returns the results of the answer's runs. `brought` has the index of the run that each message came with. */
  #sum(brought: ReadonlyMap<string, number>): RunResult[] {
    const { conversation } = this.#parts;
    const results = this.#runs.sum.runs.slice(this.#first).map(() => blank(this.#ids));
    this.#ends.forEach((end, index) => Object.assign(results[index]!, contentOf(end)));
    for (const message of conversation.messages) {
      if (this.#known.has(message.id)) continue;
      results[Math.min(brought.get(message.id) ?? 0, results.length - 1)]!.newMessages.push(message);
    }
    for (const result of results) result.text = textOf(result.newMessages);
    // The reader is ahead of the reducer, so the warnings are not in order yet.
    const warnings = this.#warnings.toSorted((one, other) => one.eventIndex - other.eventIndex);
    Object.assign(results.at(-1)!, { warnings, lastEventId: this.#stream?.lastEventId ?? '' });
    return results;
  }

  /** Records the end of a run. */
  #ended({ value }: RunOver): void {
    this.#runs.ended(value);
    this.#ends.push(value);
  }

  #warn(warning: Warning): void {
    this.#warnings.push(warning);
    reportErrors(() => this.#parts.options.onWarning?.(warning), this.#parts.report);
  }

  #read(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    if (this.#middleware.length > 0) return this.#readThrough(output);
    const isEach = output === 'events' || this.#notifier.wantsEvents;
    return isEach ? this.#readEvents(output) : this.#readChanges(output);
  }

  /** Requests the run. Returns the source of its answer, and the options to read it with. */
  async #open(scope: CancelScope): Promise<{ source: EventSource; reading: PipelineOptions<S> }> {
    const run = this;
    const { transport, options } = this.#parts;
    const { profile, limits, peer, onPatchFailure } = options;
    const request: RunRequest = {
      agent: this.#parts.agent,
      get input() {
        return run.input;
      },
      body: this.#body,
      accept: options.protobuf ? ACCEPT_PROTOBUF : ACCEPT,
      signal: scope.signal,
      scope,
      subject: { purpose: this.#isJoined ? 'join' : 'start', ...this.#ids },
    };
    const source = new EventSource(scope);
    const contentType = await source.open(transport, request);
    return { source, reading: { contentType, profile, limits, peer, onPatchFailure, onWarning: (warning) => this.#warn(warning) } };
  }

  /** Reads changes, with one call of core for each piece of the answer. */
  async *#readChanges(output: RunOutput): AsyncGenerator<Change[], void> {
    const { source, reading } = await this.#open(this.#scope);
    const { conversation } = this.#parts;
    const { messages, state, pendingInterrupts } = conversation;
    const pipeline = new EventPipeline<S>({ ...reading, messages, state, pendingInterrupts });
    askPipeline(pipeline, this.#ids);
    this.#stream = this.#view = pipeline;
    conversation.begin(pipeline);
    for await (const changes of source.through(pipeline, engineOf(pipeline))) {
      this.#hasChanges = true;
      for (const change of changes) {
        if (isOver(change)) this.#ended(change);
        else if (change.kind === 'interrupts_set') conversation.pendingInterrupts = pipeline.pendingInterrupts;
      }
      if (output !== 'end') yield changes;
    }
  }

  /** Reads single events, for the caller or for subscribers. */
  async *#readEvents(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    const { source, reading } = await this.#open(this.#scope);
    const pipeline = new EventPipeline<S, false>({ ...reading, reduce: false });
    askPipeline(pipeline, this.#ids);
    takeIndices(pipeline);
    this.#stream = pipeline;
    const reducer = this.#reducer();
    for await (const events of source.through(pipeline, engineOf(pipeline))) {
      const indices = takeIndices(pipeline);
      yield* this.#offer(events, (at) => indices[at]!, reducer, output);
    }
  }

  /** Reads events through middleware, which may change, drop or add events. */
  async *#readThrough(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    const { profile, limits } = this.#parts.options;
    const intake = new Intake(this.#ids, { profile, limits, onWarning: (warning) => this.#warn(warning) });
    const reducer = this.#reducer();
    const scope = this.#scope;
    scope.throwIfCancelled();
    // Middleware may stop reading before the end of its request.
    const inner = new CancelScope(this.#parts.options.timeouts ?? {}, scope);
    const left = clientError('run_aborted');
    const events = chain(this.#middleware, (input) => this.#innermost(input, inner, left))(this.input)[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (let index = 0; ; index++) {
        let step: IteratorResult<Event>;
        try {
          const turn = scope.yieldIfDue();
          if (turn) await turn;
          scope.throwIfCancelled();
          const idle = intake.idleTime(scope.timeout('idle'));
          if (idle === false) return;
          step = await scope.wait(events.next(), idle);
        } catch (error) {
          if (intake.toleratesLoss(error)) return;
          throw error;
        }
        isDone = step.done === true;
        if (isDone) break;
        for (const events of withPartial(() => intake.push(step.value))) yield* this.#offer(events, () => index, reducer, output);
      }
    } finally {
      // A generator that is running returns after its current step.
      if (!isDone) ignoreErrors(() => events.return?.());
      inner.cancel(left);
    }
    intake.finish();
  }

  /** Yields the events of the answer to the innermost middleware. */
  async *#innermost(input: RunAgentInput, within: CancelScope, left: unknown): AsyncGenerator<Event, void> {
    this.#take(input, () => this.#runs.prepareFromMiddleware(input, this.#parts.options));
    const scope = new CancelScope(this.#parts.options.timeouts ?? {}, within);
    try {
      const { source, reading } = await this.#open(scope);
      const { contentType, profile, limits, peer, onWarning } = reading;
      const arrivals = new Arrivals({ contentType, profile, limits, peer, onWarning });
      this.#stream = arrivals;
      for await (const events of source.through(arrivals, arrivals.engine)) yield* events;
    } catch (error) {
      // The middleware has stopped reading.
      if (error !== left) throw error;
    } finally {
      scope.cancel(clientError('run_aborted'));
    }
  }

  #reducer(): Reducer<S> {
    const { conversation, options } = this.#parts;
    const { profile, limits, onPatchFailure } = options;
    const { messages, state, pendingInterrupts } = conversation;
    const onWarning = (warning: Warning) => this.#warn(warning);
    const reducer = new Reducer<S>({ profile, limits, onPatchFailure, messages, state, pendingInterrupts, onWarning });
    conversation.begin(reducer);
    this.#view = reducer;
    return reducer;
  }

  /** Applies events and notifies subscribers of each. `indexAt` returns the index of an event in its stream. */
  async *#offer(
    events: readonly Event[],
    indexAt: (at: number) => number,
    reducer: Reducer<S>,
    output: RunOutput,
  ): AsyncGenerator<(Event | Change)[], void> {
    for (let at = 0; at < events.length; at++) {
      const event = events[at]!;
      this.#owner.scope.throwIfCancelled();
      this.#parts.log('event', event);
      const delivered = this.#notifier.event(event, indexAt(at), reducer);
      const { changes, end } = isThenable(delivered) ? await delivered : delivered;
      if (changes.length > 0) this.#hasChanges = true;
      if (end) this.#ended(end);
      if (output === 'events') yield [event];
      else if (output === 'changes' && changes.length > 0) yield changes;
    }
  }
}

/** Returns the members of an end that core does not sum up. */
function contentOf(end: RunOver['value']): Partial<RunResult> {
  if (!('outcome' in end)) {
    const { usage, ...error } = end;
    return { error };
  }
  if ('interrupts' in end) return { interrupts: end.interrupts };
  return 'result' in end ? { result: end.result } : {};
}

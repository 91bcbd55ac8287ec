import { clientError } from '../errors/errors.cjs';
import type { Change } from '../reduce/changes.cjs';
import type { Event, Message, State } from '../generated/types.cjs';
import { MAX_RUNS } from '../generated/border.cjs';
import { check } from '../options/option_reader.cjs';
import type { Cancellation } from './conversation.cjs';
import { checkParameters, checkReadParameters, type RunParameters } from './options.cjs';
import { ignoreErrors } from './promises.cjs';
import { Notifier } from './notifier.cjs';
import { blank, type RunResult, summed, withRun } from './result.cjs';
import { errorOf } from './transport/failures.cjs';
import { ActiveRun, type AgentParts, type RunBeginning, type RunOutput } from './run.cjs';
import { type EarlyEnd, readThread, type Runs } from './runs.cjs';
import { type AgentSubscriber, subscriberLike } from './subscriber.cjs';
import { Tools } from './tools.cjs';
import { CancelScope, detachments } from './cancel_scope.cjs';
import { logRequestsOf } from './transport/transport.cjs';

/** What a call does: it runs the agent, by default, with a message of the user or without one; joins a run; or opens the thread. */
export interface CallKind {
  readonly prompt?: Message;
  /** The id of a run that was started elsewhere. */
  readonly joined?: string;
  readonly opensThread?: boolean;
}

/** Runs the agent, and runs it again as long as tools of the application answer its calls. Or reads what a server keeps of its runs. */
export class RunLoop<S = State> {
  /** The result, once the call has ended. */
  result: RunResult | undefined;
  /** The error that the call throws at its end. */
  raised: object | undefined;
  /** Waits for everything that belongs to the call. */
  scope!: CancelScope;
  /** The cancellation by the caller. */
  cancellation: Cancellation | undefined;
  readonly #parts: AgentParts<S>;
  #parameters: RunParameters;
  readonly #kind: CallKind;
  /** The run that is read. */
  #active: ActiveRun<S> | undefined;
  readonly #earlierCancellation: Cancellation | undefined;
  readonly #batches: AsyncGenerator<(Event | Change)[], void>;
  readonly #results: RunResult[] = [];
  #runs!: Runs;
  #endScope: CancelScope | undefined;
  /** True if the call has ended early. */
  #hasEndedEarly = false;

  constructor(parts: AgentParts<S>, output: RunOutput, parameters: RunParameters, subscriber: AgentSubscriber<S> | undefined, kind: CallKind = {}) {
    this.#parts = parts;
    this.#parameters = parameters;
    this.#kind = kind;
    this.#earlierCancellation = parts.conversation.cancellation;
    this.#batches = this.#run(output, subscriber);
  }

  /** The id of the run that is read. */
  get runId(): string | undefined {
    return this.#active?.runId;
  }

  /** Returns the next batch of items. */
  async next(): Promise<IteratorResult<(Event | Change)[], void>> {
    if (this.#parts.conversation.running === this) this.scope.keepAlive(true);
    const batch = await this.#batches.next();
    if (!batch.done) this.scope.keepAlive(false);
    return batch;
  }

  /** Runs to the end and returns the result. */
  async finish(): Promise<RunResult> {
    for (;;) if ((await this.next()).done) return this.result!;
  }

  /** Cancels the call. A second cancellation also stops the wait for callbacks that are notified of the end. */
  cancel(cancellation: Cancellation): void {
    if (this.#parts.conversation.running !== this) return;
    const reason = clientError('run_aborted', '', undefined, cancellation.reason);
    if (this.scope.isCancelled) return this.#endScope?.cancel(reason);
    this.cancellation = cancellation;
    if (cancellation.how === 'detach') detachments.add(reason);
    this.scope.cancel(reason);
    // The call ends even if the caller does not read the items that have arrived.
    const { report } = this.#parts;
    if (cancellation.how === 'abort') this.#batches.throw(reason).catch((error: unknown) => error === reason || report(error));
  }

  /** Stops reading and waits for the end. */
  async close(): Promise<void> {
    if (this.cancellation === undefined) this.cancel({ how: 'leave' });
    await this.#batches.return();
  }

  /** Waits for callbacks that are notified of the end. After an early end they share one short deadline. */
  get endScope(): CancelScope {
    return this.scope.isCancelled || this.#hasEndedEarly ? (this.#endScope ??= new CancelScope({ total: this.#runs.callbackTime(true) })) : this.scope;
  }

  async *#run(output: RunOutput, subscriber: AgentSubscriber<S> | undefined): AsyncGenerator<(Event | Change)[], void> {
    const { conversation, options } = this.#parts;
    const { prompt, joined, opensThread } = this.#kind;
    const isRead = joined !== undefined || opensThread === true;
    this.#parameters = isRead ? checkReadParameters(this.#parameters) : checkParameters(this.#parameters);
    if (isRead) logRequestsOf(this.#parts.transport);
    if (subscriber !== undefined && subscriber !== null) check(subscriberLike, subscriber, '/subscriber');
    if (conversation.running) throw clientError('agent_busy');
    conversation.running = this;
    this.scope = new CancelScope(options.timeouts ?? {});
    const signal = this.#parameters.signal ?? this.#parameters.abortController?.signal;
    const abort = () => this.cancel({ how: 'abort', reason: signal?.reason });
    const known = new Set(conversation.messages.map((message) => message.id)).add(prompt?.id ?? '');
    this.#runs = conversation.runs;
    this.#runs.next(options.maxRuns ?? MAX_RUNS);
    try {
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      if (conversation.cancellation !== this.#earlierCancellation) this.cancel(conversation.cancellation!);
      if (isRead) this.#runs.observe();
      const runId = opensThread ? await this.#openThread() : joined;
      if (!isRead) yield* this.#runAll(output);
      else if (runId !== undefined) yield* this.#read(output, { isJoined: true }, { runId });
    } catch (error) {
      this.endEarly(errorOf(error));
    } finally {
      conversation.running = undefined;
      this.scope.close();
      this.#endScope?.close();
      ignoreErrors(() => signal?.removeEventListener('abort', abort));
      const newMessages = conversation.messages.filter((message) => !known.has(message.id));
      if (this.#results.length > 0) this.result = summed(this.#results, this.#runs.sum, newMessages);
    }
    if (this.raised) throw withRun(this.raised, this.result);
  }

  /** Ends the call early, by an error if there is one. Returns the steps to take. `hasChanges`: the run has changed the conversation. */
  endEarly(thrown: object | undefined, hasChanges = true): EarlyEnd {
    const { cancellation } = this;
    const error = cancellation && this.scope.isReason(thrown) ? undefined : thrown;
    this.#hasEndedEarly = true;
    const end = this.#runs.end(error, { isAborted: cancellation !== undefined, isDetached: cancellation?.how === 'detach', hasChanges });
    if (end.raises) this.raised = thrown;
    if (end.reports) this.#parts.report(error);
    return end;
  }

  /** Reads the thread into the conversation. Returns the id of its active run. */
  async #openThread(): Promise<string | undefined> {
    const { agent, conversation, options, subscribers, transport } = this.#parts;
    const { threadId } = agent;
    const answer = await logRequestsOf(transport).thread(agent, this.scope);
    const { messages, state, interrupts, activeRunId, lastRunId } = readThread(answer, threadId, options);
    if (messages !== undefined) {
      conversation.set({ messages, state });
      conversation.pendingInterrupts = interrupts;
      const notifier = new Notifier<S>(this.#parts, subscribers());
      for (const what of ['messages', 'state'] as const) await this.scope.wait(notifier.replaced(what));
    }
    if (activeRunId !== undefined) return activeRunId;
    this.#runs.opened(lastRunId, interrupts.length > 0);
    this.#results.push(Object.assign(blank({ threadId, runId: lastRunId ?? '' }), { interrupts }));
    return undefined;
  }

  /** Requests a run and reads it to its end. */
  async *#read(output: RunOutput, beginning: RunBeginning, parameters: RunParameters = {}, tools?: Tools): AsyncGenerator<(Event | Change)[], void> {
    const run = (this.#active = new ActiveRun<S>(this.#parts, parameters, tools?.declarations ?? [], this, this.#runs, beginning));
    try {
      yield* run.batches(output);
    } finally {
      this.#results.push(...run.results);
    }
  }

  async *#runAll(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    const { agent, tools: own } = this.#parts;
    agent.agentId ??= crypto.randomUUID();
    const given = this.#parameters.tools ?? [];
    const parameters = { ...this.#parameters, tools: given.filter((tool) => !('execute' in tool)) };
    const functions = given.filter((tool) => 'execute' in tool);
    for (let { prompt } = this.#kind; ; prompt = undefined) {
      const tools = new Tools([...own, ...functions]);
      yield* this.#read(output, { prompt }, parameters, tools);
      const run = this.#active!;
      if (this.raised || !run.isWhole) return;
      if (!(await this.#answerCalls(tools, run))) return;
    }
  }

  /** Answers pending tool calls one after the other. Returns true if the agent runs again. */
  async #answerCalls(tools: Tools, run: ActiveRun<S>): Promise<boolean> {
    const { agent, conversation, report, options } = this.#parts;
    const { scope } = this;
    const calls = tools.callsOf(this.#runs.pending, conversation.messages);
    this.#runs.calls(calls, tools.functions);
    for (;;) {
      const next = this.#runs.nextStep(scope.isCancelled);
      if (next.step === 'stop') throw scope.reason;
      if (next.step !== 'answer') return next.step === 'ask';
      const toolCall = calls.find(({ id }) => id === next.call)!;
      const message = await scope.waitWithGrace(tools.answer({ toolCall, agent, signal: scope.signal }, report, options.limits));
      this.#runs.answered(toolCall.id);
      const added = conversation.add([message]);
      this.#results.at(-1)!.newMessages.push(...added);
      await run.notifyAdded(added);
    }
  }
}

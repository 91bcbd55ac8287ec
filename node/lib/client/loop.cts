import { clientError } from '../errors/errors.cjs';
import type { Change } from '../reduce/changes.cjs';
import type { Event, Message, State } from '../generated/types.cjs';
import { MAX_RUNS } from '../generated/border.cjs';
import { check } from '../options/option_reader.cjs';
import type { Cancellation } from './conversation.cjs';
import { checkParameters, type RunParameters } from './options.cjs';
import { ignoreErrors } from './promises.cjs';
import { type RunResult, summed, withRun } from './result.cjs';
import { errorOf } from './transport/failures.cjs';
import { ActiveRun, type AgentParts, type RunOutput } from './run.cjs';
import type { EarlyEnd, Runs } from './runs.cjs';
import { type AgentSubscriber, subscriberLike } from './subscriber.cjs';
import { Tools } from './tools.cjs';
import { CancelScope, detachments } from './cancel_scope.cjs';

/** Runs the agent, and runs it again as long as tools of the application answer its calls. */
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
  readonly #prompt: Message | undefined;
  readonly #earlierCancellation: Cancellation | undefined;
  readonly #batches: AsyncGenerator<(Event | Change)[], void>;
  readonly #results: RunResult[] = [];
  #runs!: Runs;
  #endScope: CancelScope | undefined;
  /** True if the call has ended early. */
  #hasEndedEarly = false;

  /** `prompt` is a message that the first run begins with. */
  constructor(parts: AgentParts<S>, output: RunOutput, parameters: RunParameters, subscriber: AgentSubscriber<S> | undefined, prompt?: Message) {
    this.#parts = parts;
    this.#parameters = parameters;
    this.#prompt = prompt;
    this.#earlierCancellation = parts.conversation.cancellation;
    this.#batches = this.#run(output, subscriber);
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
    this.#parameters = checkParameters(this.#parameters);
    if (subscriber !== undefined && subscriber !== null) check(subscriberLike, subscriber, '/subscriber');
    if (conversation.running) throw clientError('agent_busy');
    conversation.running = this;
    this.scope = new CancelScope(options.timeouts ?? {});
    const signal = this.#parameters.signal ?? this.#parameters.abortController?.signal;
    const abort = () => this.cancel({ how: 'abort', reason: signal?.reason });
    const known = new Set(conversation.messages.map((message) => message.id)).add(this.#prompt?.id ?? '');
    this.#runs = conversation.runs;
    this.#runs.next(options.maxRuns ?? MAX_RUNS);
    try {
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      if (conversation.cancellation !== this.#earlierCancellation) this.cancel(conversation.cancellation!);
      yield* this.#runAll(output);
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

  async *#runAll(output: RunOutput): AsyncGenerator<(Event | Change)[], void> {
    const { agent, tools: own } = this.#parts;
    agent.agentId ??= crypto.randomUUID();
    const given = this.#parameters.tools ?? [];
    const parameters = { ...this.#parameters, tools: given.filter((tool) => !('execute' in tool)) };
    const functions = given.filter((tool) => 'execute' in tool);
    for (let prompt = this.#prompt; ; prompt = undefined) {
      const tools = new Tools([...own, ...functions]);
      const run = new ActiveRun<S>(this.#parts, parameters, tools.declarations, this, this.#runs, prompt);
      try {
        yield* run.batches(output);
      } finally {
        this.#results.push(...run.results);
      }
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
      this.#results.at(-1)!.newMessages.push(...(await run.addMessage(message)));
    }
  }
}

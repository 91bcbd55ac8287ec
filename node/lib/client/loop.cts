import type { Change } from '../reduce/changes.cjs';
import type { Event, Message, State } from '../generated/types.cjs';
import { MAX_ROUNDS } from '../generated/border.cjs';
import { check } from '../options/option_reader.cjs';
import { checkParameters, type RunParameters } from './options.cjs';
import { quietly } from './unawaited.cjs';
import { type RunResult, summed, withRun } from './result.cjs';
import { met } from './rules.cjs';
import { ActiveRun, type Host, type Thrown, type Wanted } from './run.cjs';
import type { Ending, Runs } from './runs.cjs';
import { type AgentSubscriber, subscriberLike } from './subscriber.cjs';
import { Tools } from './tools.cjs';
import { Watch } from './watch.cjs';

/** The way in which the caller has ended a run. Subscribers are told of it, unless the run is detached. */
export interface Left {
  readonly how: 'abort' | 'leave' | 'detach';
  readonly reason?: unknown;
}

/** The loop behind `runAgent`, `run` and `stream`: it runs the agent again as long as tools of the application have answered. */
export class RunLoop<S = State> {
  /** The result, at the end. */
  result: RunResult | undefined;
  /** The error that is thrown at the end. */
  raised: Thrown | undefined;
  /** Waits for all that is at work. */
  watch!: Watch;
  /** The way in which the caller has ended it. */
  left: Left | undefined;
  readonly #host: Host<S>;
  #parameters: RunParameters;
  readonly #said: Message | undefined;
  readonly #leftBefore: Left | undefined;
  readonly #parts: AsyncGenerator<(Event | Change)[], void>;
  readonly #results: RunResult[] = [];
  #runs!: Runs;
  #ending: Watch | undefined;
  /** It has ended early. */
  #isCut = false;

  /** `said` is a message that the first run begins with. */
  constructor(host: Host<S>, wanted: Wanted, parameters: RunParameters, subscriber: AgentSubscriber<S> | undefined, said?: Message) {
    this.#host = host;
    this.#parameters = parameters;
    this.#said = said;
    this.#leftBefore = host.thread.left;
    this.#parts = this.#work(wanted, subscriber);
  }

  /** Returns the next part. */
  async next(): Promise<IteratorResult<(Event | Change)[], void>> {
    if (this.#host.thread.running === this) this.watch.keepsAlive(true);
    const part = await this.#parts.next();
    if (!part.done) this.watch.keepsAlive(false);
    return part;
  }

  /** Goes on to the end. */
  async whole(): Promise<RunResult> {
    for (;;) if ((await this.next()).done) return this.result!;
  }

  /** Has it end where it is. Said again, those who are told of the end are not waited for, either. */
  leave(left: Left): void {
    if (this.#host.thread.running !== this) return;
    const reason = met('run_aborted', '', undefined, left.reason);
    if (this.watch.stopped) return this.#ending?.stop(reason);
    this.left = left;
    this.watch.stop(reason);
    // Who holds what has come, and reads on later or never, does not hold up the end.
    const { report } = this.#host;
    if (left.how === 'abort') this.#parts.throw(reason).catch((error: unknown) => error === reason || report(error));
  }

  /** Nobody reads on. Resolves when it is over. */
  async end(): Promise<void> {
    if (this.left === undefined) this.leave({ how: 'leave' });
    await this.#parts.return();
  }

  /** Waits for those who are told of the end, not for long where it has come early. */
  get ending(): Watch {
    return this.watch.stopped || this.#isCut ? (this.#ending ??= new Watch({ total: this.#runs.callbackTime(true) })) : this.watch;
  }

  async *#work(wanted: Wanted, subscriber: AgentSubscriber<S> | undefined): AsyncGenerator<(Event | Change)[], void> {
    const { thread, options } = this.#host;
    this.#parameters = checkParameters(this.#parameters);
    if (subscriber !== undefined && subscriber !== null) check(subscriberLike, subscriber, '/subscriber');
    if (thread.running) throw met('agent_busy');
    thread.running = this;
    this.watch = new Watch(options.timeouts ?? {});
    const signal = this.#parameters.signal ?? this.#parameters.abortController?.signal;
    const abort = () => this.leave({ how: 'abort', reason: signal?.reason });
    const known = new Set(thread.messages.map((message) => message.id)).add(this.#said?.id ?? '');
    this.#runs = thread.runs;
    this.#runs.next(options.maxRounds ?? MAX_ROUNDS);
    try {
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      if (thread.left !== this.#leftBefore) this.leave(thread.left!);
      yield* this.#rounds(wanted);
    } catch (error) {
      this.ends({ error });
    } finally {
      thread.running = undefined;
      this.watch.done();
      this.#ending?.done();
      quietly(() => signal?.removeEventListener('abort', abort));
      const newMessages = thread.messages.filter((message) => !known.has(message.id));
      if (this.#results.length > 0) this.result = summed(this.#results, this.#runs.sum, newMessages);
    }
    if (this.raised) throw withRun(this.raised.error, this.result);
  }

  /** The call ends early, by what was thrown if anything was: what is to be done then. `hasChanges`: the run has changed something. */
  ends(thrown: Thrown | undefined, hasChanges = true): Ending {
    const { left } = this;
    const own = thrown && !(left && this.watch.isReason(thrown.error)) ? thrown : undefined;
    this.#isCut = true;
    const ending = this.#runs.end(own?.error, { isAborted: left !== undefined, isDetached: left?.how === 'detach', hasChanges });
    if (ending.raises) this.raised = thrown;
    if (ending.reports) this.#host.report(own?.error);
    return ending;
  }

  async *#rounds(wanted: Wanted): AsyncGenerator<(Event | Change)[], void> {
    const { agent, tools: own } = this.#host;
    agent.agentId ??= crypto.randomUUID();
    const given = this.#parameters.tools ?? [];
    const parameters = { ...this.#parameters, tools: given.filter((tool) => !('execute' in tool)) };
    const functions = given.filter((tool) => 'execute' in tool);
    for (let said = this.#said; ; said = undefined) {
      const tools = new Tools([...own, ...functions]);
      const run = new ActiveRun<S>(this.#host, parameters, tools.declarations, this, this.#runs, said);
      try {
        yield* run.parts(wanted);
      } finally {
        this.#results.push(...run.results);
      }
      if (this.raised || !run.isWhole) return;
      if (!(await this.#answer(tools, run))) return;
    }
  }

  /** Has tools answer the calls that wait, one after the other. Whether the agent is asked again. */
  async #answer(tools: Tools, run: ActiveRun<S>): Promise<boolean> {
    const { agent, thread, report, options } = this.#host;
    const { watch } = this;
    const calls = tools.callsOf(this.#runs.pending, thread.messages);
    this.#runs.calls(calls, tools.functions);
    for (;;) {
      const next = this.#runs.nextStep(watch.stopped !== undefined);
      if (next.step === 'stop') throw watch.stopped!.reason;
      if (next.step !== 'answer') return next.step === 'ask';
      const toolCall = calls.find(({ id }) => id === next.call)!;
      const message = await watch.last(tools.answer({ toolCall, agent, signal: watch.signal }, report, options.limits));
      this.#runs.answered(toolCall.id);
      this.#results.at(-1)!.newMessages.push(...(await run.say(message)));
    }
  }
}

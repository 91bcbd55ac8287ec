import type { Change } from '../reduce/changes.cjs';
import type { ContentPart, Event, Interrupt, Message, ResumeEntry, State } from '../generated/types.cjs';
import { newThreadId } from '../types/ids.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { report } from '../errors/failure.cjs';
import { check } from '../options/option_reader.cjs';
import { type Reply, replyOf, textsOf, type TextStream, userMessage } from './chat.cjs';
import { type Answers, resumeOf } from './answers.cjs';
import { Delivery } from './delivery.cjs';
import { type Left, RunLoop } from './loop.cjs';
import { checkMiddleware, type Middleware } from './middleware.cjs';
import { type AgentOptions, checkAgentOptions, type RunParameters } from './options.cjs';
import { tellAside } from './unawaited.cjs';
import { interruptsOf } from './read.cjs';
import type { RunResult } from './result.cjs';
import type { Host, Wanted } from './run.cjs';
import { type RunStream, streamOf } from './stream.cjs';
import { type AgentSubscriber, subscriberLike, Subscribers } from './subscriber.cjs';
import { Runs } from './runs.cjs';
import { Thread } from './thread.cjs';
import { type FrontendTool, functionTool, Tools } from './tools.cjs';
import type { Transport } from './transport/transport.cjs';

/**
 * A conversation with an agent: asks for runs, and holds what they come to. What is given is copied; what is handed out is to be read
 * only. `S` is the state's type.
 *
 * `transport` is called for each run and answers with the bytes of its events: see `HttpAgent`, `WebSocketAgent` and `LocalAgent` for
 * those that are there already.
 */
export class Agent<S = State> {
  threadId: string;
  agentId: string | undefined;
  description: string;
  /** An earlier run that the next ones branch from. */
  parentRunId: string | undefined;
  /** Told of every run, in this order. */
  subscribers: AgentSubscriber<S>[];
  readonly #transport: Transport;
  readonly #options: AgentOptions<S>;
  readonly #thread: Thread<S>;
  readonly #middleware: Middleware[];
  readonly #tools: FrontendTool<any>[];

  constructor(transport: Transport, given: AgentOptions<S> = {}) {
    const options = checkAgentOptions(given);
    expect('callback', 'transport', transport);
    const { threadId, agentId, description = '', subscribers = [], middleware = [], tools = [] } = options;
    const { messages = options.initialMessages ?? [], state = options.initialState ?? ({} as S) } = options;
    this.#transport = transport;
    this.#options = options;
    this.#thread = new Thread(messages, state);
    this.threadId = threadId || newThreadId();
    this.agentId = agentId;
    this.description = description;
    this.subscribers = [...subscribers];
    this.#middleware = [...middleware];
    this.#tools = [...new Tools(tools)];
  }

  /** The messages: the same list until something changes. */
  get messages(): Message[] {
    return this.#thread.messages;
  }

  set messages(messages: readonly Message[]) {
    expect('list', 'messages', messages);
    this.#thread.set({ messages });
  }

  get state(): S {
    return this.#thread.state;
  }

  set state(state: S) {
    this.#thread.set({ state });
  }

  /** The interrupts that wait for an answer. */
  get pendingInterrupts(): Interrupt[] {
    return this.#thread.pendingInterrupts;
  }

  set pendingInterrupts(interrupts: readonly Interrupt[]) {
    expect('list', 'pendingInterrupts', interrupts);
    this.#thread.pendingInterrupts = interruptsOf(interrupts);
  }

  /** True if a run is at work, or a tool that it has called, or one who is told of its end. */
  get isRunning(): boolean {
    return this.#thread.running !== undefined;
  }

  /** The tools of the application. */
  get tools(): readonly FrontendTool<any>[] {
    return this.#tools;
  }

  /**
   * Runs the agent to its end. RUN_ERROR is a result, and so is `abortRun`.
   *
   * @throws AGUIError whatever else ends it early; its `run` says what came before
   */
  async runAgent(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): Promise<RunResult> {
    return this.#loop('end', parameters, subscriber).whole();
  }

  /** Runs the agent and gives its events, each when it has taken effect. Leaving the loop ends the run. */
  run(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Event> {
    return streamOf(this.#loop('events', parameters, subscriber));
  }

  /** Runs the agent and gives the changes that its events are, each when it has taken effect. Leaving the loop ends the run. */
  stream(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Change> {
    return streamOf(this.#loop('changes', parameters, subscriber));
  }

  /** Says something as the user, and waits for the reply. */
  async ask(content: string | ContentPart[], parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): Promise<Reply> {
    return replyOf(await this.#loop('end', parameters, subscriber, userMessage(content)).whole());
  }

  /** Says something as the user, and gives the text of the reply as it arrives. */
  askStream(content: string | ContentPart[], parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): TextStream {
    return textsOf(this.#loop('changes', parameters, subscriber, userMessage(content)));
  }

  /** Ends the run here, as aborted, and closes the connection. */
  abortRun(reason?: unknown): void {
    this.#leave({ how: 'abort', reason });
  }

  /** Reads no more of the run, without anybody being told of a failure; resolves when it is over. */
  async detachActiveRun(): Promise<void> {
    const { running } = this.#thread;
    this.#leave({ how: 'detach' });
    await running?.end().catch((error: unknown) => this.#report(error));
  }

  /** Ends the run; one that has not begun does not begin. */
  #leave(left: Left): void {
    const { running } = this.#thread;
    if (running) running.leave(left);
    else this.#thread.left = left;
  }

  addMessage(message: Message): void {
    this.addMessages([message]);
  }

  /** Adds messages at the end; subscribers are told. */
  addMessages(messages: readonly Message[]): void {
    expect('list', 'messages', messages);
    const added = this.#thread.add(messages);
    this.#tell((delivery) => delivery.added(added));
  }

  setMessages(messages: readonly Message[]): void {
    this.messages = messages as Message[];
    this.#tell((delivery) => delivery.replaced('messages'));
  }

  setState(state: S): void {
    this.state = state;
    this.#tell((delivery) => delivery.replaced('state'));
  }

  subscribe(subscriber: AgentSubscriber<S>): { unsubscribe(): void } {
    check(subscriberLike, subscriber, '/subscriber');
    this.subscribers.push(subscriber);
    const unsubscribe = () => {
      this.subscribers = this.subscribers.filter((one) => one !== subscriber);
    };
    return { unsubscribe };
  }

  /** Puts middleware around the runs to come, inside of what is there. */
  use(...middleware: Middleware[]): this {
    checkMiddleware(middleware);
    this.#middleware.push(...middleware);
    return this;
  }

  /** Registers a function that the agent may call. */
  tool<Args>(tool: FrontendTool<Args>): this {
    check(functionTool, tool, '/tool');
    this.#tools.splice(0, Infinity, ...new Tools([...this.#tools, tool]));
    return this;
  }

  /**
   * The answers to all the interrupts that wait, for the parameter `resume`: by id, a payload or what `approve`, `reject`, `edit`,
   * `respond` and `cancel` give.
   *
   * @throws AGUIError `unknown_interrupt`, or rule L01 or L02 for one that is not answered or has expired
   */
  buildResume(answers: Answers): ResumeEntry[] {
    return resumeOf(this.pendingInterrupts, answers);
  }

  /** Another agent of the same kind, with copies of the conversation, and what else is set on this one. No constructor of an heir is called. */
  clone(): this {
    const { messages, initialMessages, state, initialState, ...options } = this.#options;
    const { threadId, agentId, description, subscribers } = this;
    const given = { ...options, threadId, agentId, description, subscribers, middleware: this.#middleware, tools: this.#tools };
    const twin = Reflect.construct(Agent, [this.#transport, given], this.constructor) as this;
    for (const name of Reflect.ownKeys(this)) {
      if (!Object.hasOwn(twin, name)) Object.defineProperty(twin, name, Object.getOwnPropertyDescriptor(this, name)!);
    }
    twin.messages = this.messages;
    twin.state = this.state;
    twin.pendingInterrupts = this.pendingInterrupts;
    twin.parentRunId = this.parentRunId;
    twin.#thread.runs = new Runs(this.#thread.runs.past);
    return twin;
  }

  /** Says what it does, if that is wanted. */
  protected say(what: string, about?: unknown): void {
    const { debug } = this.#options;
    if (!debug) return;
    const work = typeof debug === 'function' ? () => debug(what, about) : () => console.debug(`[ag-ui] ${what}`, about);
    tellAside(work, (error) => report(this.#options as Parameters<typeof report>[0], error));
  }

  #report(error: unknown): void {
    this.say('somebody has thrown', error);
    report(this.#options as Parameters<typeof report>[0], error);
  }

  #tell(work: (delivery: Delivery<S>) => Promise<void>): void {
    if (this.subscribers.length === 0) return;
    const host = this.#host();
    work(new Delivery<S>(host, host.subscribers())).catch(host.report);
  }

  #loop(wanted: Wanted, parameters: RunParameters, subscriber: AgentSubscriber<S> | undefined, said?: Message): RunLoop<S> {
    return new RunLoop<S>(this.#host(subscriber), wanted, parameters, subscriber, said);
  }

  #host(subscriber?: AgentSubscriber<S>): Host<S> {
    return {
      agent: this,
      thread: this.#thread,
      options: this.#options,
      transport: this.#transport,
      middleware: this.#middleware,
      tools: this.#tools,
      subscribers: () => new Subscribers(subscriber ? [...this.subscribers, subscriber] : this.subscribers.slice()),
      say: (what, about) => this.say(what, about),
      report: (error) => this.#report(error),
    };
  }

  static {
    inspectable<Agent<any>>(this, (agent) => {
      const { threadId, agentId, isRunning } = agent;
      return { threadId, agentId, isRunning, messages: agent.messages.length, pendingInterrupts: agent.pendingInterrupts.length };
    });
  }
}

import type { Change } from '../reduce/changes.cjs';
import type { ContentPart, Event, Interrupt, Message, ResumeEntry, State } from '../generated/types.cjs';
import { newThreadId } from '../types/ids.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { report } from '../errors/failure.cjs';
import { check, wrongOption } from '../options/option_reader.cjs';
import type { AgentHandle } from './agent_handle.cjs';
import { CancelScope } from './cancel_scope.cjs';
import { type Reply, replyOf, textsOf, type TextStream, userMessage } from './chat.cjs';
import { type Answers, resumeOf } from './resume.cjs';
import { Notifier } from './notifier.cjs';
import { type CallKind, RunLoop } from './loop.cjs';
import { checkMiddleware, type Middleware } from './middleware.cjs';
import { type AgentOptions, checkAgentOptions, type ReadParameters, type RunParameters } from './options.cjs';
import { reportErrors } from './promises.cjs';
import type { RunResult } from './result.cjs';
import type { AgentParts, RunOutput } from './run.cjs';
import { type RunStream, streamOf } from './stream.cjs';
import { type AgentSubscriber, subscriberLike, Subscribers } from './subscriber.cjs';
import { Runs } from './runs.cjs';
import { type Cancellation, Conversation, copiedInterrupts } from './conversation.cjs';
import { type FrontendTool, functionTool, Tools } from './tools.cjs';
import { logRequestsOf, type Transport } from './transport/transport.cjs';

/**
 * A conversation with an agent: requests runs, and holds the messages and the state. Values that are set are copied; values that are
 * returned must not be changed. `S` is the type of the state.
 *
 * `transport` is called for each run and returns the bytes of its events. `HttpAgent`, `WebSocketAgent` and `LocalAgent` bring their own.
 *
 * @example
 * ```ts
 * import { Agent, type RunRequest } from 'ag-ui-native/client';
 *
 * async function* transport({ input }: RunRequest) {
 *   const ids = { threadId: input.threadId, runId: input.runId };
 *   const events = [
 *     { type: 'RUN_STARTED', ...ids },
 *     { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Hello!' },
 *     { type: 'RUN_FINISHED', ...ids },
 *   ];
 *   for (const event of events) yield new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
 * }
 * (await new Agent(transport).ask('Hi')).text; // => 'Hello!'
 * ```
 */
export class Agent<S = State> implements AgentHandle<S> {
  threadId: string;
  agentId: string | undefined;
  description: string;
  /** An earlier run that the next runs branch from. */
  parentRunId: string | undefined;
  /** The subscribers of every run, in the order in which they are called. */
  subscribers: AgentSubscriber<S>[];
  readonly #transport: Transport;
  readonly #options: AgentOptions<S>;
  readonly #conversation: Conversation<S>;
  readonly #middleware: Middleware[];
  readonly #tools: FrontendTool<any>[];

  constructor(transport: Transport, given: AgentOptions<S> = {}) {
    const options = checkAgentOptions(given);
    expect('callback', 'transport', transport);
    const { threadId, agentId, description = '', subscribers = [], middleware = [], tools = [] } = options;
    const { messages = options.initialMessages ?? [], state = options.initialState ?? ({} as S) } = options;
    this.#transport = transport;
    this.#options = options;
    this.#conversation = new Conversation(messages, state);
    this.threadId = threadId || newThreadId();
    this.agentId = agentId;
    this.description = description;
    this.subscribers = [...subscribers];
    this.#middleware = [...middleware];
    this.#tools = [...new Tools(tools)];
  }

  /** The messages. The list is a new one after each change. */
  get messages(): Message[] {
    return this.#conversation.messages;
  }

  set messages(messages: readonly Message[]) {
    expect('list', 'messages', messages);
    this.#conversation.set({ messages });
  }

  /**
   * The state, as the agent has set it.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent<{ tasks: number }>(scriptedAgent([{ state: { tasks: 2 } }]), { state: { tasks: 1 } });
   * await agent.runAgent();
   * agent.state; // => { tasks: 2 }
   * ```
   */
  get state(): S {
    return this.#conversation.state;
  }

  set state(state: S) {
    this.#conversation.set({ state });
  }

  /** The interrupts that wait for an answer. */
  get pendingInterrupts(): Interrupt[] {
    return this.#conversation.pendingInterrupts;
  }

  set pendingInterrupts(interrupts: readonly Interrupt[]) {
    expect('list', 'pendingInterrupts', interrupts);
    this.#conversation.pendingInterrupts = copiedInterrupts(interrupts);
  }

  /** True while a run is active, also while its tools and its last callbacks are. */
  get isRunning(): boolean {
    return this.#conversation.running !== undefined;
  }

  /** The tools that the application has registered. */
  get tools(): readonly FrontendTool<any>[] {
    return this.#tools;
  }

  /**
   * Runs the agent to its end. RUN_ERROR and `abortRun` give a result.
   *
   * @throws AGUIError for other early ends; its `run` has the result until then
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const result = await new LocalAgent(scriptedAgent(['Hello!'])).runAgent({ forwardedProps: { user: 'ada' } });
   * result.text; // => 'Hello!'
   * ```
   */
  async runAgent(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): Promise<RunResult> {
    return this.#loop('end', parameters, subscriber).finish();
  }

  /**
   * Runs the agent and yields each event after it has taken effect. Leaving the loop ends the run.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const types: string[] = [];
   * for await (const event of new LocalAgent(scriptedAgent([])).run()) types.push(event.type);
   * types; // => ['RUN_STARTED', 'RUN_FINISHED']
   * ```
   */
  run(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Event> {
    return streamOf(this.#loop('events', parameters, subscriber));
  }

  /**
   * Runs the agent and yields the changes that its events make. Leaving the loop ends the run.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * for await (const change of new LocalAgent(scriptedAgent(['Hello!'])).stream()) {
   *   if (change.kind === 'text_appended') console.log(change.value);
   * }
   * ```
   */
  stream(parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Change> {
    return streamOf(this.#loop('changes', parameters, subscriber));
  }

  /**
   * Sends a message of the user and waits for the reply.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * (await new LocalAgent(scriptedAgent(['Hello!'])).ask('Hi')).text; // => 'Hello!'
   * ```
   */
  async ask(content: string | ContentPart[], parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): Promise<Reply> {
    return replyOf(await this.#loop('end', parameters, subscriber, { prompt: userMessage(content) }).finish());
  }

  /**
   * Sends a message of the user and yields the text of the reply as it arrives.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const pieces: string[] = [];
   * for await (const piece of new LocalAgent(scriptedAgent([{ text: ['Hel', 'lo!'] }])).askStream('Hi')) pieces.push(piece);
   * pieces.join(''); // => 'Hello!'
   * ```
   */
  askStream(content: string | ContentPart[], parameters: RunParameters = {}, subscriber?: AgentSubscriber<S>): TextStream {
    return textsOf(this.#loop('changes', parameters, subscriber, { prompt: userMessage(content) }));
  }

  /**
   * Reads a run of the thread that was started elsewhere, and yields each event after it has taken effect. Functions of the application are not
   * called, and leaving the loop leaves the run going on. Over HTTP only.
   *
   * @throws AGUIConnectionError `run_unknown` if the server keeps no such run
   *
   * @example
   * ```ts
   * import { HttpAgent } from 'ag-ui-native/client';
   * import { MemoryLog } from 'ag-ui-native/durable';
   * import { fetchHandler } from 'ag-ui-native/server';
   *
   * const handler = fetchHandler((run) => run.write('Hello!'), { log: new MemoryLog(), authorize: 'public' });
   * const fetch = (url: string, init: RequestInit) => handler(new Request(url, init));
   * await new HttpAgent('http://app/', { fetch, threadId: 't1' }).ask('Hi', { runId: 'r1' });
   * const types: string[] = [];
   * for await (const event of new HttpAgent('http://app/', { fetch, threadId: 't1' }).join('r1')) types.push(event.type);
   * types.at(-1); // => 'RUN_FINISHED'
   * ```
   */
  join(runId: string, parameters: ReadParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Event> {
    expect('text', 'runId', runId);
    return streamOf(this.#loop('events', parameters, subscriber, { joined: runId }));
  }

  /**
   * Opens the thread: what the server keeps of it replaces the messages, the state and the pending interrupts; then its active run is joined, if
   * there is one. Over HTTP only.
   *
   * @throws AGUIConnectionError `run_unknown` if the thread may not be read
   *
   * @example
   * ```ts
   * import { HttpAgent } from 'ag-ui-native/client';
   * import { MemoryLog } from 'ag-ui-native/durable';
   * import { fetchHandler } from 'ag-ui-native/server';
   *
   * const handler = fetchHandler((run) => run.write('Hello!'), { log: new MemoryLog(), authorize: 'public' });
   * const fetch = (url: string, init: RequestInit) => handler(new Request(url, init));
   * await new HttpAgent('http://app/', { fetch, threadId: 't1' }).ask('Hi');
   * const opened = new HttpAgent('http://app/', { fetch, threadId: 't1' });
   * for await (const event of opened.connect()) console.log(event.type);
   * opened.messages.map(({ content }) => content); // => ['Hi', 'Hello!']
   * ```
   */
  connect(parameters: ReadParameters = {}, subscriber?: AgentSubscriber<S>): RunStream<Event> {
    return streamOf(this.#loop('events', parameters, subscriber, { opensThread: true }));
  }

  /**
   * Cancels a run of the thread on its server, wherever it is executed: by default the active one of this agent. Resolves when the server has
   * accepted that. Over HTTP only.
   *
   * @throws AGUIConnectionError `run_unknown` if the server keeps no such run
   *
   * @example
   * ```ts
   * import { HttpAgent } from 'ag-ui-native/client';
   * import { MemoryLog } from 'ag-ui-native/durable';
   * import { fetchHandler } from 'ag-ui-native/server';
   *
   * const wait = fetchHandler((run) => new Promise((resolve) => run.signal.addEventListener('abort', resolve)), {
   *   log: new MemoryLog(),
   *   authorize: 'public',
   * });
   * const agent = new HttpAgent('http://app/', { fetch: (url, init) => wait(new Request(url, init)) });
   * for await (const event of agent.run()) {
   *   if (event.type === 'RUN_STARTED') await agent.cancel();
   *   else event.type; // => 'RUN_FINISHED'
   * }
   * ```
   */
  async cancel(runId = this.#conversation.running?.runId): Promise<void> {
    if (runId === undefined) throw wrongOption('/runId', 'the id of a run, since no run is active here', runId);
    expect('text', 'runId', runId);
    const scope = new CancelScope(this.#options.timeouts ?? {});
    try {
      await logRequestsOf(this.#transport).cancel(this, runId, scope);
    } finally {
      scope.close();
    }
  }

  /** Aborts the run and closes the connection. */
  abortRun(reason?: unknown): void {
    this.#cancel({ how: 'abort', reason });
  }

  /** Stops reading the run. Subscribers are not notified of a failure. Resolves when the run is over. */
  async detachActiveRun(): Promise<void> {
    const { running } = this.#conversation;
    this.#cancel({ how: 'detach' });
    await running?.close().catch((error: unknown) => this.#report(error));
  }

  /** Cancels the active run, or calls that have not begun. */
  #cancel(cancellation: Cancellation): void {
    const { running } = this.#conversation;
    if (running) running.cancel(cancellation);
    else this.#conversation.cancellation = cancellation;
  }

  /** Appends a copy of a message, which the next run sends. */
  addMessage(message: Message): void {
    this.addMessages([message]);
  }

  /** Adds messages at the end, and notifies subscribers. */
  addMessages(messages: readonly Message[]): void {
    expect('list', 'messages', messages);
    const added = this.#conversation.add(messages);
    this.#notify((notifier) => notifier.added(added));
  }

  setMessages(messages: readonly Message[]): void {
    this.messages = messages as Message[];
    this.#notify((notifier) => notifier.replaced('messages'));
  }

  /** Replaces the state by a copy. */
  setState(state: S): void {
    this.state = state;
    this.#notify((notifier) => notifier.replaced('state'));
  }

  /**
   * Adds a subscriber to the runs that begin from now on.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent(['Hello!']));
   * const { unsubscribe } = agent.subscribe({ onNewMessage: ({ message }) => console.log(message.content) });
   * await agent.runAgent();
   * unsubscribe();
   * ```
   */
  subscribe(subscriber: AgentSubscriber<S>): { unsubscribe(): void } {
    check(subscriberLike, subscriber, '/subscriber');
    this.subscribers.push(subscriber);
    const unsubscribe = () => {
      this.subscribers = this.subscribers.filter((one) => one !== subscriber);
    };
    return { unsubscribe };
  }

  /**
   * Adds middleware to later runs, inside of the existing middleware.
   *
   * @example
   * ```ts
   * import { LocalAgent, toolCallFilter } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent(['Hello!'])).use(toolCallFilter({ deny: ['delete_mail'] }));
   * (await agent.ask('Hi')).text; // => 'Hello!'
   * ```
   */
  use(...middleware: Middleware[]): this {
    checkMiddleware(middleware);
    this.#middleware.push(...middleware);
    return this;
  }

  /**
   * Registers a function that the agent may call.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent([]));
   * agent.tool({ name: 'temperature', description: 'Tells the temperature of a city.', execute: () => 21 });
   * agent.tools.map(({ name }) => name); // => ['temperature']
   * ```
   */
  tool<Args>(tool: FrontendTool<Args>): this {
    check(functionTool, tool, '/tool');
    this.#tools.splice(0, Infinity, ...new Tools([...this.#tools, tool]));
    return this;
  }

  /**
   * Returns the parameter `resume` for answers to all pending interrupts: by id, a payload or the result of `approve`, `reject`, `edit`,
   * `respond` or `cancel`.
   *
   * @throws AGUIError `unknown_interrupt`, or rule L01 or L02 for an interrupt without an answer or an expired one
   */
  buildResume(answers: Answers): ResumeEntry[] {
    return resumeOf(this.pendingInterrupts, answers);
  }

  /**
   * Returns an agent of the same class with a copy of the conversation and of all members. Constructors of subclasses are not called.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const agent = new LocalAgent(scriptedAgent(['Hello!']));
   * const twin = agent.clone();
   * await twin.ask('Hi');
   * [twin.messages.length, agent.messages.length]; // => [2, 0]
   * ```
   */
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
    twin.#conversation.runs = new Runs(this.#conversation.runs.past);
    return twin;
  }

  /** Logs a step if the option `debug` is set. */
  protected log(what: string, about?: unknown): void {
    const { debug } = this.#options;
    if (!debug) return;
    const work = typeof debug === 'function' ? () => debug(what, about) : () => console.debug(`[ag-ui] ${what}`, about);
    reportErrors(work, (error) => report(this.#options, error));
  }

  #report(error: unknown): void {
    this.log('error', error);
    report(this.#options, error);
  }

  #notify(work: (notifier: Notifier<S>) => Promise<void>): void {
    if (this.subscribers.length === 0) return;
    const parts = this.#parts();
    work(new Notifier<S>(parts, parts.subscribers())).catch(parts.report);
  }

  #loop(output: RunOutput, parameters: RunParameters, subscriber: AgentSubscriber<S> | undefined, kind?: CallKind): RunLoop<S> {
    return new RunLoop<S>(this.#parts(subscriber), output, parameters, subscriber, kind);
  }

  #parts(subscriber?: AgentSubscriber<S>): AgentParts<S> {
    return {
      agent: this,
      conversation: this.#conversation,
      options: this.#options,
      transport: this.#transport,
      middleware: this.#middleware,
      tools: this.#tools,
      subscribers: () => new Subscribers(subscriber ? [...this.subscribers, subscriber] : this.subscribers.slice()),
      log: (what, about) => this.log(what, about),
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

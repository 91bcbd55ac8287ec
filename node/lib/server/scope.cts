import type { BaseEvent } from '../types/events.cjs';
import type { Event } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { Activity, type ActivityOptions } from './activity.cjs';
import { disposable, idOr, Reasoning, type ReasoningOptions, Step, TextMessage, type TextMessageOptions, ToolCall, type ToolCallOptions, toolResult, type ToolResultOptions } from './entities.cjs';
import { messageOf } from '../errors/failure.cjs';
import { expect, expectIfGiven } from '../options/kinds.cjs';
import { known, type Names } from '../options/option_reader.cjs';
import type { Session } from './session.cjs';

/**
 * The options of a subagent.
 *
 * @example
 * ```ts
 * import type { Run, SubagentOptions } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: SubagentOptions = { id: 'researcher-1', description: 'Finds sources.' };
 * const research = async (run: Run) => run.subagent('researcher', options).finish('3 sources');
 * (await runAgent(research)).events.length; // => 4
 * ```
 */
export interface SubagentOptions {
  /** The id of this invocation. The default is a new id. */
  id?: string | undefined;
  description?: string | undefined;
  /** The tool call that has invoked the subagent. */
  parentToolCallId?: string | undefined;
  /** The message that has invoked the subagent. */
  parentMessageId?: string | undefined;
}

const subagentOptions: Names<SubagentOptions> = { id: 1, description: 1, parentToolCallId: 1, parentMessageId: 1 };

/** The options of a failure. */
export interface FailOptions {
  code?: string | undefined;
}

/** Reads the code of a failure. */
export function codeOf(options: FailOptions): string | undefined {
  const { code } = known<FailOptions>({ code: 1 }, options);
  expectIfGiven('text', 'code', code);
  return code;
}

/**
 * Something that an agent writes to: a run, or the invocation of a subagent in it.
 *
 * @example
 * ```ts
 * import type { Run, Scope } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const greet = (scope: Scope) => scope.write('Hello!');
 * (await runAgent(async (run: Run) => greet(run))).text; // => 'Hello!'
 * ```
 */
export abstract class Scope {
  readonly #session: Session;
  readonly #tag: string | undefined;

  /** @internal */
  constructor(session: Session, tag: string | undefined) {
    this.#session = session;
    this.#tag = tag;
  }

  /** @internal The session that a scope writes to, and its tag. */
  static writing(scope: Scope): { session: Session; tag: string | undefined } {
    return { session: scope.session, tag: scope.tag };
  }

  // Not stored as members, so that code which walks through an object does not find the session.

  protected get session(): Session {
    return this.#session;
  }

  /** The id of the subagent invocation that all written events belong to. */
  protected get tag(): string | undefined {
    return this.#tag;
  }

  /**
   * Opens a text message.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const greet = async (run: Run) => {
   *   const message = run.textMessage({ name: 'Helper' });
   *   for (const word of ['Hel', 'lo!']) await message.write(word);
   *   await message.end();
   * };
   * (await runAgent(greet)).text; // => 'Hello!'
   * ```
   */
  textMessage(options: TextMessageOptions = {}): TextMessage {
    return TextMessage.open(this.session, this.tag, options);
  }

  /** Writes a whole text message. */
  write(text: string, options: TextMessageOptions = {}): PromiseLike<void> {
    return this.session.asOneCall(() => {
      const message = this.textMessage(options);
      try {
        if (text !== '') message.write(text);
      } finally {
        message.end();
      }
      return this.session.sent;
    });
  }

  /**
   * Opens a reasoning span and its message.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const think = async (run: Run) => {
   *   const reasoning = run.reasoning();
   *   await reasoning.write('The user greets me.');
   *   await reasoning.end();
   * };
   * (await runAgent(think)).messages[0]?.role; // => 'reasoning'
   * ```
   */
  reasoning(options: ReasoningOptions = {}): Reasoning {
    return Reasoning.open(this.session, this.tag, options);
  }

  /**
   * Opens a tool call. With arguments (any JSON value, or the text of an object), it writes the whole call.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const look = async (run: Run) => {
   *   const call = run.toolCall('weather', { city: 'Paris' });
   *   await call.result({ sky: 'clear' });
   * };
   * (await runAgent(look)).messages.map(({ role }) => role); // => ['assistant', 'tool']
   * ```
   */
  toolCall(name: string, args?: unknown, options: ToolCallOptions = {}): ToolCall {
    return ToolCall.open(this.session, this.tag, name, args, options);
  }

  /**
   * Writes the result of a tool call, also of a call in an earlier run: text, content parts, or any other JSON value, which is sent
   * as text.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const look = async (run: Run) => {
   *   const call = run.toolCall('weather', {});
   *   await run.toolResult(call.id, 'clear');
   * };
   * (await runAgent(look)).messages.at(-1)?.content; // => 'clear'
   * ```
   */
  toolResult(toolCallId: string, content: unknown, options: ToolResultOptions = {}): PromiseLike<void> {
    return toolResult(this.session, this.tag, toolCallId, content, options);
  }

  /**
   * Opens a step.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const search = async (run: Run) => {
   *   const step = run.step('search');
   *   await run.write('3 sources.');
   *   await step.end();
   * };
   * (await runAgent(search)).events[1]?.type; // => 'STEP_STARTED'
   * ```
   */
  step(name: string): Step {
    return Step.open(this.session, this.tag, name);
  }

  /**
   * Opens the invocation of a subagent. Events that are written to the result carry its id.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const research = (run: Run) => run.subagent('researcher').run((researcher) => researcher.write('3 sources.'));
   * (await runAgent(research)).events[1]?.type; // => 'SUBAGENT_STARTED'
   * ```
   */
  subagent(name: string, options: SubagentOptions = {}): Subagent {
    return Subagent.open(this.session, this.tag, name, options);
  }

  /**
   * Shows an activity of the agent.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const search = async (run: Run) => run.activity('search', { found: 0 }).update({ found: 3 });
   * (await runAgent(search)).messages[0]?.content; // => { found: 3 }
   * ```
   */
  activity<Content extends object>(type: string, content: Content, options: ActivityOptions = {}): Activity<Content> {
    const { id, replace } = known<ActivityOptions>({ id: 1, replace: 1 }, options);
    const activity = new Activity<Content>(this.session, this.tag, type, id);
    activity.snapshot(content, replace);
    return activity;
  }

  /**
   * Sends a CUSTOM event.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { assertEvents, runAgent } from 'ag-ui-native/testing';
   *
   * const { events } = await runAgent((run: Run) => run.custom('progress', 0.5));
   * assertEvents(events, ['RUN_STARTED', { type: 'CUSTOM', name: 'progress', value: 0.5 }, 'RUN_FINISHED']);
   * ```
   */
  custom(name: string, value: unknown): PromiseLike<void> {
    return this.session.send({ type: 'CUSTOM', name, value }, this.tag);
  }

  /**
   * Passes on an event of another system, as a RAW event.
   *
   * @example
   * ```ts
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * (await runAgent((run: Run) => run.raw({ kind: 'ping' }, 'provider'))).events[1]?.type; // => 'RAW'
   * ```
   */
  raw(event: unknown, source?: string): PromiseLike<void> {
    return this.session.send({ type: 'RAW', event, source }, this.tag);
  }

  /**
   * Sends any event. STATE_SNAPSHOT and STATE_DELTA also change the run's state.
   *
   * @throws AGUIValidationError for an invalid event; AGUISequenceError if it is not allowed now
   *
   * @example
   * ```ts
   * import { EventType } from 'ag-ui-native';
   * import type { Run } from 'ag-ui-native/server';
   * import { runAgent } from 'ag-ui-native/testing';
   *
   * const report = (run: Run) => run.event({ type: EventType.CUSTOM, name: 'progress', value: 0.5 });
   * (await runAgent(report)).events[1]?.type; // => 'CUSTOM'
   * ```
   */
  event(event: Event | BaseEvent): PromiseLike<void> {
    return this.session.sendAny(event, this.tag);
  }

  static {
    inspectable<Scope>(this as never, ({ session }) => ({ isRunning: session.writer.isRunning }));
  }
}

/**
 * The invocation of a subagent.
 *
 * @example
 * ```ts
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const research = async (run: Run) => {
 *   await run.subagent('researcher').finish('3 sources');
 *   await run.subagent('critic').fail('No sources.', { code: 'empty' });
 *   await run.subagent('editor').end();
 * };
 * (await runAgent(research)).events.map(({ type }) => type).slice(1, 5); // => ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_STARTED', 'SUBAGENT_ERROR']
 * ```
 */
export class Subagent extends Scope {
  /** The id of this invocation. */
  readonly id: string;
  readonly name: string;
  readonly #entity: number;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /** @internal */
  constructor(session: Session, id: string, name: string, entity: number) {
    super(session, id);
    this.id = id;
    this.name = name;
    this.#entity = entity;
  }

  /** @internal */
  static open(session: Session, tag: string | undefined, name: string, options: SubagentOptions): Subagent {
    const { description, parentToolCallId, parentMessageId } = known(subagentOptions, options);
    const id = idOr(options.id, () => session.ids.runId());
    expect('text', 'name', name);
    for (const [key, value] of Object.entries({ description, parentToolCallId, parentMessageId })) expectIfGiven('text', key, value);
    const event = { type: 'SUBAGENT_STARTED', subagentRunId: id, name, description, parentToolCallId, parentMessageId };
    return new Subagent(session, id, name, session.writer.open(event, tag));
  }

  /**
   * Runs an agent as this subagent. Its return value is the result. If it throws, the subagent has failed and the error is passed
   * on.
   */
  async run<Result>(agent: (subagent: Subagent) => Result | PromiseLike<Result>): Promise<Result> {
    let result: Result;
    try {
      result = await agent(this);
      refuseGenerator(result);
    } catch (error) {
      this.session.writer.endFailed(this.#entity, messageOf(error));
      throw error;
    }
    await this.finish(result);
    return result;
  }

  /** Ends the invocation with success. Its open entities are closed first. */
  finish(result?: unknown): PromiseLike<void> {
    this.session.writer.endAs(this.#entity, { result });
    return this.session.sent;
  }

  /** Ends the invocation with an error. */
  fail(message: string, options: FailOptions = {}): PromiseLike<void> {
    const code = codeOf(options);
    this.session.writer.endAs(this.#entity, { message, code });
    return this.session.sent;
  }

  /** Ends the invocation with success and no result, for `using`. */
  end(): PromiseLike<void> {
    return this.finish();
  }

  static {
    disposable(this);
    inspectable(this, ({ id, name }) => ({ id, name }));
  }
}

/** Throws if the result of an agent is a generator: its body would never run. */
export function refuseGenerator(result: unknown): void {
  const kind = Object.prototype.toString.call(result);
  if (kind !== '[object Generator]' && kind !== '[object AsyncGenerator]') return;
  throw new TypeError('agent: expected a function that writes to its run, got a generator; serve the events of a generator with guard');
}

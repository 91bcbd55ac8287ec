import { answerOf } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { native } from '../native/native.cjs';
import { type Metadata, type TextMessageRole } from '../generated/types.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { known, type Names } from '../options/option_reader.cjs';
import type { Session } from './session.cjs';

// The entities of a run, which are written to until they are closed. Closing an entity again does nothing, also if the end of the
// run has closed it.

/** Makes `using` and `await using` end the objects of a class. Older runtimes have neither symbol. */
export function disposable(type: { prototype: { end(): unknown } }): void {
  const { dispose, asyncDispose } = Symbol as unknown as Record<string, symbol | undefined>;
  const define = (symbol: symbol | undefined, value: (this: { end(): unknown }) => unknown) =>
    symbol && Object.defineProperty(type.prototype, symbol, { value, configurable: true, writable: true });
  define(dispose, function () { this.end() });
  define(asyncDispose, async function () { await this.end() });
}

/**
 * Returns the given id, or makes one. Only a string is allowed: JSON would convert an object, while other places would keep the
 * object.
 */
export function idOr(given: string | undefined, make: () => string, name = 'id'): string {
  const id = given ?? make();
  expect('text', name, id);
  return id;
}

/** An open entity. */
export abstract class Entity {
  /** The id of the entity; of a step its name. */
  readonly id: string;
  readonly #session: Session;
  readonly #entity: number;
  readonly #tag: string | undefined;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /** @internal */
  constructor(session: Session, id: string, entity: number, tag: string | undefined) {
    this.#session = session;
    this.id = id;
    this.#entity = entity;
    this.#tag = tag;
  }

  // Not stored as members, so that code which walks through an object does not find the session.

  protected get session(): Session {
    return this.#session;
  }

  protected get entity(): number {
    return this.#entity;
  }

  /** The id of the subagent invocation that the entity belongs to. */
  protected get tag(): string | undefined {
    return this.#tag;
  }

  /** Closes the entity. Does nothing if it is closed. */
  end(): PromiseLike<void> {
    this.session.writer.end(this.entity);
    return this.session.sent;
  }

  static {
    disposable(this);
    inspectable<Entity>(this as never, ({ id }) => ({ id }));
  }
}

/** An entity to which text is appended. */
abstract class TextWriter extends Entity {
  /**
   * Appends text. It is sent in this turn of the event loop. If the result is awaited, it is sent at once, and the promise waits
   * while the client is slow.
   *
   * @throws AGUISequenceError if the entity is closed; AGUIStreamError `client_too_slow`
   */
  write(delta: string): PromiseLike<void> {
    this.session.writer.write(this.entity, delta);
    return this.session.sent;
  }
}

/**
 * The options of a text message.
 *
 * @example
 * ```ts
 * import type { Run, TextMessageOptions } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: TextMessageOptions = { id: 'm1', name: 'Helper' };
 * (await runAgent((run: Run) => run.write('Hello!', options))).messages[0]?.id; // => 'm1'
 * ```
 */
export interface TextMessageOptions {
  /** The default is a new id. */
  id?: string | undefined;
  /** The default is `assistant`. */
  role?: TextMessageRole | undefined;
  name?: string | undefined;
  metadata?: Metadata | undefined;
}

const messageOptions: Names<TextMessageOptions> = { id: 1, role: 1, name: 1, metadata: 1 };

/**
 * A message that is being written.
 *
 * @example
 * ```ts
 * import type { Run, TextMessage } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const greet = async (run: Run) => {
 *   const message: TextMessage = run.textMessage();
 *   await message.write('Hello!');
 *   await message.end();
 * };
 * (await runAgent(greet)).text; // => 'Hello!'
 * ```
 */
export class TextMessage extends TextWriter {
  /** @internal */
  static open(session: Session, tag: string | undefined, options: TextMessageOptions): TextMessage {
    const { id, role, name, metadata } = known(messageOptions, options);
    const messageId = idOr(id, () => session.ids.messageId());
    expectIfGiven('text', 'role', role);
    expectIfGiven('text', 'name', name);
    const event = { type: 'TEXT_MESSAGE_START', metadata, messageId, role: role ?? 'assistant', name };
    return new TextMessage(session, messageId, session.writer.open(event, tag), tag);
  }
}

export interface ReasoningOptions {
  /** The default is a new id. */
  id?: string | undefined;
}

/**
 * A reasoning message that is being written.
 *
 * @example
 * ```ts
 * import type { Reasoning, Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const think = async (run: Run) => {
 *   const reasoning: Reasoning = run.reasoning();
 *   await reasoning.write('The user greets me.');
 *   await reasoning.encryptedValue('gAAAAB', 'anthropic.signature');
 * };
 * (await runAgent(think)).messages.length; // => 1
 * ```
 */
export class Reasoning extends TextWriter {
  /** @internal */
  static open(session: Session, tag: string | undefined, options: ReasoningOptions): Reasoning {
    const { id } = known<ReasoningOptions>({ id: 1 }, options);
    const messageId = idOr(id, () => session.ids.messageId());
    return new Reasoning(session, messageId, session.writer.openReasoning(messageId, tag), tag);
  }

  /**
   * Writes a provider's encrypted value, with the provider's name for that kind of value. The client keeps it and sends it back in
   * the next run.
   */
  encryptedValue(value: string, type?: string): PromiseLike<void> {
    return encryptedValue(this.session, this.tag, 'message', this.id, value, type);
  }
}

/**
 * The options of a tool call.
 *
 * @example
 * ```ts
 * import type { Run, ToolCallOptions } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: ToolCallOptions = { id: 'c1' };
 * (await runAgent((run: Run) => run.toolCall('weather', {}, options).id)).result; // => 'c1'
 * ```
 */
export interface ToolCallOptions {
  /** The default is a new id. */
  id?: string | undefined;
  /** The message to which the call belongs. */
  parentMessageId?: string | undefined;
  metadata?: Metadata | undefined;
}

const callOptions: Names<ToolCallOptions> = { id: 1, parentMessageId: 1, metadata: 1 };

/**
 * The options of the result of a tool call.
 *
 * @example
 * ```ts
 * import type { Run, ToolResultOptions } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: ToolResultOptions = { messageId: 'm3' };
 * const look = (run: Run) => run.toolCall('weather', {}).result('clear', options);
 * (await runAgent(look)).messages.at(-1)?.id; // => 'm3'
 * ```
 */
export interface ToolResultOptions {
  /** The id of the result's message. The default is a new id. */
  messageId?: string | undefined;
  metadata?: Metadata | undefined;
}

const resultOptions: Names<ToolResultOptions> = { messageId: 1, metadata: 1 };

/**
 * A tool call, to which the arguments are written as pieces of JSON text.
 *
 * @example
 * ```ts
 * import type { Run, ToolCall } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const look = async (run: Run) => {
 *   const call: ToolCall = run.toolCall('weather');
 *   await call.write('{"city": "Par');
 *   await call.write('is"}');
 *   await call.result('clear');
 * };
 * (await runAgent(look)).messages.at(-1)?.content; // => 'clear'
 * ```
 */
export class ToolCall extends TextWriter {
  /** The name of the tool. */
  readonly name: string;

  /** @internal */
  constructor(session: Session, id: string, entity: number, tag: string | undefined, name: string) {
    super(session, id, entity, tag);
    this.name = name;
  }

  /** @internal */
  static open(session: Session, tag: string | undefined, name: string, given: unknown, options: ToolCallOptions): ToolCall {
    const { id, parentMessageId, metadata } = known(callOptions, options);
    expect('text', 'name', name);
    expectIfGiven('text', 'parentMessageId', parentMessageId);
    // Invalid arguments are refused before the call begins.
    const json = given === undefined || given === null ? undefined : argumentsText(given);
    const toolCallId = idOr(id, () => session.ids.toolCallId());
    const event = { type: 'TOOL_CALL_START', metadata, toolCallId, toolCallName: name, parentMessageId };
    const open = () => new ToolCall(session, toolCallId, session.writer.open(event, tag), tag, name);
    if (json === undefined) return open();
    return session.asOneCall(() => {
      const call = open();
      call.write(json);
      call.end();
      return call;
    });
  }

  /**
   * Writes the result of the call: text, content parts, or any other JSON value, which is sent as text. Ends the call if it is
   * open.
   */
  result(content: unknown, options: ToolResultOptions = {}): PromiseLike<void> {
    return this.session.asOneCall(() => {
      this.end();
      return toolResult(this.session, this.tag, this.id, content, options);
    });
  }

  /**
   * Writes a provider's encrypted value, with the provider's name for that kind of value. The client keeps it and sends it back in
   * the next run.
   */
  encryptedValue(value: string, type?: string): PromiseLike<void> {
    return encryptedValue(this.session, this.tag, 'tool-call', this.id, value, type);
  }
}

function encryptedValue(
  session: Session,
  tag: string | undefined,
  subtype: string,
  entityId: string,
  encryptedValue: string,
  encryptedValueType: string | undefined,
): PromiseLike<void> {
  return session.send({ type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId, encryptedValue, encryptedValueType }, tag);
}

/** Writes the result of a tool call. */
export function toolResult(
  session: Session,
  tag: string | undefined,
  toolCallId: string,
  given: unknown,
  options: ToolResultOptions,
): PromiseLike<void> {
  const { messageId: id, metadata } = known(resultOptions, options);
  expect('text', 'toolCallId', toolCallId);
  const content = resultContent(given);
  const messageId = idOr(id, () => session.ids.messageId(), 'messageId');
  return session.send({ type: 'TOOL_CALL_RESULT', metadata, messageId, toolCallId, content, role: 'tool' }, tag);
}

/** Returns the text of a call's arguments. Core checks strings; any other value becomes its JSON. */
function argumentsText(given: unknown): string {
  const json = jsonText('arguments', given);
  return json.startsWith('"') ? answerOf<string>(native().argumentsText(json)) : json;
}

/** Returns the content of a tool's result: text, or content parts. */
export function resultContent(given: unknown): any {
  if (typeof given === 'string') return given;
  return answerOf<string | null>(native().resultText(jsonText('content', given))) ?? given;
}

function jsonText(name: string, value: unknown): string {
  const json = stringify(value);
  if (json === undefined) throw wrongKind(name, 'a JSON value', value);
  return json;
}

/**
 * An open step.
 *
 * @example
 * ```ts
 * import type { Run, Step } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const search = async (run: Run) => {
 *   const step: Step = run.step('search');
 *   await step.end();
 * };
 * (await runAgent(search)).events.length; // => 4
 * ```
 */
export class Step extends Entity {
  /** @internal */
  static open(session: Session, tag: string | undefined, stepName: string): Step {
    expect('text', 'name', stepName);
    return new Step(session, stepName, session.writer.open({ type: 'STEP_STARTED', stepName }, tag), tag);
  }
}

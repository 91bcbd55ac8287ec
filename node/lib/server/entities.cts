import { stringify } from '../json.cjs';
import { type ContentPart, type Metadata, type TextMessageRole } from '../generated/types.cjs';
import { inspectable } from '../inspect.cjs';
import { expect, expectIfGiven, wrongKind } from '../kinds.cjs';
import type { Session } from './session.cjs';

// What is opened in a run, and written to until it is closed. Closing twice is nothing, and so is closing what the end of the run
// has closed.

/** A class whose objects `using` and `await using` end. Older runtimes have neither symbol. */
export function disposable(type: { prototype: { end(): unknown } }): void {
  const { dispose, asyncDispose } = Symbol as unknown as Record<string, symbol | undefined>;
  const define = (symbol: symbol | undefined, value: (this: { end(): unknown }) => unknown) =>
    symbol && Object.defineProperty(type.prototype, symbol, { value, configurable: true, writable: true });
  define(dispose, function () { this.end() });
  define(asyncDispose, async function () { await this.end() });
}

/** The id that is given, or one that is made. What JSON would turn into a string is none: others would carry it as it is. */
export function idOr(given: string | undefined, make: () => string, name = 'id'): string {
  const id = given ?? make();
  expect('text', name, id);
  return id;
}

/** Something that is open. */
export abstract class Entity {
  /** Its id; the name of a step. */
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

  // No members: whoever walks through an object meets nobody's state.

  protected get session(): Session {
    return this.#session;
  }

  protected get entity(): number {
    return this.#entity;
  }

  /** The invocation of a subagent that it belongs to. */
  protected get tag(): string | undefined {
    return this.#tag;
  }

  /** Closes it. Nothing happens if it is closed. */
  end(): PromiseLike<void> {
    this.session.writer.end(this.entity);
    return this.session.sent;
  }

  static {
    disposable(this);
    inspectable<Entity>(this as never, ({ id }) => ({ id }));
  }
}

/** Something to which text is appended. */
abstract class TextWriter extends Entity {
  /**
   * Appends text. It is sent in this turn; if the answer is awaited, at once, and the promise waits while the client is slow.
   *
   * @throws AGUISequenceError if it is closed; AGUIStreamError `client_too_slow`
   */
  write(delta: string): PromiseLike<void> {
    this.session.writer.write(this.entity, delta);
    return this.session.sent;
  }
}

export interface TextMessageOptions {
  /** Made if it is absent. */
  id?: string | undefined;
  /** `assistant` by default. */
  role?: TextMessageRole | undefined;
  name?: string | undefined;
  metadata?: Metadata | undefined;
}

/** A message that is being written. */
export class TextMessage extends TextWriter {
  /** @internal */
  static open(session: Session, tag: string | undefined, { id, role, name, metadata }: TextMessageOptions): TextMessage {
    const messageId = idOr(id, () => session.ids.messageId());
    expectIfGiven('text', 'role', role);
    expectIfGiven('text', 'name', name);
    const event = { type: 'TEXT_MESSAGE_START', metadata, messageId, role: role ?? 'assistant', name };
    return new TextMessage(session, messageId, session.writer.open(event, tag), tag);
  }
}

/** Reasoning that is being written. */
export class Reasoning extends TextWriter {
  /** @internal */
  static open(session: Session, tag: string | undefined, id: string | undefined): Reasoning {
    const messageId = idOr(id, () => session.ids.messageId());
    return new Reasoning(session, messageId, session.writer.openReasoning(messageId, tag), tag);
  }

  /** Has the client keep an encrypted value with it. */
  encryptedValue(encryptedValue: string): PromiseLike<void> {
    const event = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: this.id, encryptedValue };
    return this.session.send(event, this.tag);
  }
}

export interface ToolCallOptions {
  /** Made if it is absent. */
  id?: string | undefined;
  /** The message that the call is part of. */
  parentMessageId?: string | undefined;
  /** Any JSON value: the whole call is written at once. */
  arguments?: unknown;
  metadata?: Metadata | undefined;
}

export interface ToolResultOptions {
  /** The id of the message that the result is. Made if it is absent. */
  messageId?: string | undefined;
  metadata?: Metadata | undefined;
}

/** A call of a tool: what is written to it are pieces of its arguments, which are JSON text. */
export class ToolCall extends TextWriter {
  /** The tool. */
  readonly name: string;

  /** @internal */
  constructor(session: Session, id: string, entity: number, tag: string | undefined, name: string) {
    super(session, id, entity, tag);
    this.name = name;
  }

  /** @internal */
  static open(session: Session, tag: string | undefined, name: string, options: ToolCallOptions): ToolCall {
    const { id, parentMessageId, arguments: value, metadata } = options;
    expect('text', 'name', name);
    expectIfGiven('text', 'parentMessageId', parentMessageId);
    const json = value === undefined ? undefined : stringify(value);
    if (value !== undefined && json === undefined) throw wrongKind('arguments', 'a JSON value', value);
    const toolCallId = idOr(id, () => session.ids.toolCallId());
    const event = { type: 'TOOL_CALL_START', metadata, toolCallId, toolCallName: name, parentMessageId };
    const call = new ToolCall(session, toolCallId, session.writer.open(event, tag), tag, name);
    if (json !== undefined) {
      call.write(json);
      call.end();
    }
    return call;
  }

  /** Says what came of the call, which ends if it is open. */
  result(content: string | ContentPart[], options: ToolResultOptions = {}): PromiseLike<void> {
    this.end();
    return toolResult(this.session, this.tag, this.id, content, options);
  }

  /** Has the client keep an encrypted value with it. */
  encryptedValue(encryptedValue: string): PromiseLike<void> {
    const event = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: this.id, encryptedValue };
    return this.session.send(event, this.tag);
  }
}

/** Says what came of a call. */
export function toolResult(
  session: Session,
  tag: string | undefined,
  toolCallId: string,
  content: string | ContentPart[],
  { messageId: id, metadata }: ToolResultOptions,
): PromiseLike<void> {
  expect('text', 'toolCallId', toolCallId);
  const messageId = idOr(id, () => session.ids.messageId(), 'messageId');
  return session.send({ type: 'TOOL_CALL_RESULT', metadata, messageId, toolCallId, content, role: 'tool' }, tag);
}

/** A step that is being taken. */
export class Step extends Entity {
  /** @internal */
  static open(session: Session, tag: string | undefined, stepName: string): Step {
    expect('text', 'name', stepName);
    return new Step(session, stepName, session.writer.open({ type: 'STEP_STARTED', stepName }, tag), tag);
  }
}

import type { BaseEvent } from './events.cjs';
import { idPrefixes } from '../generated/border.cjs';
import { types } from '../generated/tables.cjs';
import { variantOf } from '../errors/issues.cjs';
import { expect, expectIfGiven } from '../options/kinds.cjs';

// Ids are made in JavaScript: passing a string costs more (70 ns) than randomUUID from its cache saves (60 ns).

/**
 * Makes ids. The protocol accepts any string.
 *
 * @example
 * ```ts
 * import { type IdGenerator, newMessageId, UuidGenerator } from 'ag-ui-native';
 *
 * class Numbered extends UuidGenerator implements IdGenerator {
 *   #count = 0;
 *   override messageId(): string {
 *     return `msg-${++this.#count}`;
 *   }
 * }
 * newMessageId(new Numbered()); // => 'msg-1'
 * ```
 */
export interface IdGenerator {
  /** A new id of a conversation. */
  threadId(): string;
  /** A new id of a run. */
  runId(): string;
  /** A new id of a message. */
  messageId(): string;
  /** A new id of a tool call. */
  toolCallId(): string;
  /** A new id of a step. */
  stepId(): string;
}

abstract class IdsByKind implements IdGenerator {
  protected abstract id(word: string): string;
  threadId(): string {
    return this.id(idPrefixes.thread);
  }
  runId(): string {
    return this.id(idPrefixes.run);
  }
  messageId(): string {
    return this.id(idPrefixes.message);
  }
  toolCallId(): string {
    return this.id(idPrefixes.toolCall);
  }
  stepId(): string {
    return this.id(idPrefixes.step);
  }
}

/**
 * `{kind}-{UUID version 4}`
 *
 * @example
 * ```ts
 * import { UuidGenerator } from 'ag-ui-native';
 *
 * new UuidGenerator().messageId().startsWith('msg-'); // => true
 * ```
 */
export class UuidGenerator extends IdsByKind {
  protected override id(word: string): string {
    return `${word}-${crypto.randomUUID()}`;
  }
}

/**
 * Makes ids of the form `{prefix}-{kind}-{milliseconds since 1970}-{8 hexadecimal digits}`; without a prefix they begin with the
 * kind. Such ids sort by the time at which they were made.
 *
 * @example
 * ```ts
 * import { TimestampGenerator } from 'ag-ui-native';
 *
 * new TimestampGenerator('shop').messageId().startsWith('shop-msg-'); // => true
 * ```
 */
export class TimestampGenerator extends IdsByKind {
  readonly #prefix: string;

  constructor(prefix?: string) {
    super();
    expectIfGiven('text', 'prefix', prefix);
    this.#prefix = prefix ? `${prefix}-` : '';
  }

  protected override id(word: string): string {
    return `${this.#prefix}${word}-${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;
  }
}

let standard: IdGenerator = new UuidGenerator();

/**
 * Returns the default generator.
 *
 * @example
 * ```ts
 * import { getDefaultGenerator, UuidGenerator } from 'ag-ui-native';
 *
 * getDefaultGenerator() instanceof UuidGenerator; // => true
 * ```
 */
export function getDefaultGenerator(): IdGenerator {
  return standard;
}

/**
 * Sets the default generator; null restores the generator of UUIDs.
 *
 * @example
 * ```ts
 * import { newRunId, setDefaultGenerator, TimestampGenerator } from 'ag-ui-native';
 *
 * setDefaultGenerator(new TimestampGenerator('shop'));
 * newRunId().startsWith('shop-run-'); // => true
 * setDefaultGenerator(null);
 * ```
 */
export function setDefaultGenerator(generator: IdGenerator | null): void {
  if (generator !== null) expect('object', 'generator', generator);
  standard = generator ?? new UuidGenerator();
}

/**
 * A new id of a conversation: `thread-…`.
 *
 * @example
 * ```ts
 * import { newThreadId } from 'ag-ui-native';
 *
 * newThreadId().startsWith('thread-'); // => true
 * ```
 */
export function newThreadId(generator: IdGenerator = standard): string {
  if (generator !== standard) expect('object', 'generator', generator);
  return generator.threadId();
}

/**
 * A new id of a run: `run-…`.
 *
 * @example
 * ```ts
 * import { newRunId } from 'ag-ui-native';
 *
 * newRunId().startsWith('run-'); // => true
 * ```
 */
export function newRunId(generator: IdGenerator = standard): string {
  if (generator !== standard) expect('object', 'generator', generator);
  return generator.runId();
}

/**
 * A new id of a message: `msg-…`.
 *
 * @example
 * ```ts
 * import { newMessageId } from 'ag-ui-native';
 *
 * newMessageId().startsWith('msg-'); // => true
 * ```
 */
export function newMessageId(generator: IdGenerator = standard): string {
  if (generator !== standard) expect('object', 'generator', generator);
  return generator.messageId();
}

/**
 * A new id of a tool call: `tool-…`.
 *
 * @example
 * ```ts
 * import { newToolCallId } from 'ag-ui-native';
 *
 * newToolCallId().startsWith('tool-'); // => true
 * ```
 */
export function newToolCallId(generator: IdGenerator = standard): string {
  if (generator !== standard) expect('object', 'generator', generator);
  return generator.toolCallId();
}

/**
 * A new id of a step: `step-…`.
 *
 * @example
 * ```ts
 * import { newStepId } from 'ag-ui-native';
 *
 * newStepId().startsWith('step-'); // => true
 * ```
 */
export function newStepId(generator: IdGenerator = standard): string {
  if (generator !== standard) expect('object', 'generator', generator);
  return generator.stepId();
}

/**
 * Returns the thread id of an event, or undefined if its type has none.
 *
 * @example
 * ```ts
 * import { EventType, threadIdOf } from 'ag-ui-native';
 *
 * threadIdOf({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }); // => 't1'
 * ```
 */
export function threadIdOf(event: BaseEvent): string | undefined {
  return idOf(event, 'threadId');
}

/**
 * Returns the run id of an event, or undefined if its type has none.
 *
 * @example
 * ```ts
 * import { EventType, runIdOf } from 'ag-ui-native';
 *
 * runIdOf({ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }); // => 'r1'
 * ```
 */
export function runIdOf(event: BaseEvent): string | undefined {
  return idOf(event, 'runId');
}

function idOf(event: BaseEvent, key: string): string | undefined {
  expect('object', 'event', event);
  const type = variantOf('Event', event);
  const id = type !== undefined && types[type]![key] !== undefined ? event[key] : undefined;
  return typeof id === 'string' ? id : undefined;
}

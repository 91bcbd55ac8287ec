import type { Category } from '../generated/border.cjs';
import { placeAt, zodCode } from './issues.cjs';
import { native } from '../native/native.cjs';

/**
 * One fault that was found.
 *
 * @example
 * ```ts
 * import { AGUIValidationError, type Issue, readRunInput } from 'ag-ui-native';
 *
 * try {
 *   readRunInput('{"threadId": "t1", "messages": []}');
 * } catch (error) {
 *   if (!(error instanceof AGUIValidationError)) throw error;
 *   const issue: Issue | undefined = error.issues[0];
 *   issue?.aguiCode; // => 'missing_field'
 *   issue?.path; // => ['runId']
 * }
 * ```
 */
export interface Issue {
  /** The code of the fault in zod: `invalid_type`, `invalid_value`, `invalid_union`, `custom` and so on. */
  code: string;
  /** The path of the fault, key by key. */
  path: (string | number)[];
  /** A sentence that names the fault and the remedy. */
  message: string;
  /** The code of the fault in this library, the same in every language. */
  aguiCode: string;
  /** The JSON pointer to the fault. It also leads into content, where zod names only the content. */
  aguiPath: string;
}

/**
 * The details of an error besides its message.
 *
 * @example
 * ```ts
 * import { AGUIError, type ErrorDetails } from 'ag-ui-native';
 *
 * const details: ErrorDetails = { code: 'invalid_value', path: '/messageId' };
 * new AGUIError('The id is unknown.', details).path; // => '/messageId'
 * ```
 */
export interface ErrorDetails {
  code?: string;
  path?: string;
  issues?: Issue[];
  eventIndex?: number;
  eventType?: string;
  rule?: string;
  limit?: string;
  offset?: number;
  operation?: number;
  partial?: unknown[];
}

/**
 * The base class of all errors that this package throws on purpose.
 *
 * @example
 * ```ts
 * import { AGUIError } from 'ag-ui-native';
 * import { applyPatch } from 'ag-ui-native/patch';
 *
 * try {
 *   applyPatch({}, [{ op: 'remove', path: '/tasks' }]);
 * } catch (error) {
 *   if (!(error instanceof AGUIError)) throw error;
 *   error.code; // => 'patch_target_missing'
 * }
 * ```
 */
export class AGUIError extends Error {
  /** Stable name of the fault, the same in every language. */
  declare readonly code?: string;
  /** JSON pointer to the place. */
  declare readonly path?: string;
  /** All faults that were found. */
  declare readonly issues?: Issue[];
  /** Index of the event in its stream, counting from 0. */
  declare readonly eventIndex?: number;
  /** Type of the event. */
  declare readonly eventType?: string;
  /** The rule of event order that was broken. */
  declare readonly rule?: string;
  /** Name of the limit that was exceeded. */
  declare readonly limit?: string;
  /** Byte offset within the event's text. */
  declare readonly offset?: number;
  /** Index of the operation in its patch. */
  declare readonly operation?: number;
  /** The events that the failed call had decoded before the error. */
  declare readonly partial?: any[];

  constructor(message: string, details?: ErrorDetails) {
    super(message);
    this.name = new.target.name;
    Object.assign(this, details);
  }

  /** The address of the documentation of the broken rule or of the code. */
  get documentation(): string | undefined {
    return this.code === undefined ? undefined : (native().documentationOf(this.code, this.rule) ?? undefined);
  }
}

/**
 * A document is invalid.
 *
 * @example
 * ```ts
 * import { AGUIValidationError } from 'ag-ui-native';
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * try {
 *   decodeEvent('{"type": "TEXT_MESSAGE_END"}');
 * } catch (error) {
 *   if (!(error instanceof AGUIValidationError)) throw error;
 *   error.issues.map(({ aguiPath }) => aguiPath); // => ['/messageId']
 * }
 * ```
 */
export class AGUIValidationError extends AGUIError {
  declare readonly issues: Issue[];
}

/**
 * A protobuf message holds an event of an unknown type.
 *
 * @example
 * ```ts
 * import { AGUIUnknownEventTypeError, decode } from 'ag-ui-native/proto';
 *
 * try {
 *   decode(Uint8Array.of(0xa2, 0x06, 0x00));
 * } catch (error) {
 *   error instanceof AGUIUnknownEventTypeError; // => true
 * }
 * ```
 */
export class AGUIUnknownEventTypeError extends AGUIValidationError {}

/**
 * A stream is malformed or was cut off.
 *
 * @example
 * ```ts
 * import { AGUIStreamError } from 'ag-ui-native';
 * import { EventDecoder } from 'ag-ui-native/stream';
 *
 * try {
 *   new EventDecoder({ contentType: 'text/html' });
 * } catch (error) {
 *   if (!(error instanceof AGUIStreamError)) throw error;
 *   error.code; // => 'wrong_content_type'
 * }
 * ```
 */
export class AGUIStreamError extends AGUIError {}

/**
 * The input exceeds a limit; `limit` names the setting.
 *
 * @example
 * ```ts
 * import { AGUILimitError } from 'ag-ui-native';
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * try {
 *   decodeEvent('{"type": "RAW", "event": [[[]]]}', { limits: { depth: 2 } });
 * } catch (error) {
 *   if (!(error instanceof AGUILimitError)) throw error;
 *   error.limit; // => 'depth'
 * }
 * ```
 */
export class AGUILimitError extends AGUIError {}

/**
 * An event breaks the order of its stream; `rule` names the rule.
 *
 * @example
 * ```ts
 * import { AGUISequenceError, EventType } from 'ag-ui-native';
 * import { verifyEvents } from 'ag-ui-native/stream';
 *
 * try {
 *   verifyEvents([{ type: EventType.TEXT_MESSAGE_END, messageId: 'm1' }]);
 * } catch (error) {
 *   if (!(error instanceof AGUISequenceError)) throw error;
 *   error.rule; // => 'V03'
 * }
 * ```
 */
export class AGUISequenceError extends AGUIError {}

/**
 * A JSON Patch is invalid or does not apply; `operation` is the index of the operation.
 *
 * @example
 * ```ts
 * import { AGUIPatchError, applyPatch } from 'ag-ui-native/patch';
 *
 * try {
 *   applyPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 1 }, { op: 'test', path: '/a', value: 2 }]);
 * } catch (error) {
 *   if (!(error instanceof AGUIPatchError)) throw error;
 *   error.operation; // => 1
 * }
 * ```
 */
export class AGUIPatchError extends AGUIError {}

/**
 * A server cannot be reached, refuses, or falls silent.
 *
 * @example
 * ```ts
 * import { AGUIConnectionError } from 'ag-ui-native';
 * import { HttpAgent } from 'ag-ui-native/client';
 *
 * try {
 *   await new HttpAgent('http://127.0.0.1:1/').runAgent();
 * } catch (error) {
 *   if (!(error instanceof AGUIConnectionError)) throw error;
 *   error.code; // => 'connection_failed'
 * }
 * ```
 */
export class AGUIConnectionError extends AGUIError {
  /** The status of the server's answer, if there was one. */
  declare readonly status?: number;
  /** The body of the answer: a parsed value if it is JSON, otherwise text. */
  declare readonly payload?: unknown;
  /** The state of the run before the error. */
  declare readonly run?: unknown;
}

/**
 * A fault of this library. The process continues.
 *
 * @example
 * ```ts
 * import { AGUIError, AGUIInternalError } from 'ag-ui-native';
 *
 * new AGUIInternalError('A fault of the package.') instanceof AGUIError; // => true
 * ```
 */
export class AGUIInternalError extends AGUIError {}

/**
 * This agent cannot connect to a run that is executed elsewhere.
 *
 * @example
 * ```ts
 * import { AGUIConnectNotImplementedError, AGUIError } from 'ag-ui-native';
 *
 * new AGUIConnectNotImplementedError() instanceof AGUIError; // => true
 * ```
 */
export class AGUIConnectNotImplementedError extends AGUIError {
  constructor() {
    super('This agent cannot connect to a run.');
  }
}

/** The addon's description of an error. */
interface Described extends Omit<ErrorDetails, 'issues'> {
  category: Category;
  message: string;
  issues: { code: string; path: string; message: string }[];
}

const classes: Record<Category, new (message: string, details?: ErrorDetails) => AGUIError> = {
  validation: AGUIValidationError,
  stream: AGUIStreamError,
  limit: AGUILimitError,
  sequence: AGUISequenceError,
  patch: AGUIPatchError,
  connection: AGUIConnectionError,
  internal: AGUIInternalError,
};

/** Makes the error that the addon's JSON text describes. `kind` and `value` are the validated value and its kind, if they are known. */
export function errorFrom(json: string, partial?: unknown[], kind?: string, value?: unknown): AGUIError {
  const { category, message, issues, ...details } = JSON.parse(json) as Described;
  if (kind === undefined && details.eventType) [kind, value] = ['UEvent', { type: details.eventType }];
  const translated = issues.map((issue): Issue => {
    const path = keys(issue.path);
    const place = kind === undefined ? {} : placeAt(kind, value, path);
    const code = place.isInside ? 'invalid_union' : zodCode(issue.code, place);
    return { code, path: path.slice(0, place.depth), message: issue.message, aguiCode: issue.code, aguiPath: issue.path };
  });
  const all: ErrorDetails = { ...details, issues: translated };
  if (partial !== undefined) all.partial = partial;
  return new classes[category](message, all);
}

/** Returns core's error for a fault that JavaScript finds. `limit` names the setting that was exceeded. */
export function describedError(code: string, detail = '', limit?: string): AGUIError {
  return errorFrom(native().describe(code, detail, limit));
}

/** Returns core's error for a failure of a client. `limit` names the timeout or setting that was exceeded. */
export function clientError(code: string, detail = '', limit?: string, cause?: unknown): AGUIError {
  const error = errorFrom(native().describeFailure(code, detail, limit));
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** Returns the code of an error of this package; empty for other values. */
export function codeOf(error: unknown): string {
  return error instanceof AGUIError ? (error.code ?? '') : '';
}

/** Returns the error for a fault at a JSON pointer. */
export function faultAt(path: string, code: string, detail: string): AGUIError {
  const described = JSON.parse(native().describe(code, detail)) as { path?: string; issues: { path: string }[] };
  const issues = described.issues.map((issue) => ({ ...issue, path }));
  return errorFrom(JSON.stringify({ ...described, path, issues }));
}

/** Returns the error for a result that is longer than a JavaScript string can be. */
export function tooLong(): AGUIError {
  return describedError('limit_exceeded', 'the text is longer than a string of JavaScript can be', 'eventBytes');
}

/** Parses an answer of the addon, which is JSON text. Throws the error if the answer describes one. */
export function answerOf<T>(answer: string): T {
  if (answer.startsWith('{"error":')) throw errorFrom(answer.slice('{"error":'.length, -1));
  return JSON.parse(answer) as T;
}

/** Splits a JSON pointer into keys; indexes of lists become numbers. */
function keys(pointer: string): (string | number)[] {
  const plain = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');
  return pointer.split('/').slice(1).map((token) => (/^\d+$/.test(token) ? Number(token) : plain(token)));
}

import type { Category } from '../generated/border.cjs';
import { placeAt, zodCode } from './issues.cjs';
import { native } from '../native/native.cjs';

/** One thing found wrong. */
export interface Issue {
  /** What happened, in zod's words: `invalid_type`, `invalid_value`, `invalid_union`, `custom` and so on. */
  code: string;
  /** Where, key by key. */
  path: (string | number)[];
  /** What happened and what to do, as a sentence. */
  message: string;
  /** What happened, in this library's words: the same in every language. */
  aguiCode: string;
  /** Where, as a JSON pointer: inside of content too, where zod names only the content. */
  aguiPath: string;
}

/** What an error knows besides its message. */
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

/** The base of every error that this package throws on purpose. */
export class AGUIError extends Error {
  /** Stable name of the fault, the same in every language. */
  declare readonly code?: string;
  /** JSON pointer to the place. */
  declare readonly path?: string;
  /** Everything found wrong. */
  declare readonly issues?: Issue[];
  /** Index of the event in its stream, from 0. */
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
  /** What the failed call had decoded before it failed. */
  declare readonly partial?: any[];

  constructor(message: string, details?: ErrorDetails) {
    super(message);
    this.name = new.target.name;
    Object.assign(this, details);
  }
}

/** A document is not what it must be. */
export class AGUIValidationError extends AGUIError {
  declare readonly issues: Issue[];
}

/** A protobuf message is an event of a type that is not known here. */
export class AGUIUnknownEventTypeError extends AGUIValidationError {}

/** A stream is not one, or was cut. */
export class AGUIStreamError extends AGUIError {}

/** Input costs more than is allowed; `limit` names the setting. */
export class AGUILimitError extends AGUIError {}

/** An event breaks the order of its stream; `rule` says which rule. */
export class AGUISequenceError extends AGUIError {}

/** A JSON Patch is none, or does not apply; `operation` says where. */
export class AGUIPatchError extends AGUIError {}

/** A server cannot be reached, refuses, or falls silent. */
export class AGUIConnectionError extends AGUIError {
  /** The status of the server's answer, if there was one. */
  declare readonly status?: number;
  /** What the answer said: JSON as a value, anything else as text. */
  declare readonly payload?: unknown;
  /** What had become of the run before. */
  declare readonly run?: unknown;
}

/** A fault of this library. The process goes on. */
export class AGUIInternalError extends AGUIError {}

/** Connecting to a run that goes on elsewhere is not possible with this agent. */
export class AGUIConnectNotImplementedError extends AGUIError {
  constructor() {
    super('This agent cannot connect to a run.');
  }
}

/** An error as the addon describes it. */
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

/** Makes the error that the addon's JSON text describes. `kind` and `value` are what was judged, where that is known. */
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

/** An error that JavaScript meets, in core's words. `limit` is the name of the setting that was exceeded. */
export function describedError(code: string, detail = '', limit?: string): AGUIError {
  return errorFrom(native().describe(code, detail, limit));
}

/** A fault at a place, which is a JSON pointer. */
export function faultAt(path: string, code: string, detail: string): AGUIError {
  const described = JSON.parse(native().describe(code, detail)) as { path?: string; issues: { path: string }[] };
  const issues = described.issues.map((issue) => ({ ...issue, path }));
  return errorFrom(JSON.stringify({ ...described, path, issues }));
}

/** What is to be made or written is longer than a string of JavaScript can be. */
export function tooLong(): AGUIError {
  return describedError('limit_exceeded', 'longer than a string of JavaScript', 'eventBytes');
}

/** What an answer of the addon says, which is JSON text. Throws the error if it is one. */
export function answerOf<T>(answer: string): T {
  if (answer.startsWith('{"error":')) throw errorFrom(answer.slice('{"error":'.length, -1));
  return JSON.parse(answer) as T;
}

/** A JSON pointer, key by key; list places become numbers. */
function keys(pointer: string): (string | number)[] {
  const plain = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');
  return pointer.split('/').slice(1).map((token) => (/^\d+$/.test(token) ? Number(token) : plain(token)));
}

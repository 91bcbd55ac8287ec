import { INVALID } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { newer, types, unions } from '../generated/tables.cjs';
import { isPlain } from '../json/text.cjs';
import { checks } from '../types/lazy.cjs';

// Decides if an event is exactly as declared, so that validation would change nothing.

/** The kinds of the members of an event type, and the form of the last valid event of the type. */
interface Known {
  readonly type: string;
  readonly kinds: ReadonlyMap<string, string>;
  form: Form | undefined;
}

/** The members of a valid event, in order. Another event with exactly these members is valid too. */
interface Form {
  readonly keys: readonly string[];
  /** The required text of a member; or `TYPE` for the event's type, `TEXT` for any text, `FREE` for an undeclared object or list. */
  readonly values: readonly (string | symbol)[];
}

const TYPE = Symbol('type');
const TEXT = Symbol('text');
const FREE = Symbol('free');

const members = new Map<unknown, Known>(
  Object.entries(unions['Event']!.variants).map(([type, name]) => [type, { type, kinds: new Map(Object.entries(types[name]!)), form: undefined }]),
);

/** The type of the last event: many events have the type of the one before. */
let last: Known | undefined;

/** Returns the members of an event type, in the order of their declaration. */
export function keysOf(type: unknown): Iterable<string> {
  return members.get(type)?.kinds.keys() ?? [];
}

/** The types of JSON values. The contents of objects and lists are not checked. */
const HELD = new Set(['string', 'number', 'boolean', 'object', 'undefined']);

/** Core checks longer texts, because it has a limit for them. */
const LONG = 1 << 20;

/**
 * Returns true if an event consists of strings, numbers and free values, all declared and valid. Other events may be valid too. The
 * contents of free values are not checked.
 */
export function isDeclared(event: BaseEvent): boolean {
  return isAsDeclared(event, false);
}

/** Returns true if an event is declared, and has no objects or lists. */
export function isScalar(event: BaseEvent): boolean {
  return isAsDeclared(event, true);
}

function isAsDeclared(event: BaseEvent, isScalar: boolean): boolean {
  if (!isPlain(event)) return false;
  const type = event.type as unknown;
  const known = last !== undefined && type === last.type ? last : members.get(type);
  if (known === undefined) return false;
  last = known;
  if (known.form !== undefined && hasForm(event, known.form, isScalar)) return true;
  for (const key in event) {
    const value = event[key];
    const kind = known.kinds.get(key);
    // The checks leave newer members as they are.
    if (kind === undefined || newer.includes(key) || !HELD.has(typeof value)) return false;
    if (typeof value === 'string') {
      if (value.length > LONG || !isWellFormed(value)) return false;
    } else if (value !== undefined && (kind === 'c' || kind.length > 1 || (isScalar && typeof value === 'object'))) return false;
  }
  if (checks().checkEvent(event) === INVALID) return false;
  known.form = formOf(event, known.kinds);
  return true;
}

const isWellFormed = (text: string) => (text as unknown as { isWellFormed(): boolean }).isWellFormed();

function hasForm(event: BaseEvent, { keys, values }: Form, isScalar: boolean): boolean {
  let at = 0;
  for (const key in event) {
    if (key !== keys[at]) return false;
    const value = event[key];
    const expected = values[at++];
    if (typeof value === 'string') {
      if (expected === TEXT ? value.length > LONG || !isWellFormed(value) : expected !== TYPE && value !== expected) return false;
    } else if (expected !== FREE || isScalar || typeof value !== 'object' || value === null) return false;
  }
  return at === keys.length;
}

/** Returns the form of a valid event, or undefined if it has members other than text and free values. */
function formOf(event: BaseEvent, kinds: ReadonlyMap<string, string>): Form | undefined {
  const keys = Object.keys(event);
  const values: (string | symbol)[] = [];
  for (const key of keys) {
    const [value, kind] = [event[key], kinds.get(key)];
    if (key === 'type') values.push(TYPE);
    else if (typeof value === 'string') values.push(kind === 's' || kind === 'a' ? TEXT : value);
    else if (kind === 'a' && typeof value === 'object' && value !== null) values.push(FREE);
    else return undefined;
  }
  return { keys, values };
}

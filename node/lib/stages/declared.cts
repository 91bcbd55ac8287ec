import { INVALID } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { newer, types, unions } from '../generated/tables.cjs';
import { isPlain } from '../json/text.cjs';
import { checks } from '../types/lazy.cjs';

// Whether an event is plainly as it is declared, so that reading it would change nothing.

/** What the members of a type of event hold, and what the last event of the type was that proved to be valid. */
interface Known {
  readonly type: string;
  readonly kinds: ReadonlyMap<string, string>;
  form: Form | undefined;
}

/** The members of a valid event, in order. Another that has them is as valid, if none is more than these say. */
interface Form {
  readonly keys: readonly string[];
  /** The text that a member must have; `TYPE` for the event's; `TEXT` for any, `FREE` for an object or list that nothing is declared of. */
  readonly values: readonly (string | symbol)[];
}

const TYPE = Symbol('type');
const TEXT = Symbol('text');
const FREE = Symbol('free');

const members = new Map<unknown, Known>(
  Object.entries(unions['Event']!.variants).map(([type, name]) => [type, { type, kinds: new Map(Object.entries(types[name]!)), form: undefined }]),
);

/** That of the last event: many are followed by their like. */
let last: Known | undefined;

/** The members of a type of event, in the order of their declaration. */
export function keysOf(type: unknown): Iterable<string> {
  return members.get(type)?.kinds.keys() ?? [];
}

/** Of what JSON has; objects and lists are not looked into. */
const HELD = new Set(['string', 'number', 'boolean', 'object', 'undefined']);

/** Longer texts are left to core, which has a limit for them. */
const LONG = 1 << 20;

/**
 * Whether an event consists of strings, numbers and free values, all declared and valid; if not, it may be all the same. Free values are not
 * looked into.
 */
export function isDeclared(event: BaseEvent): boolean {
  return isAsDeclared(event, false);
}

/** The same of an event without free values that would have to be looked into. */
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
    const wanted = values[at++];
    if (typeof value === 'string') {
      if (wanted === TEXT ? value.length > LONG || !isWellFormed(value) : wanted !== TYPE && value !== wanted) return false;
    } else if (wanted !== FREE || isScalar || typeof value !== 'object' || value === null) return false;
  }
  return at === keys.length;
}

/** The form of a valid event; nothing if it has numbers and such. */
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

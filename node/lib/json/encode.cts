import type { Loose } from './check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { optionals, unions } from '../generated/tables.cjs';
import { plainEvents, writeLiteral } from '../generated/writers.cjs';
import { isPlain, limited, quote, stringify } from './text.cjs';
import { omit } from '../types/lazy.cjs';

/** Returns the JSON text of an event. It is one line, so that texts can be joined by line breaks. */
export function jsonOf(event: unknown): string {
  return (isPlain(event) ? writeLiteral(event) : undefined) ?? stringify(event) ?? 'null';
}

/** Returns the JSON text of an event that is no object literal, if JSON can hold it. Optional members that are `null` are left out. */
export function generalText(event: BaseEvent): string | undefined {
  const plain = isPlain(event) ? plainTypes.get(event['type']) : undefined;
  return (plain && writeMembers(event as unknown as Loose, plain)) ?? limited(() => JSON.stringify(omit().omitEvent(event)));
}

/** The JSON of the members of one type: their keys with punctuation, and the members that may be null. */
interface Plain {
  keys: Record<string, string>;
  optional: readonly string[];
}

const plainTypes = new Map<unknown, Plain>(
  Object.entries(plainEvents).map(([type, members]) => {
    // An object without a prototype, because inherited members would count as keys.
    const keys = Object.assign(Object.create(null) as Record<string, string>, members);
    return [type, { keys, optional: optionals[unions['Event']!.variants[type]!]! }];
  }),
);

/** Writes strings and numbers under declared keys in their order and leaves out optional nulls. */
function writeMembers(event: Loose, { keys, optional }: Plain): string | undefined {
  let out = '';
  for (const key in event) {
    if (out === '') {
      if (key !== 'type') return undefined;
      out = '{"type":"' + (event['type'] as string) + '"';
      continue;
    }
    const start = keys[key];
    const value = event[key];
    if (typeof value === 'string' && start !== undefined) out += start + quote(value);
    else if (typeof value === 'number' && Number.isFinite(value) && start !== undefined) out += start + value;
    else if (value !== undefined && (value !== null || !optional.includes(key))) return undefined;
  }
  return out + '}';
}

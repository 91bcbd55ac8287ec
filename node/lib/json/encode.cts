import type { Loose } from './check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { optionals, unions } from '../generated/tables.cjs';
import { plainEvents, writeLiteral } from '../generated/writers.cjs';
import { isPlain, limited, quote, stringify } from './text.cjs';
import { omit } from '../types/lazy.cjs';

/** The JSON text of an event; a line, so that several can follow one another. */
export function jsonOf(event: unknown): string {
  return (isPlain(event) ? writeLiteral(event) : undefined) ?? stringify(event) ?? 'null';
}

/** The JSON text of an event that is no literal, if JSON can hold it; optional members that are `null` are left out. */
export function generalText(event: BaseEvent): string | undefined {
  const plain = isPlain(event) ? plainTypes.get(event['type']) : undefined;
  return (plain && writeMembers(event as unknown as Loose, plain)) ?? limited(() => JSON.stringify(omit().omitEvent(event)));
}

/** How the members of one type are written: their keys with what surrounds them, and those that may be null. */
interface Plain {
  keys: Record<string, string>;
  optional: readonly string[];
}

const plainTypes = new Map<unknown, Plain>(
  Object.entries(plainEvents).map(([type, members]) => {
    // Without a prototype, whose members would count as keys.
    const keys = Object.assign(Object.create(null) as Record<string, string>, members);
    return [type, { keys, optional: optionals[unions['Event']!.variants[type]!]! }];
  }),
);

/** Writes strings and numbers under declared keys, leaves out optional nulls; in the order in which they stand. */
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

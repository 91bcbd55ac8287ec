import { isObject } from '../json/check.cjs';
import { type Metadata } from '../generated/types.cjs';
import { wrongKind } from '../options/kinds.cjs';

// This stays in JavaScript: crossing into native code costs more than the whole job (30 ns).

/** The key inside metadata that the protocol keeps for itself, by convention. */
export const AGUI_METADATA_KEY = 'ag-ui';

/** `incoming` laid over `existing`: per key the last value wins, whole. Neither argument is changed. */
export function mergeMetadata(existing: Metadata | undefined, incoming: Metadata | undefined): Metadata | undefined {
  if (existing != null && !isObject(existing)) throw wrongKind('existing', 'an object', existing);
  if (incoming != null && !isObject(incoming)) throw wrongKind('incoming', 'an object', incoming);
  if (incoming === undefined) return existing;
  return existing === undefined ? { ...incoming } : { ...existing, ...incoming };
}

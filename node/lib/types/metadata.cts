import { isObject } from '../json/check.cjs';
import { type Metadata } from '../generated/types.cjs';
import { wrongKind } from '../options/kinds.cjs';

// This stays in JavaScript: a call of native code costs more than the whole work (30 ns).

/**
 * The key in metadata that the protocol reserves by convention.
 *
 * @example
 * ```ts
 * import { AGUI_METADATA_KEY } from 'ag-ui-native';
 *
 * AGUI_METADATA_KEY; // => 'ag-ui'
 * ```
 */
export const AGUI_METADATA_KEY = 'ag-ui';

/**
 * Merges metadata: for each key the last value counts, without merging deeper. Neither argument is changed.
 *
 * @example
 * ```ts
 * import { mergeMetadata } from 'ag-ui-native';
 *
 * mergeMetadata({ lang: 'en', model: 'small' }, { model: 'large' }); // => { lang: 'en', model: 'large' }
 * ```
 */
export function mergeMetadata(existing: Metadata | undefined, incoming: Metadata | undefined): Metadata | undefined {
  if (existing != null && !isObject(existing)) throw wrongKind('existing', 'an object', existing);
  if (incoming != null && !isObject(incoming)) throw wrongKind('incoming', 'an object', incoming);
  if (incoming === undefined) return existing;
  return existing === undefined ? { ...incoming } : { ...existing, ...incoming };
}

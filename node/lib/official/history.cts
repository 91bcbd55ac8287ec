import { isObject } from '../json/check.cjs';
import { EventType, type MessagesSnapshotEvent } from '../generated/types.cjs';

/**
 * The key in a snapshot's metadata for the types whose activities are complete.
 *
 * @example
 * ```ts
 * import { ACTIVITY_HISTORY_METADATA } from 'ag-ui-native/operators';
 *
 * ACTIVITY_HISTORY_METADATA; // => '@ag-ui/client'
 * ```
 */
export const ACTIVITY_HISTORY_METADATA = '@ag-ui/client';

const MEMBER = 'authoritativeActivityTypes';

/**
 * Returns the types of which a snapshot has all activities: `null` for all types, undefined if it names none, an empty list for an invalid value.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { authoritativeActivityTypes } from 'ag-ui-native/operators';
 *
 * authoritativeActivityTypes({ type: EventType.MESSAGES_SNAPSHOT, messages: [] }); // => undefined
 * ```
 */
export function authoritativeActivityTypes(event: MessagesSnapshotEvent): string[] | null | undefined {
  const { metadata } = event;
  if (!metadata || !Object.hasOwn(metadata, ACTIVITY_HISTORY_METADATA)) return undefined;
  const said = metadata[ACTIVITY_HISTORY_METADATA];
  if (!isObject(said)) return [];
  if (!Object.hasOwn(said, MEMBER)) return undefined;
  const types = said[MEMBER];
  if (types === null) return null;
  return Array.isArray(types) && types.every((type) => typeof type === 'string') ? types : [];
}

/**
 * Returns a snapshot that has all activities of these types, too. Call it before the messages are changed, because it reads them.
 *
 * @example
 * ```ts
 * import { EventType, type MessagesSnapshotEvent } from 'ag-ui-native';
 * import { authoritativeActivityTypes, withAuthoritativeActivityTypes } from 'ag-ui-native/operators';
 *
 * const snapshot: MessagesSnapshotEvent = { type: EventType.MESSAGES_SNAPSHOT, messages: [] };
 * authoritativeActivityTypes(withAuthoritativeActivityTypes(snapshot, ['search'])); // => ['search']
 * ```
 */
export function withAuthoritativeActivityTypes(event: MessagesSnapshotEvent, activityTypes: readonly string[]): MessagesSnapshotEvent {
  const said = event.metadata?.[ACTIVITY_HISTORY_METADATA];
  const types = authoritativeActivityTypes(event);
  const hasAll = types === null || (types === undefined && event.messages.some(({ role }) => role === 'activity'));
  const all = hasAll ? null : [...new Set([...(types ?? []), ...activityTypes])];
  return { ...event, metadata: { ...event.metadata, [ACTIVITY_HISTORY_METADATA]: { ...(isObject(said) ? said : {}), [MEMBER]: all } } };
}

const eventTypes = new Set<unknown>(Object.values(EventType));

/**
 * True if AG-UI 1.0 knows events of this type.
 *
 * @example
 * ```ts
 * import { isRecognizedEvent } from 'ag-ui-native/operators';
 *
 * isRecognizedEvent({ type: 'WEATHER_CHANGED' }); // => false
 * ```
 */
export function isRecognizedEvent(event: { type: unknown }): boolean {
  return eventTypes.has(event.type);
}

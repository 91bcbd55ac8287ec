import { type BaseEvent as DeclaredBaseEvent, type Event, type EventProps, EventType } from '../generated/types.cjs';

/**
 * The members of every event, and any other member.
 *
 * @example
 * ```ts
 * import { type BaseEvent, EventType } from 'ag-ui-native';
 *
 * const event: BaseEvent = { type: EventType.CUSTOM, timestamp: 1767225600000, name: 'progress', value: 0.5 };
 * ```
 */
export type BaseEvent = DeclaredBaseEvent & { [key: string]: unknown };

/**
 * The members of every event.
 *
 * @example
 * ```ts
 * import { type BaseEventFields, EventType } from 'ag-ui-native';
 *
 * const event: BaseEventFields = { type: EventType.CUSTOM, name: 'progress', value: 0.5 };
 * ```
 */
export type BaseEventFields = BaseEvent;

/**
 * Any event.
 *
 * @example
 * ```ts
 * import { type AGUIEvent, EventType } from 'ag-ui-native';
 *
 * const event: AGUIEvent = { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' };
 * ```
 */
export type AGUIEvent = Event;

/**
 * The event of each type.
 *
 * @example
 * ```ts
 * import { type AGUIEventByType, EventType } from 'ag-ui-native';
 *
 * const event: AGUIEventByType[EventType.RUN_ERROR] = { type: EventType.RUN_ERROR, message: 'No model.' };
 * ```
 */
export type AGUIEventByType = { [K in EventType]: Extract<Event, { type: K }> };

/**
 * The event of type `T`.
 *
 * @example
 * ```ts
 * import { type AGUIEventOf, EventType } from 'ag-ui-native';
 *
 * const event: AGUIEventOf<EventType.RUN_ERROR> = { type: EventType.RUN_ERROR, message: 'No model.' };
 * ```
 */
export type AGUIEventOf<T extends EventType> = AGUIEventByType[T];

/**
 * The members of an event of type `T` that not every event has.
 *
 * @example
 * ```ts
 * import type { EventPayloadOf, EventType } from 'ag-ui-native';
 *
 * const payload: EventPayloadOf<EventType.RUN_ERROR> = { message: 'No model.', code: 'no_model' };
 * ```
 */
export type EventPayloadOf<T extends EventType> = T extends EventType ? Omit<AGUIEventOf<T>, keyof DeclaredBaseEvent> : never;

/**
 * The properties that make a base event.
 *
 * @example
 * ```ts
 * import type { BaseEventProps } from 'ag-ui-native';
 *
 * const props: BaseEventProps = { timestamp: 1767225600000 };
 * ```
 */
export type BaseEventProps = EventProps<DeclaredBaseEvent>;

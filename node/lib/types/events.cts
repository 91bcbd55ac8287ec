import { type BaseEvent as DeclaredBaseEvent, type Event, type EventProps, EventType } from '../generated/types.cjs';

/** The members of every event, and any other member. */
export type BaseEvent = DeclaredBaseEvent & { [key: string]: unknown };

/** The members of every event. */
export type BaseEventFields = BaseEvent;

/** Any event. */
export type AGUIEvent = Event;

/** The event of each type. */
export type AGUIEventByType = { [K in EventType]: Extract<Event, { type: K }> };

/** The event of type `T`. */
export type AGUIEventOf<T extends EventType> = AGUIEventByType[T];

/** The members of an event of type `T` that not every event has. */
export type EventPayloadOf<T extends EventType> = T extends EventType ? Omit<AGUIEventOf<T>, keyof DeclaredBaseEvent> : never;

/** The properties that make a base event. */
export type BaseEventProps = EventProps<DeclaredBaseEvent>;

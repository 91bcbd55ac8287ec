// Comparing the member that tells the members of a union apart tells tsc which one it is. Where it says so it must not compile.

import { type AGUIEvent, type ContentPart, EventType, type Message, type RunFinishedEvent, type SubagentFinishedEvent } from 'ag-ui-native';
import type { Change } from 'ag-ui-native/stream';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the value's type is exactly `Expected`. */
function exactly<Expected>() {
  return <Actual,>(value: Actual, ..._: Equal<Actual, Expected> extends true ? [] : ['another type', Actual]): Actual => value;
}

export function ofEvent(event: AGUIEvent): string {
  if (event.type === EventType.TEXT_MESSAGE_CONTENT) return exactly<string>()(event.delta);
  switch (event.type) {
    case EventType.RUN_ERROR:
      return exactly<string>()(event.message);
    case EventType.CUSTOM:
      return exactly<string>()(event.name);
    default:
      // @ts-expect-error It may be any other.
      void event.delta;
      return event.type;
  }
}

/** Text does the same. */
export function byText(event: AGUIEvent): void {
  if (event.type === 'TEXT_MESSAGE_CONTENT') {
    exactly<string>()(event.delta);
    exactly<string>()(event.messageId);
    // @ts-expect-error The event has none.
    void event.snapshot;
    return;
  }
  switch (event.type) {
    case 'RUN_ERROR':
      exactly<string>()(event.message);
      break;
    // @ts-expect-error There is no such type.
    case 'RUN_FAILED':
      break;
    default:
  }
  // @ts-expect-error There is no such type.
  void (event.type === 'NONSENSE');
  // @ts-expect-error There is no such member.
  void (event.type === EventType.NONSENSE);
  // @ts-expect-error No event has it.
  void event.nonsense;
}

export function ofMessage(message: Message, part: ContentPart): string {
  if (message.role === 'tool') return exactly<string>()(message.toolCallId);
  if (message.role === 'activity') return exactly<string>()(message.activityType);
  // @ts-expect-error There is no such role.
  if (message.role === 'robot') return '';
  // @ts-expect-error It may be of any other role.
  void message.toolCalls;
  if (part.type === 'text') return exactly<string>()(part.text);
  // @ts-expect-error There is no such part.
  if (part.type === 'picture') return '';
  if (part.type === 'image') return part.source.mimeType ?? part.source.value;
  return part.type;
}

export function ofOutcome(finished: RunFinishedEvent, subagent: SubagentFinishedEvent, change: Change): string[] {
  if (finished.outcome?.type === 'interrupt') return finished.outcome.interrupts.map((interrupt) => exactly<string>()(interrupt.id));
  // @ts-expect-error A run is not suspended.
  if (finished.outcome?.type === 'suspended') return [];
  if (subagent.outcome?.type === 'suspended') return subagent.outcome.interruptIds ?? [];
  if (change.kind === 'text_appended') return [exactly<string>()(change.value)];
  // @ts-expect-error There is no such kind.
  if (change.kind === 'text_append') return [];
  return [];
}

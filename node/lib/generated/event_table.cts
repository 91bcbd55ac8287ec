// Made from core/src/compact/encoded_rows.rs by `make generate`. Do not edit.

import type { BaseEvent } from '../types/events.cjs';

/** Number of words of a row: a head, and numbers of strings or the range of a list. */
export const ROW_WORDS = 5;

/** In a head: the event has metadata. */
export const METADATA = 256;

/** In a head: it carries more than a replay needs, or stands for several. */
export const DRESSED = 512;

/** In a head: it replaces nothing. */
export const KEEPS = 1024;

/** The strings that have the first numbers, from 1. */
export const KNOWN_STRINGS = ['', 'assistant', 'reasoning', 'activity'] as const;

/** The action on rows. */
export const enum Action {
  Keep = 0,
  Start = 1,
  Delta = 2,
  State = 3,
}

/** Takes the rows of events; `false` if an event is none that rows can be made of. Heads are the places of types. */
export interface Rows {
  /** Adds to a stream; adjacent events with the same numbers and no metadata share a row. */
  delta(head: number, event: BaseEvent, id: unknown, tag: unknown): boolean;
  /** Begins or ends a stream. */
  edge(head: number, event: BaseEvent, id: unknown, tag: unknown, one?: unknown, other?: unknown): boolean;
  /** A state, or what changes it. */
  state(head: number, event: BaseEvent): boolean;
  /** Stays unchanged. */
  row(head: number, event: BaseEvent, id?: unknown, tag?: unknown, one?: unknown, other?: unknown): boolean;
  /** Stays unchanged; adjacent events with the same numbers share a row. */
  same(head: number, event: BaseEvent, id?: unknown, tag?: unknown): boolean;
  /** Stays unchanged, and has a list of messages. */
  list(head: number, messages: unknown): boolean;
}

/** Passes the members that compaction reads to the rows. Types are distinguished by the length of their names first. */
export function table(event: BaseEvent, rows: Rows): boolean {
  const type = event.type as unknown;
  switch (typeof type === 'string' ? type.length : 0) {
    case 9:
      if (type === 'RUN_ERROR') return rows.row(18, event);
      break;
    case 11:
      if (type === 'STATE_DELTA') return rows.state(10, event);
      if (type === 'RUN_STARTED') return rows.list(16, (event['input'] as any)?.['messages']);
      break;
    case 12:
      if (type === 'RUN_FINISHED') return rows.row(17, event);
      break;
    case 13:
      if (type === 'TOOL_CALL_END') return rows.edge(6, event, event['toolCallId'] ?? null, event['subagentRunId']);
      break;
    case 14:
      if (type === 'TOOL_CALL_ARGS') return rows.delta(5, event, event['toolCallId'] ?? null, event['subagentRunId']);
      if (type === 'STATE_SNAPSHOT') return rows.state(9, event);
      if (type === 'ACTIVITY_DELTA') return rows.same(13, event, event['messageId'] ?? null, event['subagentRunId']);
      break;
    case 15:
      if (type === 'TOOL_CALL_START') return rows.edge(4, event, event['toolCallId'] ?? null, event['subagentRunId'], event['parentMessageId']);
      if (type === 'TOOL_CALL_CHUNK') return rows.same(7, event);
      break;
    case 16:
      if (type === 'TEXT_MESSAGE_END') return rows.edge(2, event, event['messageId'] ?? null, event['subagentRunId']);
      if (type === 'TOOL_CALL_RESULT') return rows.row(8, event, event['messageId'] ?? null, event['subagentRunId'], event['toolCallId'] ?? null);
      break;
    case 17:
      if (type === 'MESSAGES_SNAPSHOT') return rows.list(11, event['messages'] as any);
      if (type === 'ACTIVITY_SNAPSHOT') return rows.row(event['replace'] === false ? 12 | KEEPS : 12, event, event['messageId'] ?? null, event['subagentRunId']);
      break;
    case 18:
      if (type === 'TEXT_MESSAGE_START') return rows.edge(0, event, event['messageId'] ?? null, event['subagentRunId'], event['role'], event['name']);
      if (type === 'TEXT_MESSAGE_CHUNK') return rows.same(3, event);
      break;
    case 20:
      if (type === 'TEXT_MESSAGE_CONTENT') return rows.delta(1, event, event['messageId'] ?? null, event['subagentRunId']);
      break;
    case 21:
      if (type === 'REASONING_MESSAGE_END') return rows.same(24, event, event['messageId'] ?? null, event['subagentRunId']);
      break;
    case 23:
      if (type === 'REASONING_MESSAGE_START') return rows.row(22, event, event['messageId'] ?? null, event['subagentRunId']);
      if (type === 'REASONING_MESSAGE_CHUNK') return rows.same(25, event);
      break;
    case 25:
      if (type === 'REASONING_MESSAGE_CONTENT') return rows.same(23, event, event['messageId'] ?? null, event['subagentRunId']);
      if (type === 'REASONING_ENCRYPTED_VALUE') return rows.row(27, event, event['entityId'] ?? null, event['subagentRunId']);
      break;
  }
  return rows.same(31, event);
}

/** A delta of the same stream as another, without what that carries besides. */
export function deltaLike(first: BaseEvent, delta: string): BaseEvent {
  if (first.type === 'TEXT_MESSAGE_CONTENT') return { type: 'TEXT_MESSAGE_CONTENT', messageId: first['messageId'], delta } as unknown as BaseEvent;
  if (first.type === 'TOOL_CALL_ARGS') return { type: 'TOOL_CALL_ARGS', toolCallId: first['toolCallId'], delta } as unknown as BaseEvent;
  return first;
}

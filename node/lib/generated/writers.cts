// Made from the declaration in core/src/types by `make generate`. Do not edit.

import type { Loose } from '../json/check.cjs';
import { isPlain, listText, quote, scalarText } from '../json/text.cjs';

/** For events whose required members are strings: each member's key as it stands in JSON behind another. */
export const plainEvents: Record<string, Record<string, string>> = {
  TEXT_MESSAGE_START: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', role: ',"role":', name: ',"name":' },
  TEXT_MESSAGE_CONTENT: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', delta: ',"delta":' },
  TEXT_MESSAGE_END: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":' },
  TEXT_MESSAGE_CHUNK: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', role: ',"role":', delta: ',"delta":', name: ',"name":' },
  TOOL_CALL_START: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', toolCallId: ',"toolCallId":', toolCallName: ',"toolCallName":', parentMessageId: ',"parentMessageId":' },
  TOOL_CALL_ARGS: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', toolCallId: ',"toolCallId":', delta: ',"delta":' },
  TOOL_CALL_END: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', toolCallId: ',"toolCallId":' },
  TOOL_CALL_CHUNK: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', toolCallId: ',"toolCallId":', toolCallName: ',"toolCallName":', parentMessageId: ',"parentMessageId":', delta: ',"delta":' },
  TOOL_CALL_RESULT: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', toolCallId: ',"toolCallId":', content: ',"content":', role: ',"role":' },
  RUN_STARTED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', threadId: ',"threadId":', runId: ',"runId":', protocolVersion: ',"protocolVersion":', parentRunId: ',"parentRunId":', input: ',"input":' },
  RUN_FINISHED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', threadId: ',"threadId":', runId: ',"runId":', result: ',"result":', outcome: ',"outcome":', usage: ',"usage":' },
  RUN_ERROR: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', message: ',"message":', code: ',"code":', usage: ',"usage":' },
  STEP_STARTED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', stepName: ',"stepName":' },
  STEP_FINISHED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', stepName: ',"stepName":' },
  REASONING_START: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":' },
  REASONING_MESSAGE_START: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', role: ',"role":' },
  REASONING_MESSAGE_CONTENT: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', delta: ',"delta":' },
  REASONING_MESSAGE_END: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":' },
  REASONING_MESSAGE_CHUNK: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":', delta: ',"delta":' },
  REASONING_END: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', messageId: ',"messageId":' },
  REASONING_ENCRYPTED_VALUE: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', subtype: ',"subtype":', entityId: ',"entityId":', encryptedValue: ',"encryptedValue":', encryptedValueType: ',"encryptedValueType":' },
  SUBAGENT_STARTED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', name: ',"name":', description: ',"description":', parentSubagentRunId: ',"parentSubagentRunId":', parentToolCallId: ',"parentToolCallId":', parentMessageId: ',"parentMessageId":' },
  SUBAGENT_FINISHED: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', result: ',"result":', outcome: ',"outcome":' },
  SUBAGENT_ERROR: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', message: ',"message":', code: ',"code":' },
};

export function writeJsonPatchOperation(value: unknown): string | undefined {
  if (!isPlain(value)) return undefined;
  let at = 0;
  switch (value.op) {
    case 'add': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'path') return undefined; break;
        case 2: if (key !== 'value') return undefined; break;
        default: return undefined;
      }
      const v1 = value.path;
      const v2 = scalarText(value.value);
      if (at !== 3 || typeof v1 !== 'string' || v2 === undefined) return undefined;
      return '{"op":"add","path":' + quote(v1) + ',"value":' + v2 + '}';
    }
    case 'remove': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'path') return undefined; break;
        default: return undefined;
      }
      const v1 = value.path;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      return '{"op":"remove","path":' + quote(v1) + '}';
    }
    case 'replace': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'path') return undefined; break;
        case 2: if (key !== 'value') return undefined; break;
        default: return undefined;
      }
      const v1 = value.path;
      const v2 = scalarText(value.value);
      if (at !== 3 || typeof v1 !== 'string' || v2 === undefined) return undefined;
      return '{"op":"replace","path":' + quote(v1) + ',"value":' + v2 + '}';
    }
    case 'move': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'from') return undefined; break;
        case 2: if (key !== 'path') return undefined; break;
        default: return undefined;
      }
      const v1 = value.from;
      const v2 = value.path;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      return '{"op":"move","from":' + quote(v1) + ',"path":' + quote(v2) + '}';
    }
    case 'copy': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'from') return undefined; break;
        case 2: if (key !== 'path') return undefined; break;
        default: return undefined;
      }
      const v1 = value.from;
      const v2 = value.path;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      return '{"op":"copy","from":' + quote(v1) + ',"path":' + quote(v2) + '}';
    }
    case 'test': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'op') return undefined; break;
        case 1: if (key !== 'path') return undefined; break;
        case 2: if (key !== 'value') return undefined; break;
        default: return undefined;
      }
      const v1 = value.path;
      const v2 = scalarText(value.value);
      if (at !== 3 || typeof v1 !== 'string' || v2 === undefined) return undefined;
      return '{"op":"test","path":' + quote(v1) + ',"value":' + v2 + '}';
    }
    default: return undefined;
  }
}

/** Takes an event that has just its tag and its required members, all of them strings: the place of its type among all types, and the strings. */
export type TakeStrings = (place: number, one: string, two?: string, three?: string) => undefined;

/**
 * The JSON text of a plain event if it has just the tag and the required members, in order, and these are strings and
 * patches of scalars; undefined otherwise. An event with only strings goes to `take`, if that is given.
 */
export function writeLiteral(value: Loose, take?: TakeStrings): string | undefined {
  let at = 0;
  switch (value.type) {
    case 'TEXT_MESSAGE_START': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(0, v1);
      return '{"type":"TEXT_MESSAGE_START","messageId":' + quote(v1) + '}';
    }
    case 'TEXT_MESSAGE_CONTENT': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        case 2: if (key !== 'delta') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      const v2 = value.delta;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(1, v1, v2);
      return '{"type":"TEXT_MESSAGE_CONTENT","messageId":' + quote(v1) + ',"delta":' + quote(v2) + '}';
    }
    case 'TEXT_MESSAGE_END': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(2, v1);
      return '{"type":"TEXT_MESSAGE_END","messageId":' + quote(v1) + '}';
    }
    case 'TOOL_CALL_START': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'toolCallId') return undefined; break;
        case 2: if (key !== 'toolCallName') return undefined; break;
        default: return undefined;
      }
      const v1 = value.toolCallId;
      const v2 = value.toolCallName;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(4, v1, v2);
      return '{"type":"TOOL_CALL_START","toolCallId":' + quote(v1) + ',"toolCallName":' + quote(v2) + '}';
    }
    case 'TOOL_CALL_ARGS': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'toolCallId') return undefined; break;
        case 2: if (key !== 'delta') return undefined; break;
        default: return undefined;
      }
      const v1 = value.toolCallId;
      const v2 = value.delta;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(5, v1, v2);
      return '{"type":"TOOL_CALL_ARGS","toolCallId":' + quote(v1) + ',"delta":' + quote(v2) + '}';
    }
    case 'TOOL_CALL_END': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'toolCallId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.toolCallId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(6, v1);
      return '{"type":"TOOL_CALL_END","toolCallId":' + quote(v1) + '}';
    }
    case 'TOOL_CALL_RESULT': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        case 2: if (key !== 'toolCallId') return undefined; break;
        case 3: if (key !== 'content') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      const v2 = value.toolCallId;
      const v3 = value.content;
      if (at !== 4 || typeof v1 !== 'string' || typeof v2 !== 'string' || typeof v3 !== 'string') return undefined;
      if (take !== undefined) return take(8, v1, v2, v3);
      return '{"type":"TOOL_CALL_RESULT","messageId":' + quote(v1) + ',"toolCallId":' + quote(v2) + ',"content":' + quote(v3) + '}';
    }
    case 'STATE_DELTA': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'delta') return undefined; break;
        default: return undefined;
      }
      const v1 = listText(value.delta, writeJsonPatchOperation);
      if (at !== 2 || v1 === undefined) return undefined;
      return '{"type":"STATE_DELTA","delta":' + v1 + '}';
    }
    case 'ACTIVITY_DELTA': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        case 2: if (key !== 'activityType') return undefined; break;
        case 3: if (key !== 'patch') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      const v2 = value.activityType;
      const v3 = listText(value.patch, writeJsonPatchOperation);
      if (at !== 4 || typeof v1 !== 'string' || typeof v2 !== 'string' || v3 === undefined) return undefined;
      return '{"type":"ACTIVITY_DELTA","messageId":' + quote(v1) + ',"activityType":' + quote(v2) + ',"patch":' + v3 + '}';
    }
    case 'RUN_STARTED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'threadId') return undefined; break;
        case 2: if (key !== 'runId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.threadId;
      const v2 = value.runId;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(16, v1, v2);
      return '{"type":"RUN_STARTED","threadId":' + quote(v1) + ',"runId":' + quote(v2) + '}';
    }
    case 'RUN_FINISHED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'threadId') return undefined; break;
        case 2: if (key !== 'runId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.threadId;
      const v2 = value.runId;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(17, v1, v2);
      return '{"type":"RUN_FINISHED","threadId":' + quote(v1) + ',"runId":' + quote(v2) + '}';
    }
    case 'RUN_ERROR': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'message') return undefined; break;
        default: return undefined;
      }
      const v1 = value.message;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(18, v1);
      return '{"type":"RUN_ERROR","message":' + quote(v1) + '}';
    }
    case 'STEP_STARTED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'stepName') return undefined; break;
        default: return undefined;
      }
      const v1 = value.stepName;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(19, v1);
      return '{"type":"STEP_STARTED","stepName":' + quote(v1) + '}';
    }
    case 'STEP_FINISHED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'stepName') return undefined; break;
        default: return undefined;
      }
      const v1 = value.stepName;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(20, v1);
      return '{"type":"STEP_FINISHED","stepName":' + quote(v1) + '}';
    }
    case 'REASONING_START': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(21, v1);
      return '{"type":"REASONING_START","messageId":' + quote(v1) + '}';
    }
    case 'REASONING_MESSAGE_START': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        case 2: if (key !== 'role') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      const v2 = value.role;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(22, v1, v2);
      return '{"type":"REASONING_MESSAGE_START","messageId":' + quote(v1) + ',"role":' + quote(v2) + '}';
    }
    case 'REASONING_MESSAGE_CONTENT': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        case 2: if (key !== 'delta') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      const v2 = value.delta;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(23, v1, v2);
      return '{"type":"REASONING_MESSAGE_CONTENT","messageId":' + quote(v1) + ',"delta":' + quote(v2) + '}';
    }
    case 'REASONING_MESSAGE_END': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(24, v1);
      return '{"type":"REASONING_MESSAGE_END","messageId":' + quote(v1) + '}';
    }
    case 'REASONING_END': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'messageId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.messageId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(26, v1);
      return '{"type":"REASONING_END","messageId":' + quote(v1) + '}';
    }
    case 'REASONING_ENCRYPTED_VALUE': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'subtype') return undefined; break;
        case 2: if (key !== 'entityId') return undefined; break;
        case 3: if (key !== 'encryptedValue') return undefined; break;
        default: return undefined;
      }
      const v1 = value.subtype;
      const v2 = value.entityId;
      const v3 = value.encryptedValue;
      if (at !== 4 || typeof v1 !== 'string' || typeof v2 !== 'string' || typeof v3 !== 'string') return undefined;
      if (take !== undefined) return take(27, v1, v2, v3);
      return '{"type":"REASONING_ENCRYPTED_VALUE","subtype":' + quote(v1) + ',"entityId":' + quote(v2) + ',"encryptedValue":' + quote(v3) + '}';
    }
    case 'SUBAGENT_STARTED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'subagentRunId') return undefined; break;
        case 2: if (key !== 'name') return undefined; break;
        default: return undefined;
      }
      const v1 = value.subagentRunId;
      const v2 = value.name;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(28, v1, v2);
      return '{"type":"SUBAGENT_STARTED","subagentRunId":' + quote(v1) + ',"name":' + quote(v2) + '}';
    }
    case 'SUBAGENT_FINISHED': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'subagentRunId') return undefined; break;
        default: return undefined;
      }
      const v1 = value.subagentRunId;
      if (at !== 2 || typeof v1 !== 'string') return undefined;
      if (take !== undefined) return take(29, v1);
      return '{"type":"SUBAGENT_FINISHED","subagentRunId":' + quote(v1) + '}';
    }
    case 'SUBAGENT_ERROR': {
      for (const key in value) switch (at++) {
        case 0: if (key !== 'type') return undefined; break;
        case 1: if (key !== 'subagentRunId') return undefined; break;
        case 2: if (key !== 'message') return undefined; break;
        default: return undefined;
      }
      const v1 = value.subagentRunId;
      const v2 = value.message;
      if (at !== 3 || typeof v1 !== 'string' || typeof v2 !== 'string') return undefined;
      if (take !== undefined) return take(30, v1, v2);
      return '{"type":"SUBAGENT_ERROR","subagentRunId":' + quote(v1) + ',"message":' + quote(v2) + '}';
    }
    default: return undefined;
  }
}

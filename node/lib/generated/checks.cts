// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { INVALID, type Loose, isDict, isObject, isPointer, isUint, list, rest, strings } from '../json/check.cjs';

const AttributableKeys: readonly string[] = ['subagentRunId'];

export function checkAttributable(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  if (
    (v0 !== undefined && typeof v0 !== 'string')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, AttributableKeys);
}

const BaseEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata'];

export function checkBaseEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  if (
    (v0 !== 'TEXT_MESSAGE_START' && v0 !== 'TEXT_MESSAGE_CONTENT' && v0 !== 'TEXT_MESSAGE_END' && v0 !== 'TEXT_MESSAGE_CHUNK' && v0 !== 'TOOL_CALL_START' && v0 !== 'TOOL_CALL_ARGS' && v0 !== 'TOOL_CALL_END' && v0 !== 'TOOL_CALL_CHUNK' && v0 !== 'TOOL_CALL_RESULT' && v0 !== 'STATE_SNAPSHOT' && v0 !== 'STATE_DELTA' && v0 !== 'MESSAGES_SNAPSHOT' && v0 !== 'ACTIVITY_SNAPSHOT' && v0 !== 'ACTIVITY_DELTA' && v0 !== 'RAW' && v0 !== 'CUSTOM' && v0 !== 'RUN_STARTED' && v0 !== 'RUN_FINISHED' && v0 !== 'RUN_ERROR' && v0 !== 'STEP_STARTED' && v0 !== 'STEP_FINISHED' && v0 !== 'REASONING_START' && v0 !== 'REASONING_MESSAGE_START' && v0 !== 'REASONING_MESSAGE_CONTENT' && v0 !== 'REASONING_MESSAGE_END' && v0 !== 'REASONING_MESSAGE_CHUNK' && v0 !== 'REASONING_END' && v0 !== 'REASONING_ENCRYPTED_VALUE' && v0 !== 'SUBAGENT_STARTED' && v0 !== 'SUBAGENT_FINISHED' && v0 !== 'SUBAGENT_ERROR') ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3))
  ) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, BaseEventKeys);
}

const BaseMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'name', 'encryptedValue', 'metadata'];

export function checkBaseMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.name;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    typeof v2 !== 'string' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5))
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = { id: v1, role: v2 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    if (v3 !== undefined) { out.name = v3; left++; }
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, BaseMessageKeys);
}

const TextPartKeys: readonly string[] = ['type', 'id', 'text', 'metadata'];

export function checkTextPart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.id;
  const v2 = value.text;
  const v3 = value.metadata;
  if (
    v0 !== 'text' ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    typeof v2 !== 'string' ||
    v3 === null
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v3 === undefined) {
    out = { type: v0, text: v2 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.id = v1; left++; }
    out.text = v2;
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TextPartKeys);
}

const DataSourceKeys: readonly string[] = ['type', 'value', 'mimeType'];

export function checkDataSource(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.value;
  const v2 = value.mimeType;
  if (
    v0 !== 'data' ||
    typeof v1 !== 'string' ||
    typeof v2 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { type: v0, value: v1, mimeType: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, DataSourceKeys);
}

const UrlSourceKeys: readonly string[] = ['type', 'value', 'mimeType'];

export function checkUrlSource(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.value;
  const v2 = value.mimeType;
  if (
    v0 !== 'url' ||
    typeof v1 !== 'string' ||
    (v2 !== undefined && typeof v2 !== 'string')
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v2 === undefined) {
    out = { type: v0, value: v1 };
  } else {
    out = { type: v0, value: v1 };
    if (v2 !== undefined) { out.mimeType = v2; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, UrlSourceKeys);
}

const FileSourceKeys: readonly string[] = ['type', 'value', 'provider', 'mimeType'];

export function checkFileSource(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.value;
  const v2 = value.provider;
  const v3 = value.mimeType;
  if (
    v0 !== 'file' ||
    typeof v1 !== 'string' ||
    (v2 !== undefined && typeof v2 !== 'string') ||
    (v3 !== undefined && typeof v3 !== 'string')
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v2 === undefined && v3 === undefined) {
    out = { type: v0, value: v1 };
  } else {
    out = { type: v0, value: v1 };
    if (v2 !== undefined) { out.provider = v2; left++; }
    if (v3 !== undefined) { out.mimeType = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, FileSourceKeys);
}

const ImagePartKeys: readonly string[] = ['type', 'id', 'source', 'metadata'];

export function checkImagePart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.id;
  let v2 = value.source;
  const v3 = value.metadata;
  if (
    v0 !== 'image' ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    v3 === null
  ) return INVALID;
  if ((v2 = checkPartSource(v2)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v3 === undefined) {
    out = { type: v0, source: v2 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.id = v1; left++; }
    out.source = v2;
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ImagePartKeys);
}

const AudioPartKeys: readonly string[] = ['type', 'id', 'source', 'metadata'];

export function checkAudioPart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.id;
  let v2 = value.source;
  const v3 = value.metadata;
  if (
    v0 !== 'audio' ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    v3 === null
  ) return INVALID;
  if ((v2 = checkPartSource(v2)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v3 === undefined) {
    out = { type: v0, source: v2 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.id = v1; left++; }
    out.source = v2;
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, AudioPartKeys);
}

const VideoPartKeys: readonly string[] = ['type', 'id', 'source', 'metadata'];

export function checkVideoPart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.id;
  let v2 = value.source;
  const v3 = value.metadata;
  if (
    v0 !== 'video' ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    v3 === null
  ) return INVALID;
  if ((v2 = checkPartSource(v2)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v3 === undefined) {
    out = { type: v0, source: v2 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.id = v1; left++; }
    out.source = v2;
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, VideoPartKeys);
}

const DocumentPartKeys: readonly string[] = ['type', 'id', 'source', 'metadata'];

export function checkDocumentPart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.id;
  let v2 = value.source;
  const v3 = value.metadata;
  if (
    v0 !== 'document' ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    v3 === null
  ) return INVALID;
  if ((v2 = checkPartSource(v2)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v3 === undefined) {
    out = { type: v0, source: v2 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.id = v1; left++; }
    out.source = v2;
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, DocumentPartKeys);
}

const AddOperationKeys: readonly string[] = ['op', 'path', 'value'];

export function checkAddOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.path;
  const v2 = value.value;
  if (
    v0 !== 'add' ||
    !isPointer(v1) ||
    v2 === undefined
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { op: v0, path: v1, value: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, AddOperationKeys);
}

const RemoveOperationKeys: readonly string[] = ['op', 'path'];

export function checkRemoveOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.path;
  if (
    v0 !== 'remove' ||
    !isPointer(v1)
  ) return INVALID;
  let left = 2;
  let out: Loose;
  out = { op: v0, path: v1 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RemoveOperationKeys);
}

const ReplaceOperationKeys: readonly string[] = ['op', 'path', 'value'];

export function checkReplaceOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.path;
  const v2 = value.value;
  if (
    v0 !== 'replace' ||
    !isPointer(v1) ||
    v2 === undefined
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { op: v0, path: v1, value: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReplaceOperationKeys);
}

const MoveOperationKeys: readonly string[] = ['op', 'from', 'path'];

export function checkMoveOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.from;
  const v2 = value.path;
  if (
    v0 !== 'move' ||
    !isPointer(v1) ||
    !isPointer(v2)
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { op: v0, from: v1, path: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MoveOperationKeys);
}

const CopyOperationKeys: readonly string[] = ['op', 'from', 'path'];

export function checkCopyOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.from;
  const v2 = value.path;
  if (
    v0 !== 'copy' ||
    !isPointer(v1) ||
    !isPointer(v2)
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { op: v0, from: v1, path: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, CopyOperationKeys);
}

const TestOperationKeys: readonly string[] = ['op', 'path', 'value'];

export function checkTestOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.op;
  const v1 = value.path;
  const v2 = value.value;
  if (
    v0 !== 'test' ||
    !isPointer(v1) ||
    v2 === undefined
  ) return INVALID;
  let left = 3;
  let out: Loose;
  out = { op: v0, path: v1, value: v2 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TestOperationKeys);
}

const FunctionCallKeys: readonly string[] = ['name', 'arguments'];

export function checkFunctionCall(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.name;
  const v1 = value.arguments;
  if (
    typeof v0 !== 'string' ||
    typeof v1 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  out = { name: v0, arguments: v1 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, FunctionCallKeys);
}

const ToolCallKeys: readonly string[] = ['id', 'type', 'function', 'encryptedValue', 'metadata'];

export function checkToolCall(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.id;
  const v1 = value.type;
  let v2 = value.function;
  const v3 = value.encryptedValue;
  const v4 = value.metadata;
  if (
    typeof v0 !== 'string' ||
    v1 !== 'function' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && !isDict(v4))
  ) return INVALID;
  if ((v2 = checkFunctionCall(v2)) === INVALID) return INVALID;
  let left = 3;
  let out: Loose;
  if (v3 === undefined && v4 === undefined) {
    out = { id: v0, type: v1, function: v2 };
  } else {
    out = { id: v0, type: v1, function: v2 };
    if (v3 !== undefined) { out.encryptedValue = v3; left++; }
    if (v4 !== undefined) { out.metadata = v4; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallKeys);
}

const DeveloperMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'name', 'encryptedValue', 'metadata', 'content'];

export function checkDeveloperMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.name;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  const v6 = value.content;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'developer' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5)) ||
    typeof v6 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = { id: v1, role: v2, content: v6 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    if (v3 !== undefined) { out.name = v3; left++; }
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
    out.content = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, DeveloperMessageKeys);
}

const SystemMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'name', 'encryptedValue', 'metadata', 'content'];

export function checkSystemMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.name;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  const v6 = value.content;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'system' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5)) ||
    typeof v6 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = { id: v1, role: v2, content: v6 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    if (v3 !== undefined) { out.name = v3; left++; }
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
    out.content = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SystemMessageKeys);
}

const AssistantMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'name', 'encryptedValue', 'metadata', 'content', 'toolCalls'];

export function checkAssistantMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.name;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  const v6 = value.content;
  let v7 = value.toolCalls;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'assistant' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5)) ||
    (v6 !== undefined && typeof v6 !== 'string')
  ) return INVALID;
  if (v7 !== undefined) if ((v7 = list(v7, checkToolCall, 0)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined) {
    out = { id: v1, role: v2 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    if (v3 !== undefined) { out.name = v3; left++; }
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
    if (v6 !== undefined) { out.content = v6; left++; }
    if (v7 !== undefined) { out.toolCalls = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, AssistantMessageKeys);
}

const UserMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'name', 'encryptedValue', 'metadata', 'content'];

export function checkUserMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.name;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  let v6 = value.content;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'user' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5))
  ) return INVALID;
  if ((v6 = typeof v6 === 'string' ? v6 : list(v6, checkContentPart, 0)) === INVALID) return INVALID;
  let left = 3;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = { id: v1, role: v2, content: v6 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    if (v3 !== undefined) { out.name = v3; left++; }
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
    out.content = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, UserMessageKeys);
}

const ToolMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'content', 'toolCallId', 'error', 'encryptedValue', 'metadata'];

export function checkToolMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  let v3 = value.content;
  const v4 = value.toolCallId;
  const v5 = value.error;
  const v6 = value.encryptedValue;
  const v7 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'tool' ||
    typeof v4 !== 'string' ||
    (v5 !== undefined && typeof v5 !== 'string') ||
    (v6 !== undefined && typeof v6 !== 'string') ||
    (v7 !== undefined && !isDict(v7))
  ) return INVALID;
  if ((v3 = typeof v3 === 'string' ? v3 : list(v3, checkContentPart, 0)) === INVALID) return INVALID;
  let left = 4;
  let out: Loose;
  if (v0 === undefined && v5 === undefined && v6 === undefined && v7 === undefined) {
    out = { id: v1, role: v2, content: v3, toolCallId: v4 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    out.content = v3;
    out.toolCallId = v4;
    if (v5 !== undefined) { out.error = v5; left++; }
    if (v6 !== undefined) { out.encryptedValue = v6; left++; }
    if (v7 !== undefined) { out.metadata = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolMessageKeys);
}

const ActivityMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'activityType', 'content', 'metadata'];

export function checkActivityMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.activityType;
  const v4 = value.content;
  const v5 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'activity' ||
    typeof v3 !== 'string' ||
    !isDict(v4) ||
    (v5 !== undefined && !isDict(v5))
  ) return INVALID;
  let left = 4;
  let out: Loose;
  if (v0 === undefined && v5 === undefined) {
    out = { id: v1, role: v2, activityType: v3, content: v4 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    out.activityType = v3;
    out.content = v4;
    if (v5 !== undefined) { out.metadata = v5; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ActivityMessageKeys);
}

const ReasoningMessageKeys: readonly string[] = ['subagentRunId', 'id', 'role', 'content', 'encryptedValue', 'metadata'];

export function checkReasoningMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.role;
  const v3 = value.content;
  const v4 = value.encryptedValue;
  const v5 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    v2 !== 'reasoning' ||
    typeof v3 !== 'string' ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5))
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v0 === undefined && v4 === undefined && v5 === undefined) {
    out = { id: v1, role: v2, content: v3 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.role = v2;
    out.content = v3;
    if (v4 !== undefined) { out.encryptedValue = v4; left++; }
    if (v5 !== undefined) { out.metadata = v5; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningMessageKeys);
}

const ToolKeys: readonly string[] = ['name', 'description', 'parameters', 'metadata'];

export function checkTool(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.name;
  const v1 = value.description;
  const v2 = value.parameters;
  const v3 = value.metadata;
  if (
    typeof v0 !== 'string' ||
    typeof v1 !== 'string' ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3))
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v2 === undefined && v3 === undefined) {
    out = { name: v0, description: v1 };
  } else {
    out = { name: v0, description: v1 };
    if (v2 !== undefined) { out.parameters = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolKeys);
}

const ContextKeys: readonly string[] = ['description', 'value'];

export function checkContext(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.description;
  const v1 = value.value;
  if (
    typeof v0 !== 'string' ||
    typeof v1 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  out = { description: v0, value: v1 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ContextKeys);
}

const ResumeEntryKeys: readonly string[] = ['interruptId', 'status', 'payload', 'metadata'];

export function checkResumeEntry(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.interruptId;
  const v1 = value.status;
  const v2 = value.payload;
  const v3 = value.metadata;
  if (
    typeof v0 !== 'string' ||
    (v1 !== 'resolved' && v1 !== 'cancelled') ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3))
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v2 === undefined && v3 === undefined) {
    out = { interruptId: v0, status: v1 };
  } else {
    out = { interruptId: v0, status: v1 };
    if (v2 !== undefined) { out.payload = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ResumeEntryKeys);
}

const RunAgentInputKeys: readonly string[] = ['threadId', 'runId', 'protocolVersion', 'parentRunId', 'state', 'messages', 'tools', 'context', 'forwardedProps', 'resume'];

export function checkRunAgentInput(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.threadId;
  const v1 = value.runId;
  const v2 = value.protocolVersion;
  const v3 = value.parentRunId;
  let v4 = value.state;
  if (v4 === null) v4 = undefined;
  let v5 = value.messages;
  let v6 = value.tools;
  let v7 = value.context;
  const v8 = value.forwardedProps;
  let v9 = value.resume;
  if (
    typeof v0 !== 'string' ||
    typeof v1 !== 'string' ||
    (v2 !== undefined && typeof v2 !== 'string') ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    v4 === null ||
    v8 === null
  ) return INVALID;
  if ((v5 = list(v5, checkMessage, 0)) === INVALID) return INVALID;
  if (v6 !== undefined) if ((v6 = list(v6, checkTool, 0)) === INVALID) return INVALID;
  v6 ??= [];
  if (v7 !== undefined) if ((v7 = list(v7, checkContext, 0)) === INVALID) return INVALID;
  v7 ??= [];
  if (v9 !== undefined) if ((v9 = list(v9, checkResumeEntry, 0)) === INVALID) return INVALID;
  let left = 3;
  let out: Loose;
  if (v2 === undefined && v3 === undefined && v4 === undefined && value.tools === undefined && value.context === undefined && v8 === undefined && v9 === undefined) {
    out = { threadId: v0, runId: v1, messages: v5, tools: v6, context: v7 };
  } else {
    out = { threadId: v0, runId: v1 };
    if (v2 !== undefined) { out.protocolVersion = v2; left++; }
    if (v3 !== undefined) { out.parentRunId = v3; left++; }
    if (v4 !== undefined) { out.state = v4; left++; }
    out.messages = v5;
    out.tools = v6;
    if (value.tools !== undefined) left++;
    out.context = v7;
    if (value.context !== undefined) left++;
    if (v8 !== undefined) { out.forwardedProps = v8; left++; }
    if (v9 !== undefined) { out.resume = v9; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunAgentInputKeys);
}

const InterruptKeys: readonly string[] = ['subagentRunId', 'id', 'reason', 'message', 'toolCallId', 'responseSchema', 'expiresAt', 'metadata'];

export function checkInterrupt(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.subagentRunId;
  const v1 = value.id;
  const v2 = value.reason;
  const v3 = value.message;
  const v4 = value.toolCallId;
  const v5 = value.responseSchema;
  const v6 = value.expiresAt;
  const v7 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    typeof v1 !== 'string' ||
    typeof v2 !== 'string' ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && !isDict(v5)) ||
    (v6 !== undefined && typeof v6 !== 'string') ||
    (v7 !== undefined && !isDict(v7))
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v0 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined) {
    out = { id: v1, reason: v2 };
  } else {
    out = {};
    if (v0 !== undefined) { out.subagentRunId = v0; left++; }
    out.id = v1;
    out.reason = v2;
    if (v3 !== undefined) { out.message = v3; left++; }
    if (v4 !== undefined) { out.toolCallId = v4; left++; }
    if (v5 !== undefined) { out.responseSchema = v5; left++; }
    if (v6 !== undefined) { out.expiresAt = v6; left++; }
    if (v7 !== undefined) { out.metadata = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, InterruptKeys);
}

const RunFinishedSuccessOutcomeKeys: readonly string[] = ['type', 'pendingToolCallIds'];

export function checkRunFinishedSuccessOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  let v1 = value.pendingToolCallIds;
  if (
    v0 !== 'success'
  ) return INVALID;
  if (v1 !== undefined) if ((v1 = strings(v1)) === INVALID) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.pendingToolCallIds = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunFinishedSuccessOutcomeKeys);
}

const RunFinishedInterruptOutcomeKeys: readonly string[] = ['type', 'interrupts'];

export function checkRunFinishedInterruptOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  let v1 = value.interrupts;
  if (
    v0 !== 'interrupt'
  ) return INVALID;
  if ((v1 = list(v1, checkInterrupt, 1)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  out = { type: v0, interrupts: v1 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunFinishedInterruptOutcomeKeys);
}

const RunFinishedCancelledOutcomeKeys: readonly string[] = ['type'];

export function checkRunFinishedCancelledOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  if (
    v0 !== 'cancelled'
  ) return INVALID;
  let left = 1;
  let out: Loose;
  out = { type: v0 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunFinishedCancelledOutcomeKeys);
}

const SubagentFinishedSuccessOutcomeKeys: readonly string[] = ['type'];

export function checkSubagentFinishedSuccessOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  if (
    v0 !== 'success'
  ) return INVALID;
  let left = 1;
  let out: Loose;
  out = { type: v0 };
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentFinishedSuccessOutcomeKeys);
}

const SubagentFinishedSuspendedOutcomeKeys: readonly string[] = ['type', 'interruptIds'];

export function checkSubagentFinishedSuspendedOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  let v1 = value.interruptIds;
  if (
    v0 !== 'suspended'
  ) return INVALID;
  if (v1 !== undefined) if ((v1 = strings(v1)) === INVALID) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.interruptIds = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentFinishedSuspendedOutcomeKeys);
}

const TokenUsageKeys: readonly string[] = ['provider', 'model', 'inputTokens', 'outputTokens', 'totalTokens', 'reasoningTokens', 'cachedInputTokens', 'cacheWriteInputTokens'];

export function checkTokenUsage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.provider;
  const v1 = value.model;
  const v2 = value.inputTokens;
  const v3 = value.outputTokens;
  const v4 = value.totalTokens;
  const v5 = value.reasoningTokens;
  const v6 = value.cachedInputTokens;
  const v7 = value.cacheWriteInputTokens;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    (v2 !== undefined && !isUint(v2)) ||
    (v3 !== undefined && !isUint(v3)) ||
    (v4 !== undefined && !isUint(v4)) ||
    (v5 !== undefined && !isUint(v5)) ||
    (v6 !== undefined && !isUint(v6)) ||
    (v7 !== undefined && !isUint(v7))
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.provider = v0; left++; }
    if (v1 !== undefined) { out.model = v1; left++; }
    if (v2 !== undefined) { out.inputTokens = v2; left++; }
    if (v3 !== undefined) { out.outputTokens = v3; left++; }
    if (v4 !== undefined) { out.totalTokens = v4; left++; }
    if (v5 !== undefined) { out.reasoningTokens = v5; left++; }
    if (v6 !== undefined) { out.cachedInputTokens = v6; left++; }
    if (v7 !== undefined) { out.cacheWriteInputTokens = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TokenUsageKeys);
}

const TextMessageStartEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'role', 'name'];

export function checkTextMessageStartEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.role;
  const v7 = value.name;
  if (
    v0 !== 'TEXT_MESSAGE_START' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    (v6 !== undefined && (v6 !== 'developer' && v6 !== 'system' && v6 !== 'assistant' && v6 !== 'user')) ||
    (v7 !== undefined && typeof v7 !== 'string')
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v6 === undefined && v7 === undefined) {
    out = { type: v0, messageId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    if (v6 !== undefined) { out.role = v6; left++; }
    if (v7 !== undefined) { out.name = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TextMessageStartEventKeys);
}

const TextMessageContentEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'delta'];

export function checkTextMessageContentEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.delta;
  if (
    v0 !== 'TEXT_MESSAGE_CONTENT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5, delta: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.delta = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TextMessageContentEventKeys);
}

const TextMessageEndEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId'];

export function checkTextMessageEndEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  if (
    v0 !== 'TEXT_MESSAGE_END' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TextMessageEndEventKeys);
}

const TextMessageChunkEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'role', 'delta', 'name'];

export function checkTextMessageChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.role;
  const v7 = value.delta;
  const v8 = value.name;
  if (
    v0 !== 'TEXT_MESSAGE_CHUNK' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && typeof v5 !== 'string') ||
    (v6 !== undefined && (v6 !== 'developer' && v6 !== 'system' && v6 !== 'assistant' && v6 !== 'user')) ||
    (v7 !== undefined && typeof v7 !== 'string') ||
    (v8 !== undefined && typeof v8 !== 'string')
  ) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined && v8 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    if (v5 !== undefined) { out.messageId = v5; left++; }
    if (v6 !== undefined) { out.role = v6; left++; }
    if (v7 !== undefined) { out.delta = v7; left++; }
    if (v8 !== undefined) { out.name = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TextMessageChunkEventKeys);
}

const ToolCallStartEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId'];

export function checkToolCallStartEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.toolCallId;
  const v6 = value.toolCallName;
  const v7 = value.parentMessageId;
  if (
    v0 !== 'TOOL_CALL_START' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string' ||
    (v7 !== undefined && typeof v7 !== 'string')
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v7 === undefined) {
    out = { type: v0, toolCallId: v5, toolCallName: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.toolCallId = v5;
    out.toolCallName = v6;
    if (v7 !== undefined) { out.parentMessageId = v7; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallStartEventKeys);
}

const ToolCallArgsEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'toolCallId', 'delta'];

export function checkToolCallArgsEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.toolCallId;
  const v6 = value.delta;
  if (
    v0 !== 'TOOL_CALL_ARGS' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, toolCallId: v5, delta: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.toolCallId = v5;
    out.delta = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallArgsEventKeys);
}

const ToolCallEndEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'toolCallId'];

export function checkToolCallEndEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.toolCallId;
  if (
    v0 !== 'TOOL_CALL_END' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, toolCallId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.toolCallId = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallEndEventKeys);
}

const ToolCallChunkEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId', 'delta'];

export function checkToolCallChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.toolCallId;
  const v6 = value.toolCallName;
  const v7 = value.parentMessageId;
  const v8 = value.delta;
  if (
    v0 !== 'TOOL_CALL_CHUNK' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && typeof v5 !== 'string') ||
    (v6 !== undefined && typeof v6 !== 'string') ||
    (v7 !== undefined && typeof v7 !== 'string') ||
    (v8 !== undefined && typeof v8 !== 'string')
  ) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined && v8 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    if (v5 !== undefined) { out.toolCallId = v5; left++; }
    if (v6 !== undefined) { out.toolCallName = v6; left++; }
    if (v7 !== undefined) { out.parentMessageId = v7; left++; }
    if (v8 !== undefined) { out.delta = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallChunkEventKeys);
}

const ToolCallResultEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'toolCallId', 'content', 'role'];

export function checkToolCallResultEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.toolCallId;
  let v7 = value.content;
  const v8 = value.role;
  if (
    v0 !== 'TOOL_CALL_RESULT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string' ||
    (v8 !== undefined && v8 !== 'tool')
  ) return INVALID;
  if ((v7 = typeof v7 === 'string' ? v7 : list(v7, checkContentPart, 0)) === INVALID) return INVALID;
  let left = 4;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v8 === undefined) {
    out = { type: v0, messageId: v5, toolCallId: v6, content: v7 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.toolCallId = v6;
    out.content = v7;
    if (v8 !== undefined) { out.role = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolCallResultEventKeys);
}

const StateSnapshotEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'snapshot'];

export function checkStateSnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.snapshot;
  if (
    v0 !== 'STATE_SNAPSHOT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    v5 === undefined
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, snapshot: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.snapshot = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, StateSnapshotEventKeys);
}

const StateDeltaEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'delta'];

export function checkStateDeltaEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  let v5 = value.delta;
  if (
    v0 !== 'STATE_DELTA' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string')
  ) return INVALID;
  if ((v5 = list(v5, checkJsonPatchOperation, 0)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, delta: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.delta = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, StateDeltaEventKeys);
}

const MessagesSnapshotEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'messages'];

export function checkMessagesSnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  let v4 = value.messages;
  if (
    v0 !== 'MESSAGES_SNAPSHOT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3))
  ) return INVALID;
  if ((v4 = list(v4, checkMessage, 0)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined) {
    out = { type: v0, messages: v4 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.messages = v4;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MessagesSnapshotEventKeys);
}

const ActivitySnapshotEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'activityType', 'content', 'replace'];

export function checkActivitySnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.activityType;
  const v7 = value.content;
  const v8 = value.replace;
  if (
    v0 !== 'ACTIVITY_SNAPSHOT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string' ||
    !isDict(v7) ||
    (v8 !== undefined && typeof v8 !== 'boolean')
  ) return INVALID;
  let left = 4;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v8 === undefined) {
    out = { type: v0, messageId: v5, activityType: v6, content: v7 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.activityType = v6;
    out.content = v7;
    if (v8 !== undefined) { out.replace = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ActivitySnapshotEventKeys);
}

const ActivityDeltaEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'activityType', 'patch'];

export function checkActivityDeltaEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.activityType;
  let v7 = value.patch;
  if (
    v0 !== 'ACTIVITY_DELTA' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string'
  ) return INVALID;
  if ((v7 = list(v7, checkJsonPatchOperation, 0)) === INVALID) return INVALID;
  let left = 4;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5, activityType: v6, patch: v7 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.activityType = v6;
    out.patch = v7;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ActivityDeltaEventKeys);
}

const RawEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'event', 'source'];

export function checkRawEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.event;
  const v6 = value.source;
  if (
    v0 !== 'RAW' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    v5 === undefined ||
    (v6 !== undefined && typeof v6 !== 'string')
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v6 === undefined) {
    out = { type: v0, event: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.event = v5;
    if (v6 !== undefined) { out.source = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RawEventKeys);
}

const CustomEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'name', 'value'];

export function checkCustomEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.name;
  const v6 = value.value;
  if (
    v0 !== 'CUSTOM' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    v6 === undefined
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, name: v5, value: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.name = v5;
    out.value = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, CustomEventKeys);
}

const RunStartedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'threadId', 'runId', 'protocolVersion', 'parentRunId', 'input'];

export function checkRunStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.threadId;
  const v5 = value.runId;
  const v6 = value.protocolVersion;
  const v7 = value.parentRunId;
  let v8 = value.input;
  if (
    v0 !== 'RUN_STARTED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    typeof v5 !== 'string' ||
    (v6 !== undefined && typeof v6 !== 'string') ||
    (v7 !== undefined && typeof v7 !== 'string')
  ) return INVALID;
  if (v8 !== undefined) if ((v8 = checkRunAgentInput(v8)) === INVALID) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v6 === undefined && v7 === undefined && v8 === undefined) {
    out = { type: v0, threadId: v4, runId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.threadId = v4;
    out.runId = v5;
    if (v6 !== undefined) { out.protocolVersion = v6; left++; }
    if (v7 !== undefined) { out.parentRunId = v7; left++; }
    if (v8 !== undefined) { out.input = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunStartedEventKeys);
}

const RunFinishedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'threadId', 'runId', 'result', 'outcome', 'usage'];

export function checkRunFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.threadId;
  const v5 = value.runId;
  const v6 = value.result;
  let v7 = value.outcome;
  let v8 = value.usage;
  if (
    v0 !== 'RUN_FINISHED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    typeof v5 !== 'string' ||
    v6 === null
  ) return INVALID;
  if (v7 !== undefined) if ((v7 = checkRunFinishedOutcome(v7)) === INVALID) return INVALID;
  if (v8 !== undefined) if ((v8 = list(v8, checkTokenUsage, 0)) === INVALID) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v6 === undefined && v7 === undefined && v8 === undefined) {
    out = { type: v0, threadId: v4, runId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.threadId = v4;
    out.runId = v5;
    if (v6 !== undefined) { out.result = v6; left++; }
    if (v7 !== undefined) { out.outcome = v7; left++; }
    if (v8 !== undefined) { out.usage = v8; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunFinishedEventKeys);
}

const RunErrorEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'message', 'code', 'usage'];

export function checkRunErrorEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.message;
  const v5 = value.code;
  let v6 = value.usage;
  if (
    v0 !== 'RUN_ERROR' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    (v5 !== undefined && typeof v5 !== 'string')
  ) return INVALID;
  if (v6 !== undefined) if ((v6 = list(v6, checkTokenUsage, 0)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v5 === undefined && v6 === undefined) {
    out = { type: v0, message: v4 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.message = v4;
    if (v5 !== undefined) { out.code = v5; left++; }
    if (v6 !== undefined) { out.usage = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, RunErrorEventKeys);
}

const StepStartedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'stepName'];

export function checkStepStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.stepName;
  if (
    v0 !== 'STEP_STARTED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, stepName: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.stepName = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, StepStartedEventKeys);
}

const StepFinishedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'stepName'];

export function checkStepFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.stepName;
  if (
    v0 !== 'STEP_FINISHED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, stepName: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.stepName = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, StepFinishedEventKeys);
}

const ReasoningStartEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId'];

export function checkReasoningStartEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  if (
    v0 !== 'REASONING_START' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningStartEventKeys);
}

const ReasoningMessageStartEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'role'];

export function checkReasoningMessageStartEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.role;
  if (
    v0 !== 'REASONING_MESSAGE_START' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    v6 !== 'reasoning'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5, role: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.role = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningMessageStartEventKeys);
}

const ReasoningMessageContentEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'delta'];

export function checkReasoningMessageContentEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.delta;
  if (
    v0 !== 'REASONING_MESSAGE_CONTENT' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string' ||
    typeof v6 !== 'string'
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5, delta: v6 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
    out.delta = v6;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningMessageContentEventKeys);
}

const ReasoningMessageEndEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId'];

export function checkReasoningMessageEndEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  if (
    v0 !== 'REASONING_MESSAGE_END' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningMessageEndEventKeys);
}

const ReasoningMessageChunkEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'delta'];

export function checkReasoningMessageChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  const v6 = value.delta;
  if (
    v0 !== 'REASONING_MESSAGE_CHUNK' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && typeof v5 !== 'string') ||
    (v6 !== undefined && typeof v6 !== 'string')
  ) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined) {
    out = { type: v0 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    if (v5 !== undefined) { out.messageId = v5; left++; }
    if (v6 !== undefined) { out.delta = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningMessageChunkEventKeys);
}

const ReasoningEndEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId'];

export function checkReasoningEndEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.messageId;
  if (
    v0 !== 'REASONING_END' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    typeof v5 !== 'string'
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, messageId: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.messageId = v5;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningEndEventKeys);
}

const ReasoningEncryptedValueEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'subtype', 'entityId', 'encryptedValue'];

export function checkReasoningEncryptedValueEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.subtype;
  const v6 = value.entityId;
  const v7 = value.encryptedValue;
  if (
    v0 !== 'REASONING_ENCRYPTED_VALUE' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== 'tool-call' && v5 !== 'message') ||
    typeof v6 !== 'string' ||
    typeof v7 !== 'string'
  ) return INVALID;
  let left = 4;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = { type: v0, subtype: v5, entityId: v6, encryptedValue: v7 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    if (v4 !== undefined) { out.subagentRunId = v4; left++; }
    out.subtype = v5;
    out.entityId = v6;
    out.encryptedValue = v7;
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningEncryptedValueEventKeys);
}

const SubagentStartedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'name', 'description', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'];

export function checkSubagentStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.name;
  const v6 = value.description;
  const v7 = value.parentSubagentRunId;
  const v8 = value.parentToolCallId;
  const v9 = value.parentMessageId;
  if (
    v0 !== 'SUBAGENT_STARTED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    typeof v5 !== 'string' ||
    (v6 !== undefined && typeof v6 !== 'string') ||
    (v7 !== undefined && typeof v7 !== 'string') ||
    (v8 !== undefined && typeof v8 !== 'string') ||
    (v9 !== undefined && typeof v9 !== 'string')
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v6 === undefined && v7 === undefined && v8 === undefined && v9 === undefined) {
    out = { type: v0, subagentRunId: v4, name: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.subagentRunId = v4;
    out.name = v5;
    if (v6 !== undefined) { out.description = v6; left++; }
    if (v7 !== undefined) { out.parentSubagentRunId = v7; left++; }
    if (v8 !== undefined) { out.parentToolCallId = v8; left++; }
    if (v9 !== undefined) { out.parentMessageId = v9; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentStartedEventKeys);
}

const SubagentFinishedEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'result', 'outcome'];

export function checkSubagentFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.result;
  let v6 = value.outcome;
  if (
    v0 !== 'SUBAGENT_FINISHED' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    v5 === null
  ) return INVALID;
  if (v6 !== undefined) if ((v6 = checkSubagentFinishedOutcome(v6)) === INVALID) return INVALID;
  let left = 2;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v5 === undefined && v6 === undefined) {
    out = { type: v0, subagentRunId: v4 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.subagentRunId = v4;
    if (v5 !== undefined) { out.result = v5; left++; }
    if (v6 !== undefined) { out.outcome = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentFinishedEventKeys);
}

const SubagentErrorEventKeys: readonly string[] = ['type', 'timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'message', 'code'];

export function checkSubagentErrorEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.timestamp;
  const v2 = value.rawEvent;
  const v3 = value.metadata;
  const v4 = value.subagentRunId;
  const v5 = value.message;
  const v6 = value.code;
  if (
    v0 !== 'SUBAGENT_ERROR' ||
    (v1 !== undefined && !Number.isSafeInteger(v1)) ||
    v2 === null ||
    (v3 !== undefined && !isDict(v3)) ||
    typeof v4 !== 'string' ||
    typeof v5 !== 'string' ||
    (v6 !== undefined && typeof v6 !== 'string')
  ) return INVALID;
  let left = 3;
  let out: Loose;
  if (v1 === undefined && v2 === undefined && v3 === undefined && v6 === undefined) {
    out = { type: v0, subagentRunId: v4, message: v5 };
  } else {
    out = { type: v0 };
    if (v1 !== undefined) { out.timestamp = v1; left++; }
    if (v2 !== undefined) { out.rawEvent = v2; left++; }
    if (v3 !== undefined) { out.metadata = v3; left++; }
    out.subagentRunId = v4;
    out.message = v5;
    if (v6 !== undefined) { out.code = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentErrorEventKeys);
}

const SubagentInfoKeys: readonly string[] = ['name', 'description'];

export function checkSubagentInfo(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.name;
  const v1 = value.description;
  if (
    typeof v0 !== 'string' ||
    (v1 !== undefined && typeof v1 !== 'string')
  ) return INVALID;
  let left = 1;
  let out: Loose;
  if (v1 === undefined) {
    out = { name: v0 };
  } else {
    out = { name: v0 };
    if (v1 !== undefined) { out.description = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, SubagentInfoKeys);
}

const IdentityCapabilitiesKeys: readonly string[] = ['name', 'type', 'description', 'version', 'provider', 'documentationUrl', 'metadata'];

export function checkIdentityCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.name;
  const v1 = value.type;
  const v2 = value.description;
  const v3 = value.version;
  const v4 = value.provider;
  const v5 = value.documentationUrl;
  const v6 = value.metadata;
  if (
    (v0 !== undefined && typeof v0 !== 'string') ||
    (v1 !== undefined && typeof v1 !== 'string') ||
    (v2 !== undefined && typeof v2 !== 'string') ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && typeof v5 !== 'string') ||
    (v6 !== undefined && !isDict(v6))
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.name = v0; left++; }
    if (v1 !== undefined) { out.type = v1; left++; }
    if (v2 !== undefined) { out.description = v2; left++; }
    if (v3 !== undefined) { out.version = v3; left++; }
    if (v4 !== undefined) { out.provider = v4; left++; }
    if (v5 !== undefined) { out.documentationUrl = v5; left++; }
    if (v6 !== undefined) { out.metadata = v6; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, IdentityCapabilitiesKeys);
}

const TransportCapabilitiesKeys: readonly string[] = ['streaming', 'websocket', 'httpBinary', 'pushNotifications', 'resumable'];

export function checkTransportCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.streaming;
  const v1 = value.websocket;
  const v2 = value.httpBinary;
  const v3 = value.pushNotifications;
  const v4 = value.resumable;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean') ||
    (v3 !== undefined && typeof v3 !== 'boolean') ||
    (v4 !== undefined && typeof v4 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.streaming = v0; left++; }
    if (v1 !== undefined) { out.websocket = v1; left++; }
    if (v2 !== undefined) { out.httpBinary = v2; left++; }
    if (v3 !== undefined) { out.pushNotifications = v3; left++; }
    if (v4 !== undefined) { out.resumable = v4; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, TransportCapabilitiesKeys);
}

const ToolsCapabilitiesKeys: readonly string[] = ['supported', 'items', 'parallelCalls', 'clientProvided'];

export function checkToolsCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.supported;
  let v1 = value.items;
  const v2 = value.parallelCalls;
  const v3 = value.clientProvided;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean') ||
    (v3 !== undefined && typeof v3 !== 'boolean')
  ) return INVALID;
  if (v1 !== undefined) if ((v1 = list(v1, checkTool, 0)) === INVALID) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.supported = v0; left++; }
    if (v1 !== undefined) { out.items = v1; left++; }
    if (v2 !== undefined) { out.parallelCalls = v2; left++; }
    if (v3 !== undefined) { out.clientProvided = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ToolsCapabilitiesKeys);
}

const OutputCapabilitiesKeys: readonly string[] = ['structuredOutput', 'supportedMimeTypes'];

export function checkOutputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.structuredOutput;
  let v1 = value.supportedMimeTypes;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean')
  ) return INVALID;
  if (v1 !== undefined) if ((v1 = strings(v1)) === INVALID) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.structuredOutput = v0; left++; }
    if (v1 !== undefined) { out.supportedMimeTypes = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, OutputCapabilitiesKeys);
}

const StateCapabilitiesKeys: readonly string[] = ['snapshots', 'deltas', 'memory', 'persistentState'];

export function checkStateCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.snapshots;
  const v1 = value.deltas;
  const v2 = value.memory;
  const v3 = value.persistentState;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean') ||
    (v3 !== undefined && typeof v3 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.snapshots = v0; left++; }
    if (v1 !== undefined) { out.deltas = v1; left++; }
    if (v2 !== undefined) { out.memory = v2; left++; }
    if (v3 !== undefined) { out.persistentState = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, StateCapabilitiesKeys);
}

const MultiAgentCapabilitiesKeys: readonly string[] = ['supported', 'delegation', 'handoffs', 'subagents'];

export function checkMultiAgentCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.supported;
  const v1 = value.delegation;
  const v2 = value.handoffs;
  let v3 = value.subagents;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean')
  ) return INVALID;
  if (v3 !== undefined) if ((v3 = list(v3, checkSubagentInfo, 0)) === INVALID) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.supported = v0; left++; }
    if (v1 !== undefined) { out.delegation = v1; left++; }
    if (v2 !== undefined) { out.handoffs = v2; left++; }
    if (v3 !== undefined) { out.subagents = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MultiAgentCapabilitiesKeys);
}

const ReasoningCapabilitiesKeys: readonly string[] = ['supported', 'streaming', 'encrypted'];

export function checkReasoningCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.supported;
  const v1 = value.streaming;
  const v2 = value.encrypted;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.supported = v0; left++; }
    if (v1 !== undefined) { out.streaming = v1; left++; }
    if (v2 !== undefined) { out.encrypted = v2; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ReasoningCapabilitiesKeys);
}

const MultimodalInputCapabilitiesKeys: readonly string[] = ['image', 'audio', 'video', 'pdf', 'file'];

export function checkMultimodalInputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.image;
  const v1 = value.audio;
  const v2 = value.video;
  const v3 = value.pdf;
  const v4 = value.file;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean') ||
    (v3 !== undefined && typeof v3 !== 'boolean') ||
    (v4 !== undefined && typeof v4 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.image = v0; left++; }
    if (v1 !== undefined) { out.audio = v1; left++; }
    if (v2 !== undefined) { out.video = v2; left++; }
    if (v3 !== undefined) { out.pdf = v3; left++; }
    if (v4 !== undefined) { out.file = v4; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MultimodalInputCapabilitiesKeys);
}

const MultimodalOutputCapabilitiesKeys: readonly string[] = ['image', 'audio'];

export function checkMultimodalOutputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.image;
  const v1 = value.audio;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.image = v0; left++; }
    if (v1 !== undefined) { out.audio = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MultimodalOutputCapabilitiesKeys);
}

const MultimodalCapabilitiesKeys: readonly string[] = ['input', 'output'];

export function checkMultimodalCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  let v0 = value.input;
  let v1 = value.output;
  if (v0 !== undefined) if ((v0 = checkMultimodalInputCapabilities(v0)) === INVALID) return INVALID;
  if (v1 !== undefined) if ((v1 = checkMultimodalOutputCapabilities(v1)) === INVALID) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.input = v0; left++; }
    if (v1 !== undefined) { out.output = v1; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, MultimodalCapabilitiesKeys);
}

const ExecutionCapabilitiesKeys: readonly string[] = ['codeExecution', 'sandboxed', 'maxIterations', 'maxExecutionTime'];

export function checkExecutionCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.codeExecution;
  const v1 = value.sandboxed;
  const v2 = value.maxIterations;
  const v3 = value.maxExecutionTime;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && !isUint(v2)) ||
    (v3 !== undefined && !isUint(v3))
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.codeExecution = v0; left++; }
    if (v1 !== undefined) { out.sandboxed = v1; left++; }
    if (v2 !== undefined) { out.maxIterations = v2; left++; }
    if (v3 !== undefined) { out.maxExecutionTime = v3; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, ExecutionCapabilitiesKeys);
}

const HumanInTheLoopCapabilitiesKeys: readonly string[] = ['supported', 'approvals', 'interventions', 'feedback', 'interrupts', 'approveWithEdits'];

export function checkHumanInTheLoopCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.supported;
  const v1 = value.approvals;
  const v2 = value.interventions;
  const v3 = value.feedback;
  const v4 = value.interrupts;
  const v5 = value.approveWithEdits;
  if (
    (v0 !== undefined && typeof v0 !== 'boolean') ||
    (v1 !== undefined && typeof v1 !== 'boolean') ||
    (v2 !== undefined && typeof v2 !== 'boolean') ||
    (v3 !== undefined && typeof v3 !== 'boolean') ||
    (v4 !== undefined && typeof v4 !== 'boolean') ||
    (v5 !== undefined && typeof v5 !== 'boolean')
  ) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.supported = v0; left++; }
    if (v1 !== undefined) { out.approvals = v1; left++; }
    if (v2 !== undefined) { out.interventions = v2; left++; }
    if (v3 !== undefined) { out.feedback = v3; left++; }
    if (v4 !== undefined) { out.interrupts = v4; left++; }
    if (v5 !== undefined) { out.approveWithEdits = v5; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, HumanInTheLoopCapabilitiesKeys);
}

const AgentCapabilitiesKeys: readonly string[] = ['identity', 'transport', 'tools', 'output', 'state', 'multiAgent', 'reasoning', 'multimodal', 'execution', 'humanInTheLoop', 'custom'];

export function checkAgentCapabilities(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  let v0 = value.identity;
  let v1 = value.transport;
  let v2 = value.tools;
  let v3 = value.output;
  let v4 = value.state;
  let v5 = value.multiAgent;
  let v6 = value.reasoning;
  let v7 = value.multimodal;
  let v8 = value.execution;
  let v9 = value.humanInTheLoop;
  const v10 = value.custom;
  if (
    (v10 !== undefined && !isDict(v10))
  ) return INVALID;
  if (v0 !== undefined) if ((v0 = checkIdentityCapabilities(v0)) === INVALID) return INVALID;
  if (v1 !== undefined) if ((v1 = checkTransportCapabilities(v1)) === INVALID) return INVALID;
  if (v2 !== undefined) if ((v2 = checkToolsCapabilities(v2)) === INVALID) return INVALID;
  if (v3 !== undefined) if ((v3 = checkOutputCapabilities(v3)) === INVALID) return INVALID;
  if (v4 !== undefined) if ((v4 = checkStateCapabilities(v4)) === INVALID) return INVALID;
  if (v5 !== undefined) if ((v5 = checkMultiAgentCapabilities(v5)) === INVALID) return INVALID;
  if (v6 !== undefined) if ((v6 = checkReasoningCapabilities(v6)) === INVALID) return INVALID;
  if (v7 !== undefined) if ((v7 = checkMultimodalCapabilities(v7)) === INVALID) return INVALID;
  if (v8 !== undefined) if ((v8 = checkExecutionCapabilities(v8)) === INVALID) return INVALID;
  if (v9 !== undefined) if ((v9 = checkHumanInTheLoopCapabilities(v9)) === INVALID) return INVALID;
  let left = 0;
  let out: Loose;
  if (v0 === undefined && v1 === undefined && v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined && v6 === undefined && v7 === undefined && v8 === undefined && v9 === undefined && v10 === undefined) {
    out = {};
  } else {
    out = {};
    if (v0 !== undefined) { out.identity = v0; left++; }
    if (v1 !== undefined) { out.transport = v1; left++; }
    if (v2 !== undefined) { out.tools = v2; left++; }
    if (v3 !== undefined) { out.output = v3; left++; }
    if (v4 !== undefined) { out.state = v4; left++; }
    if (v5 !== undefined) { out.multiAgent = v5; left++; }
    if (v6 !== undefined) { out.reasoning = v6; left++; }
    if (v7 !== undefined) { out.multimodal = v7; left++; }
    if (v8 !== undefined) { out.execution = v8; left++; }
    if (v9 !== undefined) { out.humanInTheLoop = v9; left++; }
    if (v10 !== undefined) { out.custom = v10; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, AgentCapabilitiesKeys);
}

const BinaryInputContentKeys: readonly string[] = ['type', 'mimeType', 'id', 'url', 'data', 'filename'];

export function checkBinaryInputContent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  const v0 = value.type;
  const v1 = value.mimeType;
  const v2 = value.id;
  const v3 = value.url;
  const v4 = value.data;
  const v5 = value.filename;
  if (
    v0 !== 'binary' ||
    typeof v1 !== 'string' ||
    (v2 !== undefined && typeof v2 !== 'string') ||
    (v3 !== undefined && typeof v3 !== 'string') ||
    (v4 !== undefined && typeof v4 !== 'string') ||
    (v5 !== undefined && typeof v5 !== 'string')
  ) return INVALID;
  let left = 2;
  let out: Loose;
  if (v2 === undefined && v3 === undefined && v4 === undefined && v5 === undefined) {
    out = { type: v0, mimeType: v1 };
  } else {
    out = { type: v0, mimeType: v1 };
    if (v2 !== undefined) { out.id = v2; left++; }
    if (v3 !== undefined) { out.url = v3; left++; }
    if (v4 !== undefined) { out.data = v4; left++; }
    if (v5 !== undefined) { out.filename = v5; left++; }
  }
  for (const _ in value) left--;
  return left === 0 ? out : rest(value, out, BinaryInputContentKeys);
}

export function checkPartSource(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.type) {
    case 'data': return checkDataSource(value);
    case 'url': return checkUrlSource(value);
    case 'file': return checkFileSource(value);
    default: return INVALID;
  }
}

export function checkContentPart(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.type) {
    case 'text': return checkTextPart(value);
    case 'image': return checkImagePart(value);
    case 'audio': return checkAudioPart(value);
    case 'video': return checkVideoPart(value);
    case 'document': return checkDocumentPart(value);
    default: return INVALID;
  }
}

export function checkJsonPatchOperation(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.op) {
    case 'add': return checkAddOperation(value);
    case 'remove': return checkRemoveOperation(value);
    case 'replace': return checkReplaceOperation(value);
    case 'move': return checkMoveOperation(value);
    case 'copy': return checkCopyOperation(value);
    case 'test': return checkTestOperation(value);
    default: return INVALID;
  }
}

export function checkMessage(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.role) {
    case 'developer': return checkDeveloperMessage(value);
    case 'system': return checkSystemMessage(value);
    case 'assistant': return checkAssistantMessage(value);
    case 'user': return checkUserMessage(value);
    case 'tool': return checkToolMessage(value);
    case 'activity': return checkActivityMessage(value);
    case 'reasoning': return checkReasoningMessage(value);
    default: return INVALID;
  }
}

export function checkRunFinishedOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.type) {
    case 'success': return checkRunFinishedSuccessOutcome(value);
    case 'interrupt': return checkRunFinishedInterruptOutcome(value);
    case 'cancelled': return checkRunFinishedCancelledOutcome(value);
    default: return INVALID;
  }
}

export function checkSubagentFinishedOutcome(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.type) {
    case 'success': return checkSubagentFinishedSuccessOutcome(value);
    case 'suspended': return checkSubagentFinishedSuspendedOutcome(value);
    default: return INVALID;
  }
}

export function checkEvent(value: unknown): unknown {
  if (!isObject(value)) return INVALID;
  switch (value.type) {
    case 'TEXT_MESSAGE_START': return checkTextMessageStartEvent(value);
    case 'TEXT_MESSAGE_CONTENT': return checkTextMessageContentEvent(value);
    case 'TEXT_MESSAGE_END': return checkTextMessageEndEvent(value);
    case 'TEXT_MESSAGE_CHUNK': return checkTextMessageChunkEvent(value);
    case 'TOOL_CALL_START': return checkToolCallStartEvent(value);
    case 'TOOL_CALL_ARGS': return checkToolCallArgsEvent(value);
    case 'TOOL_CALL_END': return checkToolCallEndEvent(value);
    case 'TOOL_CALL_CHUNK': return checkToolCallChunkEvent(value);
    case 'TOOL_CALL_RESULT': return checkToolCallResultEvent(value);
    case 'STATE_SNAPSHOT': return checkStateSnapshotEvent(value);
    case 'STATE_DELTA': return checkStateDeltaEvent(value);
    case 'MESSAGES_SNAPSHOT': return checkMessagesSnapshotEvent(value);
    case 'ACTIVITY_SNAPSHOT': return checkActivitySnapshotEvent(value);
    case 'ACTIVITY_DELTA': return checkActivityDeltaEvent(value);
    case 'RAW': return checkRawEvent(value);
    case 'CUSTOM': return checkCustomEvent(value);
    case 'RUN_STARTED': return checkRunStartedEvent(value);
    case 'RUN_FINISHED': return checkRunFinishedEvent(value);
    case 'RUN_ERROR': return checkRunErrorEvent(value);
    case 'STEP_STARTED': return checkStepStartedEvent(value);
    case 'STEP_FINISHED': return checkStepFinishedEvent(value);
    case 'REASONING_START': return checkReasoningStartEvent(value);
    case 'REASONING_MESSAGE_START': return checkReasoningMessageStartEvent(value);
    case 'REASONING_MESSAGE_CONTENT': return checkReasoningMessageContentEvent(value);
    case 'REASONING_MESSAGE_END': return checkReasoningMessageEndEvent(value);
    case 'REASONING_MESSAGE_CHUNK': return checkReasoningMessageChunkEvent(value);
    case 'REASONING_END': return checkReasoningEndEvent(value);
    case 'REASONING_ENCRYPTED_VALUE': return checkReasoningEncryptedValueEvent(value);
    case 'SUBAGENT_STARTED': return checkSubagentStartedEvent(value);
    case 'SUBAGENT_FINISHED': return checkSubagentFinishedEvent(value);
    case 'SUBAGENT_ERROR': return checkSubagentErrorEvent(value);
    default: return INVALID;
  }
}


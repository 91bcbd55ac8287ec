// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { isObject, own } from '../json/check.cjs';
import { omitEach, without } from '../json/text.cjs';

export function omitAttributable(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitBaseEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitBaseMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitTextPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitUrlSource(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.mimeType === null) out = without(value, out, 'mimeType');
  return out;
}

export function omitFileSource(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.provider === null) out = without(value, out, 'provider');
  if (value.mimeType === null) out = without(value, out, 'mimeType');
  return out;
}

export function omitImagePart(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.source;
    const next = it === undefined ? it : omitPartSource(it);
    if (next !== it && own(value, 'source')) {
      if (out === value) out = { ...value };
      out.source = next;
    }
  }
  return out;
}

export function omitAudioPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.source;
    const next = it === undefined ? it : omitPartSource(it);
    if (next !== it && own(value, 'source')) {
      if (out === value) out = { ...value };
      out.source = next;
    }
  }
  return out;
}

export function omitVideoPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.source;
    const next = it === undefined ? it : omitPartSource(it);
    if (next !== it && own(value, 'source')) {
      if (out === value) out = { ...value };
      out.source = next;
    }
  }
  return out;
}

export function omitDocumentPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.source;
    const next = it === undefined ? it : omitPartSource(it);
    if (next !== it && own(value, 'source')) {
      if (out === value) out = { ...value };
      out.source = next;
    }
  }
  return out;
}

export function omitToolCall(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitDeveloperMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitSystemMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitAssistantMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.content === null) out = without(value, out, 'content');
  if (value.toolCalls === null) out = without(value, out, 'toolCalls');
  {
    const it = value.toolCalls;
    const next = it === undefined ? it : omitEach(it, omitToolCall);
    if (next !== it && own(value, 'toolCalls')) {
      if (out === value) out = { ...value };
      out.toolCalls = next;
    }
  }
  return out;
}

export function omitUserMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.content;
    const next = it === undefined ? it : omitEach(it, omitContentPart);
    if (next !== it && own(value, 'content')) {
      if (out === value) out = { ...value };
      out.content = next;
    }
  }
  return out;
}

export function omitToolMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.error === null) out = without(value, out, 'error');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.content;
    const next = it === undefined ? it : omitEach(it, omitContentPart);
    if (next !== it && own(value, 'content')) {
      if (out === value) out = { ...value };
      out.content = next;
    }
  }
  return out;
}

export function omitActivityMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitReasoningMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitTool(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.parameters === null) out = without(value, out, 'parameters');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitResumeEntry(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.payload === null) out = without(value, out, 'payload');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitRunAgentInput(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.protocolVersion === null) out = without(value, out, 'protocolVersion');
  if (value.parentRunId === null) out = without(value, out, 'parentRunId');
  if (value.state === null) out = without(value, out, 'state');
  if (value.tools === null) out = without(value, out, 'tools');
  if (value.context === null) out = without(value, out, 'context');
  if (value.forwardedProps === null) out = without(value, out, 'forwardedProps');
  if (value.resume === null) out = without(value, out, 'resume');
  {
    const it = value.messages;
    const next = it === undefined ? it : omitEach(it, omitMessage);
    if (next !== it && own(value, 'messages')) {
      if (out === value) out = { ...value };
      out.messages = next;
    }
  }
  {
    const it = value.tools;
    const next = it === undefined ? it : omitEach(it, omitTool);
    if (next !== it && own(value, 'tools')) {
      if (out === value) out = { ...value };
      out.tools = next;
    }
  }
  {
    const it = value.resume;
    const next = it === undefined ? it : omitEach(it, omitResumeEntry);
    if (next !== it && own(value, 'resume')) {
      if (out === value) out = { ...value };
      out.resume = next;
    }
  }
  return out;
}

export function omitInterrupt(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.message === null) out = without(value, out, 'message');
  if (value.toolCallId === null) out = without(value, out, 'toolCallId');
  if (value.responseSchema === null) out = without(value, out, 'responseSchema');
  if (value.expiresAt === null) out = without(value, out, 'expiresAt');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitRunFinishedSuccessOutcome(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.pendingToolCallIds === null) out = without(value, out, 'pendingToolCallIds');
  return out;
}

export function omitRunFinishedInterruptOutcome(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  {
    const it = value.interrupts;
    const next = it === undefined ? it : omitEach(it, omitInterrupt);
    if (next !== it && own(value, 'interrupts')) {
      if (out === value) out = { ...value };
      out.interrupts = next;
    }
  }
  return out;
}

export function omitSubagentFinishedSuspendedOutcome(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.interruptIds === null) out = without(value, out, 'interruptIds');
  return out;
}

export function omitTokenUsage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.provider === null) out = without(value, out, 'provider');
  if (value.model === null) out = without(value, out, 'model');
  if (value.inputTokens === null) out = without(value, out, 'inputTokens');
  if (value.outputTokens === null) out = without(value, out, 'outputTokens');
  if (value.totalTokens === null) out = without(value, out, 'totalTokens');
  if (value.reasoningTokens === null) out = without(value, out, 'reasoningTokens');
  if (value.cachedInputTokens === null) out = without(value, out, 'cachedInputTokens');
  if (value.cacheWriteInputTokens === null) out = without(value, out, 'cacheWriteInputTokens');
  return out;
}

export function omitTextMessageStartEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.role === null) out = without(value, out, 'role');
  if (value.name === null) out = without(value, out, 'name');
  return out;
}

export function omitTextMessageContentEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitTextMessageEndEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitTextMessageChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.messageId === null) out = without(value, out, 'messageId');
  if (value.role === null) out = without(value, out, 'role');
  if (value.delta === null) out = without(value, out, 'delta');
  if (value.name === null) out = without(value, out, 'name');
  return out;
}

export function omitToolCallStartEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.parentMessageId === null) out = without(value, out, 'parentMessageId');
  return out;
}

export function omitToolCallArgsEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitToolCallEndEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitToolCallChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.toolCallId === null) out = without(value, out, 'toolCallId');
  if (value.toolCallName === null) out = without(value, out, 'toolCallName');
  if (value.parentMessageId === null) out = without(value, out, 'parentMessageId');
  if (value.delta === null) out = without(value, out, 'delta');
  return out;
}

export function omitToolCallResultEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.role === null) out = without(value, out, 'role');
  {
    const it = value.content;
    const next = it === undefined ? it : omitEach(it, omitContentPart);
    if (next !== it && own(value, 'content')) {
      if (out === value) out = { ...value };
      out.content = next;
    }
  }
  return out;
}

export function omitStateSnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitStateDeltaEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitMessagesSnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  {
    const it = value.messages;
    const next = it === undefined ? it : omitEach(it, omitMessage);
    if (next !== it && own(value, 'messages')) {
      if (out === value) out = { ...value };
      out.messages = next;
    }
  }
  return out;
}

export function omitActivitySnapshotEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.replace === null) out = without(value, out, 'replace');
  return out;
}

export function omitActivityDeltaEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitRawEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.source === null) out = without(value, out, 'source');
  return out;
}

export function omitCustomEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitRunStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.protocolVersion === null) out = without(value, out, 'protocolVersion');
  if (value.parentRunId === null) out = without(value, out, 'parentRunId');
  if (value.input === null) out = without(value, out, 'input');
  {
    const it = value.input;
    const next = it === undefined ? it : omitRunAgentInput(it);
    if (next !== it && own(value, 'input')) {
      if (out === value) out = { ...value };
      out.input = next;
    }
  }
  return out;
}

export function omitRunFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.result === null) out = without(value, out, 'result');
  if (value.outcome === null) out = without(value, out, 'outcome');
  if (value.usage === null) out = without(value, out, 'usage');
  {
    const it = value.outcome;
    const next = it === undefined ? it : omitRunFinishedOutcome(it);
    if (next !== it && own(value, 'outcome')) {
      if (out === value) out = { ...value };
      out.outcome = next;
    }
  }
  {
    const it = value.usage;
    const next = it === undefined ? it : omitEach(it, omitTokenUsage);
    if (next !== it && own(value, 'usage')) {
      if (out === value) out = { ...value };
      out.usage = next;
    }
  }
  return out;
}

export function omitRunErrorEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.code === null) out = without(value, out, 'code');
  if (value.usage === null) out = without(value, out, 'usage');
  {
    const it = value.usage;
    const next = it === undefined ? it : omitEach(it, omitTokenUsage);
    if (next !== it && own(value, 'usage')) {
      if (out === value) out = { ...value };
      out.usage = next;
    }
  }
  return out;
}

export function omitStepStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitStepFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningStartEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningMessageStartEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningMessageContentEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningMessageEndEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningMessageChunkEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.messageId === null) out = without(value, out, 'messageId');
  if (value.delta === null) out = without(value, out, 'delta');
  return out;
}

export function omitReasoningEndEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  return out;
}

export function omitReasoningEncryptedValueEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.encryptedValueType === null) out = without(value, out, 'encryptedValueType');
  return out;
}

export function omitSubagentStartedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.description === null) out = without(value, out, 'description');
  if (value.parentSubagentRunId === null) out = without(value, out, 'parentSubagentRunId');
  if (value.parentToolCallId === null) out = without(value, out, 'parentToolCallId');
  if (value.parentMessageId === null) out = without(value, out, 'parentMessageId');
  return out;
}

export function omitSubagentFinishedEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.result === null) out = without(value, out, 'result');
  if (value.outcome === null) out = without(value, out, 'outcome');
  {
    const it = value.outcome;
    const next = it === undefined ? it : omitSubagentFinishedOutcome(it);
    if (next !== it && own(value, 'outcome')) {
      if (out === value) out = { ...value };
      out.outcome = next;
    }
  }
  return out;
}

export function omitSubagentErrorEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.timestamp === null) out = without(value, out, 'timestamp');
  if (value.rawEvent === null) out = without(value, out, 'rawEvent');
  if (value.metadata === null) out = without(value, out, 'metadata');
  if (value.code === null) out = without(value, out, 'code');
  return out;
}

export function omitSubagentInfo(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.description === null) out = without(value, out, 'description');
  return out;
}

export function omitIdentityCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.name === null) out = without(value, out, 'name');
  if (value.type === null) out = without(value, out, 'type');
  if (value.description === null) out = without(value, out, 'description');
  if (value.version === null) out = without(value, out, 'version');
  if (value.provider === null) out = without(value, out, 'provider');
  if (value.documentationUrl === null) out = without(value, out, 'documentationUrl');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitTransportCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.streaming === null) out = without(value, out, 'streaming');
  if (value.websocket === null) out = without(value, out, 'websocket');
  if (value.httpBinary === null) out = without(value, out, 'httpBinary');
  if (value.pushNotifications === null) out = without(value, out, 'pushNotifications');
  if (value.resumable === null) out = without(value, out, 'resumable');
  return out;
}

export function omitToolsCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.supported === null) out = without(value, out, 'supported');
  if (value.items === null) out = without(value, out, 'items');
  if (value.parallelCalls === null) out = without(value, out, 'parallelCalls');
  if (value.clientProvided === null) out = without(value, out, 'clientProvided');
  {
    const it = value.items;
    const next = it === undefined ? it : omitEach(it, omitTool);
    if (next !== it && own(value, 'items')) {
      if (out === value) out = { ...value };
      out.items = next;
    }
  }
  return out;
}

export function omitOutputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.structuredOutput === null) out = without(value, out, 'structuredOutput');
  if (value.supportedMimeTypes === null) out = without(value, out, 'supportedMimeTypes');
  return out;
}

export function omitStateCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.snapshots === null) out = without(value, out, 'snapshots');
  if (value.deltas === null) out = without(value, out, 'deltas');
  if (value.memory === null) out = without(value, out, 'memory');
  if (value.persistentState === null) out = without(value, out, 'persistentState');
  return out;
}

export function omitMultiAgentCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.supported === null) out = without(value, out, 'supported');
  if (value.delegation === null) out = without(value, out, 'delegation');
  if (value.handoffs === null) out = without(value, out, 'handoffs');
  if (value.subagents === null) out = without(value, out, 'subagents');
  {
    const it = value.subagents;
    const next = it === undefined ? it : omitEach(it, omitSubagentInfo);
    if (next !== it && own(value, 'subagents')) {
      if (out === value) out = { ...value };
      out.subagents = next;
    }
  }
  return out;
}

export function omitReasoningCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.supported === null) out = without(value, out, 'supported');
  if (value.streaming === null) out = without(value, out, 'streaming');
  if (value.encrypted === null) out = without(value, out, 'encrypted');
  return out;
}

export function omitMultimodalInputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.image === null) out = without(value, out, 'image');
  if (value.audio === null) out = without(value, out, 'audio');
  if (value.video === null) out = without(value, out, 'video');
  if (value.pdf === null) out = without(value, out, 'pdf');
  if (value.file === null) out = without(value, out, 'file');
  return out;
}

export function omitMultimodalOutputCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.image === null) out = without(value, out, 'image');
  if (value.audio === null) out = without(value, out, 'audio');
  return out;
}

export function omitMultimodalCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.input === null) out = without(value, out, 'input');
  if (value.output === null) out = without(value, out, 'output');
  {
    const it = value.input;
    const next = it === undefined ? it : omitMultimodalInputCapabilities(it);
    if (next !== it && own(value, 'input')) {
      if (out === value) out = { ...value };
      out.input = next;
    }
  }
  {
    const it = value.output;
    const next = it === undefined ? it : omitMultimodalOutputCapabilities(it);
    if (next !== it && own(value, 'output')) {
      if (out === value) out = { ...value };
      out.output = next;
    }
  }
  return out;
}

export function omitExecutionCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.codeExecution === null) out = without(value, out, 'codeExecution');
  if (value.sandboxed === null) out = without(value, out, 'sandboxed');
  if (value.maxIterations === null) out = without(value, out, 'maxIterations');
  if (value.maxExecutionTime === null) out = without(value, out, 'maxExecutionTime');
  return out;
}

export function omitHumanInTheLoopCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.supported === null) out = without(value, out, 'supported');
  if (value.approvals === null) out = without(value, out, 'approvals');
  if (value.interventions === null) out = without(value, out, 'interventions');
  if (value.feedback === null) out = without(value, out, 'feedback');
  if (value.interrupts === null) out = without(value, out, 'interrupts');
  if (value.approveWithEdits === null) out = without(value, out, 'approveWithEdits');
  return out;
}

export function omitAgentCapabilities(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.identity === null) out = without(value, out, 'identity');
  if (value.transport === null) out = without(value, out, 'transport');
  if (value.tools === null) out = without(value, out, 'tools');
  if (value.output === null) out = without(value, out, 'output');
  if (value.state === null) out = without(value, out, 'state');
  if (value.multiAgent === null) out = without(value, out, 'multiAgent');
  if (value.reasoning === null) out = without(value, out, 'reasoning');
  if (value.multimodal === null) out = without(value, out, 'multimodal');
  if (value.execution === null) out = without(value, out, 'execution');
  if (value.humanInTheLoop === null) out = without(value, out, 'humanInTheLoop');
  if (value.custom === null) out = without(value, out, 'custom');
  {
    const it = value.identity;
    const next = it === undefined ? it : omitIdentityCapabilities(it);
    if (next !== it && own(value, 'identity')) {
      if (out === value) out = { ...value };
      out.identity = next;
    }
  }
  {
    const it = value.transport;
    const next = it === undefined ? it : omitTransportCapabilities(it);
    if (next !== it && own(value, 'transport')) {
      if (out === value) out = { ...value };
      out.transport = next;
    }
  }
  {
    const it = value.tools;
    const next = it === undefined ? it : omitToolsCapabilities(it);
    if (next !== it && own(value, 'tools')) {
      if (out === value) out = { ...value };
      out.tools = next;
    }
  }
  {
    const it = value.output;
    const next = it === undefined ? it : omitOutputCapabilities(it);
    if (next !== it && own(value, 'output')) {
      if (out === value) out = { ...value };
      out.output = next;
    }
  }
  {
    const it = value.state;
    const next = it === undefined ? it : omitStateCapabilities(it);
    if (next !== it && own(value, 'state')) {
      if (out === value) out = { ...value };
      out.state = next;
    }
  }
  {
    const it = value.multiAgent;
    const next = it === undefined ? it : omitMultiAgentCapabilities(it);
    if (next !== it && own(value, 'multiAgent')) {
      if (out === value) out = { ...value };
      out.multiAgent = next;
    }
  }
  {
    const it = value.reasoning;
    const next = it === undefined ? it : omitReasoningCapabilities(it);
    if (next !== it && own(value, 'reasoning')) {
      if (out === value) out = { ...value };
      out.reasoning = next;
    }
  }
  {
    const it = value.multimodal;
    const next = it === undefined ? it : omitMultimodalCapabilities(it);
    if (next !== it && own(value, 'multimodal')) {
      if (out === value) out = { ...value };
      out.multimodal = next;
    }
  }
  {
    const it = value.execution;
    const next = it === undefined ? it : omitExecutionCapabilities(it);
    if (next !== it && own(value, 'execution')) {
      if (out === value) out = { ...value };
      out.execution = next;
    }
  }
  {
    const it = value.humanInTheLoop;
    const next = it === undefined ? it : omitHumanInTheLoopCapabilities(it);
    if (next !== it && own(value, 'humanInTheLoop')) {
      if (out === value) out = { ...value };
      out.humanInTheLoop = next;
    }
  }
  return out;
}

export function omitBinaryInputContent(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.id === null) out = without(value, out, 'id');
  if (value.url === null) out = without(value, out, 'url');
  if (value.data === null) out = without(value, out, 'data');
  if (value.filename === null) out = without(value, out, 'filename');
  return out;
}

export function omitPartSource(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.type) {
    case 'url': return omitUrlSource(value);
    case 'file': return omitFileSource(value);
    default: return value;
  }
}

export function omitContentPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.type) {
    case 'text': return omitTextPart(value);
    case 'image': return omitImagePart(value);
    case 'audio': return omitAudioPart(value);
    case 'video': return omitVideoPart(value);
    case 'document': return omitDocumentPart(value);
    default: return value;
  }
}

export function omitMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.role) {
    case 'developer': return omitDeveloperMessage(value);
    case 'system': return omitSystemMessage(value);
    case 'assistant': return omitAssistantMessage(value);
    case 'user': return omitUserMessage(value);
    case 'tool': return omitToolMessage(value);
    case 'activity': return omitActivityMessage(value);
    case 'reasoning': return omitReasoningMessage(value);
    default: return value;
  }
}

export function omitRunFinishedOutcome(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.type) {
    case 'success': return omitRunFinishedSuccessOutcome(value);
    case 'interrupt': return omitRunFinishedInterruptOutcome(value);
    default: return value;
  }
}

export function omitSubagentFinishedOutcome(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.type) {
    case 'suspended': return omitSubagentFinishedSuspendedOutcome(value);
    default: return value;
  }
}

export function omitEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value.type) {
    case 'TEXT_MESSAGE_START': return omitTextMessageStartEvent(value);
    case 'TEXT_MESSAGE_CONTENT': return omitTextMessageContentEvent(value);
    case 'TEXT_MESSAGE_END': return omitTextMessageEndEvent(value);
    case 'TEXT_MESSAGE_CHUNK': return omitTextMessageChunkEvent(value);
    case 'TOOL_CALL_START': return omitToolCallStartEvent(value);
    case 'TOOL_CALL_ARGS': return omitToolCallArgsEvent(value);
    case 'TOOL_CALL_END': return omitToolCallEndEvent(value);
    case 'TOOL_CALL_CHUNK': return omitToolCallChunkEvent(value);
    case 'TOOL_CALL_RESULT': return omitToolCallResultEvent(value);
    case 'STATE_SNAPSHOT': return omitStateSnapshotEvent(value);
    case 'STATE_DELTA': return omitStateDeltaEvent(value);
    case 'MESSAGES_SNAPSHOT': return omitMessagesSnapshotEvent(value);
    case 'ACTIVITY_SNAPSHOT': return omitActivitySnapshotEvent(value);
    case 'ACTIVITY_DELTA': return omitActivityDeltaEvent(value);
    case 'RAW': return omitRawEvent(value);
    case 'CUSTOM': return omitCustomEvent(value);
    case 'RUN_STARTED': return omitRunStartedEvent(value);
    case 'RUN_FINISHED': return omitRunFinishedEvent(value);
    case 'RUN_ERROR': return omitRunErrorEvent(value);
    case 'STEP_STARTED': return omitStepStartedEvent(value);
    case 'STEP_FINISHED': return omitStepFinishedEvent(value);
    case 'REASONING_START': return omitReasoningStartEvent(value);
    case 'REASONING_MESSAGE_START': return omitReasoningMessageStartEvent(value);
    case 'REASONING_MESSAGE_CONTENT': return omitReasoningMessageContentEvent(value);
    case 'REASONING_MESSAGE_END': return omitReasoningMessageEndEvent(value);
    case 'REASONING_MESSAGE_CHUNK': return omitReasoningMessageChunkEvent(value);
    case 'REASONING_END': return omitReasoningEndEvent(value);
    case 'REASONING_ENCRYPTED_VALUE': return omitReasoningEncryptedValueEvent(value);
    case 'SUBAGENT_STARTED': return omitSubagentStartedEvent(value);
    case 'SUBAGENT_FINISHED': return omitSubagentFinishedEvent(value);
    case 'SUBAGENT_ERROR': return omitSubagentErrorEvent(value);
    default: return value;
  }
}


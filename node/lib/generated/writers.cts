// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { type Loose, isObject, own } from '../check.cjs';
import { isPlain, listText, omitEach, quote, scalarText, without } from '../json.cjs';

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
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitDeveloperMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitSystemMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
  if (value.metadata === null) out = without(value, out, 'metadata');
  return out;
}

export function omitAssistantMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  let out = value;
  if (value.subagentRunId === null) out = without(value, out, 'subagentRunId');
  if (value.name === null) out = without(value, out, 'name');
  if (value.encryptedValue === null) out = without(value, out, 'encryptedValue');
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
  REASONING_ENCRYPTED_VALUE: { type: ',"type":', timestamp: ',"timestamp":', rawEvent: ',"rawEvent":', metadata: ',"metadata":', subagentRunId: ',"subagentRunId":', subtype: ',"subtype":', entityId: ',"entityId":', encryptedValue: ',"encryptedValue":' },
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

/** Takes an event that has just its tag and required members, which are strings: the place of its type among all, and these. */
export type TakeStrings = (place: number, one: string, two?: string, three?: string) => undefined;

/**
 * The JSON text of a plain event if it has just the tag and the required members, in order, and these are strings and
 * patches of scalars; nothing otherwise. What is strings alone goes to `take`, if there is one.
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

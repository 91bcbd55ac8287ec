// Made from core/src/looks.rs by `make generate`. Do not edit.

/** What a stage looks at of a type. */
export interface Look {
  /** The place of the type among the events. */
  readonly place: number;
  /** The members whose values it looks at, besides the tag. */
  readonly keys: readonly string[];
  /** What each of them holds: see `types`. */
  readonly kinds: readonly string[];
  /** Of these members it looks whether they are there: `delta` and such. */
  readonly marks: readonly string[];
  /** What stands for each of them, as JSON. */
  readonly signs: readonly string[];
  /** What stands for required members that it does not look at, as JSON behind other members. */
  readonly rest: string;
  /** If the required members are strings: their keys, or nothing where an empty one stands for it. */
  readonly strings: readonly (string | null)[] | null;
  /** Whether it adds messages to a run that are there at once, or begins one with those of its input. */
  readonly seeds: 'adds' | 'begins' | null;
}

/** What each stage looks at of each event. */
export const looks: Record<'verify' | 'expand' | 'compact', Record<string, Look>> = {
  verify: {
    TEXT_MESSAGE_START: { place: 0, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['messageId'], seeds: null },
    TEXT_MESSAGE_CONTENT: { place: 1, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: ',"delta":""', strings: ['messageId', null], seeds: null },
    TEXT_MESSAGE_END: { place: 2, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['messageId'], seeds: null },
    TEXT_MESSAGE_CHUNK: { place: 3, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: '', strings: null, seeds: null },
    TOOL_CALL_START: { place: 4, keys: ['subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId'], kinds: ['s', 's', 's', 's'], marks: [], signs: [], rest: '', strings: ['toolCallId', 'toolCallName'], seeds: null },
    TOOL_CALL_ARGS: { place: 5, keys: ['subagentRunId', 'toolCallId'], kinds: ['s', 's'], marks: [], signs: [], rest: ',"delta":""', strings: ['toolCallId', null], seeds: null },
    TOOL_CALL_END: { place: 6, keys: ['subagentRunId', 'toolCallId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['toolCallId'], seeds: null },
    TOOL_CALL_CHUNK: { place: 7, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: '', strings: null, seeds: null },
    TOOL_CALL_RESULT: { place: 8, keys: ['subagentRunId', 'messageId', 'toolCallId'], kinds: ['s', 's', 's'], marks: [], signs: [], rest: ',"content":""', strings: null, seeds: null },
    STATE_SNAPSHOT: { place: 9, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"snapshot":0', strings: null, seeds: null },
    STATE_DELTA: { place: 10, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"delta":[]', strings: null, seeds: null },
    MESSAGES_SNAPSHOT: { place: 11, keys: ['messages'], kinds: ['[UMessage'], marks: [], signs: [], rest: '', strings: null, seeds: 'adds' },
    ACTIVITY_SNAPSHOT: { place: 12, keys: ['subagentRunId', 'messageId', 'replace'], kinds: ['s', 's', 'b'], marks: [], signs: [], rest: ',"activityType":"","content":{}', strings: null, seeds: null },
    ACTIVITY_DELTA: { place: 13, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: ',"activityType":"","patch":[]', strings: null, seeds: null },
    RAW: { place: 14, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"event":0', strings: null, seeds: null },
    CUSTOM: { place: 15, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"name":"","value":0', strings: null, seeds: null },
    RUN_STARTED: { place: 16, keys: ['input'], kinds: ['TRunAgentInput'], marks: [], signs: [], rest: ',"threadId":"","runId":""', strings: [null, null], seeds: 'begins' },
    RUN_FINISHED: { place: 17, keys: ['outcome'], kinds: ['URunFinishedOutcome'], marks: [], signs: [], rest: ',"threadId":"","runId":""', strings: [null, null], seeds: null },
    RUN_ERROR: { place: 18, keys: [], kinds: [], marks: [], signs: [], rest: ',"message":""', strings: [null], seeds: null },
    STEP_STARTED: { place: 19, keys: ['subagentRunId', 'stepName'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['stepName'], seeds: null },
    STEP_FINISHED: { place: 20, keys: ['subagentRunId', 'stepName'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['stepName'], seeds: null },
    REASONING_START: { place: 21, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['messageId'], seeds: null },
    REASONING_MESSAGE_START: { place: 22, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: ',"role":"reasoning"', strings: null, seeds: null },
    REASONING_MESSAGE_CONTENT: { place: 23, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: ',"delta":""', strings: ['messageId', null], seeds: null },
    REASONING_MESSAGE_END: { place: 24, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['messageId'], seeds: null },
    REASONING_MESSAGE_CHUNK: { place: 25, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: '', strings: null, seeds: null },
    REASONING_END: { place: 26, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: [], signs: [], rest: '', strings: ['messageId'], seeds: null },
    REASONING_ENCRYPTED_VALUE: { place: 27, keys: ['subagentRunId', 'subtype', 'entityId'], kinds: ['s', 'e', 's'], marks: [], signs: [], rest: ',"encryptedValue":""', strings: ['subtype', 'entityId', null], seeds: null },
    SUBAGENT_STARTED: { place: 28, keys: ['subagentRunId', 'name', 'description', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'], kinds: ['s', 's', 's', 's', 's', 's'], marks: [], signs: [], rest: '', strings: ['subagentRunId', 'name'], seeds: null },
    SUBAGENT_FINISHED: { place: 29, keys: ['subagentRunId', 'outcome'], kinds: ['s', 'USubagentFinishedOutcome'], marks: [], signs: [], rest: '', strings: ['subagentRunId'], seeds: null },
    SUBAGENT_ERROR: { place: 30, keys: ['subagentRunId', 'message', 'code'], kinds: ['s', 's', 's'], marks: [], signs: [], rest: '', strings: ['subagentRunId', 'message'], seeds: null },
  },
  expand: {
    TEXT_MESSAGE_START: { place: 0, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":""', strings: [null], seeds: null },
    TEXT_MESSAGE_CONTENT: { place: 1, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","delta":""', strings: [null, null], seeds: null },
    TEXT_MESSAGE_END: { place: 2, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":""', strings: [null], seeds: null },
    TEXT_MESSAGE_CHUNK: { place: 3, keys: ['subagentRunId', 'messageId', 'role', 'name'], kinds: ['s', 's', 'e', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    TOOL_CALL_START: { place: 4, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"toolCallId":"","toolCallName":""', strings: [null, null], seeds: null },
    TOOL_CALL_ARGS: { place: 5, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"toolCallId":"","delta":""', strings: [null, null], seeds: null },
    TOOL_CALL_END: { place: 6, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"toolCallId":""', strings: [null], seeds: null },
    TOOL_CALL_CHUNK: { place: 7, keys: ['subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId'], kinds: ['s', 's', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    TOOL_CALL_RESULT: { place: 8, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","toolCallId":"","content":""', strings: null, seeds: null },
    STATE_SNAPSHOT: { place: 9, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"snapshot":0', strings: null, seeds: null },
    STATE_DELTA: { place: 10, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"delta":[]', strings: null, seeds: null },
    MESSAGES_SNAPSHOT: { place: 11, keys: [], kinds: [], marks: [], signs: [], rest: ',"messages":[]', strings: null, seeds: 'adds' },
    ACTIVITY_SNAPSHOT: { place: 12, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","activityType":"","content":{}', strings: null, seeds: null },
    ACTIVITY_DELTA: { place: 13, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","activityType":"","patch":[]', strings: null, seeds: null },
    RAW: { place: 14, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"event":0', strings: null, seeds: null },
    CUSTOM: { place: 15, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"name":"","value":0', strings: null, seeds: null },
    RUN_STARTED: { place: 16, keys: [], kinds: [], marks: [], signs: [], rest: ',"threadId":"","runId":""', strings: [null, null], seeds: 'begins' },
    RUN_FINISHED: { place: 17, keys: [], kinds: [], marks: [], signs: [], rest: ',"threadId":"","runId":""', strings: [null, null], seeds: null },
    RUN_ERROR: { place: 18, keys: [], kinds: [], marks: [], signs: [], rest: ',"message":""', strings: [null], seeds: null },
    STEP_STARTED: { place: 19, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"stepName":""', strings: [null], seeds: null },
    STEP_FINISHED: { place: 20, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"stepName":""', strings: [null], seeds: null },
    REASONING_START: { place: 21, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":""', strings: [null], seeds: null },
    REASONING_MESSAGE_START: { place: 22, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","role":"reasoning"', strings: null, seeds: null },
    REASONING_MESSAGE_CONTENT: { place: 23, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":"","delta":""', strings: [null, null], seeds: null },
    REASONING_MESSAGE_END: { place: 24, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":""', strings: [null], seeds: null },
    REASONING_MESSAGE_CHUNK: { place: 25, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    REASONING_END: { place: 26, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"messageId":""', strings: [null], seeds: null },
    REASONING_ENCRYPTED_VALUE: { place: 27, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"subtype":"tool-call","entityId":"","encryptedValue":""', strings: null, seeds: null },
    SUBAGENT_STARTED: { place: 28, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"name":""', strings: ['subagentRunId', null], seeds: null },
    SUBAGENT_FINISHED: { place: 29, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: '', strings: ['subagentRunId'], seeds: null },
    SUBAGENT_ERROR: { place: 30, keys: ['subagentRunId'], kinds: ['s'], marks: [], signs: [], rest: ',"message":""', strings: ['subagentRunId', null], seeds: null },
  },
  compact: {
    TEXT_MESSAGE_START: { place: 0, keys: ['subagentRunId', 'messageId', 'role', 'name'], kinds: ['s', 's', 'e', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId'], seeds: null },
    TEXT_MESSAGE_CONTENT: { place: 1, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: ['messageId', null], seeds: null },
    TEXT_MESSAGE_END: { place: 2, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId'], seeds: null },
    TEXT_MESSAGE_CHUNK: { place: 3, keys: ['subagentRunId', 'messageId', 'role', 'name'], kinds: ['s', 's', 'e', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    TOOL_CALL_START: { place: 4, keys: ['subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId'], kinds: ['s', 's', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['toolCallId', 'toolCallName'], seeds: null },
    TOOL_CALL_ARGS: { place: 5, keys: ['subagentRunId', 'toolCallId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: ['toolCallId', null], seeds: null },
    TOOL_CALL_END: { place: 6, keys: ['subagentRunId', 'toolCallId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['toolCallId'], seeds: null },
    TOOL_CALL_CHUNK: { place: 7, keys: ['subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId'], kinds: ['s', 's', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    TOOL_CALL_RESULT: { place: 8, keys: ['subagentRunId', 'messageId', 'toolCallId', 'role'], kinds: ['s', 's', 's', 'e'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"content":""', strings: null, seeds: null },
    STATE_SNAPSHOT: { place: 9, keys: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'snapshot'], kinds: ['i', 'a', 'd', 's', 'a'], marks: [], signs: [], rest: '', strings: null, seeds: null },
    STATE_DELTA: { place: 10, keys: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'delta'], kinds: ['i', 'a', 'd', 's', '[UJsonPatchOperation'], marks: [], signs: [], rest: '', strings: null, seeds: null },
    MESSAGES_SNAPSHOT: { place: 11, keys: ['messages'], kinds: ['[UMessage'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: null, seeds: 'adds' },
    ACTIVITY_SNAPSHOT: { place: 12, keys: ['subagentRunId', 'messageId', 'activityType', 'replace'], kinds: ['s', 's', 's', 'b'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"content":{}', strings: null, seeds: null },
    ACTIVITY_DELTA: { place: 13, keys: ['subagentRunId', 'messageId', 'activityType'], kinds: ['s', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"patch":[]', strings: null, seeds: null },
    RAW: { place: 14, keys: ['subagentRunId'], kinds: ['s'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"event":0', strings: null, seeds: null },
    CUSTOM: { place: 15, keys: ['subagentRunId'], kinds: ['s'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"name":"","value":0', strings: null, seeds: null },
    RUN_STARTED: { place: 16, keys: ['threadId', 'runId', 'protocolVersion', 'parentRunId', 'input'], kinds: ['s', 's', 's', 's', 'TRunAgentInput'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['threadId', 'runId'], seeds: 'begins' },
    RUN_FINISHED: { place: 17, keys: ['threadId', 'runId', 'outcome'], kinds: ['s', 's', 'URunFinishedOutcome'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['threadId', 'runId'], seeds: null },
    RUN_ERROR: { place: 18, keys: ['message', 'code'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['message'], seeds: null },
    STEP_STARTED: { place: 19, keys: ['subagentRunId', 'stepName'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['stepName'], seeds: null },
    STEP_FINISHED: { place: 20, keys: ['subagentRunId', 'stepName'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['stepName'], seeds: null },
    REASONING_START: { place: 21, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId'], seeds: null },
    REASONING_MESSAGE_START: { place: 22, keys: ['subagentRunId', 'messageId', 'role'], kinds: ['s', 's', 'e'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId', 'role'], seeds: null },
    REASONING_MESSAGE_CONTENT: { place: 23, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: ['messageId', null], seeds: null },
    REASONING_MESSAGE_END: { place: 24, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId'], seeds: null },
    REASONING_MESSAGE_CHUNK: { place: 25, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata', 'delta'], signs: ['0', '0', '{}', '""'], rest: '', strings: null, seeds: null },
    REASONING_END: { place: 26, keys: ['subagentRunId', 'messageId'], kinds: ['s', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['messageId'], seeds: null },
    REASONING_ENCRYPTED_VALUE: { place: 27, keys: ['subagentRunId', 'subtype', 'entityId'], kinds: ['s', 'e', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: ',"encryptedValue":""', strings: ['subtype', 'entityId', null], seeds: null },
    SUBAGENT_STARTED: { place: 28, keys: ['subagentRunId', 'name', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'], kinds: ['s', 's', 's', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['subagentRunId', 'name'], seeds: null },
    SUBAGENT_FINISHED: { place: 29, keys: ['subagentRunId', 'outcome'], kinds: ['s', 'USubagentFinishedOutcome'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['subagentRunId'], seeds: null },
    SUBAGENT_ERROR: { place: 30, keys: ['subagentRunId', 'message', 'code'], kinds: ['s', 's', 's'], marks: ['timestamp', 'rawEvent', 'metadata'], signs: ['0', '0', '{}'], rest: '', strings: ['subagentRunId', 'message'], seeds: null },
  },
};

/** The same of what stands inside of events, for every stage that looks into it: messages by role, and types by name. */
export const insideLooks: Record<string, Look> = {
  developer: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"content":""', strings: null, seeds: null },
  system: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"content":""', strings: null, seeds: null },
  assistant: { place: 0, keys: ['subagentRunId', 'id', 'role', 'toolCalls'], kinds: ['s', 's', 'l', '[TToolCall'], marks: [], signs: [], rest: '', strings: null, seeds: null },
  user: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"content":""', strings: null, seeds: null },
  tool: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"content":"","toolCallId":""', strings: null, seeds: null },
  activity: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"activityType":"","content":{}', strings: null, seeds: null },
  reasoning: { place: 0, keys: ['subagentRunId', 'id', 'role'], kinds: ['s', 's', 'l'], marks: [], signs: [], rest: ',"content":""', strings: null, seeds: null },
  ToolCall: { place: 0, keys: ['id'], kinds: ['s'], marks: [], signs: [], rest: ',"type":"function","function":{"name":"","arguments":""}', strings: null, seeds: null },
  RunAgentInput: { place: 0, keys: ['messages'], kinds: ['[UMessage'], marks: [], signs: [], rest: ',"threadId":"","runId":""', strings: null, seeds: null },
};

// Made from the declaration in core/src/types by `make generate`. Do not edit.

/**
 * Every object type: what each member holds, in declaration order. `s` string, `p` pointer, `b` boolean, `i` and `u`
 * integer, `a` any, `d` object, `l` literal, `e` one of a set, `c` content, `T...` type, `U...` union, `[...` list.
 */
export const types: Record<string, Record<string, string>> = {
  Attributable: { subagentRunId: 's' },
  BaseEvent: { type: 'e', timestamp: 'i', rawEvent: 'a', metadata: 'd' },
  BaseMessage: { subagentRunId: 's', id: 's', role: 's', name: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd' },
  TextPart: { type: 'l', id: 's', text: 's', metadata: 'a' },
  DataSource: { type: 'l', value: 's', mimeType: 's' },
  UrlSource: { type: 'l', value: 's', mimeType: 's' },
  FileSource: { type: 'l', value: 's', provider: 's', mimeType: 's' },
  ImagePart: { type: 'l', id: 's', source: 'UPartSource', metadata: 'a' },
  AudioPart: { type: 'l', id: 's', source: 'UPartSource', metadata: 'a' },
  VideoPart: { type: 'l', id: 's', source: 'UPartSource', metadata: 'a' },
  DocumentPart: { type: 'l', id: 's', source: 'UPartSource', metadata: 'a' },
  AddOperation: { op: 'l', path: 'p', value: 'a' },
  RemoveOperation: { op: 'l', path: 'p' },
  ReplaceOperation: { op: 'l', path: 'p', value: 'a' },
  MoveOperation: { op: 'l', from: 'p', path: 'p' },
  CopyOperation: { op: 'l', from: 'p', path: 'p' },
  TestOperation: { op: 'l', path: 'p', value: 'a' },
  FunctionCall: { name: 's', arguments: 's' },
  ToolCall: { id: 's', type: 'l', function: 'TFunctionCall', encryptedValue: 's', encryptedValueType: 's', metadata: 'd' },
  DeveloperMessage: { subagentRunId: 's', id: 's', role: 'l', name: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd', content: 's' },
  SystemMessage: { subagentRunId: 's', id: 's', role: 'l', name: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd', content: 's' },
  AssistantMessage: { subagentRunId: 's', id: 's', role: 'l', name: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd', content: 's', toolCalls: '[TToolCall' },
  UserMessage: { subagentRunId: 's', id: 's', role: 'l', name: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd', content: 'c' },
  ToolMessage: { subagentRunId: 's', id: 's', role: 'l', content: 'c', toolCallId: 's', error: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd' },
  ActivityMessage: { subagentRunId: 's', id: 's', role: 'l', activityType: 's', content: 'd', metadata: 'd' },
  ReasoningMessage: { subagentRunId: 's', id: 's', role: 'l', content: 's', encryptedValue: 's', encryptedValueType: 's', metadata: 'd' },
  Tool: { name: 's', description: 's', parameters: 'a', metadata: 'd' },
  Context: { description: 's', value: 's' },
  ResumeEntry: { interruptId: 's', status: 'e', payload: 'a', metadata: 'd' },
  RunAgentInput: { threadId: 's', runId: 's', protocolVersion: 's', parentRunId: 's', state: 'a', messages: '[UMessage', tools: '[TTool', context: '[TContext', forwardedProps: 'a', resume: '[TResumeEntry' },
  Interrupt: { subagentRunId: 's', id: 's', reason: 's', message: 's', toolCallId: 's', responseSchema: 'd', expiresAt: 's', metadata: 'd' },
  RunFinishedSuccessOutcome: { type: 'l', pendingToolCallIds: '[s' },
  RunFinishedInterruptOutcome: { type: 'l', interrupts: '[TInterrupt' },
  RunFinishedCancelledOutcome: { type: 'l' },
  SubagentFinishedSuccessOutcome: { type: 'l' },
  SubagentFinishedSuspendedOutcome: { type: 'l', interruptIds: '[s' },
  TokenUsage: { provider: 's', model: 's', inputTokens: 'u', outputTokens: 'u', totalTokens: 'u', reasoningTokens: 'u', cachedInputTokens: 'u', cacheWriteInputTokens: 'u' },
  TextMessageStartEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', role: 'e', name: 's' },
  TextMessageContentEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', delta: 's' },
  TextMessageEndEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's' },
  TextMessageChunkEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', role: 'e', delta: 's', name: 's' },
  ToolCallStartEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', toolCallId: 's', toolCallName: 's', parentMessageId: 's' },
  ToolCallArgsEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', toolCallId: 's', delta: 's' },
  ToolCallEndEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', toolCallId: 's' },
  ToolCallChunkEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', toolCallId: 's', toolCallName: 's', parentMessageId: 's', delta: 's' },
  ToolCallResultEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', toolCallId: 's', content: 'c', role: 'e' },
  StateSnapshotEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', snapshot: 'a' },
  StateDeltaEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', delta: '[UJsonPatchOperation' },
  MessagesSnapshotEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', messages: '[UMessage' },
  ActivitySnapshotEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', activityType: 's', content: 'd', replace: 'b' },
  ActivityDeltaEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', activityType: 's', patch: '[UJsonPatchOperation' },
  RawEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', event: 'a', source: 's' },
  CustomEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', name: 's', value: 'a' },
  RunStartedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', threadId: 's', runId: 's', protocolVersion: 's', parentRunId: 's', input: 'TRunAgentInput' },
  RunFinishedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', threadId: 's', runId: 's', result: 'a', outcome: 'URunFinishedOutcome', usage: '[TTokenUsage' },
  RunErrorEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', message: 's', code: 's', usage: '[TTokenUsage' },
  StepStartedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', stepName: 's' },
  StepFinishedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', stepName: 's' },
  ReasoningStartEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's' },
  ReasoningMessageStartEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', role: 'e' },
  ReasoningMessageContentEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', delta: 's' },
  ReasoningMessageEndEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's' },
  ReasoningMessageChunkEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's', delta: 's' },
  ReasoningEndEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', messageId: 's' },
  ReasoningEncryptedValueEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', subtype: 'e', entityId: 's', encryptedValue: 's', encryptedValueType: 's' },
  SubagentStartedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', name: 's', description: 's', parentSubagentRunId: 's', parentToolCallId: 's', parentMessageId: 's' },
  SubagentFinishedEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', result: 'a', outcome: 'USubagentFinishedOutcome' },
  SubagentErrorEvent: { type: 'l', timestamp: 'i', rawEvent: 'a', metadata: 'd', subagentRunId: 's', message: 's', code: 's' },
  SubagentInfo: { name: 's', description: 's' },
  IdentityCapabilities: { name: 's', type: 's', description: 's', version: 's', provider: 's', documentationUrl: 's', metadata: 'd' },
  TransportCapabilities: { streaming: 'b', websocket: 'b', httpBinary: 'b', pushNotifications: 'b', resumable: 'b' },
  ToolsCapabilities: { supported: 'b', items: '[TTool', parallelCalls: 'b', clientProvided: 'b' },
  OutputCapabilities: { structuredOutput: 'b', supportedMimeTypes: '[s' },
  StateCapabilities: { snapshots: 'b', deltas: 'b', memory: 'b', persistentState: 'b' },
  MultiAgentCapabilities: { supported: 'b', delegation: 'b', handoffs: 'b', subagents: '[TSubagentInfo' },
  ReasoningCapabilities: { supported: 'b', streaming: 'b', encrypted: 'b' },
  MultimodalInputCapabilities: { image: 'b', audio: 'b', video: 'b', pdf: 'b', file: 'b' },
  MultimodalOutputCapabilities: { image: 'b', audio: 'b' },
  MultimodalCapabilities: { input: 'TMultimodalInputCapabilities', output: 'TMultimodalOutputCapabilities' },
  ExecutionCapabilities: { codeExecution: 'b', sandboxed: 'b', maxIterations: 'u', maxExecutionTime: 'u' },
  HumanInTheLoopCapabilities: { supported: 'b', approvals: 'b', interventions: 'b', feedback: 'b', interrupts: 'b', approveWithEdits: 'b' },
  AgentCapabilities: { identity: 'TIdentityCapabilities', transport: 'TTransportCapabilities', tools: 'TToolsCapabilities', output: 'TOutputCapabilities', state: 'TStateCapabilities', multiAgent: 'TMultiAgentCapabilities', reasoning: 'TReasoningCapabilities', multimodal: 'TMultimodalCapabilities', execution: 'TExecutionCapabilities', humanInTheLoop: 'THumanInTheLoopCapabilities', custom: 'd' },
  BinaryInputContent: { type: 'l', mimeType: 's', id: 's', url: 's', data: 's', filename: 's' },
};

/** Every union: the key of its tag, and the type that each tag names. */
export const unions: Record<string, { tag: string; variants: Record<string, string> }> = {
  PartSource: { tag: 'type', variants: { 'data': 'DataSource', 'url': 'UrlSource', 'file': 'FileSource' } },
  ContentPart: { tag: 'type', variants: { 'text': 'TextPart', 'image': 'ImagePart', 'audio': 'AudioPart', 'video': 'VideoPart', 'document': 'DocumentPart' } },
  JsonPatchOperation: { tag: 'op', variants: { 'add': 'AddOperation', 'remove': 'RemoveOperation', 'replace': 'ReplaceOperation', 'move': 'MoveOperation', 'copy': 'CopyOperation', 'test': 'TestOperation' } },
  Message: { tag: 'role', variants: { 'developer': 'DeveloperMessage', 'system': 'SystemMessage', 'assistant': 'AssistantMessage', 'user': 'UserMessage', 'tool': 'ToolMessage', 'activity': 'ActivityMessage', 'reasoning': 'ReasoningMessage' } },
  RunFinishedOutcome: { tag: 'type', variants: { 'success': 'RunFinishedSuccessOutcome', 'interrupt': 'RunFinishedInterruptOutcome', 'cancelled': 'RunFinishedCancelledOutcome' } },
  SubagentFinishedOutcome: { tag: 'type', variants: { 'success': 'SubagentFinishedSuccessOutcome', 'suspended': 'SubagentFinishedSuspendedOutcome' } },
  Event: { tag: 'type', variants: { 'TEXT_MESSAGE_START': 'TextMessageStartEvent', 'TEXT_MESSAGE_CONTENT': 'TextMessageContentEvent', 'TEXT_MESSAGE_END': 'TextMessageEndEvent', 'TEXT_MESSAGE_CHUNK': 'TextMessageChunkEvent', 'TOOL_CALL_START': 'ToolCallStartEvent', 'TOOL_CALL_ARGS': 'ToolCallArgsEvent', 'TOOL_CALL_END': 'ToolCallEndEvent', 'TOOL_CALL_CHUNK': 'ToolCallChunkEvent', 'TOOL_CALL_RESULT': 'ToolCallResultEvent', 'STATE_SNAPSHOT': 'StateSnapshotEvent', 'STATE_DELTA': 'StateDeltaEvent', 'MESSAGES_SNAPSHOT': 'MessagesSnapshotEvent', 'ACTIVITY_SNAPSHOT': 'ActivitySnapshotEvent', 'ACTIVITY_DELTA': 'ActivityDeltaEvent', 'RAW': 'RawEvent', 'CUSTOM': 'CustomEvent', 'RUN_STARTED': 'RunStartedEvent', 'RUN_FINISHED': 'RunFinishedEvent', 'RUN_ERROR': 'RunErrorEvent', 'STEP_STARTED': 'StepStartedEvent', 'STEP_FINISHED': 'StepFinishedEvent', 'REASONING_START': 'ReasoningStartEvent', 'REASONING_MESSAGE_START': 'ReasoningMessageStartEvent', 'REASONING_MESSAGE_CONTENT': 'ReasoningMessageContentEvent', 'REASONING_MESSAGE_END': 'ReasoningMessageEndEvent', 'REASONING_MESSAGE_CHUNK': 'ReasoningMessageChunkEvent', 'REASONING_END': 'ReasoningEndEvent', 'REASONING_ENCRYPTED_VALUE': 'ReasoningEncryptedValueEvent', 'SUBAGENT_STARTED': 'SubagentStartedEvent', 'SUBAGENT_FINISHED': 'SubagentFinishedEvent', 'SUBAGENT_ERROR': 'SubagentErrorEvent' } },
};

/** Every closed set of strings. */
export const enums: Record<string, readonly string[]> = {
  EventType: ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'TEXT_MESSAGE_CHUNK', 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_CHUNK', 'TOOL_CALL_RESULT', 'STATE_SNAPSHOT', 'STATE_DELTA', 'MESSAGES_SNAPSHOT', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'RAW', 'CUSTOM', 'RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED', 'REASONING_START', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END', 'REASONING_MESSAGE_CHUNK', 'REASONING_END', 'REASONING_ENCRYPTED_VALUE', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_ERROR'],
  Role: ['developer', 'system', 'assistant', 'user', 'tool', 'activity', 'reasoning'],
  TextMessageRole: ['developer', 'system', 'assistant', 'user'],
  ToolCallResultRole: ['tool'],
  ReasoningMessageRole: ['reasoning'],
  ReasoningEncryptedValueSubtype: ['tool-call', 'message'],
  ResumeStatus: ['resolved', 'cancelled'],
};

/** The optional members of each type. */
export const optionals: Record<string, readonly string[]> = {
  Attributable: ['subagentRunId'],
  BaseEvent: ['timestamp', 'rawEvent', 'metadata'],
  BaseMessage: ['subagentRunId', 'name', 'encryptedValue', 'encryptedValueType', 'metadata'],
  TextPart: ['id', 'metadata'],
  DataSource: [],
  UrlSource: ['mimeType'],
  FileSource: ['provider', 'mimeType'],
  ImagePart: ['id', 'metadata'],
  AudioPart: ['id', 'metadata'],
  VideoPart: ['id', 'metadata'],
  DocumentPart: ['id', 'metadata'],
  AddOperation: [],
  RemoveOperation: [],
  ReplaceOperation: [],
  MoveOperation: [],
  CopyOperation: [],
  TestOperation: [],
  FunctionCall: [],
  ToolCall: ['encryptedValue', 'encryptedValueType', 'metadata'],
  DeveloperMessage: ['subagentRunId', 'name', 'encryptedValue', 'encryptedValueType', 'metadata'],
  SystemMessage: ['subagentRunId', 'name', 'encryptedValue', 'encryptedValueType', 'metadata'],
  AssistantMessage: ['subagentRunId', 'name', 'encryptedValue', 'encryptedValueType', 'metadata', 'content', 'toolCalls'],
  UserMessage: ['subagentRunId', 'name', 'encryptedValue', 'encryptedValueType', 'metadata'],
  ToolMessage: ['subagentRunId', 'error', 'encryptedValue', 'encryptedValueType', 'metadata'],
  ActivityMessage: ['subagentRunId', 'metadata'],
  ReasoningMessage: ['subagentRunId', 'encryptedValue', 'encryptedValueType', 'metadata'],
  Tool: ['parameters', 'metadata'],
  Context: [],
  ResumeEntry: ['payload', 'metadata'],
  RunAgentInput: ['protocolVersion', 'parentRunId', 'state', 'tools', 'context', 'forwardedProps', 'resume'],
  Interrupt: ['subagentRunId', 'message', 'toolCallId', 'responseSchema', 'expiresAt', 'metadata'],
  RunFinishedSuccessOutcome: ['pendingToolCallIds'],
  RunFinishedInterruptOutcome: [],
  RunFinishedCancelledOutcome: [],
  SubagentFinishedSuccessOutcome: [],
  SubagentFinishedSuspendedOutcome: ['interruptIds'],
  TokenUsage: ['provider', 'model', 'inputTokens', 'outputTokens', 'totalTokens', 'reasoningTokens', 'cachedInputTokens', 'cacheWriteInputTokens'],
  TextMessageStartEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'role', 'name'],
  TextMessageContentEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  TextMessageEndEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  TextMessageChunkEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'role', 'delta', 'name'],
  ToolCallStartEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'parentMessageId'],
  ToolCallArgsEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ToolCallEndEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ToolCallChunkEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'toolCallId', 'toolCallName', 'parentMessageId', 'delta'],
  ToolCallResultEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'role'],
  StateSnapshotEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  StateDeltaEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  MessagesSnapshotEvent: ['timestamp', 'rawEvent', 'metadata'],
  ActivitySnapshotEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'replace'],
  ActivityDeltaEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  RawEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'source'],
  CustomEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  RunStartedEvent: ['timestamp', 'rawEvent', 'metadata', 'protocolVersion', 'parentRunId', 'input'],
  RunFinishedEvent: ['timestamp', 'rawEvent', 'metadata', 'result', 'outcome', 'usage'],
  RunErrorEvent: ['timestamp', 'rawEvent', 'metadata', 'code', 'usage'],
  StepStartedEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  StepFinishedEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningStartEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningMessageStartEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningMessageContentEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningMessageEndEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningMessageChunkEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'messageId', 'delta'],
  ReasoningEndEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId'],
  ReasoningEncryptedValueEvent: ['timestamp', 'rawEvent', 'metadata', 'subagentRunId', 'encryptedValueType'],
  SubagentStartedEvent: ['timestamp', 'rawEvent', 'metadata', 'description', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'],
  SubagentFinishedEvent: ['timestamp', 'rawEvent', 'metadata', 'result', 'outcome'],
  SubagentErrorEvent: ['timestamp', 'rawEvent', 'metadata', 'code'],
  SubagentInfo: ['description'],
  IdentityCapabilities: ['name', 'type', 'description', 'version', 'provider', 'documentationUrl', 'metadata'],
  TransportCapabilities: ['streaming', 'websocket', 'httpBinary', 'pushNotifications', 'resumable'],
  ToolsCapabilities: ['supported', 'items', 'parallelCalls', 'clientProvided'],
  OutputCapabilities: ['structuredOutput', 'supportedMimeTypes'],
  StateCapabilities: ['snapshots', 'deltas', 'memory', 'persistentState'],
  MultiAgentCapabilities: ['supported', 'delegation', 'handoffs', 'subagents'],
  ReasoningCapabilities: ['supported', 'streaming', 'encrypted'],
  MultimodalInputCapabilities: ['image', 'audio', 'video', 'pdf', 'file'],
  MultimodalOutputCapabilities: ['image', 'audio'],
  MultimodalCapabilities: ['input', 'output'],
  ExecutionCapabilities: ['codeExecution', 'sandboxed', 'maxIterations', 'maxExecutionTime'],
  HumanInTheLoopCapabilities: ['supported', 'approvals', 'interventions', 'feedback', 'interrupts', 'approveWithEdits'],
  AgentCapabilities: ['identity', 'transport', 'tools', 'output', 'state', 'multiAgent', 'reasoning', 'multimodal', 'execution', 'humanInTheLoop', 'custom'],
  BinaryInputContent: ['id', 'url', 'data', 'filename'],
};

/** The members that the declaration fixes. */
export const literals: Record<string, Record<string, string>> = {
  TextPart: { type: 'text' },
  DataSource: { type: 'data' },
  UrlSource: { type: 'url' },
  FileSource: { type: 'file' },
  ImagePart: { type: 'image' },
  AudioPart: { type: 'audio' },
  VideoPart: { type: 'video' },
  DocumentPart: { type: 'document' },
  AddOperation: { op: 'add' },
  RemoveOperation: { op: 'remove' },
  ReplaceOperation: { op: 'replace' },
  MoveOperation: { op: 'move' },
  CopyOperation: { op: 'copy' },
  TestOperation: { op: 'test' },
  ToolCall: { type: 'function' },
  DeveloperMessage: { role: 'developer' },
  SystemMessage: { role: 'system' },
  AssistantMessage: { role: 'assistant' },
  UserMessage: { role: 'user' },
  ToolMessage: { role: 'tool' },
  ActivityMessage: { role: 'activity' },
  ReasoningMessage: { role: 'reasoning' },
  RunFinishedSuccessOutcome: { type: 'success' },
  RunFinishedInterruptOutcome: { type: 'interrupt' },
  RunFinishedCancelledOutcome: { type: 'cancelled' },
  SubagentFinishedSuccessOutcome: { type: 'success' },
  SubagentFinishedSuspendedOutcome: { type: 'suspended' },
  TextMessageStartEvent: { type: 'TEXT_MESSAGE_START' },
  TextMessageContentEvent: { type: 'TEXT_MESSAGE_CONTENT' },
  TextMessageEndEvent: { type: 'TEXT_MESSAGE_END' },
  TextMessageChunkEvent: { type: 'TEXT_MESSAGE_CHUNK' },
  ToolCallStartEvent: { type: 'TOOL_CALL_START' },
  ToolCallArgsEvent: { type: 'TOOL_CALL_ARGS' },
  ToolCallEndEvent: { type: 'TOOL_CALL_END' },
  ToolCallChunkEvent: { type: 'TOOL_CALL_CHUNK' },
  ToolCallResultEvent: { type: 'TOOL_CALL_RESULT' },
  StateSnapshotEvent: { type: 'STATE_SNAPSHOT' },
  StateDeltaEvent: { type: 'STATE_DELTA' },
  MessagesSnapshotEvent: { type: 'MESSAGES_SNAPSHOT' },
  ActivitySnapshotEvent: { type: 'ACTIVITY_SNAPSHOT' },
  ActivityDeltaEvent: { type: 'ACTIVITY_DELTA' },
  RawEvent: { type: 'RAW' },
  CustomEvent: { type: 'CUSTOM' },
  RunStartedEvent: { type: 'RUN_STARTED' },
  RunFinishedEvent: { type: 'RUN_FINISHED' },
  RunErrorEvent: { type: 'RUN_ERROR' },
  StepStartedEvent: { type: 'STEP_STARTED' },
  StepFinishedEvent: { type: 'STEP_FINISHED' },
  ReasoningStartEvent: { type: 'REASONING_START' },
  ReasoningMessageStartEvent: { type: 'REASONING_MESSAGE_START' },
  ReasoningMessageContentEvent: { type: 'REASONING_MESSAGE_CONTENT' },
  ReasoningMessageEndEvent: { type: 'REASONING_MESSAGE_END' },
  ReasoningMessageChunkEvent: { type: 'REASONING_MESSAGE_CHUNK' },
  ReasoningEndEvent: { type: 'REASONING_END' },
  ReasoningEncryptedValueEvent: { type: 'REASONING_ENCRYPTED_VALUE' },
  SubagentStartedEvent: { type: 'SUBAGENT_STARTED' },
  SubagentFinishedEvent: { type: 'SUBAGENT_FINISHED' },
  SubagentErrorEvent: { type: 'SUBAGENT_ERROR' },
  BinaryInputContent: { type: 'binary' },
};

/** The types whose undeclared members belong to them. */
export const open: readonly string[] = ['AddOperation', 'RemoveOperation', 'ReplaceOperation', 'MoveOperation', 'CopyOperation', 'TestOperation'];

/** The members that the protocol has had since 1.1. Under the names of the official package they are undeclared, and kept. */
export const newer: readonly string[] = ['encryptedValueType'];

/** The event of a shape that has just its required members: strings, which end at `marks[at]` and so on. */
export function literalEvent(shape: number, text: string, start: number, marks: Uint32Array, at: number): unknown {
  switch (shape) {
    case 0: return { type: 'TEXT_MESSAGE_START', messageId: text.slice(start, marks[at]!) };
    case 1: return { type: 'TEXT_MESSAGE_CONTENT', messageId: text.slice(start, marks[at]!), delta: text.slice(marks[at]!, marks[at + 1]!) };
    case 2: return { type: 'TEXT_MESSAGE_END', messageId: text.slice(start, marks[at]!) };
    case 3: return { type: 'TEXT_MESSAGE_CHUNK' };
    case 4: return { type: 'TOOL_CALL_START', toolCallId: text.slice(start, marks[at]!), toolCallName: text.slice(marks[at]!, marks[at + 1]!) };
    case 5: return { type: 'TOOL_CALL_ARGS', toolCallId: text.slice(start, marks[at]!), delta: text.slice(marks[at]!, marks[at + 1]!) };
    case 6: return { type: 'TOOL_CALL_END', toolCallId: text.slice(start, marks[at]!) };
    case 7: return { type: 'TOOL_CALL_CHUNK' };
    case 8: return { type: 'TOOL_CALL_RESULT', messageId: text.slice(start, marks[at]!), toolCallId: text.slice(marks[at]!, marks[at + 1]!), content: text.slice(marks[at + 1]!, marks[at + 2]!) };
    case 16: return { type: 'RUN_STARTED', threadId: text.slice(start, marks[at]!), runId: text.slice(marks[at]!, marks[at + 1]!) };
    case 17: return { type: 'RUN_FINISHED', threadId: text.slice(start, marks[at]!), runId: text.slice(marks[at]!, marks[at + 1]!) };
    case 18: return { type: 'RUN_ERROR', message: text.slice(start, marks[at]!) };
    case 19: return { type: 'STEP_STARTED', stepName: text.slice(start, marks[at]!) };
    case 20: return { type: 'STEP_FINISHED', stepName: text.slice(start, marks[at]!) };
    case 21: return { type: 'REASONING_START', messageId: text.slice(start, marks[at]!) };
    case 22: return { type: 'REASONING_MESSAGE_START', messageId: text.slice(start, marks[at]!), role: text.slice(marks[at]!, marks[at + 1]!) };
    case 23: return { type: 'REASONING_MESSAGE_CONTENT', messageId: text.slice(start, marks[at]!), delta: text.slice(marks[at]!, marks[at + 1]!) };
    case 24: return { type: 'REASONING_MESSAGE_END', messageId: text.slice(start, marks[at]!) };
    case 25: return { type: 'REASONING_MESSAGE_CHUNK' };
    case 26: return { type: 'REASONING_END', messageId: text.slice(start, marks[at]!) };
    case 27: return { type: 'REASONING_ENCRYPTED_VALUE', subtype: text.slice(start, marks[at]!), entityId: text.slice(marks[at]!, marks[at + 1]!), encryptedValue: text.slice(marks[at + 1]!, marks[at + 2]!) };
    case 28: return { type: 'SUBAGENT_STARTED', subagentRunId: text.slice(start, marks[at]!), name: text.slice(marks[at]!, marks[at + 1]!) };
    case 29: return { type: 'SUBAGENT_FINISHED', subagentRunId: text.slice(start, marks[at]!) };
    case 30: return { type: 'SUBAGENT_ERROR', subagentRunId: text.slice(start, marks[at]!), message: text.slice(marks[at]!, marks[at + 1]!) };
    default: return undefined;
  }
}

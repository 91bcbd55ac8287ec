// Made from the declaration in core/src/types by `make generate`. Do not edit.

/** Free key-value data; the key `ag-ui` is reserved for the protocol. */
export type Metadata = Record<string, any>;

/** Names one invocation of a subagent. */
export type SubagentRunId = string;

/** The shared state: any JSON value. */
export type State = any;

/** A JSON Pointer (RFC 6901). */
export type JsonPointer = string;

/** The types of events. */
export enum EventType {
  TEXT_MESSAGE_START = 'TEXT_MESSAGE_START',
  TEXT_MESSAGE_CONTENT = 'TEXT_MESSAGE_CONTENT',
  TEXT_MESSAGE_END = 'TEXT_MESSAGE_END',
  TEXT_MESSAGE_CHUNK = 'TEXT_MESSAGE_CHUNK',
  TOOL_CALL_START = 'TOOL_CALL_START',
  TOOL_CALL_ARGS = 'TOOL_CALL_ARGS',
  TOOL_CALL_END = 'TOOL_CALL_END',
  TOOL_CALL_CHUNK = 'TOOL_CALL_CHUNK',
  TOOL_CALL_RESULT = 'TOOL_CALL_RESULT',
  STATE_SNAPSHOT = 'STATE_SNAPSHOT',
  STATE_DELTA = 'STATE_DELTA',
  MESSAGES_SNAPSHOT = 'MESSAGES_SNAPSHOT',
  ACTIVITY_SNAPSHOT = 'ACTIVITY_SNAPSHOT',
  ACTIVITY_DELTA = 'ACTIVITY_DELTA',
  RAW = 'RAW',
  CUSTOM = 'CUSTOM',
  RUN_STARTED = 'RUN_STARTED',
  RUN_FINISHED = 'RUN_FINISHED',
  RUN_ERROR = 'RUN_ERROR',
  STEP_STARTED = 'STEP_STARTED',
  STEP_FINISHED = 'STEP_FINISHED',
  REASONING_START = 'REASONING_START',
  REASONING_MESSAGE_START = 'REASONING_MESSAGE_START',
  REASONING_MESSAGE_CONTENT = 'REASONING_MESSAGE_CONTENT',
  REASONING_MESSAGE_END = 'REASONING_MESSAGE_END',
  REASONING_MESSAGE_CHUNK = 'REASONING_MESSAGE_CHUNK',
  REASONING_END = 'REASONING_END',
  REASONING_ENCRYPTED_VALUE = 'REASONING_ENCRYPTED_VALUE',
  SUBAGENT_STARTED = 'SUBAGENT_STARTED',
  SUBAGENT_FINISHED = 'SUBAGENT_FINISHED',
  SUBAGENT_ERROR = 'SUBAGENT_ERROR',
}

/** The role of a message's author. */
export type Role = 'developer' | 'system' | 'assistant' | 'user' | 'tool' | 'activity' | 'reasoning';

/** The role of a streamed text message's author. */
export type TextMessageRole = 'developer' | 'system' | 'assistant' | 'user';

/** The one role of a streamed tool result. */
export type ToolCallResultRole = 'tool';

/** The one role of a streamed reasoning message. */
export type ReasoningMessageRole = 'reasoning';

/** The kind of thing that an encrypted reasoning value belongs to. */
export type ReasoningEncryptedValueSubtype = 'tool-call' | 'message';

/** The answer's status: answered or given up. */
export type ResumeStatus = 'resolved' | 'cancelled';

/** The member of types that can belong to a subagent's work. */
export type Attributable = {
  /** The id of the subagent invocation to which it belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
};

/** The members that every event has. */
export type BaseEvent = {
  /** The type of the event. */
  type: EventType;
  /** The time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event from which this event was made, unchanged. */
  rawEvent?: any;
  /** Any key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
};

/** The members that developer, system, assistant and user messages share. */
export type BaseMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** The author of the message. */
  role: string;
  /** The display name of the author. */
  name?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
};

/** A piece of text. */
export type TextPart = {
  /** Always `text`. */
  type: 'text';
  /** Reserved for naming the part. */
  id?: string;
  /** The text. */
  text: string;
  /** Any data about the part. */
  metadata?: any;
};

/** Bytes given in the message itself. */
export type DataSource = {
  /** Always `data`. */
  type: 'data';
  /** The bytes in base64; not checked. */
  value: string;
  /** Media type of the bytes. */
  mimeType: string;
};

/** Bytes to be fetched. */
export type UrlSource = {
  /** Always `url`. */
  type: 'url';
  /** The URL of the bytes; its form is not checked. */
  value: string;
  /** Media type of the bytes. */
  mimeType?: string;
};

/** A file that a provider keeps. */
export type FileSource = {
  /** Always `file`. */
  type: 'file';
  /** The provider's handle for it. */
  value: string;
  /** Lower-case id of the provider. */
  provider?: string;
  /** Media type of the file. */
  mimeType?: string;
};

/** A picture. */
export type ImagePart = {
  /** Always `image`. */
  type: 'image';
  /** Reserved for naming the part. */
  id?: string;
  /** The source of the bytes. */
  source: PartSource;
  /** Any data about the part. */
  metadata?: any;
};

/** A sound. */
export type AudioPart = {
  /** Always `audio`. */
  type: 'audio';
  /** Reserved for naming the part. */
  id?: string;
  /** The source of the bytes. */
  source: PartSource;
  /** Any data about the part. */
  metadata?: any;
};

/** A film. */
export type VideoPart = {
  /** Always `video`. */
  type: 'video';
  /** Reserved for naming the part. */
  id?: string;
  /** The source of the bytes. */
  source: PartSource;
  /** Any data about the part. */
  metadata?: any;
};

/** A document. */
export type DocumentPart = {
  /** Always `document`. */
  type: 'document';
  /** Reserved for naming the part. */
  id?: string;
  /** The source of the bytes. */
  source: PartSource;
  /** Any data about the part. */
  metadata?: any;
};

/** Sets a member or inserts a list element. */
export type AddOperation = {
  /** Always `add`. */
  op: 'add';
  /** The place in the document. */
  path: JsonPointer;
  /** The value to add; `null` is a value. */
  value: any;
};

/** Removes a member or list element. */
export type RemoveOperation = {
  /** Always `remove`. */
  op: 'remove';
  /** The place in the document. */
  path: JsonPointer;
};

/** Puts another value in the place of one that is there. */
export type ReplaceOperation = {
  /** Always `replace`. */
  op: 'replace';
  /** The place in the document. */
  path: JsonPointer;
  /** The new value; `null` is a value. */
  value: any;
};

/** Takes a value from one place to another. */
export type MoveOperation = {
  /** Always `move`. */
  op: 'move';
  /** The place to move from. */
  from: JsonPointer;
  /** The place to move to. */
  path: JsonPointer;
};

/** Copies a value from one place to another. */
export type CopyOperation = {
  /** Always `copy`. */
  op: 'copy';
  /** The place to copy from. */
  from: JsonPointer;
  /** The place to copy to. */
  path: JsonPointer;
};

/** Fails the patch unless the value there equals the given one. */
export type TestOperation = {
  /** Always `test`. */
  op: 'test';
  /** The place in the document. */
  path: JsonPointer;
  /** The expected value; `null` is a value. */
  value: any;
};

/** The function that a tool call names, with its arguments. */
export type FunctionCall = {
  /** The name of the tool. */
  name: string;
  /** The arguments as JSON text; not checked, and incomplete while they stream in. */
  arguments: string;
};

/** A call of a tool, made by the assistant. */
export type ToolCall = {
  /** The id of the call. */
  id: string;
  /** Always `function`. */
  type: 'function';
  /** The called function. */
  function: FunctionCall;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the call. */
  metadata?: Metadata;
};

/** Instructions by the application's developer. */
export type DeveloperMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `developer`. */
  role: 'developer';
  /** The display name of the author. */
  name?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
  /** The text. */
  content: string;
};

/** Instructions to the model. */
export type SystemMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `system`. */
  role: 'system';
  /** The display name of the author. */
  name?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
  /** The text. */
  content: string;
};

/** The text of the model and its tool calls. */
export type AssistantMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `assistant`. */
  role: 'assistant';
  /** The display name of the author. */
  name?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
  /** The text, if any. */
  content?: string;
  /** The tool calls, if any. */
  toolCalls?: ToolCall[];
};

/** A message of the user. */
export type UserMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `user`. */
  role: 'user';
  /** The display name of the author. */
  name?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
  /** Text, or parts of text and media. */
  content: string | ContentPart[];
};

/** The result of a tool call. */
export type ToolMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `tool`. */
  role: 'tool';
  /** Text, or parts of text and media. */
  content: string | ContentPart[];
  /** The id of the answered call. */
  toolCallId: string;
  /** The description of the failure, if the tool failed. */
  error?: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
};

/** Structured progress shown to the person; never sent to a model. */
export type ActivityMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `activity`. */
  role: 'activity';
  /** The kind of activity. */
  activityType: string;
  /** The activity's data. */
  content: Record<string, any>;
  /** Any key-value data about the message. */
  metadata?: Metadata;
};

/** The model's reasoning. */
export type ReasoningMessage = {
  /** The id of the subagent invocation to which the message belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message within the conversation. */
  id: string;
  /** Always `reasoning`. */
  role: 'reasoning';
  /** The text. */
  content: string;
  /** A provider's opaque value; it is sent back in a later turn. */
  encryptedValue?: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
  /** Any key-value data about the message. */
  metadata?: Metadata;
};

/** A tool that the model may call. */
export type Tool = {
  /** The name by which the model calls the tool. */
  name: string;
  /** The description of the tool for the model. */
  description: string;
  /** The JSON Schema of its arguments; not checked. */
  parameters?: any;
  /** Any key-value data about the tool. */
  metadata?: Metadata;
};

/** A piece of background information that the application gives the agent. */
export type Context = {
  /** The description of the text. */
  description: string;
  /** The text. */
  value: string;
};

/** The answer to one interrupt. */
export type ResumeEntry = {
  /** The id of the answered interrupt. */
  interruptId: string;
  /** The status: answered or cancelled. */
  status: ResumeStatus;
  /** The answer. */
  payload?: any;
  /** Any key-value data about the answer. */
  metadata?: Metadata;
};

/** The input of a run, as a client sends it. */
export type RunAgentInput = {
  /** The id of the conversation. */
  threadId: string;
  /** The id of the run. */
  runId: string;
  /** The protocol version of the client, `MAJOR.MINOR`. */
  protocolVersion?: string;
  /** The id of an earlier run from which this one branches. */
  parentRunId?: string;
  /** The shared state; without one, the member is left out. `null` means no state. */
  state?: State;
  /** The conversation so far. */
  messages: Message[];
  /** Tools that the client offers; absent and empty mean the same. */
  tools: Tool[];
  /** Background information for the agent; absent and empty mean the same. */
  context: Context[];
  /** Any other data of the application for the agent. */
  forwardedProps?: any;
  /** The answers to the interrupts that ended the run before. */
  resume?: ResumeEntry[];
};

/** A question that must be answered before the agent can go on. */
export type Interrupt = {
  /** The id of the subagent invocation that asks; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the interrupt. */
  id: string;
  /** The reason of the question, from an open set. */
  reason: string;
  /** The question, for the person. */
  message?: string;
  /** The id of the tool call that the question is about. */
  toolCallId?: string;
  /** The JSON Schema of the answer; not checked. */
  responseSchema?: Record<string, any>;
  /** The time at which the question expires, ISO 8601 by convention. */
  expiresAt?: string;
  /** Any key-value data about the interrupt. */
  metadata?: Metadata;
};

/** The run succeeded. */
export type RunFinishedSuccessOutcome = {
  /** Always `success`. */
  type: 'success';
  /** The ids of the calls that the client still has to answer; absent or empty: those without a result in the stream. */
  pendingToolCallIds?: string[];
};

/** The run waits for answers. */
export type RunFinishedInterruptOutcome = {
  /** Always `interrupt`. */
  type: 'interrupt';
  /** The questions, at least one. */
  interrupts: Interrupt[];
};

/** The run was cancelled. */
export type RunFinishedCancelledOutcome = {
  /** Always `cancelled`. */
  type: 'cancelled';
};

/** The subagent succeeded. */
export type SubagentFinishedSuccessOutcome = {
  /** Always `success`. */
  type: 'success';
};

/** The subagent waits for answers. */
export type SubagentFinishedSuspendedOutcome = {
  /** Always `suspended`. */
  type: 'suspended';
  /** The ids of the interrupts for which the subagent waits. */
  interruptIds?: string[];
};

/** The tokens used with one model of one provider. */
export type TokenUsage = {
  /** The provider that runs the model. */
  provider?: string;
  /** The model. */
  model?: string;
  /** The tokens that the model has read, cached ones included. */
  inputTokens?: number;
  /** The tokens that the model has written, reasoning included. */
  outputTokens?: number;
  /** The tokens of input and output together. */
  totalTokens?: number;
  /** The part of the output that was reasoning. */
  reasoningTokens?: number;
  /** The part of the input that came from a cache. */
  cachedInputTokens?: number;
  /** The part of the input that was put into a cache. */
  cacheWriteInputTokens?: number;
};

/** Begins a text message that arrives in pieces. */
export type TextMessageStartEvent = {
  /** Always `TEXT_MESSAGE_START`. */
  type: EventType.TEXT_MESSAGE_START;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
  /** The role of the author; absent means the assistant. */
  role?: TextMessageRole;
  /** The display name of the author. */
  name?: string;
};

/** Appends to a streamed text message. */
export type TextMessageContentEvent = {
  /** Always `TEXT_MESSAGE_CONTENT`. */
  type: EventType.TEXT_MESSAGE_CONTENT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
  /** The text to append; may be empty. */
  delta: string;
};

/** The text message is complete. */
export type TextMessageEndEvent = {
  /** Always `TEXT_MESSAGE_END`. */
  type: EventType.TEXT_MESSAGE_END;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
};

/** Streams a text message without explicit start and end. */
export type TextMessageChunkEvent = {
  /** Always `TEXT_MESSAGE_CHUNK`. */
  type: EventType.TEXT_MESSAGE_CHUNK;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message; the first chunk must have it. */
  messageId?: string;
  /** The role of the author; absent means the assistant. */
  role?: TextMessageRole;
  /** The text to append; may be empty. */
  delta?: string;
  /** The display name of the author. */
  name?: string;
};

/** Opens a streamed tool call. */
export type ToolCallStartEvent = {
  /** Always `TOOL_CALL_START`. */
  type: EventType.TOOL_CALL_START;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the call. */
  toolCallId: string;
  /** The name of the called tool. */
  toolCallName: string;
  /** The id of the assistant message that holds the call. */
  parentMessageId?: string;
};

/** Appends to the arguments of a streamed tool call. */
export type ToolCallArgsEvent = {
  /** Always `TOOL_CALL_ARGS`. */
  type: EventType.TOOL_CALL_ARGS;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the call. */
  toolCallId: string;
  /** The text to append: a piece of JSON text, not JSON. */
  delta: string;
};

/** Closes a streamed tool call. */
export type ToolCallEndEvent = {
  /** Always `TOOL_CALL_END`. */
  type: EventType.TOOL_CALL_END;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the call. */
  toolCallId: string;
};

/** Streams a tool call without explicit start and end. */
export type ToolCallChunkEvent = {
  /** Always `TOOL_CALL_CHUNK`. */
  type: EventType.TOOL_CALL_CHUNK;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the call; the first chunk must have it. */
  toolCallId?: string;
  /** The name of the called tool; the first chunk must have it. */
  toolCallName?: string;
  /** The id of the assistant message that holds the call. */
  parentMessageId?: string;
  /** The text to append: a piece of JSON text, not JSON. */
  delta?: string;
};

/** Answers a tool call; makes a tool message. */
export type ToolCallResultEvent = {
  /** Always `TOOL_CALL_RESULT`. */
  type: EventType.TOOL_CALL_RESULT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the tool message. */
  messageId: string;
  /** The id of the answered call. */
  toolCallId: string;
  /** Text, or parts of text and media. */
  content: string | ContentPart[];
  /** Always `tool`. */
  role?: ToolCallResultRole;
};

/** Replaces the shared state. */
export type StateSnapshotEvent = {
  /** Always `STATE_SNAPSHOT`. */
  type: EventType.STATE_SNAPSHOT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The state; any JSON, `null` included. */
  snapshot: State;
};

/** Patches the shared state. */
export type StateDeltaEvent = {
  /** Always `STATE_DELTA`. */
  type: EventType.STATE_DELTA;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The JSON Patch. */
  delta: JsonPatchOperation[];
};

/** Replaces the conversation. */
export type MessagesSnapshotEvent = {
  /** Always `MESSAGES_SNAPSHOT`. */
  type: EventType.MESSAGES_SNAPSHOT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The messages. */
  messages: Message[];
};

/** Sets the content of an activity. */
export type ActivitySnapshotEvent = {
  /** Always `ACTIVITY_SNAPSHOT`. */
  type: EventType.ACTIVITY_SNAPSHOT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the activity message. */
  messageId: string;
  /** The kind of activity. */
  activityType: string;
  /** The activity's data. */
  content: Record<string, any>;
  /** True or absent: an activity with that id is replaced. False: it stays. */
  replace?: boolean;
};

/** Patches the content of an activity. */
export type ActivityDeltaEvent = {
  /** Always `ACTIVITY_DELTA`. */
  type: EventType.ACTIVITY_DELTA;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the activity message. */
  messageId: string;
  /** The kind of activity. */
  activityType: string;
  /** The JSON Patch on its data. */
  patch: JsonPatchOperation[];
};

/** Carries an event of another system. */
export type RawEvent = {
  /** Always `RAW`. */
  type: EventType.RAW;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The event; any JSON, `null` included. */
  event: any;
  /** The system that the event comes from. */
  source?: string;
};

/** Carries data on which the application and the agent agree. */
export type CustomEvent = {
  /** Always `CUSTOM`. */
  type: EventType.CUSTOM;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The name of the event. */
  name: string;
  /** Its data; any JSON, `null` included. */
  value: any;
};

/** A run begins. */
export type RunStartedEvent = {
  /** Always `RUN_STARTED`. */
  type: EventType.RUN_STARTED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The id of the conversation. */
  threadId: string;
  /** The id of the run. */
  runId: string;
  /** The protocol version of the agent, `MAJOR.MINOR`. */
  protocolVersion?: string;
  /** The id of an earlier run from which this one branches. */
  parentRunId?: string;
  /** The input that started the run. */
  input?: RunAgentInput;
};

/** Closes a run. */
export type RunFinishedEvent = {
  /** Always `RUN_FINISHED`. */
  type: EventType.RUN_FINISHED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The id of the conversation. */
  threadId: string;
  /** The id of the run. */
  runId: string;
  /** The result of the run. */
  result?: any;
  /** The ending; a success if absent. */
  outcome?: RunFinishedOutcome;
  /** The used tokens, with one entry for each provider and model. */
  usage?: TokenUsage[];
};

/** The run has failed and is over. */
export type RunErrorEvent = {
  /** Always `RUN_ERROR`. */
  type: EventType.RUN_ERROR;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The description of the failure. */
  message: string;
  /** A short code for the failure, from an open set. */
  code?: string;
  /** The used tokens, with one entry for each provider and model. */
  usage?: TokenUsage[];
};

/** Opens a step of the run. */
export type StepStartedEvent = {
  /** Always `STEP_STARTED`. */
  type: EventType.STEP_STARTED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The name of the step. */
  stepName: string;
};

/** Closes a step of the run. */
export type StepFinishedEvent = {
  /** Always `STEP_FINISHED`. */
  type: EventType.STEP_FINISHED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The name of the step. */
  stepName: string;
};

/** A span of reasoning begins. */
export type ReasoningStartEvent = {
  /** Always `REASONING_START`. */
  type: EventType.REASONING_START;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the span. */
  messageId: string;
};

/** Begins a reasoning message that arrives in pieces. */
export type ReasoningMessageStartEvent = {
  /** Always `REASONING_MESSAGE_START`. */
  type: EventType.REASONING_MESSAGE_START;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
  /** Always `reasoning`. */
  role: ReasoningMessageRole;
};

/** Appends to a streamed reasoning message. */
export type ReasoningMessageContentEvent = {
  /** Always `REASONING_MESSAGE_CONTENT`. */
  type: EventType.REASONING_MESSAGE_CONTENT;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
  /** The text to append; may be empty. */
  delta: string;
};

/** The reasoning message is complete. */
export type ReasoningMessageEndEvent = {
  /** Always `REASONING_MESSAGE_END`. */
  type: EventType.REASONING_MESSAGE_END;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message. */
  messageId: string;
};

/** Streams a reasoning message without explicit start and end. */
export type ReasoningMessageChunkEvent = {
  /** Always `REASONING_MESSAGE_CHUNK`. */
  type: EventType.REASONING_MESSAGE_CHUNK;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the message; the first chunk must have it. */
  messageId?: string;
  /** The text to append; may be empty. */
  delta?: string;
};

/** The span of reasoning is over. */
export type ReasoningEndEvent = {
  /** Always `REASONING_END`. */
  type: EventType.REASONING_END;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The id of the span. */
  messageId: string;
};

/** Attaches a provider's encrypted value to a message or a tool call. */
export type ReasoningEncryptedValueEvent = {
  /** Always `REASONING_ENCRYPTED_VALUE`. */
  type: EventType.REASONING_ENCRYPTED_VALUE;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The subagent invocation the event belongs to; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
  /** The kind of the entity to which the value belongs. */
  subtype: ReasoningEncryptedValueSubtype;
  /** The id of the message or tool call. */
  entityId: string;
  /** The opaque value. */
  encryptedValue: string;
  /** The producer's name for this kind of value; it is sent back with the value. */
  encryptedValueType?: string;
};

/** Opens a subagent's work. */
export type SubagentStartedEvent = {
  /** Always `SUBAGENT_STARTED`. */
  type: EventType.SUBAGENT_STARTED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The id of the invocation. */
  subagentRunId: SubagentRunId;
  /** The name of the subagent. */
  name: string;
  /** The subagent's task. */
  description?: string;
  /** The id of the invocation that invokes it, if that is a subagent, too. */
  parentSubagentRunId?: string;
  /** The id of the tool call that invokes it. */
  parentToolCallId?: string;
  /** The id of the message that invokes it. */
  parentMessageId?: string;
};

/** Closes a subagent's work. */
export type SubagentFinishedEvent = {
  /** Always `SUBAGENT_FINISHED`. */
  type: EventType.SUBAGENT_FINISHED;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The id of the invocation. */
  subagentRunId: SubagentRunId;
  /** The result of the invocation. */
  result?: any;
  /** The ending; a success if absent. */
  outcome?: SubagentFinishedOutcome;
};

/** Ends a subagent's work that failed. */
export type SubagentErrorEvent = {
  /** Always `SUBAGENT_ERROR`. */
  type: EventType.SUBAGENT_ERROR;
  /** Time of creation, in milliseconds since the Unix epoch by convention. */
  timestamp?: number;
  /** The provider's own event this one was made from, untouched. */
  rawEvent?: any;
  /** Free key-value data about the event; the key `ag-ui` is reserved. */
  metadata?: Metadata;
  /** The id of the invocation. */
  subagentRunId: SubagentRunId;
  /** The description of the failure. */
  message: string;
  /** A short code for the failure, from an open set. */
  code?: string;
};

/** A subagent to which the agent can hand work. */
export type SubagentInfo = {
  /** The name of the subagent. */
  name: string;
  /** The description of the work that the subagent does. */
  description?: string;
};

/** The identity of the agent. */
export type IdentityCapabilities = {
  /** The display name of the agent. */
  name?: string;
  /** The framework or the kind of the agent. */
  type?: string;
  /** The description of the agent. */
  description?: string;
  /** The version of the agent. */
  version?: string;
  /** The name of the provider. */
  provider?: string;
  /** The URL of the documentation. */
  documentationUrl?: string;
  /** Any other data, as keys and values. */
  metadata?: Metadata;
};

/** The transports of the agent. */
export type TransportCapabilities = {
  /** The agent streams events. */
  streaming?: boolean;
  /** The agent accepts WebSocket connections. */
  websocket?: boolean;
  /** The agent sends the protobuf form over HTTP. */
  httpBinary?: boolean;
  /** The agent pushes notifications. */
  pushNotifications?: boolean;
  /** A client can resume a broken stream. */
  resumable?: boolean;
};

/** The agent's tools. */
export type ToolsCapabilities = {
  /** The agent calls tools. */
  supported?: boolean;
  /** The tools of the agent itself. */
  items?: Tool[];
  /** The agent calls several tools at once. */
  parallelCalls?: boolean;
  /** The agent calls tools that the client offers. */
  clientProvided?: boolean;
};

/** The output that the agent can produce. */
export type OutputCapabilities = {
  /** The agent can produce output that follows a schema. */
  structuredOutput?: boolean;
  /** The media types that the agent can produce. */
  supportedMimeTypes?: string[];
};

/** The agent's use of the shared state. */
export type StateCapabilities = {
  /** The agent sends snapshots of the state. */
  snapshots?: boolean;
  /** The agent sends deltas of the state. */
  deltas?: boolean;
  /** The agent keeps a memory across conversations. */
  memory?: boolean;
  /** The agent keeps the state between runs. */
  persistentState?: boolean;
};

/** The agent's work with other agents. */
export type MultiAgentCapabilities = {
  /** The agent works with other agents. */
  supported?: boolean;
  /** The agent delegates work to other agents. */
  delegation?: boolean;
  /** The agent hands the conversation over to other agents. */
  handoffs?: boolean;
  /** The subagents that the agent can invoke. */
  subagents?: SubagentInfo[];
};

/** The agent's reasoning. */
export type ReasoningCapabilities = {
  /** The agent can reason. */
  supported?: boolean;
  /** The agent streams its reasoning. */
  streaming?: boolean;
  /** The agent sends its reasoning in encrypted form. */
  encrypted?: boolean;
};

/** The media that the agent accepts. */
export type MultimodalInputCapabilities = {
  /** Pictures. */
  image?: boolean;
  /** Sound. */
  audio?: boolean;
  /** Videos. */
  video?: boolean;
  /** PDF documents. */
  pdf?: boolean;
  /** Any file. */
  file?: boolean;
};

/** The media that the agent produces. */
export type MultimodalOutputCapabilities = {
  /** Pictures. */
  image?: boolean;
  /** Sound. */
  audio?: boolean;
};

/** Media in and out. */
export type MultimodalCapabilities = {
  /** The accepted media. */
  input?: MultimodalInputCapabilities;
  /** The produced media. */
  output?: MultimodalOutputCapabilities;
};

/** The limits and features of a run of the agent. */
export type ExecutionCapabilities = {
  /** The agent runs code. */
  codeExecution?: boolean;
  /** The agent runs code in a sandbox. */
  sandboxed?: boolean;
  /** The maximum number of iterations in one run. */
  maxIterations?: number;
  /** The maximum duration of a run, in milliseconds. */
  maxExecutionTime?: number;
};

/** The ways in which people take part in a run. */
export type HumanInTheLoopCapabilities = {
  /** People can take part in a run. */
  supported?: boolean;
  /** The agent asks for approval. */
  approvals?: boolean;
  /** People can change the plan of the agent while it runs. */
  interventions?: boolean;
  /** The agent learns from feedback within the session. */
  feedback?: boolean;
  /** The agent ends runs with interrupts and takes the answers in the next input. */
  interrupts?: boolean;
  /** The agent takes changed arguments in the answer to the interrupt of a tool call. */
  approveWithEdits?: boolean;
};

/** The capabilities that an agent declares about itself. */
export type AgentCapabilities = {
  /** The identity of the agent. */
  identity?: IdentityCapabilities;
  /** The transports. */
  transport?: TransportCapabilities;
  /** The tools. */
  tools?: ToolsCapabilities;
  /** The output. */
  output?: OutputCapabilities;
  /** The use of the shared state. */
  state?: StateCapabilities;
  /** The work with other agents. */
  multiAgent?: MultiAgentCapabilities;
  /** The reasoning. */
  reasoning?: ReasoningCapabilities;
  /** Media in and out. */
  multimodal?: MultimodalCapabilities;
  /** The limits and features of a run. */
  execution?: ExecutionCapabilities;
  /** The ways in which people take part. */
  humanInTheLoop?: HumanInTheLoopCapabilities;
  /** Capabilities that the categories above do not cover. */
  custom?: Record<string, any>;
};

/**
 * The binary part of AG-UI before 1.0. Messages of 1.0 cannot hold it; one of `id`, `url` and `data` must
 * have a value.
 */
export type BinaryInputContent = {
  /** Always `binary`. */
  type: 'binary';
  /** Media type of the bytes. */
  mimeType: string;
  /** A handle for the bytes. */
  id?: string;
  /** The URL of the bytes. */
  url?: string;
  /** The bytes in base64. */
  data?: string;
  /** A name for the file. */
  filename?: string;
};

/** The source of a media part's bytes. */
export type PartSource =
  | DataSource
  | UrlSource
  | FileSource;

/** One part of a message's content. */
export type ContentPart =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart;

/** One operation of a JSON Patch. */
export type JsonPatchOperation =
  | AddOperation
  | RemoveOperation
  | ReplaceOperation
  | MoveOperation
  | CopyOperation
  | TestOperation;

/** One message of a conversation. */
export type Message =
  | DeveloperMessage
  | SystemMessage
  | AssistantMessage
  | UserMessage
  | ToolMessage
  | ActivityMessage
  | ReasoningMessage;

/** The outcome of a run. */
export type RunFinishedOutcome =
  | RunFinishedSuccessOutcome
  | RunFinishedInterruptOutcome
  | RunFinishedCancelledOutcome;

/** The outcome of a subagent's work. */
export type SubagentFinishedOutcome =
  | SubagentFinishedSuccessOutcome
  | SubagentFinishedSuspendedOutcome;

/** Any event. */
export type Event =
  | TextMessageStartEvent
  | TextMessageContentEvent
  | TextMessageEndEvent
  | TextMessageChunkEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallChunkEvent
  | ToolCallResultEvent
  | StateSnapshotEvent
  | StateDeltaEvent
  | MessagesSnapshotEvent
  | ActivitySnapshotEvent
  | ActivityDeltaEvent
  | RawEvent
  | CustomEvent
  | RunStartedEvent
  | RunFinishedEvent
  | RunErrorEvent
  | StepStartedEvent
  | StepFinishedEvent
  | ReasoningStartEvent
  | ReasoningMessageStartEvent
  | ReasoningMessageContentEvent
  | ReasoningMessageEndEvent
  | ReasoningMessageChunkEvent
  | ReasoningEndEvent
  | ReasoningEncryptedValueEvent
  | SubagentStartedEvent
  | SubagentFinishedEvent
  | SubagentErrorEvent;

/** A JSON Patch (RFC 6902). */
export type JsonPatch = JsonPatchOperation[];

/** The arguments for making an event: its members without the tag. */
export type EventProps<E extends { type: EventType }> = Omit<E, 'type'> & { [key: string]: unknown };

export type TextMessageStartEventProps = EventProps<TextMessageStartEvent>;
export type TextMessageContentEventProps = EventProps<TextMessageContentEvent>;
export type TextMessageEndEventProps = EventProps<TextMessageEndEvent>;
export type TextMessageChunkEventProps = EventProps<TextMessageChunkEvent>;
export type ToolCallStartEventProps = EventProps<ToolCallStartEvent>;
export type ToolCallArgsEventProps = EventProps<ToolCallArgsEvent>;
export type ToolCallEndEventProps = EventProps<ToolCallEndEvent>;
export type ToolCallChunkEventProps = EventProps<ToolCallChunkEvent>;
export type ToolCallResultEventProps = EventProps<ToolCallResultEvent>;
export type StateSnapshotEventProps = EventProps<StateSnapshotEvent>;
export type StateDeltaEventProps = EventProps<StateDeltaEvent>;
export type MessagesSnapshotEventProps = EventProps<MessagesSnapshotEvent>;
export type ActivitySnapshotEventProps = EventProps<ActivitySnapshotEvent>;
export type ActivityDeltaEventProps = EventProps<ActivityDeltaEvent>;
export type RawEventProps = EventProps<RawEvent>;
export type CustomEventProps = EventProps<CustomEvent>;
export type RunStartedEventProps = EventProps<RunStartedEvent>;
export type RunFinishedEventProps = EventProps<RunFinishedEvent>;
export type RunErrorEventProps = EventProps<RunErrorEvent>;
export type StepStartedEventProps = EventProps<StepStartedEvent>;
export type StepFinishedEventProps = EventProps<StepFinishedEvent>;
export type ReasoningStartEventProps = EventProps<ReasoningStartEvent>;
export type ReasoningMessageStartEventProps = EventProps<ReasoningMessageStartEvent>;
export type ReasoningMessageContentEventProps = EventProps<ReasoningMessageContentEvent>;
export type ReasoningMessageEndEventProps = EventProps<ReasoningMessageEndEvent>;
export type ReasoningMessageChunkEventProps = EventProps<ReasoningMessageChunkEvent>;
export type ReasoningEndEventProps = EventProps<ReasoningEndEvent>;
export type ReasoningEncryptedValueEventProps = EventProps<ReasoningEncryptedValueEvent>;
export type SubagentStartedEventProps = EventProps<SubagentStartedEvent>;
export type SubagentFinishedEventProps = EventProps<SubagentFinishedEvent>;
export type SubagentErrorEventProps = EventProps<SubagentErrorEvent>;

// Made from the declaration in core/src/types by `make generate`. Do not edit.

/**
 * Free key-value data; the key `ag-ui` is reserved for the protocol.
 *
 * @example
 * ```ts
 * import type { Metadata } from 'ag-ui-native';
 *
 * const metadata: Metadata = { lang: 'en' };
 * ```
 */
export type Metadata = Record<string, any>;

/**
 * Names one invocation of a subagent.
 *
 * @example
 * ```ts
 * import type { SubagentRunId } from 'ag-ui-native';
 *
 * const id: SubagentRunId = 'researcher-1';
 * ```
 */
export type SubagentRunId = string;

/**
 * The shared state: any JSON value.
 *
 * @example
 * ```ts
 * import type { State } from 'ag-ui-native';
 *
 * const state: State = { tasks: ['Buy milk'] };
 * ```
 */
export type State = any;

/**
 * A JSON Pointer (RFC 6901).
 *
 * @example
 * ```ts
 * import type { JsonPointer } from 'ag-ui-native';
 *
 * const pointer: JsonPointer = '/tasks/0';
 * ```
 */
export type JsonPointer = string;

/**
 * The types of events.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 *
 * EventType.TEXT_MESSAGE_START; // => 'TEXT_MESSAGE_START'
 * ```
 */
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

/**
 * The role of a message's author.
 *
 * @example
 * ```ts
 * import type { Role } from 'ag-ui-native';
 *
 * const role: Role = 'developer';
 * ```
 */
export type Role = 'developer' | 'system' | 'assistant' | 'user' | 'tool' | 'activity' | 'reasoning';

/**
 * The role of a streamed text message's author.
 *
 * @example
 * ```ts
 * import type { TextMessageRole } from 'ag-ui-native';
 *
 * const role: TextMessageRole = 'developer';
 * ```
 */
export type TextMessageRole = 'developer' | 'system' | 'assistant' | 'user';

/**
 * The one role of a streamed tool result.
 *
 * @example
 * ```ts
 * import type { ToolCallResultRole } from 'ag-ui-native';
 *
 * const role: ToolCallResultRole = 'tool';
 * ```
 */
export type ToolCallResultRole = 'tool';

/**
 * The one role of a streamed reasoning message.
 *
 * @example
 * ```ts
 * import type { ReasoningMessageRole } from 'ag-ui-native';
 *
 * const role: ReasoningMessageRole = 'reasoning';
 * ```
 */
export type ReasoningMessageRole = 'reasoning';

/**
 * The kind of thing that an encrypted reasoning value belongs to.
 *
 * @example
 * ```ts
 * import type { ReasoningEncryptedValueSubtype } from 'ag-ui-native';
 *
 * const subtype: ReasoningEncryptedValueSubtype = 'tool-call';
 * ```
 */
export type ReasoningEncryptedValueSubtype = 'tool-call' | 'message';

/**
 * The answer's status: answered or given up.
 *
 * @example
 * ```ts
 * import type { ResumeStatus } from 'ag-ui-native';
 *
 * const status: ResumeStatus = 'resolved';
 * ```
 */
export type ResumeStatus = 'resolved' | 'cancelled';

/**
 * The member of types that can belong to a subagent's work.
 *
 * @example
 * ```ts
 * import type { Attributable } from 'ag-ui-native';
 *
 * const attributable: Attributable = { subagentRunId: 'researcher-1' };
 * ```
 */
export type Attributable = {
  /** The id of the subagent invocation to which it belongs; absent means the agent itself. */
  subagentRunId?: SubagentRunId;
};

/**
 * The members that every event has.
 *
 * @example
 * ```ts
 * import { EventType, type BaseEvent } from 'ag-ui-native';
 *
 * const event: BaseEvent = { type: EventType.RAW, timestamp: 1767225600000 };
 * ```
 */
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

/**
 * The members that developer, system, assistant and user messages share.
 *
 * @example
 * ```ts
 * import type { BaseMessage } from 'ag-ui-native';
 *
 * const message: BaseMessage = { id: 'm1', role: 'user', name: 'Ada' };
 * ```
 */
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

/**
 * A piece of text.
 *
 * @example
 * ```ts
 * import type { TextPart } from 'ag-ui-native';
 *
 * const part: TextPart = { type: 'text', text: 'What is this?' };
 * ```
 */
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

/**
 * Bytes given in the message itself.
 *
 * @example
 * ```ts
 * import type { DataSource } from 'ag-ui-native';
 *
 * const source: DataSource = { type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' };
 * ```
 */
export type DataSource = {
  /** Always `data`. */
  type: 'data';
  /** The bytes in base64; not checked. */
  value: string;
  /** Media type of the bytes. */
  mimeType: string;
};

/**
 * Bytes to be fetched.
 *
 * @example
 * ```ts
 * import type { UrlSource } from 'ag-ui-native';
 *
 * const source: UrlSource = { type: 'url', value: 'https://example.org/cat.png', mimeType: 'image/png' };
 * ```
 */
export type UrlSource = {
  /** Always `url`. */
  type: 'url';
  /** The URL of the bytes; its form is not checked. */
  value: string;
  /** Media type of the bytes. */
  mimeType?: string;
};

/**
 * A file that a provider keeps.
 *
 * @example
 * ```ts
 * import type { FileSource } from 'ag-ui-native';
 *
 * const source: FileSource = { type: 'file', value: 'file-123', provider: 'openai' };
 * ```
 */
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

/**
 * A picture.
 *
 * @example
 * ```ts
 * import type { ImagePart } from 'ag-ui-native';
 *
 * const part: ImagePart = { type: 'image', source: { type: 'url', value: 'https://example.org/cat.png' } };
 * ```
 */
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

/**
 * A sound.
 *
 * @example
 * ```ts
 * import type { AudioPart } from 'ag-ui-native';
 *
 * const part: AudioPart = { type: 'audio', source: { type: 'url', value: 'https://example.org/cat.mp3' } };
 * ```
 */
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

/**
 * A film.
 *
 * @example
 * ```ts
 * import type { VideoPart } from 'ag-ui-native';
 *
 * const part: VideoPart = { type: 'video', source: { type: 'url', value: 'https://example.org/cat.mp4' } };
 * ```
 */
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

/**
 * A document.
 *
 * @example
 * ```ts
 * import type { DocumentPart } from 'ag-ui-native';
 *
 * const part: DocumentPart = {
 *   type: 'document',
 *   source: { type: 'file', value: 'file-123', provider: 'openai' },
 * };
 * ```
 */
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

/**
 * Sets a member or inserts a list element.
 *
 * @example
 * ```ts
 * import type { AddOperation } from 'ag-ui-native';
 *
 * const operation: AddOperation = { op: 'add', path: '/tasks/-', value: 'Buy milk' };
 * ```
 */
export type AddOperation = {
  /** Always `add`. */
  op: 'add';
  /** The place in the document. */
  path: JsonPointer;
  /** The value to add; `null` is a value. */
  value: any;
};

/**
 * Removes a member or list element.
 *
 * @example
 * ```ts
 * import type { RemoveOperation } from 'ag-ui-native';
 *
 * const operation: RemoveOperation = { op: 'remove', path: '/tasks/0' };
 * ```
 */
export type RemoveOperation = {
  /** Always `remove`. */
  op: 'remove';
  /** The place in the document. */
  path: JsonPointer;
};

/**
 * Puts another value in the place of one that is there.
 *
 * @example
 * ```ts
 * import type { ReplaceOperation } from 'ag-ui-native';
 *
 * const operation: ReplaceOperation = { op: 'replace', path: '/title', value: 'Groceries' };
 * ```
 */
export type ReplaceOperation = {
  /** Always `replace`. */
  op: 'replace';
  /** The place in the document. */
  path: JsonPointer;
  /** The new value; `null` is a value. */
  value: any;
};

/**
 * Takes a value from one place to another.
 *
 * @example
 * ```ts
 * import type { MoveOperation } from 'ag-ui-native';
 *
 * const operation: MoveOperation = { op: 'move', from: '/tasks/2', path: '/tasks/0' };
 * ```
 */
export type MoveOperation = {
  /** Always `move`. */
  op: 'move';
  /** The place to move from. */
  from: JsonPointer;
  /** The place to move to. */
  path: JsonPointer;
};

/**
 * Copies a value from one place to another.
 *
 * @example
 * ```ts
 * import type { CopyOperation } from 'ag-ui-native';
 *
 * const operation: CopyOperation = { op: 'copy', from: '/title', path: '/draft' };
 * ```
 */
export type CopyOperation = {
  /** Always `copy`. */
  op: 'copy';
  /** The place to copy from. */
  from: JsonPointer;
  /** The place to copy to. */
  path: JsonPointer;
};

/**
 * Fails the patch unless the value there equals the given one.
 *
 * @example
 * ```ts
 * import type { TestOperation } from 'ag-ui-native';
 *
 * const operation: TestOperation = { op: 'test', path: '/title', value: 'Groceries' };
 * ```
 */
export type TestOperation = {
  /** Always `test`. */
  op: 'test';
  /** The place in the document. */
  path: JsonPointer;
  /** The expected value; `null` is a value. */
  value: any;
};

/**
 * The function that a tool call names, with its arguments.
 *
 * @example
 * ```ts
 * import type { FunctionCall } from 'ag-ui-native';
 *
 * const call: FunctionCall = { name: 'current_time', arguments: '{}' };
 * ```
 */
export type FunctionCall = {
  /** The name of the tool. */
  name: string;
  /** The arguments as JSON text; not checked, and incomplete while they stream in. */
  arguments: string;
};

/**
 * A call of a tool, made by the assistant.
 *
 * @example
 * ```ts
 * import type { ToolCall } from 'ag-ui-native';
 *
 * const call: ToolCall = { id: 'c1', type: 'function', function: { name: 'current_time', arguments: '{}' } };
 * ```
 */
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

/**
 * Instructions by the application's developer.
 *
 * @example
 * ```ts
 * import type { DeveloperMessage } from 'ag-ui-native';
 *
 * const message: DeveloperMessage = { id: 'm1', role: 'developer', content: 'Answer in one sentence.' };
 * ```
 */
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

/**
 * Instructions to the model.
 *
 * @example
 * ```ts
 * import type { SystemMessage } from 'ag-ui-native';
 *
 * const message: SystemMessage = { id: 'm1', role: 'system', content: 'You are a helpful assistant.' };
 * ```
 */
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

/**
 * The text of the model and its tool calls.
 *
 * @example
 * ```ts
 * import type { AssistantMessage } from 'ag-ui-native';
 *
 * const message: AssistantMessage = { id: 'm2', role: 'assistant', content: 'Hello, Ada!' };
 * ```
 */
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

/**
 * A message of the user.
 *
 * @example
 * ```ts
 * import type { UserMessage } from 'ag-ui-native';
 *
 * const message: UserMessage = { id: 'm1', role: 'user', content: 'Hello!' };
 * ```
 */
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

/**
 * The result of a tool call.
 *
 * @example
 * ```ts
 * import type { ToolMessage } from 'ag-ui-native';
 *
 * const message: ToolMessage = { id: 'm3', role: 'tool', content: '12:30', toolCallId: 'c1' };
 * ```
 */
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

/**
 * Structured progress shown to the person; never sent to a model.
 *
 * @example
 * ```ts
 * import type { ActivityMessage } from 'ag-ui-native';
 *
 * const message: ActivityMessage = {
 *   id: 'm4',
 *   role: 'activity',
 *   activityType: 'search',
 *   content: { found: 3 },
 * };
 * ```
 */
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

/**
 * The model's reasoning.
 *
 * @example
 * ```ts
 * import type { ReasoningMessage } from 'ag-ui-native';
 *
 * const message: ReasoningMessage = { id: 'm5', role: 'reasoning', content: 'The user greets me.' };
 * ```
 */
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

/**
 * A tool that the model may call.
 *
 * @example
 * ```ts
 * import type { Tool } from 'ag-ui-native';
 *
 * const tool: Tool = { name: 'current_time', description: 'Tells the time.', parameters: { type: 'object' } };
 * ```
 */
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

/**
 * A piece of background information that the application gives the agent.
 *
 * @example
 * ```ts
 * import type { Context } from 'ag-ui-native';
 *
 * const context: Context = { description: "The user's time zone", value: 'Europe/Berlin' };
 * ```
 */
export type Context = {
  /** The description of the text. */
  description: string;
  /** The text. */
  value: string;
};

/**
 * The answer to one interrupt.
 *
 * @example
 * ```ts
 * import type { ResumeEntry } from 'ag-ui-native';
 *
 * const entry: ResumeEntry = { interruptId: 'i1', status: 'resolved', payload: { approved: true } };
 * ```
 */
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

/**
 * The input of a run, as a client sends it.
 *
 * @example
 * ```ts
 * import type { RunAgentInput } from 'ag-ui-native';
 *
 * const input: RunAgentInput = {
 *   threadId: 't1',
 *   runId: 'r1',
 *   messages: [{ id: 'm1', role: 'user', content: 'Hello!' }],
 *   tools: [],
 *   context: [],
 * };
 * ```
 */
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

/**
 * A question that must be answered before the agent can go on.
 *
 * @example
 * ```ts
 * import type { Interrupt } from 'ag-ui-native';
 *
 * const interrupt: Interrupt = { id: 'i1', reason: 'tool_call', message: 'Send the mail?', toolCallId: 'c1' };
 * ```
 */
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

/**
 * The run succeeded.
 *
 * @example
 * ```ts
 * import type { RunFinishedSuccessOutcome } from 'ag-ui-native';
 *
 * const outcome: RunFinishedSuccessOutcome = { type: 'success', pendingToolCallIds: ['c1'] };
 * ```
 */
export type RunFinishedSuccessOutcome = {
  /** Always `success`. */
  type: 'success';
  /** The ids of the calls that the client still has to answer; absent or empty: those without a result in the stream. */
  pendingToolCallIds?: string[];
};

/**
 * The run waits for answers.
 *
 * @example
 * ```ts
 * import type { RunFinishedInterruptOutcome } from 'ag-ui-native';
 *
 * const outcome: RunFinishedInterruptOutcome = {
 *   type: 'interrupt',
 *   interrupts: [{ id: 'i1', reason: 'tool_call' }],
 * };
 * ```
 */
export type RunFinishedInterruptOutcome = {
  /** Always `interrupt`. */
  type: 'interrupt';
  /** The questions, at least one. */
  interrupts: Interrupt[];
};

/**
 * The run was cancelled.
 *
 * @example
 * ```ts
 * import type { RunFinishedCancelledOutcome } from 'ag-ui-native';
 *
 * const outcome: RunFinishedCancelledOutcome = { type: 'cancelled' };
 * ```
 */
export type RunFinishedCancelledOutcome = {
  /** Always `cancelled`. */
  type: 'cancelled';
};

/**
 * The subagent succeeded.
 *
 * @example
 * ```ts
 * import type { SubagentFinishedSuccessOutcome } from 'ag-ui-native';
 *
 * const outcome: SubagentFinishedSuccessOutcome = { type: 'success' };
 * ```
 */
export type SubagentFinishedSuccessOutcome = {
  /** Always `success`. */
  type: 'success';
};

/**
 * The subagent waits for answers.
 *
 * @example
 * ```ts
 * import type { SubagentFinishedSuspendedOutcome } from 'ag-ui-native';
 *
 * const outcome: SubagentFinishedSuspendedOutcome = { type: 'suspended', interruptIds: ['i1'] };
 * ```
 */
export type SubagentFinishedSuspendedOutcome = {
  /** Always `suspended`. */
  type: 'suspended';
  /** The ids of the interrupts for which the subagent waits. */
  interruptIds?: string[];
};

/**
 * The tokens used with one model of one provider.
 *
 * @example
 * ```ts
 * import type { TokenUsage } from 'ag-ui-native';
 *
 * const usage: TokenUsage = { provider: 'openai', inputTokens: 120, outputTokens: 30 };
 * ```
 */
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

/**
 * Begins a text message that arrives in pieces.
 *
 * @example
 * ```ts
 * import { EventType, type TextMessageStartEvent } from 'ag-ui-native';
 *
 * const event: TextMessageStartEvent = {
 *   type: EventType.TEXT_MESSAGE_START,
 *   messageId: 'm1',
 *   role: 'assistant',
 * };
 * ```
 */
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

/**
 * Appends to a streamed text message.
 *
 * @example
 * ```ts
 * import { EventType, type TextMessageContentEvent } from 'ag-ui-native';
 *
 * const event: TextMessageContentEvent = {
 *   type: EventType.TEXT_MESSAGE_CONTENT,
 *   messageId: 'm1',
 *   delta: 'Hello',
 * };
 * ```
 */
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

/**
 * The text message is complete.
 *
 * @example
 * ```ts
 * import { EventType, type TextMessageEndEvent } from 'ag-ui-native';
 *
 * const event: TextMessageEndEvent = { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' };
 * ```
 */
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

/**
 * Streams a text message without explicit start and end.
 *
 * @example
 * ```ts
 * import { EventType, type TextMessageChunkEvent } from 'ag-ui-native';
 *
 * const event: TextMessageChunkEvent = { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm1', delta: 'Hello' };
 * ```
 */
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

/**
 * Opens a streamed tool call.
 *
 * @example
 * ```ts
 * import { EventType, type ToolCallStartEvent } from 'ag-ui-native';
 *
 * const event: ToolCallStartEvent = {
 *   type: EventType.TOOL_CALL_START,
 *   toolCallId: 'c1',
 *   toolCallName: 'current_time',
 * };
 * ```
 */
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

/**
 * Appends to the arguments of a streamed tool call.
 *
 * @example
 * ```ts
 * import { EventType, type ToolCallArgsEvent } from 'ag-ui-native';
 *
 * const event: ToolCallArgsEvent = { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{}' };
 * ```
 */
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

/**
 * Closes a streamed tool call.
 *
 * @example
 * ```ts
 * import { EventType, type ToolCallEndEvent } from 'ag-ui-native';
 *
 * const event: ToolCallEndEvent = { type: EventType.TOOL_CALL_END, toolCallId: 'c1' };
 * ```
 */
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

/**
 * Streams a tool call without explicit start and end.
 *
 * @example
 * ```ts
 * import { EventType, type ToolCallChunkEvent } from 'ag-ui-native';
 *
 * const event: ToolCallChunkEvent = {
 *   type: EventType.TOOL_CALL_CHUNK,
 *   toolCallId: 'c1',
 *   toolCallName: 'current_time',
 *   delta: '{}',
 * };
 * ```
 */
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

/**
 * Answers a tool call; makes a tool message.
 *
 * @example
 * ```ts
 * import { EventType, type ToolCallResultEvent } from 'ag-ui-native';
 *
 * const event: ToolCallResultEvent = {
 *   type: EventType.TOOL_CALL_RESULT,
 *   messageId: 'm3',
 *   toolCallId: 'c1',
 *   content: '12:30',
 * };
 * ```
 */
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

/**
 * Replaces the shared state.
 *
 * @example
 * ```ts
 * import { EventType, type StateSnapshotEvent } from 'ag-ui-native';
 *
 * const event: StateSnapshotEvent = { type: EventType.STATE_SNAPSHOT, snapshot: { tasks: [] } };
 * ```
 */
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

/**
 * Patches the shared state.
 *
 * @example
 * ```ts
 * import { EventType, type StateDeltaEvent } from 'ag-ui-native';
 *
 * const event: StateDeltaEvent = {
 *   type: EventType.STATE_DELTA,
 *   delta: [{ op: 'add', path: '/tasks/-', value: 'Buy milk' }],
 * };
 * ```
 */
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

/**
 * Replaces the conversation.
 *
 * @example
 * ```ts
 * import { EventType, type MessagesSnapshotEvent } from 'ag-ui-native';
 *
 * const event: MessagesSnapshotEvent = {
 *   type: EventType.MESSAGES_SNAPSHOT,
 *   messages: [{ id: 'm1', role: 'user', content: 'Hello!' }],
 * };
 * ```
 */
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

/**
 * Sets the content of an activity.
 *
 * @example
 * ```ts
 * import { EventType, type ActivitySnapshotEvent } from 'ag-ui-native';
 *
 * const event: ActivitySnapshotEvent = {
 *   type: EventType.ACTIVITY_SNAPSHOT,
 *   messageId: 'm4',
 *   activityType: 'search',
 *   content: { found: 0 },
 * };
 * ```
 */
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

/**
 * Patches the content of an activity.
 *
 * @example
 * ```ts
 * import { EventType, type ActivityDeltaEvent } from 'ag-ui-native';
 *
 * const event: ActivityDeltaEvent = {
 *   type: EventType.ACTIVITY_DELTA,
 *   messageId: 'm4',
 *   activityType: 'search',
 *   patch: [{ op: 'replace', path: '/found', value: 3 }],
 * };
 * ```
 */
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

/**
 * Carries an event of another system.
 *
 * @example
 * ```ts
 * import { EventType, type RawEvent } from 'ag-ui-native';
 *
 * const event: RawEvent = { type: EventType.RAW, event: { kind: 'ping' }, source: 'provider' };
 * ```
 */
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

/**
 * Carries data on which the application and the agent agree.
 *
 * @example
 * ```ts
 * import { EventType, type CustomEvent } from 'ag-ui-native';
 *
 * const event: CustomEvent = { type: EventType.CUSTOM, name: 'progress', value: 0.5 };
 * ```
 */
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

/**
 * A run begins.
 *
 * @example
 * ```ts
 * import { EventType, type RunStartedEvent } from 'ag-ui-native';
 *
 * const event: RunStartedEvent = { type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' };
 * ```
 */
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

/**
 * Closes a run.
 *
 * @example
 * ```ts
 * import { EventType, type RunFinishedEvent } from 'ag-ui-native';
 *
 * const event: RunFinishedEvent = {
 *   type: EventType.RUN_FINISHED,
 *   threadId: 't1',
 *   runId: 'r1',
 *   outcome: { type: 'success' },
 * };
 * ```
 */
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

/**
 * The run has failed and is over.
 *
 * @example
 * ```ts
 * import { EventType, type RunErrorEvent } from 'ag-ui-native';
 *
 * const event: RunErrorEvent = {
 *   type: EventType.RUN_ERROR,
 *   message: 'The model does not answer.',
 *   code: 'model_timeout',
 * };
 * ```
 */
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

/**
 * Opens a step of the run.
 *
 * @example
 * ```ts
 * import { EventType, type StepStartedEvent } from 'ag-ui-native';
 *
 * const event: StepStartedEvent = { type: EventType.STEP_STARTED, stepName: 'search' };
 * ```
 */
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

/**
 * Closes a step of the run.
 *
 * @example
 * ```ts
 * import { EventType, type StepFinishedEvent } from 'ag-ui-native';
 *
 * const event: StepFinishedEvent = { type: EventType.STEP_FINISHED, stepName: 'search' };
 * ```
 */
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

/**
 * A span of reasoning begins.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningStartEvent } from 'ag-ui-native';
 *
 * const event: ReasoningStartEvent = { type: EventType.REASONING_START, messageId: 'm5' };
 * ```
 */
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

/**
 * Begins a reasoning message that arrives in pieces.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningMessageStartEvent } from 'ag-ui-native';
 *
 * const event: ReasoningMessageStartEvent = {
 *   type: EventType.REASONING_MESSAGE_START,
 *   messageId: 'm5',
 *   role: 'reasoning',
 * };
 * ```
 */
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

/**
 * Appends to a streamed reasoning message.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningMessageContentEvent } from 'ag-ui-native';
 *
 * const event: ReasoningMessageContentEvent = {
 *   type: EventType.REASONING_MESSAGE_CONTENT,
 *   messageId: 'm5',
 *   delta: 'The user greets me.',
 * };
 * ```
 */
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

/**
 * The reasoning message is complete.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningMessageEndEvent } from 'ag-ui-native';
 *
 * const event: ReasoningMessageEndEvent = { type: EventType.REASONING_MESSAGE_END, messageId: 'm5' };
 * ```
 */
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

/**
 * Streams a reasoning message without explicit start and end.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningMessageChunkEvent } from 'ag-ui-native';
 *
 * const event: ReasoningMessageChunkEvent = {
 *   type: EventType.REASONING_MESSAGE_CHUNK,
 *   messageId: 'm5',
 *   delta: 'The user greets me.',
 * };
 * ```
 */
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

/**
 * The span of reasoning is over.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningEndEvent } from 'ag-ui-native';
 *
 * const event: ReasoningEndEvent = { type: EventType.REASONING_END, messageId: 'm5' };
 * ```
 */
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

/**
 * Attaches a provider's encrypted value to a message or a tool call.
 *
 * @example
 * ```ts
 * import { EventType, type ReasoningEncryptedValueEvent } from 'ag-ui-native';
 *
 * const event: ReasoningEncryptedValueEvent = {
 *   type: EventType.REASONING_ENCRYPTED_VALUE,
 *   subtype: 'message',
 *   entityId: 'm5',
 *   encryptedValue: 'gAAAAB',
 * };
 * ```
 */
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

/**
 * Opens a subagent's work.
 *
 * @example
 * ```ts
 * import { EventType, type SubagentStartedEvent } from 'ag-ui-native';
 *
 * const event: SubagentStartedEvent = {
 *   type: EventType.SUBAGENT_STARTED,
 *   subagentRunId: 'researcher-1',
 *   name: 'researcher',
 * };
 * ```
 */
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

/**
 * Closes a subagent's work.
 *
 * @example
 * ```ts
 * import { EventType, type SubagentFinishedEvent } from 'ag-ui-native';
 *
 * const event: SubagentFinishedEvent = {
 *   type: EventType.SUBAGENT_FINISHED,
 *   subagentRunId: 'researcher-1',
 *   result: '3 sources',
 * };
 * ```
 */
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

/**
 * Ends a subagent's work that failed.
 *
 * @example
 * ```ts
 * import { EventType, type SubagentErrorEvent } from 'ag-ui-native';
 *
 * const event: SubagentErrorEvent = {
 *   type: EventType.SUBAGENT_ERROR,
 *   subagentRunId: 'researcher-1',
 *   message: 'The search failed.',
 * };
 * ```
 */
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

/**
 * A subagent to which the agent can hand work.
 *
 * @example
 * ```ts
 * import type { SubagentInfo } from 'ag-ui-native';
 *
 * const info: SubagentInfo = { name: 'researcher', description: 'Finds sources.' };
 * ```
 */
export type SubagentInfo = {
  /** The name of the subagent. */
  name: string;
  /** The description of the work that the subagent does. */
  description?: string;
};

/**
 * The identity of the agent.
 *
 * @example
 * ```ts
 * import type { IdentityCapabilities } from 'ag-ui-native';
 *
 * const capabilities: IdentityCapabilities = { name: 'Helper', version: '1.2.0', provider: 'example.org' };
 * ```
 */
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

/**
 * The transports of the agent.
 *
 * @example
 * ```ts
 * import type { TransportCapabilities } from 'ag-ui-native';
 *
 * const capabilities: TransportCapabilities = { streaming: true, httpBinary: true };
 * ```
 */
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

/**
 * The agent's tools.
 *
 * @example
 * ```ts
 * import type { ToolsCapabilities } from 'ag-ui-native';
 *
 * const capabilities: ToolsCapabilities = { supported: true, clientProvided: true };
 * ```
 */
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

/**
 * The output that the agent can produce.
 *
 * @example
 * ```ts
 * import type { OutputCapabilities } from 'ag-ui-native';
 *
 * const capabilities: OutputCapabilities = { structuredOutput: true, supportedMimeTypes: ['text/plain'] };
 * ```
 */
export type OutputCapabilities = {
  /** The agent can produce output that follows a schema. */
  structuredOutput?: boolean;
  /** The media types that the agent can produce. */
  supportedMimeTypes?: string[];
};

/**
 * The agent's use of the shared state.
 *
 * @example
 * ```ts
 * import type { StateCapabilities } from 'ag-ui-native';
 *
 * const capabilities: StateCapabilities = { snapshots: true, deltas: true };
 * ```
 */
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

/**
 * The agent's work with other agents.
 *
 * @example
 * ```ts
 * import type { MultiAgentCapabilities } from 'ag-ui-native';
 *
 * const capabilities: MultiAgentCapabilities = { supported: true, subagents: [{ name: 'researcher' }] };
 * ```
 */
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

/**
 * The agent's reasoning.
 *
 * @example
 * ```ts
 * import type { ReasoningCapabilities } from 'ag-ui-native';
 *
 * const capabilities: ReasoningCapabilities = { supported: true, streaming: true };
 * ```
 */
export type ReasoningCapabilities = {
  /** The agent can reason. */
  supported?: boolean;
  /** The agent streams its reasoning. */
  streaming?: boolean;
  /** The agent sends its reasoning in encrypted form. */
  encrypted?: boolean;
};

/**
 * The media that the agent accepts.
 *
 * @example
 * ```ts
 * import type { MultimodalInputCapabilities } from 'ag-ui-native';
 *
 * const capabilities: MultimodalInputCapabilities = { image: true, pdf: true };
 * ```
 */
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

/**
 * The media that the agent produces.
 *
 * @example
 * ```ts
 * import type { MultimodalOutputCapabilities } from 'ag-ui-native';
 *
 * const capabilities: MultimodalOutputCapabilities = { image: true };
 * ```
 */
export type MultimodalOutputCapabilities = {
  /** Pictures. */
  image?: boolean;
  /** Sound. */
  audio?: boolean;
};

/**
 * Media in and out.
 *
 * @example
 * ```ts
 * import type { MultimodalCapabilities } from 'ag-ui-native';
 *
 * const capabilities: MultimodalCapabilities = { input: { image: true }, output: { audio: true } };
 * ```
 */
export type MultimodalCapabilities = {
  /** The accepted media. */
  input?: MultimodalInputCapabilities;
  /** The produced media. */
  output?: MultimodalOutputCapabilities;
};

/**
 * The limits and features of a run of the agent.
 *
 * @example
 * ```ts
 * import type { ExecutionCapabilities } from 'ag-ui-native';
 *
 * const capabilities: ExecutionCapabilities = { codeExecution: true, sandboxed: true, maxIterations: 10 };
 * ```
 */
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

/**
 * The ways in which people take part in a run.
 *
 * @example
 * ```ts
 * import type { HumanInTheLoopCapabilities } from 'ag-ui-native';
 *
 * const capabilities: HumanInTheLoopCapabilities = { supported: true, approvals: true };
 * ```
 */
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

/**
 * The capabilities that an agent declares about itself.
 *
 * @example
 * ```ts
 * import type { AgentCapabilities } from 'ag-ui-native';
 *
 * const capabilities: AgentCapabilities = { identity: { name: 'Helper' }, tools: { supported: true } };
 * ```
 */
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
 *
 * @example
 * ```ts
 * import type { BinaryInputContent } from 'ag-ui-native';
 *
 * const content: BinaryInputContent = {
 *   type: 'binary',
 *   mimeType: 'image/png',
 *   url: 'https://example.org/cat.png',
 * };
 * ```
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

/**
 * The source of a media part's bytes.
 *
 * @example
 * ```ts
 * import type { PartSource } from 'ag-ui-native';
 *
 * const source: PartSource = { type: 'url', value: 'https://example.org/cat.png' };
 * ```
 */
export type PartSource =
  | DataSource
  | UrlSource
  | FileSource;

/**
 * One part of a message's content.
 *
 * @example
 * ```ts
 * import type { ContentPart } from 'ag-ui-native';
 *
 * const part: ContentPart = { type: 'text', text: 'What is this?' };
 * ```
 */
export type ContentPart =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart;

/**
 * One operation of a JSON Patch.
 *
 * @example
 * ```ts
 * import type { JsonPatchOperation } from 'ag-ui-native';
 *
 * const operation: JsonPatchOperation = { op: 'add', path: '/tasks/-', value: 'Buy milk' };
 * ```
 */
export type JsonPatchOperation =
  | AddOperation
  | RemoveOperation
  | ReplaceOperation
  | MoveOperation
  | CopyOperation
  | TestOperation;

/**
 * One message of a conversation.
 *
 * @example
 * ```ts
 * import type { Message } from 'ag-ui-native';
 *
 * const message: Message = { id: 'm1', role: 'user', content: 'Hello!' };
 * ```
 */
export type Message =
  | DeveloperMessage
  | SystemMessage
  | AssistantMessage
  | UserMessage
  | ToolMessage
  | ActivityMessage
  | ReasoningMessage;

/**
 * The outcome of a run.
 *
 * @example
 * ```ts
 * import type { RunFinishedOutcome } from 'ag-ui-native';
 *
 * const outcome: RunFinishedOutcome = { type: 'success' };
 * ```
 */
export type RunFinishedOutcome =
  | RunFinishedSuccessOutcome
  | RunFinishedInterruptOutcome
  | RunFinishedCancelledOutcome;

/**
 * The outcome of a subagent's work.
 *
 * @example
 * ```ts
 * import type { SubagentFinishedOutcome } from 'ag-ui-native';
 *
 * const outcome: SubagentFinishedOutcome = { type: 'suspended', interruptIds: ['i1'] };
 * ```
 */
export type SubagentFinishedOutcome =
  | SubagentFinishedSuccessOutcome
  | SubagentFinishedSuspendedOutcome;

/**
 * Any event.
 *
 * @example
 * ```ts
 * import { EventType, type Event } from 'ag-ui-native';
 *
 * const event: Event = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'Hello' };
 * ```
 */
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

/**
 * A JSON Patch (RFC 6902).
 *
 * @example
 * ```ts
 * import type { JsonPatch } from 'ag-ui-native';
 *
 * const patch: JsonPatch = [{ op: 'remove', path: '/tasks/0' }];
 * ```
 */
export type JsonPatch = JsonPatchOperation[];

/**
 * The arguments for making an event: its members without the tag.
 *
 * @example
 * ```ts
 * import type { EventProps, TextMessageEndEvent } from 'ag-ui-native';
 *
 * const props: EventProps<TextMessageEndEvent> = { messageId: 'm1' };
 * ```
 */
export type EventProps<E extends { type: EventType }> = Omit<E, 'type'> & { [key: string]: unknown };

/**
 * The members of a `TextMessageStartEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { TextMessageStartEventProps } from 'ag-ui-native';
 *
 * const props: TextMessageStartEventProps = { messageId: 'm1', role: 'assistant' };
 * ```
 */
export type TextMessageStartEventProps = EventProps<TextMessageStartEvent>;

/**
 * The members of a `TextMessageContentEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { TextMessageContentEventProps } from 'ag-ui-native';
 *
 * const props: TextMessageContentEventProps = { messageId: 'm1', delta: 'Hello' };
 * ```
 */
export type TextMessageContentEventProps = EventProps<TextMessageContentEvent>;

/**
 * The members of a `TextMessageEndEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { TextMessageEndEventProps } from 'ag-ui-native';
 *
 * const props: TextMessageEndEventProps = { messageId: 'm1' };
 * ```
 */
export type TextMessageEndEventProps = EventProps<TextMessageEndEvent>;

/**
 * The members of a `TextMessageChunkEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { TextMessageChunkEventProps } from 'ag-ui-native';
 *
 * const props: TextMessageChunkEventProps = { messageId: 'm1', delta: 'Hello' };
 * ```
 */
export type TextMessageChunkEventProps = EventProps<TextMessageChunkEvent>;

/**
 * The members of a `ToolCallStartEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ToolCallStartEventProps } from 'ag-ui-native';
 *
 * const props: ToolCallStartEventProps = { toolCallId: 'c1', toolCallName: 'current_time' };
 * ```
 */
export type ToolCallStartEventProps = EventProps<ToolCallStartEvent>;

/**
 * The members of a `ToolCallArgsEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ToolCallArgsEventProps } from 'ag-ui-native';
 *
 * const props: ToolCallArgsEventProps = { toolCallId: 'c1', delta: '{}' };
 * ```
 */
export type ToolCallArgsEventProps = EventProps<ToolCallArgsEvent>;

/**
 * The members of a `ToolCallEndEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ToolCallEndEventProps } from 'ag-ui-native';
 *
 * const props: ToolCallEndEventProps = { toolCallId: 'c1' };
 * ```
 */
export type ToolCallEndEventProps = EventProps<ToolCallEndEvent>;

/**
 * The members of a `ToolCallChunkEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ToolCallChunkEventProps } from 'ag-ui-native';
 *
 * const props: ToolCallChunkEventProps = { toolCallId: 'c1', toolCallName: 'current_time', delta: '{}' };
 * ```
 */
export type ToolCallChunkEventProps = EventProps<ToolCallChunkEvent>;

/**
 * The members of a `ToolCallResultEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ToolCallResultEventProps } from 'ag-ui-native';
 *
 * const props: ToolCallResultEventProps = { messageId: 'm3', toolCallId: 'c1', content: '12:30' };
 * ```
 */
export type ToolCallResultEventProps = EventProps<ToolCallResultEvent>;

/**
 * The members of a `StateSnapshotEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { StateSnapshotEventProps } from 'ag-ui-native';
 *
 * const props: StateSnapshotEventProps = { snapshot: { tasks: [] } };
 * ```
 */
export type StateSnapshotEventProps = EventProps<StateSnapshotEvent>;

/**
 * The members of a `StateDeltaEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { StateDeltaEventProps } from 'ag-ui-native';
 *
 * const props: StateDeltaEventProps = { delta: [{ op: 'add', path: '/tasks/-', value: 'Buy milk' }] };
 * ```
 */
export type StateDeltaEventProps = EventProps<StateDeltaEvent>;

/**
 * The members of a `MessagesSnapshotEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { MessagesSnapshotEventProps } from 'ag-ui-native';
 *
 * const props: MessagesSnapshotEventProps = { messages: [{ id: 'm1', role: 'user', content: 'Hello!' }] };
 * ```
 */
export type MessagesSnapshotEventProps = EventProps<MessagesSnapshotEvent>;

/**
 * The members of a `ActivitySnapshotEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ActivitySnapshotEventProps } from 'ag-ui-native';
 *
 * const props: ActivitySnapshotEventProps = { messageId: 'm4', activityType: 'search', content: { found: 0 } };
 * ```
 */
export type ActivitySnapshotEventProps = EventProps<ActivitySnapshotEvent>;

/**
 * The members of a `ActivityDeltaEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ActivityDeltaEventProps } from 'ag-ui-native';
 *
 * const props: ActivityDeltaEventProps = {
 *   messageId: 'm4',
 *   activityType: 'search',
 *   patch: [{ op: 'replace', path: '/found', value: 3 }],
 * };
 * ```
 */
export type ActivityDeltaEventProps = EventProps<ActivityDeltaEvent>;

/**
 * The members of a `RawEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { RawEventProps } from 'ag-ui-native';
 *
 * const props: RawEventProps = { event: { kind: 'ping' }, source: 'provider' };
 * ```
 */
export type RawEventProps = EventProps<RawEvent>;

/**
 * The members of a `CustomEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { CustomEventProps } from 'ag-ui-native';
 *
 * const props: CustomEventProps = { name: 'progress', value: 0.5 };
 * ```
 */
export type CustomEventProps = EventProps<CustomEvent>;

/**
 * The members of a `RunStartedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { RunStartedEventProps } from 'ag-ui-native';
 *
 * const props: RunStartedEventProps = { threadId: 't1', runId: 'r1' };
 * ```
 */
export type RunStartedEventProps = EventProps<RunStartedEvent>;

/**
 * The members of a `RunFinishedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { RunFinishedEventProps } from 'ag-ui-native';
 *
 * const props: RunFinishedEventProps = { threadId: 't1', runId: 'r1', outcome: { type: 'success' } };
 * ```
 */
export type RunFinishedEventProps = EventProps<RunFinishedEvent>;

/**
 * The members of a `RunErrorEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { RunErrorEventProps } from 'ag-ui-native';
 *
 * const props: RunErrorEventProps = { message: 'The model does not answer.', code: 'model_timeout' };
 * ```
 */
export type RunErrorEventProps = EventProps<RunErrorEvent>;

/**
 * The members of a `StepStartedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { StepStartedEventProps } from 'ag-ui-native';
 *
 * const props: StepStartedEventProps = { stepName: 'search' };
 * ```
 */
export type StepStartedEventProps = EventProps<StepStartedEvent>;

/**
 * The members of a `StepFinishedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { StepFinishedEventProps } from 'ag-ui-native';
 *
 * const props: StepFinishedEventProps = { stepName: 'search' };
 * ```
 */
export type StepFinishedEventProps = EventProps<StepFinishedEvent>;

/**
 * The members of a `ReasoningStartEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningStartEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningStartEventProps = { messageId: 'm5' };
 * ```
 */
export type ReasoningStartEventProps = EventProps<ReasoningStartEvent>;

/**
 * The members of a `ReasoningMessageStartEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningMessageStartEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningMessageStartEventProps = { messageId: 'm5', role: 'reasoning' };
 * ```
 */
export type ReasoningMessageStartEventProps = EventProps<ReasoningMessageStartEvent>;

/**
 * The members of a `ReasoningMessageContentEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningMessageContentEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningMessageContentEventProps = { messageId: 'm5', delta: 'The user greets me.' };
 * ```
 */
export type ReasoningMessageContentEventProps = EventProps<ReasoningMessageContentEvent>;

/**
 * The members of a `ReasoningMessageEndEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningMessageEndEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningMessageEndEventProps = { messageId: 'm5' };
 * ```
 */
export type ReasoningMessageEndEventProps = EventProps<ReasoningMessageEndEvent>;

/**
 * The members of a `ReasoningMessageChunkEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningMessageChunkEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningMessageChunkEventProps = { messageId: 'm5', delta: 'The user greets me.' };
 * ```
 */
export type ReasoningMessageChunkEventProps = EventProps<ReasoningMessageChunkEvent>;

/**
 * The members of a `ReasoningEndEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningEndEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningEndEventProps = { messageId: 'm5' };
 * ```
 */
export type ReasoningEndEventProps = EventProps<ReasoningEndEvent>;

/**
 * The members of a `ReasoningEncryptedValueEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { ReasoningEncryptedValueEventProps } from 'ag-ui-native';
 *
 * const props: ReasoningEncryptedValueEventProps = {
 *   subtype: 'message',
 *   entityId: 'm5',
 *   encryptedValue: 'gAAAAB',
 * };
 * ```
 */
export type ReasoningEncryptedValueEventProps = EventProps<ReasoningEncryptedValueEvent>;

/**
 * The members of a `SubagentStartedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { SubagentStartedEventProps } from 'ag-ui-native';
 *
 * const props: SubagentStartedEventProps = { subagentRunId: 'researcher-1', name: 'researcher' };
 * ```
 */
export type SubagentStartedEventProps = EventProps<SubagentStartedEvent>;

/**
 * The members of a `SubagentFinishedEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { SubagentFinishedEventProps } from 'ag-ui-native';
 *
 * const props: SubagentFinishedEventProps = { subagentRunId: 'researcher-1', result: '3 sources' };
 * ```
 */
export type SubagentFinishedEventProps = EventProps<SubagentFinishedEvent>;

/**
 * The members of a `SubagentErrorEvent` without its tag.
 *
 * @example
 * ```ts
 * import type { SubagentErrorEventProps } from 'ag-ui-native';
 *
 * const props: SubagentErrorEventProps = { subagentRunId: 'researcher-1', message: 'The search failed.' };
 * ```
 */
export type SubagentErrorEventProps = EventProps<SubagentErrorEvent>;


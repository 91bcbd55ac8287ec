// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { INVALID } from '../json/check.cjs';
import { type ObjectSchema, objectSchema, type Schema, schema, type UnionSchema, unionSchema } from '../schema/schema.cjs';
import { enums } from './tables.cjs';
import type * as types from './types.cjs';

/**
 * The types of events.
 *
 * @example
 * ```ts
 * import { EventTypeSchema } from 'ag-ui-native/schemas';
 *
 * EventTypeSchema.safeParse('TEXT_MESSAGE_START').success; // => true
 * ```
 */
export const EventTypeSchema: Schema<types.EventType> = schema('EventType', 'e', (value) => (enums.EventType!.includes(value as string) ? value : INVALID));

/**
 * The role of a message's author.
 *
 * @example
 * ```ts
 * import { RoleSchema } from 'ag-ui-native/schemas';
 *
 * RoleSchema.safeParse('developer').success; // => true
 * ```
 */
export const RoleSchema: Schema<types.Role> = schema('Role', 'e', (value) => (enums.Role!.includes(value as string) ? value : INVALID));

/**
 * The role of a streamed text message's author.
 *
 * @example
 * ```ts
 * import { TextMessageRoleSchema } from 'ag-ui-native/schemas';
 *
 * TextMessageRoleSchema.safeParse('developer').success; // => true
 * ```
 */
export const TextMessageRoleSchema: Schema<types.TextMessageRole> = schema('TextMessageRole', 'e', (value) => (enums.TextMessageRole!.includes(value as string) ? value : INVALID));

/**
 * The kind of thing that an encrypted reasoning value belongs to.
 *
 * @example
 * ```ts
 * import { ReasoningEncryptedValueSubtypeSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningEncryptedValueSubtypeSchema.safeParse('tool-call').success; // => true
 * ```
 */
export const ReasoningEncryptedValueSubtypeSchema: Schema<types.ReasoningEncryptedValueSubtype> = schema('ReasoningEncryptedValueSubtype', 'e', (value) => (enums.ReasoningEncryptedValueSubtype!.includes(value as string) ? value : INVALID));

/**
 * The member of types that can belong to a subagent's work.
 *
 * @example
 * ```ts
 * import { AttributableSchema } from 'ag-ui-native/schemas';
 *
 * AttributableSchema.safeParse({ subagentRunId: 'researcher-1' }).success; // => true
 * ```
 */
export const AttributableSchema: ObjectSchema<types.Attributable> = objectSchema('Attributable', 'TAttributable', 'checkAttributable');

/**
 * The members that every event has.
 *
 * @example
 * ```ts
 * import { BaseEventSchema } from 'ag-ui-native/schemas';
 *
 * BaseEventSchema.safeParse({ type: 'RAW', timestamp: 1767225600000 }).success; // => true
 * ```
 */
export const BaseEventSchema: ObjectSchema<types.BaseEvent> = objectSchema('BaseEvent', 'TBaseEvent', 'checkBaseEvent');

/**
 * The members that developer, system, assistant and user messages share.
 *
 * @example
 * ```ts
 * import { BaseMessageSchema } from 'ag-ui-native/schemas';
 *
 * BaseMessageSchema.safeParse({ id: 'm1', role: 'user', name: 'Ada' }).success; // => true
 * ```
 */
export const BaseMessageSchema: ObjectSchema<types.BaseMessage> = objectSchema('BaseMessage', 'TBaseMessage', 'checkBaseMessage');

/**
 * A piece of text.
 *
 * @example
 * ```ts
 * import { TextPartSchema } from 'ag-ui-native/schemas';
 *
 * TextPartSchema.safeParse({ type: 'text', text: 'What is this?' }).success; // => true
 * ```
 */
export const TextPartSchema: ObjectSchema<types.TextPart> = objectSchema('TextPart', 'TTextPart', 'checkTextPart');

/**
 * Bytes given in the message itself.
 *
 * @example
 * ```ts
 * import { DataSourceSchema } from 'ag-ui-native/schemas';
 *
 * DataSourceSchema.safeParse(
 *     { type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' },
 * ).success; // => true
 * ```
 */
export const DataSourceSchema: ObjectSchema<types.DataSource> = objectSchema('DataSource', 'TDataSource', 'checkDataSource');

/**
 * Bytes to be fetched.
 *
 * @example
 * ```ts
 * import { UrlSourceSchema } from 'ag-ui-native/schemas';
 *
 * UrlSourceSchema.safeParse(
 *     { type: 'url', value: 'https://example.org/cat.png', mimeType: 'image/png' },
 * ).success; // => true
 * ```
 */
export const UrlSourceSchema: ObjectSchema<types.UrlSource> = objectSchema('UrlSource', 'TUrlSource', 'checkUrlSource');

/**
 * A file that a provider keeps.
 *
 * @example
 * ```ts
 * import { FileSourceSchema } from 'ag-ui-native/schemas';
 *
 * FileSourceSchema.safeParse(
 *     { type: 'file', value: 'file-123', provider: 'openai' },
 * ).success; // => true
 * ```
 */
export const FileSourceSchema: ObjectSchema<types.FileSource> = objectSchema('FileSource', 'TFileSource', 'checkFileSource');

/**
 * A picture.
 *
 * @example
 * ```ts
 * import { ImagePartSchema } from 'ag-ui-native/schemas';
 *
 * ImagePartSchema.safeParse(
 *     { type: 'image', source: { type: 'url', value: 'https://example.org/cat.png' } },
 * ).success; // => true
 * ```
 */
export const ImagePartSchema: ObjectSchema<types.ImagePart> = objectSchema('ImagePart', 'TImagePart', 'checkImagePart');

/**
 * A sound.
 *
 * @example
 * ```ts
 * import { AudioPartSchema } from 'ag-ui-native/schemas';
 *
 * AudioPartSchema.safeParse(
 *     { type: 'audio', source: { type: 'url', value: 'https://example.org/cat.mp3' } },
 * ).success; // => true
 * ```
 */
export const AudioPartSchema: ObjectSchema<types.AudioPart> = objectSchema('AudioPart', 'TAudioPart', 'checkAudioPart');

/**
 * A film.
 *
 * @example
 * ```ts
 * import { VideoPartSchema } from 'ag-ui-native/schemas';
 *
 * VideoPartSchema.safeParse(
 *     { type: 'video', source: { type: 'url', value: 'https://example.org/cat.mp4' } },
 * ).success; // => true
 * ```
 */
export const VideoPartSchema: ObjectSchema<types.VideoPart> = objectSchema('VideoPart', 'TVideoPart', 'checkVideoPart');

/**
 * A document.
 *
 * @example
 * ```ts
 * import { DocumentPartSchema } from 'ag-ui-native/schemas';
 *
 * DocumentPartSchema.safeParse(
 *     { type: 'document', source: { type: 'file', value: 'file-123', provider: 'openai' } },
 * ).success; // => true
 * ```
 */
export const DocumentPartSchema: ObjectSchema<types.DocumentPart> = objectSchema('DocumentPart', 'TDocumentPart', 'checkDocumentPart');

/**
 * Sets a member or inserts a list element.
 *
 * @example
 * ```ts
 * import { AddOperationSchema } from 'ag-ui-native/schemas';
 *
 * AddOperationSchema.safeParse(
 *     { op: 'add', path: '/tasks/-', value: 'Buy milk' },
 * ).success; // => true
 * ```
 */
export const AddOperationSchema: ObjectSchema<types.AddOperation> = objectSchema('AddOperation', 'TAddOperation', 'checkAddOperation');

/**
 * Removes a member or list element.
 *
 * @example
 * ```ts
 * import { RemoveOperationSchema } from 'ag-ui-native/schemas';
 *
 * RemoveOperationSchema.safeParse({ op: 'remove', path: '/tasks/0' }).success; // => true
 * ```
 */
export const RemoveOperationSchema: ObjectSchema<types.RemoveOperation> = objectSchema('RemoveOperation', 'TRemoveOperation', 'checkRemoveOperation');

/**
 * Puts another value in the place of one that is there.
 *
 * @example
 * ```ts
 * import { ReplaceOperationSchema } from 'ag-ui-native/schemas';
 *
 * ReplaceOperationSchema.safeParse(
 *     { op: 'replace', path: '/title', value: 'Groceries' },
 * ).success; // => true
 * ```
 */
export const ReplaceOperationSchema: ObjectSchema<types.ReplaceOperation> = objectSchema('ReplaceOperation', 'TReplaceOperation', 'checkReplaceOperation');

/**
 * Takes a value from one place to another.
 *
 * @example
 * ```ts
 * import { MoveOperationSchema } from 'ag-ui-native/schemas';
 *
 * MoveOperationSchema.safeParse(
 *     { op: 'move', from: '/tasks/2', path: '/tasks/0' },
 * ).success; // => true
 * ```
 */
export const MoveOperationSchema: ObjectSchema<types.MoveOperation> = objectSchema('MoveOperation', 'TMoveOperation', 'checkMoveOperation');

/**
 * Copies a value from one place to another.
 *
 * @example
 * ```ts
 * import { CopyOperationSchema } from 'ag-ui-native/schemas';
 *
 * CopyOperationSchema.safeParse(
 *     { op: 'copy', from: '/title', path: '/draft' },
 * ).success; // => true
 * ```
 */
export const CopyOperationSchema: ObjectSchema<types.CopyOperation> = objectSchema('CopyOperation', 'TCopyOperation', 'checkCopyOperation');

/**
 * Fails the patch unless the value there equals the given one.
 *
 * @example
 * ```ts
 * import { TestOperationSchema } from 'ag-ui-native/schemas';
 *
 * TestOperationSchema.safeParse(
 *     { op: 'test', path: '/title', value: 'Groceries' },
 * ).success; // => true
 * ```
 */
export const TestOperationSchema: ObjectSchema<types.TestOperation> = objectSchema('TestOperation', 'TTestOperation', 'checkTestOperation');

/**
 * The function that a tool call names, with its arguments.
 *
 * @example
 * ```ts
 * import { FunctionCallSchema } from 'ag-ui-native/schemas';
 *
 * FunctionCallSchema.safeParse(
 *     { name: 'current_time', arguments: '{}' },
 * ).success; // => true
 * ```
 */
export const FunctionCallSchema: ObjectSchema<types.FunctionCall> = objectSchema('FunctionCall', 'TFunctionCall', 'checkFunctionCall');

/**
 * A call of a tool, made by the assistant.
 *
 * @example
 * ```ts
 * import { ToolCallSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallSchema.safeParse(
 *     { id: 'c1', type: 'function', function: { name: 'current_time', arguments: '{}' } },
 * ).success; // => true
 * ```
 */
export const ToolCallSchema: ObjectSchema<types.ToolCall> = objectSchema('ToolCall', 'TToolCall', 'checkToolCall');

/**
 * Instructions by the application's developer.
 *
 * @example
 * ```ts
 * import { DeveloperMessageSchema } from 'ag-ui-native/schemas';
 *
 * DeveloperMessageSchema.safeParse(
 *     { id: 'm1', role: 'developer', content: 'Answer in one sentence.' },
 * ).success; // => true
 * ```
 */
export const DeveloperMessageSchema: ObjectSchema<types.DeveloperMessage> = objectSchema('DeveloperMessage', 'TDeveloperMessage', 'checkDeveloperMessage');

/**
 * Instructions to the model.
 *
 * @example
 * ```ts
 * import { SystemMessageSchema } from 'ag-ui-native/schemas';
 *
 * SystemMessageSchema.safeParse(
 *     { id: 'm1', role: 'system', content: 'You are a helpful assistant.' },
 * ).success; // => true
 * ```
 */
export const SystemMessageSchema: ObjectSchema<types.SystemMessage> = objectSchema('SystemMessage', 'TSystemMessage', 'checkSystemMessage');

/**
 * The text of the model and its tool calls.
 *
 * @example
 * ```ts
 * import { AssistantMessageSchema } from 'ag-ui-native/schemas';
 *
 * AssistantMessageSchema.safeParse(
 *     { id: 'm2', role: 'assistant', content: 'Hello, Ada!' },
 * ).success; // => true
 * ```
 */
export const AssistantMessageSchema: ObjectSchema<types.AssistantMessage> = objectSchema('AssistantMessage', 'TAssistantMessage', 'checkAssistantMessage');

/**
 * A message of the user.
 *
 * @example
 * ```ts
 * import { UserMessageSchema } from 'ag-ui-native/schemas';
 *
 * UserMessageSchema.safeParse(
 *     { id: 'm1', role: 'user', content: 'Hello!' },
 * ).success; // => true
 * ```
 */
export const UserMessageSchema: ObjectSchema<types.UserMessage> = objectSchema('UserMessage', 'TUserMessage', 'checkUserMessage');

/**
 * The result of a tool call.
 *
 * @example
 * ```ts
 * import { ToolMessageSchema } from 'ag-ui-native/schemas';
 *
 * ToolMessageSchema.safeParse(
 *     { id: 'm3', role: 'tool', content: '12:30', toolCallId: 'c1' },
 * ).success; // => true
 * ```
 */
export const ToolMessageSchema: ObjectSchema<types.ToolMessage> = objectSchema('ToolMessage', 'TToolMessage', 'checkToolMessage');

/**
 * Structured progress shown to the person; never sent to a model.
 *
 * @example
 * ```ts
 * import { ActivityMessageSchema } from 'ag-ui-native/schemas';
 *
 * ActivityMessageSchema.safeParse(
 *     { id: 'm4', role: 'activity', activityType: 'search', content: { found: 3 } },
 * ).success; // => true
 * ```
 */
export const ActivityMessageSchema: ObjectSchema<types.ActivityMessage> = objectSchema('ActivityMessage', 'TActivityMessage', 'checkActivityMessage');

/**
 * The model's reasoning.
 *
 * @example
 * ```ts
 * import { ReasoningMessageSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningMessageSchema.safeParse(
 *     { id: 'm5', role: 'reasoning', content: 'The user greets me.' },
 * ).success; // => true
 * ```
 */
export const ReasoningMessageSchema: ObjectSchema<types.ReasoningMessage> = objectSchema('ReasoningMessage', 'TReasoningMessage', 'checkReasoningMessage');

/**
 * A tool that the model may call.
 *
 * @example
 * ```ts
 * import { ToolSchema } from 'ag-ui-native/schemas';
 *
 * ToolSchema.safeParse(
 *     {
 *       name: 'current_time',
 *       description: 'Tells the time.',
 *       parameters: { type: 'object' },
 *     },
 * ).success; // => true
 * ```
 */
export const ToolSchema: ObjectSchema<types.Tool> = objectSchema('Tool', 'TTool', 'checkTool');

/**
 * A piece of background information that the application gives the agent.
 *
 * @example
 * ```ts
 * import { ContextSchema } from 'ag-ui-native/schemas';
 *
 * ContextSchema.safeParse(
 *     { description: "The user's time zone", value: 'Europe/Berlin' },
 * ).success; // => true
 * ```
 */
export const ContextSchema: ObjectSchema<types.Context> = objectSchema('Context', 'TContext', 'checkContext');

/**
 * The answer to one interrupt.
 *
 * @example
 * ```ts
 * import { ResumeEntrySchema } from 'ag-ui-native/schemas';
 *
 * ResumeEntrySchema.safeParse(
 *     { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
 * ).success; // => true
 * ```
 */
export const ResumeEntrySchema: ObjectSchema<types.ResumeEntry> = objectSchema('ResumeEntry', 'TResumeEntry', 'checkResumeEntry');

/**
 * The input of a run, as a client sends it.
 *
 * @example
 * ```ts
 * import { RunAgentInputSchema } from 'ag-ui-native/schemas';
 *
 * RunAgentInputSchema.safeParse(
 *     {
 *       threadId: 't1',
 *       runId: 'r1',
 *       messages: [{ id: 'm1', role: 'user', content: 'Hello!' }],
 *       tools: [],
 *       context: [],
 *     },
 * ).success; // => true
 * ```
 */
export const RunAgentInputSchema: ObjectSchema<types.RunAgentInput> = objectSchema('RunAgentInput', 'TRunAgentInput', 'checkRunAgentInput');

/**
 * A question that must be answered before the agent can go on.
 *
 * @example
 * ```ts
 * import { InterruptSchema } from 'ag-ui-native/schemas';
 *
 * InterruptSchema.safeParse(
 *     { id: 'i1', reason: 'tool_call', message: 'Send the mail?', toolCallId: 'c1' },
 * ).success; // => true
 * ```
 */
export const InterruptSchema: ObjectSchema<types.Interrupt> = objectSchema('Interrupt', 'TInterrupt', 'checkInterrupt');

/**
 * The run succeeded.
 *
 * @example
 * ```ts
 * import { RunFinishedSuccessOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * RunFinishedSuccessOutcomeSchema.safeParse(
 *     { type: 'success', pendingToolCallIds: ['c1'] },
 * ).success; // => true
 * ```
 */
export const RunFinishedSuccessOutcomeSchema: ObjectSchema<types.RunFinishedSuccessOutcome> = objectSchema('RunFinishedSuccessOutcome', 'TRunFinishedSuccessOutcome', 'checkRunFinishedSuccessOutcome');

/**
 * The run waits for answers.
 *
 * @example
 * ```ts
 * import { RunFinishedInterruptOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * RunFinishedInterruptOutcomeSchema.safeParse(
 *     { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'tool_call' }] },
 * ).success; // => true
 * ```
 */
export const RunFinishedInterruptOutcomeSchema: ObjectSchema<types.RunFinishedInterruptOutcome> = objectSchema('RunFinishedInterruptOutcome', 'TRunFinishedInterruptOutcome', 'checkRunFinishedInterruptOutcome');

/**
 * The run was cancelled.
 *
 * @example
 * ```ts
 * import { RunFinishedCancelledOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * RunFinishedCancelledOutcomeSchema.safeParse({ type: 'cancelled' }).success; // => true
 * ```
 */
export const RunFinishedCancelledOutcomeSchema: ObjectSchema<types.RunFinishedCancelledOutcome> = objectSchema('RunFinishedCancelledOutcome', 'TRunFinishedCancelledOutcome', 'checkRunFinishedCancelledOutcome');

/**
 * The subagent succeeded.
 *
 * @example
 * ```ts
 * import { SubagentFinishedSuccessOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * SubagentFinishedSuccessOutcomeSchema.safeParse({ type: 'success' }).success; // => true
 * ```
 */
export const SubagentFinishedSuccessOutcomeSchema: ObjectSchema<types.SubagentFinishedSuccessOutcome> = objectSchema('SubagentFinishedSuccessOutcome', 'TSubagentFinishedSuccessOutcome', 'checkSubagentFinishedSuccessOutcome');

/**
 * The subagent waits for answers.
 *
 * @example
 * ```ts
 * import { SubagentFinishedSuspendedOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * SubagentFinishedSuspendedOutcomeSchema.safeParse(
 *     { type: 'suspended', interruptIds: ['i1'] },
 * ).success; // => true
 * ```
 */
export const SubagentFinishedSuspendedOutcomeSchema: ObjectSchema<types.SubagentFinishedSuspendedOutcome> = objectSchema('SubagentFinishedSuspendedOutcome', 'TSubagentFinishedSuspendedOutcome', 'checkSubagentFinishedSuspendedOutcome');

/**
 * The tokens used with one model of one provider.
 *
 * @example
 * ```ts
 * import { TokenUsageSchema } from 'ag-ui-native/schemas';
 *
 * TokenUsageSchema.safeParse(
 *     { provider: 'openai', inputTokens: 120, outputTokens: 30 },
 * ).success; // => true
 * ```
 */
export const TokenUsageSchema: ObjectSchema<types.TokenUsage> = objectSchema('TokenUsage', 'TTokenUsage', 'checkTokenUsage');

/**
 * Begins a text message that arrives in pieces.
 *
 * @example
 * ```ts
 * import { TextMessageStartEventSchema } from 'ag-ui-native/schemas';
 *
 * TextMessageStartEventSchema.safeParse(
 *     { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
 * ).success; // => true
 * ```
 */
export const TextMessageStartEventSchema: ObjectSchema<types.TextMessageStartEvent> = objectSchema('TextMessageStartEvent', 'TTextMessageStartEvent', 'checkTextMessageStartEvent');

/**
 * Appends to a streamed text message.
 *
 * @example
 * ```ts
 * import { TextMessageContentEventSchema } from 'ag-ui-native/schemas';
 *
 * TextMessageContentEventSchema.safeParse(
 *     { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Hello' },
 * ).success; // => true
 * ```
 */
export const TextMessageContentEventSchema: ObjectSchema<types.TextMessageContentEvent> = objectSchema('TextMessageContentEvent', 'TTextMessageContentEvent', 'checkTextMessageContentEvent');

/**
 * The text message is complete.
 *
 * @example
 * ```ts
 * import { TextMessageEndEventSchema } from 'ag-ui-native/schemas';
 *
 * TextMessageEndEventSchema.safeParse(
 *     { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
 * ).success; // => true
 * ```
 */
export const TextMessageEndEventSchema: ObjectSchema<types.TextMessageEndEvent> = objectSchema('TextMessageEndEvent', 'TTextMessageEndEvent', 'checkTextMessageEndEvent');

/**
 * Streams a text message without explicit start and end.
 *
 * @example
 * ```ts
 * import { TextMessageChunkEventSchema } from 'ag-ui-native/schemas';
 *
 * TextMessageChunkEventSchema.safeParse(
 *     { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Hello' },
 * ).success; // => true
 * ```
 */
export const TextMessageChunkEventSchema: ObjectSchema<types.TextMessageChunkEvent> = objectSchema('TextMessageChunkEvent', 'TTextMessageChunkEvent', 'checkTextMessageChunkEvent');

/**
 * Opens a streamed tool call.
 *
 * @example
 * ```ts
 * import { ToolCallStartEventSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallStartEventSchema.safeParse(
 *     { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'current_time' },
 * ).success; // => true
 * ```
 */
export const ToolCallStartEventSchema: ObjectSchema<types.ToolCallStartEvent> = objectSchema('ToolCallStartEvent', 'TToolCallStartEvent', 'checkToolCallStartEvent');

/**
 * Appends to the arguments of a streamed tool call.
 *
 * @example
 * ```ts
 * import { ToolCallArgsEventSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallArgsEventSchema.safeParse(
 *     { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
 * ).success; // => true
 * ```
 */
export const ToolCallArgsEventSchema: ObjectSchema<types.ToolCallArgsEvent> = objectSchema('ToolCallArgsEvent', 'TToolCallArgsEvent', 'checkToolCallArgsEvent');

/**
 * Closes a streamed tool call.
 *
 * @example
 * ```ts
 * import { ToolCallEndEventSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallEndEventSchema.safeParse(
 *     { type: 'TOOL_CALL_END', toolCallId: 'c1' },
 * ).success; // => true
 * ```
 */
export const ToolCallEndEventSchema: ObjectSchema<types.ToolCallEndEvent> = objectSchema('ToolCallEndEvent', 'TToolCallEndEvent', 'checkToolCallEndEvent');

/**
 * Streams a tool call without explicit start and end.
 *
 * @example
 * ```ts
 * import { ToolCallChunkEventSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallChunkEventSchema.safeParse(
 *     {
 *       type: 'TOOL_CALL_CHUNK',
 *       toolCallId: 'c1',
 *       toolCallName: 'current_time',
 *       delta: '{}',
 *     },
 * ).success; // => true
 * ```
 */
export const ToolCallChunkEventSchema: ObjectSchema<types.ToolCallChunkEvent> = objectSchema('ToolCallChunkEvent', 'TToolCallChunkEvent', 'checkToolCallChunkEvent');

/**
 * Answers a tool call; makes a tool message.
 *
 * @example
 * ```ts
 * import { ToolCallResultEventSchema } from 'ag-ui-native/schemas';
 *
 * ToolCallResultEventSchema.safeParse(
 *     { type: 'TOOL_CALL_RESULT', messageId: 'm3', toolCallId: 'c1', content: '12:30' },
 * ).success; // => true
 * ```
 */
export const ToolCallResultEventSchema: ObjectSchema<types.ToolCallResultEvent> = objectSchema('ToolCallResultEvent', 'TToolCallResultEvent', 'checkToolCallResultEvent');

/**
 * Replaces the shared state.
 *
 * @example
 * ```ts
 * import { StateSnapshotEventSchema } from 'ag-ui-native/schemas';
 *
 * StateSnapshotEventSchema.safeParse(
 *     { type: 'STATE_SNAPSHOT', snapshot: { tasks: [] } },
 * ).success; // => true
 * ```
 */
export const StateSnapshotEventSchema: ObjectSchema<types.StateSnapshotEvent> = objectSchema('StateSnapshotEvent', 'TStateSnapshotEvent', 'checkStateSnapshotEvent');

/**
 * Patches the shared state.
 *
 * @example
 * ```ts
 * import { StateDeltaEventSchema } from 'ag-ui-native/schemas';
 *
 * StateDeltaEventSchema.safeParse(
 *     { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/tasks/-', value: 'Buy milk' }] },
 * ).success; // => true
 * ```
 */
export const StateDeltaEventSchema: ObjectSchema<types.StateDeltaEvent> = objectSchema('StateDeltaEvent', 'TStateDeltaEvent', 'checkStateDeltaEvent');

/**
 * Replaces the conversation.
 *
 * @example
 * ```ts
 * import { MessagesSnapshotEventSchema } from 'ag-ui-native/schemas';
 *
 * MessagesSnapshotEventSchema.safeParse(
 *     {
 *       type: 'MESSAGES_SNAPSHOT',
 *       messages: [{ id: 'm1', role: 'user', content: 'Hello!' }],
 *     },
 * ).success; // => true
 * ```
 */
export const MessagesSnapshotEventSchema: ObjectSchema<types.MessagesSnapshotEvent> = objectSchema('MessagesSnapshotEvent', 'TMessagesSnapshotEvent', 'checkMessagesSnapshotEvent');

/**
 * Sets the content of an activity.
 *
 * @example
 * ```ts
 * import { ActivitySnapshotEventSchema } from 'ag-ui-native/schemas';
 *
 * ActivitySnapshotEventSchema.safeParse(
 *     {
 *       type: 'ACTIVITY_SNAPSHOT',
 *       messageId: 'm4',
 *       activityType: 'search',
 *       content: { found: 0 },
 *     },
 * ).success; // => true
 * ```
 */
export const ActivitySnapshotEventSchema: ObjectSchema<types.ActivitySnapshotEvent> = objectSchema('ActivitySnapshotEvent', 'TActivitySnapshotEvent', 'checkActivitySnapshotEvent');

/**
 * Patches the content of an activity.
 *
 * @example
 * ```ts
 * import { ActivityDeltaEventSchema } from 'ag-ui-native/schemas';
 *
 * ActivityDeltaEventSchema.safeParse(
 *     {
 *       type: 'ACTIVITY_DELTA',
 *       messageId: 'm4',
 *       activityType: 'search',
 *       patch: [{ op: 'replace', path: '/found', value: 3 }],
 *     },
 * ).success; // => true
 * ```
 */
export const ActivityDeltaEventSchema: ObjectSchema<types.ActivityDeltaEvent> = objectSchema('ActivityDeltaEvent', 'TActivityDeltaEvent', 'checkActivityDeltaEvent');

/**
 * Carries an event of another system.
 *
 * @example
 * ```ts
 * import { RawEventSchema } from 'ag-ui-native/schemas';
 *
 * RawEventSchema.safeParse(
 *     { type: 'RAW', event: { kind: 'ping' }, source: 'provider' },
 * ).success; // => true
 * ```
 */
export const RawEventSchema: ObjectSchema<types.RawEvent> = objectSchema('RawEvent', 'TRawEvent', 'checkRawEvent');

/**
 * Carries data on which the application and the agent agree.
 *
 * @example
 * ```ts
 * import { CustomEventSchema } from 'ag-ui-native/schemas';
 *
 * CustomEventSchema.safeParse(
 *     { type: 'CUSTOM', name: 'progress', value: 0.5 },
 * ).success; // => true
 * ```
 */
export const CustomEventSchema: ObjectSchema<types.CustomEvent> = objectSchema('CustomEvent', 'TCustomEvent', 'checkCustomEvent');

/**
 * A run begins.
 *
 * @example
 * ```ts
 * import { RunStartedEventSchema } from 'ag-ui-native/schemas';
 *
 * RunStartedEventSchema.safeParse(
 *     { type: 'RUN_STARTED', threadId: 't1', runId: 'r1' },
 * ).success; // => true
 * ```
 */
export const RunStartedEventSchema: ObjectSchema<types.RunStartedEvent> = objectSchema('RunStartedEvent', 'TRunStartedEvent', 'checkRunStartedEvent');

/**
 * Closes a run.
 *
 * @example
 * ```ts
 * import { RunFinishedEventSchema } from 'ag-ui-native/schemas';
 *
 * RunFinishedEventSchema.safeParse(
 *     { type: 'RUN_FINISHED', threadId: 't1', runId: 'r1', outcome: { type: 'success' } },
 * ).success; // => true
 * ```
 */
export const RunFinishedEventSchema: ObjectSchema<types.RunFinishedEvent> = objectSchema('RunFinishedEvent', 'TRunFinishedEvent', 'checkRunFinishedEvent');

/**
 * The run has failed and is over.
 *
 * @example
 * ```ts
 * import { RunErrorEventSchema } from 'ag-ui-native/schemas';
 *
 * RunErrorEventSchema.safeParse(
 *     { type: 'RUN_ERROR', message: 'The model does not answer.', code: 'model_timeout' },
 * ).success; // => true
 * ```
 */
export const RunErrorEventSchema: ObjectSchema<types.RunErrorEvent> = objectSchema('RunErrorEvent', 'TRunErrorEvent', 'checkRunErrorEvent');

/**
 * Opens a step of the run.
 *
 * @example
 * ```ts
 * import { StepStartedEventSchema } from 'ag-ui-native/schemas';
 *
 * StepStartedEventSchema.safeParse(
 *     { type: 'STEP_STARTED', stepName: 'search' },
 * ).success; // => true
 * ```
 */
export const StepStartedEventSchema: ObjectSchema<types.StepStartedEvent> = objectSchema('StepStartedEvent', 'TStepStartedEvent', 'checkStepStartedEvent');

/**
 * Closes a step of the run.
 *
 * @example
 * ```ts
 * import { StepFinishedEventSchema } from 'ag-ui-native/schemas';
 *
 * StepFinishedEventSchema.safeParse(
 *     { type: 'STEP_FINISHED', stepName: 'search' },
 * ).success; // => true
 * ```
 */
export const StepFinishedEventSchema: ObjectSchema<types.StepFinishedEvent> = objectSchema('StepFinishedEvent', 'TStepFinishedEvent', 'checkStepFinishedEvent');

/**
 * A span of reasoning begins.
 *
 * @example
 * ```ts
 * import { ReasoningStartEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningStartEventSchema.safeParse(
 *     { type: 'REASONING_START', messageId: 'm5' },
 * ).success; // => true
 * ```
 */
export const ReasoningStartEventSchema: ObjectSchema<types.ReasoningStartEvent> = objectSchema('ReasoningStartEvent', 'TReasoningStartEvent', 'checkReasoningStartEvent');

/**
 * Begins a reasoning message that arrives in pieces.
 *
 * @example
 * ```ts
 * import { ReasoningMessageStartEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningMessageStartEventSchema.safeParse(
 *     { type: 'REASONING_MESSAGE_START', messageId: 'm5', role: 'reasoning' },
 * ).success; // => true
 * ```
 */
export const ReasoningMessageStartEventSchema: ObjectSchema<types.ReasoningMessageStartEvent> = objectSchema('ReasoningMessageStartEvent', 'TReasoningMessageStartEvent', 'checkReasoningMessageStartEvent');

/**
 * Appends to a streamed reasoning message.
 *
 * @example
 * ```ts
 * import { ReasoningMessageContentEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningMessageContentEventSchema.safeParse(
 *     { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm5', delta: 'The user greets me.' },
 * ).success; // => true
 * ```
 */
export const ReasoningMessageContentEventSchema: ObjectSchema<types.ReasoningMessageContentEvent> = objectSchema('ReasoningMessageContentEvent', 'TReasoningMessageContentEvent', 'checkReasoningMessageContentEvent');

/**
 * The reasoning message is complete.
 *
 * @example
 * ```ts
 * import { ReasoningMessageEndEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningMessageEndEventSchema.safeParse(
 *     { type: 'REASONING_MESSAGE_END', messageId: 'm5' },
 * ).success; // => true
 * ```
 */
export const ReasoningMessageEndEventSchema: ObjectSchema<types.ReasoningMessageEndEvent> = objectSchema('ReasoningMessageEndEvent', 'TReasoningMessageEndEvent', 'checkReasoningMessageEndEvent');

/**
 * Streams a reasoning message without explicit start and end.
 *
 * @example
 * ```ts
 * import { ReasoningMessageChunkEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningMessageChunkEventSchema.safeParse(
 *     { type: 'REASONING_MESSAGE_CHUNK', messageId: 'm5', delta: 'The user greets me.' },
 * ).success; // => true
 * ```
 */
export const ReasoningMessageChunkEventSchema: ObjectSchema<types.ReasoningMessageChunkEvent> = objectSchema('ReasoningMessageChunkEvent', 'TReasoningMessageChunkEvent', 'checkReasoningMessageChunkEvent');

/**
 * The span of reasoning is over.
 *
 * @example
 * ```ts
 * import { ReasoningEndEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningEndEventSchema.safeParse(
 *     { type: 'REASONING_END', messageId: 'm5' },
 * ).success; // => true
 * ```
 */
export const ReasoningEndEventSchema: ObjectSchema<types.ReasoningEndEvent> = objectSchema('ReasoningEndEvent', 'TReasoningEndEvent', 'checkReasoningEndEvent');

/**
 * Attaches a provider's encrypted value to a message or a tool call.
 *
 * @example
 * ```ts
 * import { ReasoningEncryptedValueEventSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningEncryptedValueEventSchema.safeParse(
 *     {
 *       type: 'REASONING_ENCRYPTED_VALUE',
 *       subtype: 'message',
 *       entityId: 'm5',
 *       encryptedValue: 'gAAAAB',
 *     },
 * ).success; // => true
 * ```
 */
export const ReasoningEncryptedValueEventSchema: ObjectSchema<types.ReasoningEncryptedValueEvent> = objectSchema('ReasoningEncryptedValueEvent', 'TReasoningEncryptedValueEvent', 'checkReasoningEncryptedValueEvent');

/**
 * Opens a subagent's work.
 *
 * @example
 * ```ts
 * import { SubagentStartedEventSchema } from 'ag-ui-native/schemas';
 *
 * SubagentStartedEventSchema.safeParse(
 *     { type: 'SUBAGENT_STARTED', subagentRunId: 'researcher-1', name: 'researcher' },
 * ).success; // => true
 * ```
 */
export const SubagentStartedEventSchema: ObjectSchema<types.SubagentStartedEvent> = objectSchema('SubagentStartedEvent', 'TSubagentStartedEvent', 'checkSubagentStartedEvent');

/**
 * Closes a subagent's work.
 *
 * @example
 * ```ts
 * import { SubagentFinishedEventSchema } from 'ag-ui-native/schemas';
 *
 * SubagentFinishedEventSchema.safeParse(
 *     { type: 'SUBAGENT_FINISHED', subagentRunId: 'researcher-1', result: '3 sources' },
 * ).success; // => true
 * ```
 */
export const SubagentFinishedEventSchema: ObjectSchema<types.SubagentFinishedEvent> = objectSchema('SubagentFinishedEvent', 'TSubagentFinishedEvent', 'checkSubagentFinishedEvent');

/**
 * Ends a subagent's work that failed.
 *
 * @example
 * ```ts
 * import { SubagentErrorEventSchema } from 'ag-ui-native/schemas';
 *
 * SubagentErrorEventSchema.safeParse(
 *     {
 *       type: 'SUBAGENT_ERROR',
 *       subagentRunId: 'researcher-1',
 *       message: 'The search failed.',
 *     },
 * ).success; // => true
 * ```
 */
export const SubagentErrorEventSchema: ObjectSchema<types.SubagentErrorEvent> = objectSchema('SubagentErrorEvent', 'TSubagentErrorEvent', 'checkSubagentErrorEvent');

/**
 * A subagent to which the agent can hand work.
 *
 * @example
 * ```ts
 * import { SubagentInfoSchema } from 'ag-ui-native/schemas';
 *
 * SubagentInfoSchema.safeParse(
 *     { name: 'researcher', description: 'Finds sources.' },
 * ).success; // => true
 * ```
 */
export const SubagentInfoSchema: ObjectSchema<types.SubagentInfo> = objectSchema('SubagentInfo', 'TSubagentInfo', 'checkSubagentInfo');

/**
 * The identity of the agent.
 *
 * @example
 * ```ts
 * import { IdentityCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * IdentityCapabilitiesSchema.safeParse(
 *     { name: 'Helper', version: '1.2.0', provider: 'example.org' },
 * ).success; // => true
 * ```
 */
export const IdentityCapabilitiesSchema: ObjectSchema<types.IdentityCapabilities> = objectSchema('IdentityCapabilities', 'TIdentityCapabilities', 'checkIdentityCapabilities');

/**
 * The transports of the agent.
 *
 * @example
 * ```ts
 * import { TransportCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * TransportCapabilitiesSchema.safeParse(
 *     { streaming: true, httpBinary: true },
 * ).success; // => true
 * ```
 */
export const TransportCapabilitiesSchema: ObjectSchema<types.TransportCapabilities> = objectSchema('TransportCapabilities', 'TTransportCapabilities', 'checkTransportCapabilities');

/**
 * The agent's tools.
 *
 * @example
 * ```ts
 * import { ToolsCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * ToolsCapabilitiesSchema.safeParse(
 *     { supported: true, clientProvided: true },
 * ).success; // => true
 * ```
 */
export const ToolsCapabilitiesSchema: ObjectSchema<types.ToolsCapabilities> = objectSchema('ToolsCapabilities', 'TToolsCapabilities', 'checkToolsCapabilities');

/**
 * The output that the agent can produce.
 *
 * @example
 * ```ts
 * import { OutputCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * OutputCapabilitiesSchema.safeParse(
 *     { structuredOutput: true, supportedMimeTypes: ['text/plain'] },
 * ).success; // => true
 * ```
 */
export const OutputCapabilitiesSchema: ObjectSchema<types.OutputCapabilities> = objectSchema('OutputCapabilities', 'TOutputCapabilities', 'checkOutputCapabilities');

/**
 * The agent's use of the shared state.
 *
 * @example
 * ```ts
 * import { StateCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * StateCapabilitiesSchema.safeParse({ snapshots: true, deltas: true }).success; // => true
 * ```
 */
export const StateCapabilitiesSchema: ObjectSchema<types.StateCapabilities> = objectSchema('StateCapabilities', 'TStateCapabilities', 'checkStateCapabilities');

/**
 * The agent's work with other agents.
 *
 * @example
 * ```ts
 * import { MultiAgentCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * MultiAgentCapabilitiesSchema.safeParse(
 *     { supported: true, subagents: [{ name: 'researcher' }] },
 * ).success; // => true
 * ```
 */
export const MultiAgentCapabilitiesSchema: ObjectSchema<types.MultiAgentCapabilities> = objectSchema('MultiAgentCapabilities', 'TMultiAgentCapabilities', 'checkMultiAgentCapabilities');

/**
 * The agent's reasoning.
 *
 * @example
 * ```ts
 * import { ReasoningCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * ReasoningCapabilitiesSchema.safeParse(
 *     { supported: true, streaming: true },
 * ).success; // => true
 * ```
 */
export const ReasoningCapabilitiesSchema: ObjectSchema<types.ReasoningCapabilities> = objectSchema('ReasoningCapabilities', 'TReasoningCapabilities', 'checkReasoningCapabilities');

/**
 * The media that the agent accepts.
 *
 * @example
 * ```ts
 * import { MultimodalInputCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * MultimodalInputCapabilitiesSchema.safeParse(
 *     { image: true, pdf: true },
 * ).success; // => true
 * ```
 */
export const MultimodalInputCapabilitiesSchema: ObjectSchema<types.MultimodalInputCapabilities> = objectSchema('MultimodalInputCapabilities', 'TMultimodalInputCapabilities', 'checkMultimodalInputCapabilities');

/**
 * The media that the agent produces.
 *
 * @example
 * ```ts
 * import { MultimodalOutputCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * MultimodalOutputCapabilitiesSchema.safeParse({ image: true }).success; // => true
 * ```
 */
export const MultimodalOutputCapabilitiesSchema: ObjectSchema<types.MultimodalOutputCapabilities> = objectSchema('MultimodalOutputCapabilities', 'TMultimodalOutputCapabilities', 'checkMultimodalOutputCapabilities');

/**
 * Media in and out.
 *
 * @example
 * ```ts
 * import { MultimodalCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * MultimodalCapabilitiesSchema.safeParse(
 *     { input: { image: true }, output: { audio: true } },
 * ).success; // => true
 * ```
 */
export const MultimodalCapabilitiesSchema: ObjectSchema<types.MultimodalCapabilities> = objectSchema('MultimodalCapabilities', 'TMultimodalCapabilities', 'checkMultimodalCapabilities');

/**
 * The limits and features of a run of the agent.
 *
 * @example
 * ```ts
 * import { ExecutionCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * ExecutionCapabilitiesSchema.safeParse(
 *     { codeExecution: true, sandboxed: true, maxIterations: 10 },
 * ).success; // => true
 * ```
 */
export const ExecutionCapabilitiesSchema: ObjectSchema<types.ExecutionCapabilities> = objectSchema('ExecutionCapabilities', 'TExecutionCapabilities', 'checkExecutionCapabilities');

/**
 * The ways in which people take part in a run.
 *
 * @example
 * ```ts
 * import { HumanInTheLoopCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * HumanInTheLoopCapabilitiesSchema.safeParse(
 *     { supported: true, approvals: true },
 * ).success; // => true
 * ```
 */
export const HumanInTheLoopCapabilitiesSchema: ObjectSchema<types.HumanInTheLoopCapabilities> = objectSchema('HumanInTheLoopCapabilities', 'THumanInTheLoopCapabilities', 'checkHumanInTheLoopCapabilities');

/**
 * The capabilities that an agent declares about itself.
 *
 * @example
 * ```ts
 * import { AgentCapabilitiesSchema } from 'ag-ui-native/schemas';
 *
 * AgentCapabilitiesSchema.safeParse(
 *     { identity: { name: 'Helper' }, tools: { supported: true } },
 * ).success; // => true
 * ```
 */
export const AgentCapabilitiesSchema: ObjectSchema<types.AgentCapabilities> = objectSchema('AgentCapabilities', 'TAgentCapabilities', 'checkAgentCapabilities');

/**
 * The source of a media part's bytes.
 *
 * @example
 * ```ts
 * import { PartSourceSchema } from 'ag-ui-native/schemas';
 *
 * PartSourceSchema.safeParse(
 *     { type: 'url', value: 'https://example.org/cat.png' },
 * ).success; // => true
 * ```
 */
export const PartSourceSchema: UnionSchema<types.PartSource> = unionSchema('PartSource', 'UPartSource', 'checkPartSource');

/**
 * One part of a message's content.
 *
 * @example
 * ```ts
 * import { ContentPartSchema } from 'ag-ui-native/schemas';
 *
 * ContentPartSchema.safeParse({ type: 'text', text: 'What is this?' }).success; // => true
 * ```
 */
export const ContentPartSchema: UnionSchema<types.ContentPart> = unionSchema('ContentPart', 'UContentPart', 'checkContentPart');

/**
 * One operation of a JSON Patch.
 *
 * @example
 * ```ts
 * import { JsonPatchOperationSchema } from 'ag-ui-native/schemas';
 *
 * JsonPatchOperationSchema.safeParse(
 *     { op: 'add', path: '/tasks/-', value: 'Buy milk' },
 * ).success; // => true
 * ```
 */
export const JsonPatchOperationSchema: UnionSchema<types.JsonPatchOperation> = unionSchema('JsonPatchOperation', 'UJsonPatchOperation', 'checkJsonPatchOperation');

/**
 * One message of a conversation.
 *
 * @example
 * ```ts
 * import { MessageSchema } from 'ag-ui-native/schemas';
 *
 * MessageSchema.safeParse({ id: 'm1', role: 'user', content: 'Hello!' }).success; // => true
 * ```
 */
export const MessageSchema: UnionSchema<types.Message> = unionSchema('Message', 'UMessage', 'checkMessage');

/**
 * The outcome of a run.
 *
 * @example
 * ```ts
 * import { RunFinishedOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * RunFinishedOutcomeSchema.safeParse({ type: 'success' }).success; // => true
 * ```
 */
export const RunFinishedOutcomeSchema: UnionSchema<types.RunFinishedOutcome> = unionSchema('RunFinishedOutcome', 'URunFinishedOutcome', 'checkRunFinishedOutcome');

/**
 * The outcome of a subagent's work.
 *
 * @example
 * ```ts
 * import { SubagentFinishedOutcomeSchema } from 'ag-ui-native/schemas';
 *
 * SubagentFinishedOutcomeSchema.safeParse(
 *     { type: 'suspended', interruptIds: ['i1'] },
 * ).success; // => true
 * ```
 */
export const SubagentFinishedOutcomeSchema: UnionSchema<types.SubagentFinishedOutcome> = unionSchema('SubagentFinishedOutcome', 'USubagentFinishedOutcome', 'checkSubagentFinishedOutcome');

/**
 * Any event.
 *
 * @example
 * ```ts
 * import { EventSchema } from 'ag-ui-native/schemas';
 *
 * EventSchema.safeParse(
 *     { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Hello' },
 * ).success; // => true
 * ```
 */
export const EventSchema: UnionSchema<types.Event> = unionSchema('Event', 'UEvent', 'checkEvent');


// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { INVALID } from '../json/check.cjs';
import { type ObjectSchema, objectSchema, type Schema, schema, type UnionSchema, unionSchema } from '../schema/schema.cjs';
import { enums } from './tables.cjs';
import type * as types from './types.cjs';

/** The types of events. */
export const EventTypeSchema: Schema<types.EventType> = schema('EventType', 'e', (value) => (enums.EventType!.includes(value as string) ? value : INVALID));

/** The role of a message's author. */
export const RoleSchema: Schema<types.Role> = schema('Role', 'e', (value) => (enums.Role!.includes(value as string) ? value : INVALID));

/** The role of a streamed text message's author. */
export const TextMessageRoleSchema: Schema<types.TextMessageRole> = schema('TextMessageRole', 'e', (value) => (enums.TextMessageRole!.includes(value as string) ? value : INVALID));

/** The kind of thing that an encrypted reasoning value belongs to. */
export const ReasoningEncryptedValueSubtypeSchema: Schema<types.ReasoningEncryptedValueSubtype> = schema('ReasoningEncryptedValueSubtype', 'e', (value) => (enums.ReasoningEncryptedValueSubtype!.includes(value as string) ? value : INVALID));

/** The member of types that can belong to a subagent's work. */
export const AttributableSchema: ObjectSchema<types.Attributable> = objectSchema('Attributable', 'TAttributable', 'checkAttributable');

/** The members that every event has. */
export const BaseEventSchema: ObjectSchema<types.BaseEvent> = objectSchema('BaseEvent', 'TBaseEvent', 'checkBaseEvent');

/** The members that developer, system, assistant and user messages share. */
export const BaseMessageSchema: ObjectSchema<types.BaseMessage> = objectSchema('BaseMessage', 'TBaseMessage', 'checkBaseMessage');

/** A piece of text. */
export const TextPartSchema: ObjectSchema<types.TextPart> = objectSchema('TextPart', 'TTextPart', 'checkTextPart');

/** Bytes given in the message itself. */
export const DataSourceSchema: ObjectSchema<types.DataSource> = objectSchema('DataSource', 'TDataSource', 'checkDataSource');

/** Bytes to be fetched. */
export const UrlSourceSchema: ObjectSchema<types.UrlSource> = objectSchema('UrlSource', 'TUrlSource', 'checkUrlSource');

/** A file that a provider keeps. */
export const FileSourceSchema: ObjectSchema<types.FileSource> = objectSchema('FileSource', 'TFileSource', 'checkFileSource');

/** A picture. */
export const ImagePartSchema: ObjectSchema<types.ImagePart> = objectSchema('ImagePart', 'TImagePart', 'checkImagePart');

/** A sound. */
export const AudioPartSchema: ObjectSchema<types.AudioPart> = objectSchema('AudioPart', 'TAudioPart', 'checkAudioPart');

/** A film. */
export const VideoPartSchema: ObjectSchema<types.VideoPart> = objectSchema('VideoPart', 'TVideoPart', 'checkVideoPart');

/** A document. */
export const DocumentPartSchema: ObjectSchema<types.DocumentPart> = objectSchema('DocumentPart', 'TDocumentPart', 'checkDocumentPart');

/** Sets a member or inserts a list element. */
export const AddOperationSchema: ObjectSchema<types.AddOperation> = objectSchema('AddOperation', 'TAddOperation', 'checkAddOperation');

/** Removes a member or list element. */
export const RemoveOperationSchema: ObjectSchema<types.RemoveOperation> = objectSchema('RemoveOperation', 'TRemoveOperation', 'checkRemoveOperation');

/** Puts another value in the place of one that is there. */
export const ReplaceOperationSchema: ObjectSchema<types.ReplaceOperation> = objectSchema('ReplaceOperation', 'TReplaceOperation', 'checkReplaceOperation');

/** Takes a value from one place to another. */
export const MoveOperationSchema: ObjectSchema<types.MoveOperation> = objectSchema('MoveOperation', 'TMoveOperation', 'checkMoveOperation');

/** Copies a value from one place to another. */
export const CopyOperationSchema: ObjectSchema<types.CopyOperation> = objectSchema('CopyOperation', 'TCopyOperation', 'checkCopyOperation');

/** Fails the patch unless the value there equals the given one. */
export const TestOperationSchema: ObjectSchema<types.TestOperation> = objectSchema('TestOperation', 'TTestOperation', 'checkTestOperation');

/** The function that a tool call names, with its arguments. */
export const FunctionCallSchema: ObjectSchema<types.FunctionCall> = objectSchema('FunctionCall', 'TFunctionCall', 'checkFunctionCall');

/** A call of a tool, made by the assistant. */
export const ToolCallSchema: ObjectSchema<types.ToolCall> = objectSchema('ToolCall', 'TToolCall', 'checkToolCall');

/** Instructions by the application's developer. */
export const DeveloperMessageSchema: ObjectSchema<types.DeveloperMessage> = objectSchema('DeveloperMessage', 'TDeveloperMessage', 'checkDeveloperMessage');

/** Instructions to the model. */
export const SystemMessageSchema: ObjectSchema<types.SystemMessage> = objectSchema('SystemMessage', 'TSystemMessage', 'checkSystemMessage');

/** The text of the model and its tool calls. */
export const AssistantMessageSchema: ObjectSchema<types.AssistantMessage> = objectSchema('AssistantMessage', 'TAssistantMessage', 'checkAssistantMessage');

/** A message of the user. */
export const UserMessageSchema: ObjectSchema<types.UserMessage> = objectSchema('UserMessage', 'TUserMessage', 'checkUserMessage');

/** The result of a tool call. */
export const ToolMessageSchema: ObjectSchema<types.ToolMessage> = objectSchema('ToolMessage', 'TToolMessage', 'checkToolMessage');

/** Structured progress shown to the person; never sent to a model. */
export const ActivityMessageSchema: ObjectSchema<types.ActivityMessage> = objectSchema('ActivityMessage', 'TActivityMessage', 'checkActivityMessage');

/** The model's reasoning. */
export const ReasoningMessageSchema: ObjectSchema<types.ReasoningMessage> = objectSchema('ReasoningMessage', 'TReasoningMessage', 'checkReasoningMessage');

/** A tool that the model may call. */
export const ToolSchema: ObjectSchema<types.Tool> = objectSchema('Tool', 'TTool', 'checkTool');

/** A piece of background information that the application gives the agent. */
export const ContextSchema: ObjectSchema<types.Context> = objectSchema('Context', 'TContext', 'checkContext');

/** The answer to one interrupt. */
export const ResumeEntrySchema: ObjectSchema<types.ResumeEntry> = objectSchema('ResumeEntry', 'TResumeEntry', 'checkResumeEntry');

/** The input of a run, as a client sends it. */
export const RunAgentInputSchema: ObjectSchema<types.RunAgentInput> = objectSchema('RunAgentInput', 'TRunAgentInput', 'checkRunAgentInput');

/** A question that must be answered before the agent can go on. */
export const InterruptSchema: ObjectSchema<types.Interrupt> = objectSchema('Interrupt', 'TInterrupt', 'checkInterrupt');

/** The run succeeded. */
export const RunFinishedSuccessOutcomeSchema: ObjectSchema<types.RunFinishedSuccessOutcome> = objectSchema('RunFinishedSuccessOutcome', 'TRunFinishedSuccessOutcome', 'checkRunFinishedSuccessOutcome');

/** The run waits for answers. */
export const RunFinishedInterruptOutcomeSchema: ObjectSchema<types.RunFinishedInterruptOutcome> = objectSchema('RunFinishedInterruptOutcome', 'TRunFinishedInterruptOutcome', 'checkRunFinishedInterruptOutcome');

/** The run was cancelled. */
export const RunFinishedCancelledOutcomeSchema: ObjectSchema<types.RunFinishedCancelledOutcome> = objectSchema('RunFinishedCancelledOutcome', 'TRunFinishedCancelledOutcome', 'checkRunFinishedCancelledOutcome');

/** The subagent succeeded. */
export const SubagentFinishedSuccessOutcomeSchema: ObjectSchema<types.SubagentFinishedSuccessOutcome> = objectSchema('SubagentFinishedSuccessOutcome', 'TSubagentFinishedSuccessOutcome', 'checkSubagentFinishedSuccessOutcome');

/** The subagent waits for answers. */
export const SubagentFinishedSuspendedOutcomeSchema: ObjectSchema<types.SubagentFinishedSuspendedOutcome> = objectSchema('SubagentFinishedSuspendedOutcome', 'TSubagentFinishedSuspendedOutcome', 'checkSubagentFinishedSuspendedOutcome');

/** The tokens used with one model of one provider. */
export const TokenUsageSchema: ObjectSchema<types.TokenUsage> = objectSchema('TokenUsage', 'TTokenUsage', 'checkTokenUsage');

/** Begins a text message that arrives in pieces. */
export const TextMessageStartEventSchema: ObjectSchema<types.TextMessageStartEvent> = objectSchema('TextMessageStartEvent', 'TTextMessageStartEvent', 'checkTextMessageStartEvent');

/** Appends to a streamed text message. */
export const TextMessageContentEventSchema: ObjectSchema<types.TextMessageContentEvent> = objectSchema('TextMessageContentEvent', 'TTextMessageContentEvent', 'checkTextMessageContentEvent');

/** The text message is complete. */
export const TextMessageEndEventSchema: ObjectSchema<types.TextMessageEndEvent> = objectSchema('TextMessageEndEvent', 'TTextMessageEndEvent', 'checkTextMessageEndEvent');

/** Streams a text message without explicit start and end. */
export const TextMessageChunkEventSchema: ObjectSchema<types.TextMessageChunkEvent> = objectSchema('TextMessageChunkEvent', 'TTextMessageChunkEvent', 'checkTextMessageChunkEvent');

/** Opens a streamed tool call. */
export const ToolCallStartEventSchema: ObjectSchema<types.ToolCallStartEvent> = objectSchema('ToolCallStartEvent', 'TToolCallStartEvent', 'checkToolCallStartEvent');

/** Appends to the arguments of a streamed tool call. */
export const ToolCallArgsEventSchema: ObjectSchema<types.ToolCallArgsEvent> = objectSchema('ToolCallArgsEvent', 'TToolCallArgsEvent', 'checkToolCallArgsEvent');

/** Closes a streamed tool call. */
export const ToolCallEndEventSchema: ObjectSchema<types.ToolCallEndEvent> = objectSchema('ToolCallEndEvent', 'TToolCallEndEvent', 'checkToolCallEndEvent');

/** Streams a tool call without explicit start and end. */
export const ToolCallChunkEventSchema: ObjectSchema<types.ToolCallChunkEvent> = objectSchema('ToolCallChunkEvent', 'TToolCallChunkEvent', 'checkToolCallChunkEvent');

/** Answers a tool call; makes a tool message. */
export const ToolCallResultEventSchema: ObjectSchema<types.ToolCallResultEvent> = objectSchema('ToolCallResultEvent', 'TToolCallResultEvent', 'checkToolCallResultEvent');

/** Replaces the shared state. */
export const StateSnapshotEventSchema: ObjectSchema<types.StateSnapshotEvent> = objectSchema('StateSnapshotEvent', 'TStateSnapshotEvent', 'checkStateSnapshotEvent');

/** Patches the shared state. */
export const StateDeltaEventSchema: ObjectSchema<types.StateDeltaEvent> = objectSchema('StateDeltaEvent', 'TStateDeltaEvent', 'checkStateDeltaEvent');

/** Replaces the conversation. */
export const MessagesSnapshotEventSchema: ObjectSchema<types.MessagesSnapshotEvent> = objectSchema('MessagesSnapshotEvent', 'TMessagesSnapshotEvent', 'checkMessagesSnapshotEvent');

/** Sets the content of an activity. */
export const ActivitySnapshotEventSchema: ObjectSchema<types.ActivitySnapshotEvent> = objectSchema('ActivitySnapshotEvent', 'TActivitySnapshotEvent', 'checkActivitySnapshotEvent');

/** Patches the content of an activity. */
export const ActivityDeltaEventSchema: ObjectSchema<types.ActivityDeltaEvent> = objectSchema('ActivityDeltaEvent', 'TActivityDeltaEvent', 'checkActivityDeltaEvent');

/** Carries an event of another system. */
export const RawEventSchema: ObjectSchema<types.RawEvent> = objectSchema('RawEvent', 'TRawEvent', 'checkRawEvent');

/** Carries data on which the application and the agent agree. */
export const CustomEventSchema: ObjectSchema<types.CustomEvent> = objectSchema('CustomEvent', 'TCustomEvent', 'checkCustomEvent');

/** A run begins. */
export const RunStartedEventSchema: ObjectSchema<types.RunStartedEvent> = objectSchema('RunStartedEvent', 'TRunStartedEvent', 'checkRunStartedEvent');

/** Closes a run. */
export const RunFinishedEventSchema: ObjectSchema<types.RunFinishedEvent> = objectSchema('RunFinishedEvent', 'TRunFinishedEvent', 'checkRunFinishedEvent');

/** The run has failed and is over. */
export const RunErrorEventSchema: ObjectSchema<types.RunErrorEvent> = objectSchema('RunErrorEvent', 'TRunErrorEvent', 'checkRunErrorEvent');

/** Opens a step of the run. */
export const StepStartedEventSchema: ObjectSchema<types.StepStartedEvent> = objectSchema('StepStartedEvent', 'TStepStartedEvent', 'checkStepStartedEvent');

/** Closes a step of the run. */
export const StepFinishedEventSchema: ObjectSchema<types.StepFinishedEvent> = objectSchema('StepFinishedEvent', 'TStepFinishedEvent', 'checkStepFinishedEvent');

/** A span of reasoning begins. */
export const ReasoningStartEventSchema: ObjectSchema<types.ReasoningStartEvent> = objectSchema('ReasoningStartEvent', 'TReasoningStartEvent', 'checkReasoningStartEvent');

/** Begins a reasoning message that arrives in pieces. */
export const ReasoningMessageStartEventSchema: ObjectSchema<types.ReasoningMessageStartEvent> = objectSchema('ReasoningMessageStartEvent', 'TReasoningMessageStartEvent', 'checkReasoningMessageStartEvent');

/** Appends to a streamed reasoning message. */
export const ReasoningMessageContentEventSchema: ObjectSchema<types.ReasoningMessageContentEvent> = objectSchema('ReasoningMessageContentEvent', 'TReasoningMessageContentEvent', 'checkReasoningMessageContentEvent');

/** The reasoning message is complete. */
export const ReasoningMessageEndEventSchema: ObjectSchema<types.ReasoningMessageEndEvent> = objectSchema('ReasoningMessageEndEvent', 'TReasoningMessageEndEvent', 'checkReasoningMessageEndEvent');

/** Streams a reasoning message without explicit start and end. */
export const ReasoningMessageChunkEventSchema: ObjectSchema<types.ReasoningMessageChunkEvent> = objectSchema('ReasoningMessageChunkEvent', 'TReasoningMessageChunkEvent', 'checkReasoningMessageChunkEvent');

/** The span of reasoning is over. */
export const ReasoningEndEventSchema: ObjectSchema<types.ReasoningEndEvent> = objectSchema('ReasoningEndEvent', 'TReasoningEndEvent', 'checkReasoningEndEvent');

/** Attaches a provider's encrypted value to a message or a tool call. */
export const ReasoningEncryptedValueEventSchema: ObjectSchema<types.ReasoningEncryptedValueEvent> = objectSchema('ReasoningEncryptedValueEvent', 'TReasoningEncryptedValueEvent', 'checkReasoningEncryptedValueEvent');

/** Opens a subagent's work. */
export const SubagentStartedEventSchema: ObjectSchema<types.SubagentStartedEvent> = objectSchema('SubagentStartedEvent', 'TSubagentStartedEvent', 'checkSubagentStartedEvent');

/** Closes a subagent's work. */
export const SubagentFinishedEventSchema: ObjectSchema<types.SubagentFinishedEvent> = objectSchema('SubagentFinishedEvent', 'TSubagentFinishedEvent', 'checkSubagentFinishedEvent');

/** Ends a subagent's work that failed. */
export const SubagentErrorEventSchema: ObjectSchema<types.SubagentErrorEvent> = objectSchema('SubagentErrorEvent', 'TSubagentErrorEvent', 'checkSubagentErrorEvent');

/** A subagent to which the agent can hand work. */
export const SubagentInfoSchema: ObjectSchema<types.SubagentInfo> = objectSchema('SubagentInfo', 'TSubagentInfo', 'checkSubagentInfo');

/** The identity of the agent. */
export const IdentityCapabilitiesSchema: ObjectSchema<types.IdentityCapabilities> = objectSchema('IdentityCapabilities', 'TIdentityCapabilities', 'checkIdentityCapabilities');

/** The transports of the agent. */
export const TransportCapabilitiesSchema: ObjectSchema<types.TransportCapabilities> = objectSchema('TransportCapabilities', 'TTransportCapabilities', 'checkTransportCapabilities');

/** The agent's tools. */
export const ToolsCapabilitiesSchema: ObjectSchema<types.ToolsCapabilities> = objectSchema('ToolsCapabilities', 'TToolsCapabilities', 'checkToolsCapabilities');

/** The output that the agent can produce. */
export const OutputCapabilitiesSchema: ObjectSchema<types.OutputCapabilities> = objectSchema('OutputCapabilities', 'TOutputCapabilities', 'checkOutputCapabilities');

/** The agent's use of the shared state. */
export const StateCapabilitiesSchema: ObjectSchema<types.StateCapabilities> = objectSchema('StateCapabilities', 'TStateCapabilities', 'checkStateCapabilities');

/** The agent's work with other agents. */
export const MultiAgentCapabilitiesSchema: ObjectSchema<types.MultiAgentCapabilities> = objectSchema('MultiAgentCapabilities', 'TMultiAgentCapabilities', 'checkMultiAgentCapabilities');

/** The agent's reasoning. */
export const ReasoningCapabilitiesSchema: ObjectSchema<types.ReasoningCapabilities> = objectSchema('ReasoningCapabilities', 'TReasoningCapabilities', 'checkReasoningCapabilities');

/** The media that the agent accepts. */
export const MultimodalInputCapabilitiesSchema: ObjectSchema<types.MultimodalInputCapabilities> = objectSchema('MultimodalInputCapabilities', 'TMultimodalInputCapabilities', 'checkMultimodalInputCapabilities');

/** The media that the agent produces. */
export const MultimodalOutputCapabilitiesSchema: ObjectSchema<types.MultimodalOutputCapabilities> = objectSchema('MultimodalOutputCapabilities', 'TMultimodalOutputCapabilities', 'checkMultimodalOutputCapabilities');

/** Media in and out. */
export const MultimodalCapabilitiesSchema: ObjectSchema<types.MultimodalCapabilities> = objectSchema('MultimodalCapabilities', 'TMultimodalCapabilities', 'checkMultimodalCapabilities');

/** The limits and features of a run of the agent. */
export const ExecutionCapabilitiesSchema: ObjectSchema<types.ExecutionCapabilities> = objectSchema('ExecutionCapabilities', 'TExecutionCapabilities', 'checkExecutionCapabilities');

/** The ways in which people take part in a run. */
export const HumanInTheLoopCapabilitiesSchema: ObjectSchema<types.HumanInTheLoopCapabilities> = objectSchema('HumanInTheLoopCapabilities', 'THumanInTheLoopCapabilities', 'checkHumanInTheLoopCapabilities');

/** The capabilities that an agent declares about itself. */
export const AgentCapabilitiesSchema: ObjectSchema<types.AgentCapabilities> = objectSchema('AgentCapabilities', 'TAgentCapabilities', 'checkAgentCapabilities');

/** The source of a media part's bytes. */
export const PartSourceSchema: UnionSchema<types.PartSource> = unionSchema('PartSource', 'UPartSource', 'checkPartSource');

/** One part of a message's content. */
export const ContentPartSchema: UnionSchema<types.ContentPart> = unionSchema('ContentPart', 'UContentPart', 'checkContentPart');

/** One operation of a JSON Patch. */
export const JsonPatchOperationSchema: UnionSchema<types.JsonPatchOperation> = unionSchema('JsonPatchOperation', 'UJsonPatchOperation', 'checkJsonPatchOperation');

/** One message of a conversation. */
export const MessageSchema: UnionSchema<types.Message> = unionSchema('Message', 'UMessage', 'checkMessage');

/** The outcome of a run. */
export const RunFinishedOutcomeSchema: UnionSchema<types.RunFinishedOutcome> = unionSchema('RunFinishedOutcome', 'URunFinishedOutcome', 'checkRunFinishedOutcome');

/** The outcome of a subagent's work. */
export const SubagentFinishedOutcomeSchema: UnionSchema<types.SubagentFinishedOutcome> = unionSchema('SubagentFinishedOutcome', 'USubagentFinishedOutcome', 'checkSubagentFinishedOutcome');

/** Any event. */
export const EventSchema: UnionSchema<types.Event> = unionSchema('Event', 'UEvent', 'checkEvent');


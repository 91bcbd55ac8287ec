// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { INVALID } from '../check.cjs';
import { type ObjectSchema, objectSchema, type Schema, schema, type UnionSchema, unionSchema } from '../schema.cjs';
import * as checks from './checks.cjs';
import { enums } from './tables.cjs';
import type * as types from './types.cjs';

/** The types of events. */
export const EventTypeSchema: Schema<types.EventType> = schema('EventType', 'e', (value) => (enums.EventType!.includes(value as string) ? value : INVALID));

/** Who a message is from. */
export const RoleSchema: Schema<types.Role> = schema('Role', 'e', (value) => (enums.Role!.includes(value as string) ? value : INVALID));

/** Who a streamed text message may be from. */
export const TextMessageRoleSchema: Schema<types.TextMessageRole> = schema('TextMessageRole', 'e', (value) => (enums.TextMessageRole!.includes(value as string) ? value : INVALID));

/** What an encrypted reasoning value belongs to. */
export const ReasoningEncryptedValueSubtypeSchema: Schema<types.ReasoningEncryptedValueSubtype> = schema('ReasoningEncryptedValueSubtype', 'e', (value) => (enums.ReasoningEncryptedValueSubtype!.includes(value as string) ? value : INVALID));

/** What can belong to a subagent's work. */
export const AttributableSchema: ObjectSchema<types.Attributable> = objectSchema('Attributable', 'TAttributable', checks.checkAttributable);

/** What every event carries. */
export const BaseEventSchema: ObjectSchema<types.BaseEvent> = objectSchema('BaseEvent', 'TBaseEvent', checks.checkBaseEvent);

/** What developer, system, assistant and user messages have in common. */
export const BaseMessageSchema: ObjectSchema<types.BaseMessage> = objectSchema('BaseMessage', 'TBaseMessage', checks.checkBaseMessage);

/** A piece of text. */
export const TextPartSchema: ObjectSchema<types.TextPart> = objectSchema('TextPart', 'TTextPart', checks.checkTextPart);

/** Bytes given in the message itself. */
export const DataSourceSchema: ObjectSchema<types.DataSource> = objectSchema('DataSource', 'TDataSource', checks.checkDataSource);

/** Bytes to be fetched. */
export const UrlSourceSchema: ObjectSchema<types.UrlSource> = objectSchema('UrlSource', 'TUrlSource', checks.checkUrlSource);

/** A file that a provider keeps. */
export const FileSourceSchema: ObjectSchema<types.FileSource> = objectSchema('FileSource', 'TFileSource', checks.checkFileSource);

/** A picture. */
export const ImagePartSchema: ObjectSchema<types.ImagePart> = objectSchema('ImagePart', 'TImagePart', checks.checkImagePart);

/** A sound. */
export const AudioPartSchema: ObjectSchema<types.AudioPart> = objectSchema('AudioPart', 'TAudioPart', checks.checkAudioPart);

/** A film. */
export const VideoPartSchema: ObjectSchema<types.VideoPart> = objectSchema('VideoPart', 'TVideoPart', checks.checkVideoPart);

/** A document. */
export const DocumentPartSchema: ObjectSchema<types.DocumentPart> = objectSchema('DocumentPart', 'TDocumentPart', checks.checkDocumentPart);

/** Sets a member or inserts a list element. */
export const AddOperationSchema: ObjectSchema<types.AddOperation> = objectSchema('AddOperation', 'TAddOperation', checks.checkAddOperation);

/** Removes a member or list element. */
export const RemoveOperationSchema: ObjectSchema<types.RemoveOperation> = objectSchema('RemoveOperation', 'TRemoveOperation', checks.checkRemoveOperation);

/** Puts another value in the place of one that is there. */
export const ReplaceOperationSchema: ObjectSchema<types.ReplaceOperation> = objectSchema('ReplaceOperation', 'TReplaceOperation', checks.checkReplaceOperation);

/** Takes a value from one place to another. */
export const MoveOperationSchema: ObjectSchema<types.MoveOperation> = objectSchema('MoveOperation', 'TMoveOperation', checks.checkMoveOperation);

/** Copies a value from one place to another. */
export const CopyOperationSchema: ObjectSchema<types.CopyOperation> = objectSchema('CopyOperation', 'TCopyOperation', checks.checkCopyOperation);

/** Fails the patch unless the value there equals the given one. */
export const TestOperationSchema: ObjectSchema<types.TestOperation> = objectSchema('TestOperation', 'TTestOperation', checks.checkTestOperation);

/** The function a tool call names, with its arguments. */
export const FunctionCallSchema: ObjectSchema<types.FunctionCall> = objectSchema('FunctionCall', 'TFunctionCall', checks.checkFunctionCall);

/** A call of a tool, made by the assistant. */
export const ToolCallSchema: ObjectSchema<types.ToolCall> = objectSchema('ToolCall', 'TToolCall', checks.checkToolCall);

/** Instructions by the application's developer. */
export const DeveloperMessageSchema: ObjectSchema<types.DeveloperMessage> = objectSchema('DeveloperMessage', 'TDeveloperMessage', checks.checkDeveloperMessage);

/** Instructions to the model. */
export const SystemMessageSchema: ObjectSchema<types.SystemMessage> = objectSchema('SystemMessage', 'TSystemMessage', checks.checkSystemMessage);

/** What the model says and the tools it calls. */
export const AssistantMessageSchema: ObjectSchema<types.AssistantMessage> = objectSchema('AssistantMessage', 'TAssistantMessage', checks.checkAssistantMessage);

/** What the person says. */
export const UserMessageSchema: ObjectSchema<types.UserMessage> = objectSchema('UserMessage', 'TUserMessage', checks.checkUserMessage);

/** The result of a tool call. */
export const ToolMessageSchema: ObjectSchema<types.ToolMessage> = objectSchema('ToolMessage', 'TToolMessage', checks.checkToolMessage);

/** Structured progress shown to the person; never sent to a model. */
export const ActivityMessageSchema: ObjectSchema<types.ActivityMessage> = objectSchema('ActivityMessage', 'TActivityMessage', checks.checkActivityMessage);

/** The model's reasoning. */
export const ReasoningMessageSchema: ObjectSchema<types.ReasoningMessage> = objectSchema('ReasoningMessage', 'TReasoningMessage', checks.checkReasoningMessage);

/** A tool the model may call. */
export const ToolSchema: ObjectSchema<types.Tool> = objectSchema('Tool', 'TTool', checks.checkTool);

/** A piece of background the application hands to the agent. */
export const ContextSchema: ObjectSchema<types.Context> = objectSchema('Context', 'TContext', checks.checkContext);

/** The answer to one interrupt. */
export const ResumeEntrySchema: ObjectSchema<types.ResumeEntry> = objectSchema('ResumeEntry', 'TResumeEntry', checks.checkResumeEntry);

/** What a client sends to start a run. */
export const RunAgentInputSchema: ObjectSchema<types.RunAgentInput> = objectSchema('RunAgentInput', 'TRunAgentInput', checks.checkRunAgentInput);

/** A question that must be answered before the agent can go on. */
export const InterruptSchema: ObjectSchema<types.Interrupt> = objectSchema('Interrupt', 'TInterrupt', checks.checkInterrupt);

/** The run did what it was asked to. */
export const RunFinishedSuccessOutcomeSchema: ObjectSchema<types.RunFinishedSuccessOutcome> = objectSchema('RunFinishedSuccessOutcome', 'TRunFinishedSuccessOutcome', checks.checkRunFinishedSuccessOutcome);

/** The run waits for answers. */
export const RunFinishedInterruptOutcomeSchema: ObjectSchema<types.RunFinishedInterruptOutcome> = objectSchema('RunFinishedInterruptOutcome', 'TRunFinishedInterruptOutcome', checks.checkRunFinishedInterruptOutcome);

/** The run was called off. */
export const RunFinishedCancelledOutcomeSchema: ObjectSchema<types.RunFinishedCancelledOutcome> = objectSchema('RunFinishedCancelledOutcome', 'TRunFinishedCancelledOutcome', checks.checkRunFinishedCancelledOutcome);

/** The subagent did what it was asked to. */
export const SubagentFinishedSuccessOutcomeSchema: ObjectSchema<types.SubagentFinishedSuccessOutcome> = objectSchema('SubagentFinishedSuccessOutcome', 'TSubagentFinishedSuccessOutcome', checks.checkSubagentFinishedSuccessOutcome);

/** The subagent waits for answers. */
export const SubagentFinishedSuspendedOutcomeSchema: ObjectSchema<types.SubagentFinishedSuspendedOutcome> = objectSchema('SubagentFinishedSuspendedOutcome', 'TSubagentFinishedSuspendedOutcome', checks.checkSubagentFinishedSuspendedOutcome);

/** Tokens used with one model of one provider. */
export const TokenUsageSchema: ObjectSchema<types.TokenUsage> = objectSchema('TokenUsage', 'TTokenUsage', checks.checkTokenUsage);

/** A text message begins, to arrive in pieces. */
export const TextMessageStartEventSchema: ObjectSchema<types.TextMessageStartEvent> = objectSchema('TextMessageStartEvent', 'TTextMessageStartEvent', checks.checkTextMessageStartEvent);

/** Appends to a streamed text message. */
export const TextMessageContentEventSchema: ObjectSchema<types.TextMessageContentEvent> = objectSchema('TextMessageContentEvent', 'TTextMessageContentEvent', checks.checkTextMessageContentEvent);

/** The text message is complete. */
export const TextMessageEndEventSchema: ObjectSchema<types.TextMessageEndEvent> = objectSchema('TextMessageEndEvent', 'TTextMessageEndEvent', checks.checkTextMessageEndEvent);

/** Streams a text message without explicit start and end. */
export const TextMessageChunkEventSchema: ObjectSchema<types.TextMessageChunkEvent> = objectSchema('TextMessageChunkEvent', 'TTextMessageChunkEvent', checks.checkTextMessageChunkEvent);

/** Opens a streamed tool call. */
export const ToolCallStartEventSchema: ObjectSchema<types.ToolCallStartEvent> = objectSchema('ToolCallStartEvent', 'TToolCallStartEvent', checks.checkToolCallStartEvent);

/** Appends to the arguments of a streamed tool call. */
export const ToolCallArgsEventSchema: ObjectSchema<types.ToolCallArgsEvent> = objectSchema('ToolCallArgsEvent', 'TToolCallArgsEvent', checks.checkToolCallArgsEvent);

/** Closes a streamed tool call. */
export const ToolCallEndEventSchema: ObjectSchema<types.ToolCallEndEvent> = objectSchema('ToolCallEndEvent', 'TToolCallEndEvent', checks.checkToolCallEndEvent);

/** Streams a tool call without explicit start and end. */
export const ToolCallChunkEventSchema: ObjectSchema<types.ToolCallChunkEvent> = objectSchema('ToolCallChunkEvent', 'TToolCallChunkEvent', checks.checkToolCallChunkEvent);

/** Answers a tool call; makes a tool message. */
export const ToolCallResultEventSchema: ObjectSchema<types.ToolCallResultEvent> = objectSchema('ToolCallResultEvent', 'TToolCallResultEvent', checks.checkToolCallResultEvent);

/** Replaces the shared state. */
export const StateSnapshotEventSchema: ObjectSchema<types.StateSnapshotEvent> = objectSchema('StateSnapshotEvent', 'TStateSnapshotEvent', checks.checkStateSnapshotEvent);

/** Patches the shared state. */
export const StateDeltaEventSchema: ObjectSchema<types.StateDeltaEvent> = objectSchema('StateDeltaEvent', 'TStateDeltaEvent', checks.checkStateDeltaEvent);

/** Replaces the conversation. */
export const MessagesSnapshotEventSchema: ObjectSchema<types.MessagesSnapshotEvent> = objectSchema('MessagesSnapshotEvent', 'TMessagesSnapshotEvent', checks.checkMessagesSnapshotEvent);

/** Sets what an activity shows. */
export const ActivitySnapshotEventSchema: ObjectSchema<types.ActivitySnapshotEvent> = objectSchema('ActivitySnapshotEvent', 'TActivitySnapshotEvent', checks.checkActivitySnapshotEvent);

/** Patches what an activity shows. */
export const ActivityDeltaEventSchema: ObjectSchema<types.ActivityDeltaEvent> = objectSchema('ActivityDeltaEvent', 'TActivityDeltaEvent', checks.checkActivityDeltaEvent);

/** Carries an event of another system. */
export const RawEventSchema: ObjectSchema<types.RawEvent> = objectSchema('RawEvent', 'TRawEvent', checks.checkRawEvent);

/** Carries whatever the application agrees on. */
export const CustomEventSchema: ObjectSchema<types.CustomEvent> = objectSchema('CustomEvent', 'TCustomEvent', checks.checkCustomEvent);

/** A run begins. */
export const RunStartedEventSchema: ObjectSchema<types.RunStartedEvent> = objectSchema('RunStartedEvent', 'TRunStartedEvent', checks.checkRunStartedEvent);

/** Closes a run. */
export const RunFinishedEventSchema: ObjectSchema<types.RunFinishedEvent> = objectSchema('RunFinishedEvent', 'TRunFinishedEvent', checks.checkRunFinishedEvent);

/** The run has failed and is over. */
export const RunErrorEventSchema: ObjectSchema<types.RunErrorEvent> = objectSchema('RunErrorEvent', 'TRunErrorEvent', checks.checkRunErrorEvent);

/** Opens a step of the run. */
export const StepStartedEventSchema: ObjectSchema<types.StepStartedEvent> = objectSchema('StepStartedEvent', 'TStepStartedEvent', checks.checkStepStartedEvent);

/** Closes a step of the run. */
export const StepFinishedEventSchema: ObjectSchema<types.StepFinishedEvent> = objectSchema('StepFinishedEvent', 'TStepFinishedEvent', checks.checkStepFinishedEvent);

/** A span of reasoning begins. */
export const ReasoningStartEventSchema: ObjectSchema<types.ReasoningStartEvent> = objectSchema('ReasoningStartEvent', 'TReasoningStartEvent', checks.checkReasoningStartEvent);

/** A reasoning message begins, to arrive in pieces. */
export const ReasoningMessageStartEventSchema: ObjectSchema<types.ReasoningMessageStartEvent> = objectSchema('ReasoningMessageStartEvent', 'TReasoningMessageStartEvent', checks.checkReasoningMessageStartEvent);

/** Appends to a streamed reasoning message. */
export const ReasoningMessageContentEventSchema: ObjectSchema<types.ReasoningMessageContentEvent> = objectSchema('ReasoningMessageContentEvent', 'TReasoningMessageContentEvent', checks.checkReasoningMessageContentEvent);

/** The reasoning message is complete. */
export const ReasoningMessageEndEventSchema: ObjectSchema<types.ReasoningMessageEndEvent> = objectSchema('ReasoningMessageEndEvent', 'TReasoningMessageEndEvent', checks.checkReasoningMessageEndEvent);

/** Streams a reasoning message without explicit start and end. */
export const ReasoningMessageChunkEventSchema: ObjectSchema<types.ReasoningMessageChunkEvent> = objectSchema('ReasoningMessageChunkEvent', 'TReasoningMessageChunkEvent', checks.checkReasoningMessageChunkEvent);

/** The span of reasoning is over. */
export const ReasoningEndEventSchema: ObjectSchema<types.ReasoningEndEvent> = objectSchema('ReasoningEndEvent', 'TReasoningEndEvent', checks.checkReasoningEndEvent);

/** Attaches a provider's encrypted value to a message or a tool call. */
export const ReasoningEncryptedValueEventSchema: ObjectSchema<types.ReasoningEncryptedValueEvent> = objectSchema('ReasoningEncryptedValueEvent', 'TReasoningEncryptedValueEvent', checks.checkReasoningEncryptedValueEvent);

/** Opens a subagent's work. */
export const SubagentStartedEventSchema: ObjectSchema<types.SubagentStartedEvent> = objectSchema('SubagentStartedEvent', 'TSubagentStartedEvent', checks.checkSubagentStartedEvent);

/** Closes a subagent's work. */
export const SubagentFinishedEventSchema: ObjectSchema<types.SubagentFinishedEvent> = objectSchema('SubagentFinishedEvent', 'TSubagentFinishedEvent', checks.checkSubagentFinishedEvent);

/** Ends a subagent's work that failed. */
export const SubagentErrorEventSchema: ObjectSchema<types.SubagentErrorEvent> = objectSchema('SubagentErrorEvent', 'TSubagentErrorEvent', checks.checkSubagentErrorEvent);

/** A subagent the agent can hand work to. */
export const SubagentInfoSchema: ObjectSchema<types.SubagentInfo> = objectSchema('SubagentInfo', 'TSubagentInfo', checks.checkSubagentInfo);

/** Who the agent is. */
export const IdentityCapabilitiesSchema: ObjectSchema<types.IdentityCapabilities> = objectSchema('IdentityCapabilities', 'TIdentityCapabilities', checks.checkIdentityCapabilities);

/** How the agent can be reached. */
export const TransportCapabilitiesSchema: ObjectSchema<types.TransportCapabilities> = objectSchema('TransportCapabilities', 'TTransportCapabilities', checks.checkTransportCapabilities);

/** The agent's tools. */
export const ToolsCapabilitiesSchema: ObjectSchema<types.ToolsCapabilities> = objectSchema('ToolsCapabilities', 'TToolsCapabilities', checks.checkToolsCapabilities);

/** What the agent can produce. */
export const OutputCapabilitiesSchema: ObjectSchema<types.OutputCapabilities> = objectSchema('OutputCapabilities', 'TOutputCapabilities', checks.checkOutputCapabilities);

/** What the agent does with shared state. */
export const StateCapabilitiesSchema: ObjectSchema<types.StateCapabilities> = objectSchema('StateCapabilities', 'TStateCapabilities', checks.checkStateCapabilities);

/** How the agent works with others. */
export const MultiAgentCapabilitiesSchema: ObjectSchema<types.MultiAgentCapabilities> = objectSchema('MultiAgentCapabilities', 'TMultiAgentCapabilities', checks.checkMultiAgentCapabilities);

/** The agent's reasoning. */
export const ReasoningCapabilitiesSchema: ObjectSchema<types.ReasoningCapabilities> = objectSchema('ReasoningCapabilities', 'TReasoningCapabilities', checks.checkReasoningCapabilities);

/** Media the agent accepts. */
export const MultimodalInputCapabilitiesSchema: ObjectSchema<types.MultimodalInputCapabilities> = objectSchema('MultimodalInputCapabilities', 'TMultimodalInputCapabilities', checks.checkMultimodalInputCapabilities);

/** Media the agent produces. */
export const MultimodalOutputCapabilitiesSchema: ObjectSchema<types.MultimodalOutputCapabilities> = objectSchema('MultimodalOutputCapabilities', 'TMultimodalOutputCapabilities', checks.checkMultimodalOutputCapabilities);

/** Media in and out. */
export const MultimodalCapabilitiesSchema: ObjectSchema<types.MultimodalCapabilities> = objectSchema('MultimodalCapabilities', 'TMultimodalCapabilities', checks.checkMultimodalCapabilities);

/** How the agent runs. */
export const ExecutionCapabilitiesSchema: ObjectSchema<types.ExecutionCapabilities> = objectSchema('ExecutionCapabilities', 'TExecutionCapabilities', checks.checkExecutionCapabilities);

/** How people take part. */
export const HumanInTheLoopCapabilitiesSchema: ObjectSchema<types.HumanInTheLoopCapabilities> = objectSchema('HumanInTheLoopCapabilities', 'THumanInTheLoopCapabilities', checks.checkHumanInTheLoopCapabilities);

/** Everything an agent declares about itself. */
export const AgentCapabilitiesSchema: ObjectSchema<types.AgentCapabilities> = objectSchema('AgentCapabilities', 'TAgentCapabilities', checks.checkAgentCapabilities);

/** Where a media part's bytes come from. */
export const PartSourceSchema: UnionSchema<types.PartSource> = unionSchema('PartSource', 'UPartSource', checks.checkPartSource);

/** One part of a message's content. */
export const ContentPartSchema: UnionSchema<types.ContentPart> = unionSchema('ContentPart', 'UContentPart', checks.checkContentPart);

/** One operation of a JSON Patch. */
export const JsonPatchOperationSchema: UnionSchema<types.JsonPatchOperation> = unionSchema('JsonPatchOperation', 'UJsonPatchOperation', checks.checkJsonPatchOperation);

/** One message of a conversation. */
export const MessageSchema: UnionSchema<types.Message> = unionSchema('Message', 'UMessage', checks.checkMessage);

/** How a run ended. */
export const RunFinishedOutcomeSchema: UnionSchema<types.RunFinishedOutcome> = unionSchema('RunFinishedOutcome', 'URunFinishedOutcome', checks.checkRunFinishedOutcome);

/** How a subagent ended. */
export const SubagentFinishedOutcomeSchema: UnionSchema<types.SubagentFinishedOutcome> = unionSchema('SubagentFinishedOutcome', 'USubagentFinishedOutcome', checks.checkSubagentFinishedOutcome);

/** Any event. */
export const EventSchema: UnionSchema<types.Event> = unionSchema('Event', 'UEvent', checks.checkEvent);


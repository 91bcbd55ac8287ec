// Made from the declaration in core/src/types by `make generate`. Do not edit.

import { INVALID } from '../check.cjs';
import { type Schema, schema } from '../schema.cjs';
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
export const AttributableSchema: Schema<types.Attributable> = schema('Attributable', 'TAttributable', checks.checkAttributable);

/** What every event carries. */
export const BaseEventSchema: Schema<types.BaseEvent> = schema('BaseEvent', 'TBaseEvent', checks.checkBaseEvent);

/** What developer, system, assistant and user messages have in common. */
export const BaseMessageSchema: Schema<types.BaseMessage> = schema('BaseMessage', 'TBaseMessage', checks.checkBaseMessage);

/** A piece of text. */
export const TextPartSchema: Schema<types.TextPart> = schema('TextPart', 'TTextPart', checks.checkTextPart);

/** Bytes given in the message itself. */
export const DataSourceSchema: Schema<types.DataSource> = schema('DataSource', 'TDataSource', checks.checkDataSource);

/** Bytes to be fetched. */
export const UrlSourceSchema: Schema<types.UrlSource> = schema('UrlSource', 'TUrlSource', checks.checkUrlSource);

/** A file that a provider keeps. */
export const FileSourceSchema: Schema<types.FileSource> = schema('FileSource', 'TFileSource', checks.checkFileSource);

/** A picture. */
export const ImagePartSchema: Schema<types.ImagePart> = schema('ImagePart', 'TImagePart', checks.checkImagePart);

/** A sound. */
export const AudioPartSchema: Schema<types.AudioPart> = schema('AudioPart', 'TAudioPart', checks.checkAudioPart);

/** A film. */
export const VideoPartSchema: Schema<types.VideoPart> = schema('VideoPart', 'TVideoPart', checks.checkVideoPart);

/** A document. */
export const DocumentPartSchema: Schema<types.DocumentPart> = schema('DocumentPart', 'TDocumentPart', checks.checkDocumentPart);

/** Sets a member or inserts a list element. */
export const AddOperationSchema: Schema<types.AddOperation> = schema('AddOperation', 'TAddOperation', checks.checkAddOperation);

/** Removes a member or list element. */
export const RemoveOperationSchema: Schema<types.RemoveOperation> = schema('RemoveOperation', 'TRemoveOperation', checks.checkRemoveOperation);

/** Puts another value in the place of one that is there. */
export const ReplaceOperationSchema: Schema<types.ReplaceOperation> = schema('ReplaceOperation', 'TReplaceOperation', checks.checkReplaceOperation);

/** Takes a value from one place to another. */
export const MoveOperationSchema: Schema<types.MoveOperation> = schema('MoveOperation', 'TMoveOperation', checks.checkMoveOperation);

/** Copies a value from one place to another. */
export const CopyOperationSchema: Schema<types.CopyOperation> = schema('CopyOperation', 'TCopyOperation', checks.checkCopyOperation);

/** Fails the patch unless the value there equals the given one. */
export const TestOperationSchema: Schema<types.TestOperation> = schema('TestOperation', 'TTestOperation', checks.checkTestOperation);

/** The function a tool call names, with its arguments. */
export const FunctionCallSchema: Schema<types.FunctionCall> = schema('FunctionCall', 'TFunctionCall', checks.checkFunctionCall);

/** A call of a tool, made by the assistant. */
export const ToolCallSchema: Schema<types.ToolCall> = schema('ToolCall', 'TToolCall', checks.checkToolCall);

/** Instructions by the application's developer. */
export const DeveloperMessageSchema: Schema<types.DeveloperMessage> = schema('DeveloperMessage', 'TDeveloperMessage', checks.checkDeveloperMessage);

/** Instructions to the model. */
export const SystemMessageSchema: Schema<types.SystemMessage> = schema('SystemMessage', 'TSystemMessage', checks.checkSystemMessage);

/** What the model says and the tools it calls. */
export const AssistantMessageSchema: Schema<types.AssistantMessage> = schema('AssistantMessage', 'TAssistantMessage', checks.checkAssistantMessage);

/** What the person says. */
export const UserMessageSchema: Schema<types.UserMessage> = schema('UserMessage', 'TUserMessage', checks.checkUserMessage);

/** The result of a tool call. */
export const ToolMessageSchema: Schema<types.ToolMessage> = schema('ToolMessage', 'TToolMessage', checks.checkToolMessage);

/** Structured progress shown to the person; never sent to a model. */
export const ActivityMessageSchema: Schema<types.ActivityMessage> = schema('ActivityMessage', 'TActivityMessage', checks.checkActivityMessage);

/** The model's reasoning. */
export const ReasoningMessageSchema: Schema<types.ReasoningMessage> = schema('ReasoningMessage', 'TReasoningMessage', checks.checkReasoningMessage);

/** A tool the model may call. */
export const ToolSchema: Schema<types.Tool> = schema('Tool', 'TTool', checks.checkTool);

/** A piece of background the application hands to the agent. */
export const ContextSchema: Schema<types.Context> = schema('Context', 'TContext', checks.checkContext);

/** The answer to one interrupt. */
export const ResumeEntrySchema: Schema<types.ResumeEntry> = schema('ResumeEntry', 'TResumeEntry', checks.checkResumeEntry);

/** What a client sends to start a run. */
export const RunAgentInputSchema: Schema<types.RunAgentInput> = schema('RunAgentInput', 'TRunAgentInput', checks.checkRunAgentInput);

/** A question that must be answered before the agent can go on. */
export const InterruptSchema: Schema<types.Interrupt> = schema('Interrupt', 'TInterrupt', checks.checkInterrupt);

/** The run did what it was asked to. */
export const RunFinishedSuccessOutcomeSchema: Schema<types.RunFinishedSuccessOutcome> = schema('RunFinishedSuccessOutcome', 'TRunFinishedSuccessOutcome', checks.checkRunFinishedSuccessOutcome);

/** The run waits for answers. */
export const RunFinishedInterruptOutcomeSchema: Schema<types.RunFinishedInterruptOutcome> = schema('RunFinishedInterruptOutcome', 'TRunFinishedInterruptOutcome', checks.checkRunFinishedInterruptOutcome);

/** The run was called off. */
export const RunFinishedCancelledOutcomeSchema: Schema<types.RunFinishedCancelledOutcome> = schema('RunFinishedCancelledOutcome', 'TRunFinishedCancelledOutcome', checks.checkRunFinishedCancelledOutcome);

/** The subagent did what it was asked to. */
export const SubagentFinishedSuccessOutcomeSchema: Schema<types.SubagentFinishedSuccessOutcome> = schema('SubagentFinishedSuccessOutcome', 'TSubagentFinishedSuccessOutcome', checks.checkSubagentFinishedSuccessOutcome);

/** The subagent waits for answers. */
export const SubagentFinishedSuspendedOutcomeSchema: Schema<types.SubagentFinishedSuspendedOutcome> = schema('SubagentFinishedSuspendedOutcome', 'TSubagentFinishedSuspendedOutcome', checks.checkSubagentFinishedSuspendedOutcome);

/** Tokens used with one model of one provider. */
export const TokenUsageSchema: Schema<types.TokenUsage> = schema('TokenUsage', 'TTokenUsage', checks.checkTokenUsage);

/** A text message begins, to arrive in pieces. */
export const TextMessageStartEventSchema: Schema<types.TextMessageStartEvent> = schema('TextMessageStartEvent', 'TTextMessageStartEvent', checks.checkTextMessageStartEvent);

/** Appends to a streamed text message. */
export const TextMessageContentEventSchema: Schema<types.TextMessageContentEvent> = schema('TextMessageContentEvent', 'TTextMessageContentEvent', checks.checkTextMessageContentEvent);

/** The text message is complete. */
export const TextMessageEndEventSchema: Schema<types.TextMessageEndEvent> = schema('TextMessageEndEvent', 'TTextMessageEndEvent', checks.checkTextMessageEndEvent);

/** Streams a text message without explicit start and end. */
export const TextMessageChunkEventSchema: Schema<types.TextMessageChunkEvent> = schema('TextMessageChunkEvent', 'TTextMessageChunkEvent', checks.checkTextMessageChunkEvent);

/** Opens a streamed tool call. */
export const ToolCallStartEventSchema: Schema<types.ToolCallStartEvent> = schema('ToolCallStartEvent', 'TToolCallStartEvent', checks.checkToolCallStartEvent);

/** Appends to the arguments of a streamed tool call. */
export const ToolCallArgsEventSchema: Schema<types.ToolCallArgsEvent> = schema('ToolCallArgsEvent', 'TToolCallArgsEvent', checks.checkToolCallArgsEvent);

/** Closes a streamed tool call. */
export const ToolCallEndEventSchema: Schema<types.ToolCallEndEvent> = schema('ToolCallEndEvent', 'TToolCallEndEvent', checks.checkToolCallEndEvent);

/** Streams a tool call without explicit start and end. */
export const ToolCallChunkEventSchema: Schema<types.ToolCallChunkEvent> = schema('ToolCallChunkEvent', 'TToolCallChunkEvent', checks.checkToolCallChunkEvent);

/** Answers a tool call; makes a tool message. */
export const ToolCallResultEventSchema: Schema<types.ToolCallResultEvent> = schema('ToolCallResultEvent', 'TToolCallResultEvent', checks.checkToolCallResultEvent);

/** Replaces the shared state. */
export const StateSnapshotEventSchema: Schema<types.StateSnapshotEvent> = schema('StateSnapshotEvent', 'TStateSnapshotEvent', checks.checkStateSnapshotEvent);

/** Patches the shared state. */
export const StateDeltaEventSchema: Schema<types.StateDeltaEvent> = schema('StateDeltaEvent', 'TStateDeltaEvent', checks.checkStateDeltaEvent);

/** Replaces the conversation. */
export const MessagesSnapshotEventSchema: Schema<types.MessagesSnapshotEvent> = schema('MessagesSnapshotEvent', 'TMessagesSnapshotEvent', checks.checkMessagesSnapshotEvent);

/** Sets what an activity shows. */
export const ActivitySnapshotEventSchema: Schema<types.ActivitySnapshotEvent> = schema('ActivitySnapshotEvent', 'TActivitySnapshotEvent', checks.checkActivitySnapshotEvent);

/** Patches what an activity shows. */
export const ActivityDeltaEventSchema: Schema<types.ActivityDeltaEvent> = schema('ActivityDeltaEvent', 'TActivityDeltaEvent', checks.checkActivityDeltaEvent);

/** Carries an event of another system. */
export const RawEventSchema: Schema<types.RawEvent> = schema('RawEvent', 'TRawEvent', checks.checkRawEvent);

/** Carries whatever the application agrees on. */
export const CustomEventSchema: Schema<types.CustomEvent> = schema('CustomEvent', 'TCustomEvent', checks.checkCustomEvent);

/** A run begins. */
export const RunStartedEventSchema: Schema<types.RunStartedEvent> = schema('RunStartedEvent', 'TRunStartedEvent', checks.checkRunStartedEvent);

/** Closes a run. */
export const RunFinishedEventSchema: Schema<types.RunFinishedEvent> = schema('RunFinishedEvent', 'TRunFinishedEvent', checks.checkRunFinishedEvent);

/** The run has failed and is over. */
export const RunErrorEventSchema: Schema<types.RunErrorEvent> = schema('RunErrorEvent', 'TRunErrorEvent', checks.checkRunErrorEvent);

/** Opens a step of the run. */
export const StepStartedEventSchema: Schema<types.StepStartedEvent> = schema('StepStartedEvent', 'TStepStartedEvent', checks.checkStepStartedEvent);

/** Closes a step of the run. */
export const StepFinishedEventSchema: Schema<types.StepFinishedEvent> = schema('StepFinishedEvent', 'TStepFinishedEvent', checks.checkStepFinishedEvent);

/** A span of reasoning begins. */
export const ReasoningStartEventSchema: Schema<types.ReasoningStartEvent> = schema('ReasoningStartEvent', 'TReasoningStartEvent', checks.checkReasoningStartEvent);

/** A reasoning message begins, to arrive in pieces. */
export const ReasoningMessageStartEventSchema: Schema<types.ReasoningMessageStartEvent> = schema('ReasoningMessageStartEvent', 'TReasoningMessageStartEvent', checks.checkReasoningMessageStartEvent);

/** Appends to a streamed reasoning message. */
export const ReasoningMessageContentEventSchema: Schema<types.ReasoningMessageContentEvent> = schema('ReasoningMessageContentEvent', 'TReasoningMessageContentEvent', checks.checkReasoningMessageContentEvent);

/** The reasoning message is complete. */
export const ReasoningMessageEndEventSchema: Schema<types.ReasoningMessageEndEvent> = schema('ReasoningMessageEndEvent', 'TReasoningMessageEndEvent', checks.checkReasoningMessageEndEvent);

/** Streams a reasoning message without explicit start and end. */
export const ReasoningMessageChunkEventSchema: Schema<types.ReasoningMessageChunkEvent> = schema('ReasoningMessageChunkEvent', 'TReasoningMessageChunkEvent', checks.checkReasoningMessageChunkEvent);

/** The span of reasoning is over. */
export const ReasoningEndEventSchema: Schema<types.ReasoningEndEvent> = schema('ReasoningEndEvent', 'TReasoningEndEvent', checks.checkReasoningEndEvent);

/** Attaches a provider's encrypted value to a message or a tool call. */
export const ReasoningEncryptedValueEventSchema: Schema<types.ReasoningEncryptedValueEvent> = schema('ReasoningEncryptedValueEvent', 'TReasoningEncryptedValueEvent', checks.checkReasoningEncryptedValueEvent);

/** Opens a subagent's work. */
export const SubagentStartedEventSchema: Schema<types.SubagentStartedEvent> = schema('SubagentStartedEvent', 'TSubagentStartedEvent', checks.checkSubagentStartedEvent);

/** Closes a subagent's work. */
export const SubagentFinishedEventSchema: Schema<types.SubagentFinishedEvent> = schema('SubagentFinishedEvent', 'TSubagentFinishedEvent', checks.checkSubagentFinishedEvent);

/** Ends a subagent's work that failed. */
export const SubagentErrorEventSchema: Schema<types.SubagentErrorEvent> = schema('SubagentErrorEvent', 'TSubagentErrorEvent', checks.checkSubagentErrorEvent);

/** A subagent the agent can hand work to. */
export const SubagentInfoSchema: Schema<types.SubagentInfo> = schema('SubagentInfo', 'TSubagentInfo', checks.checkSubagentInfo);

/** Who the agent is. */
export const IdentityCapabilitiesSchema: Schema<types.IdentityCapabilities> = schema('IdentityCapabilities', 'TIdentityCapabilities', checks.checkIdentityCapabilities);

/** How the agent can be reached. */
export const TransportCapabilitiesSchema: Schema<types.TransportCapabilities> = schema('TransportCapabilities', 'TTransportCapabilities', checks.checkTransportCapabilities);

/** The agent's tools. */
export const ToolsCapabilitiesSchema: Schema<types.ToolsCapabilities> = schema('ToolsCapabilities', 'TToolsCapabilities', checks.checkToolsCapabilities);

/** What the agent can produce. */
export const OutputCapabilitiesSchema: Schema<types.OutputCapabilities> = schema('OutputCapabilities', 'TOutputCapabilities', checks.checkOutputCapabilities);

/** What the agent does with shared state. */
export const StateCapabilitiesSchema: Schema<types.StateCapabilities> = schema('StateCapabilities', 'TStateCapabilities', checks.checkStateCapabilities);

/** How the agent works with others. */
export const MultiAgentCapabilitiesSchema: Schema<types.MultiAgentCapabilities> = schema('MultiAgentCapabilities', 'TMultiAgentCapabilities', checks.checkMultiAgentCapabilities);

/** The agent's reasoning. */
export const ReasoningCapabilitiesSchema: Schema<types.ReasoningCapabilities> = schema('ReasoningCapabilities', 'TReasoningCapabilities', checks.checkReasoningCapabilities);

/** Media the agent accepts. */
export const MultimodalInputCapabilitiesSchema: Schema<types.MultimodalInputCapabilities> = schema('MultimodalInputCapabilities', 'TMultimodalInputCapabilities', checks.checkMultimodalInputCapabilities);

/** Media the agent produces. */
export const MultimodalOutputCapabilitiesSchema: Schema<types.MultimodalOutputCapabilities> = schema('MultimodalOutputCapabilities', 'TMultimodalOutputCapabilities', checks.checkMultimodalOutputCapabilities);

/** Media in and out. */
export const MultimodalCapabilitiesSchema: Schema<types.MultimodalCapabilities> = schema('MultimodalCapabilities', 'TMultimodalCapabilities', checks.checkMultimodalCapabilities);

/** How the agent runs. */
export const ExecutionCapabilitiesSchema: Schema<types.ExecutionCapabilities> = schema('ExecutionCapabilities', 'TExecutionCapabilities', checks.checkExecutionCapabilities);

/** How people take part. */
export const HumanInTheLoopCapabilitiesSchema: Schema<types.HumanInTheLoopCapabilities> = schema('HumanInTheLoopCapabilities', 'THumanInTheLoopCapabilities', checks.checkHumanInTheLoopCapabilities);

/** Everything an agent declares about itself. */
export const AgentCapabilitiesSchema: Schema<types.AgentCapabilities> = schema('AgentCapabilities', 'TAgentCapabilities', checks.checkAgentCapabilities);

/** Where a media part's bytes come from. */
export const PartSourceSchema: Schema<types.PartSource> = schema('PartSource', 'UPartSource', checks.checkPartSource);

/** One part of a message's content. */
export const ContentPartSchema: Schema<types.ContentPart> = schema('ContentPart', 'UContentPart', checks.checkContentPart);

/** One operation of a JSON Patch. */
export const JsonPatchOperationSchema: Schema<types.JsonPatchOperation> = schema('JsonPatchOperation', 'UJsonPatchOperation', checks.checkJsonPatchOperation);

/** One message of a conversation. */
export const MessageSchema: Schema<types.Message> = schema('Message', 'UMessage', checks.checkMessage);

/** How a run ended. */
export const RunFinishedOutcomeSchema: Schema<types.RunFinishedOutcome> = schema('RunFinishedOutcome', 'URunFinishedOutcome', checks.checkRunFinishedOutcome);

/** How a subagent ended. */
export const SubagentFinishedOutcomeSchema: Schema<types.SubagentFinishedOutcome> = schema('SubagentFinishedOutcome', 'USubagentFinishedOutcome', checks.checkSubagentFinishedOutcome);

/** Any event. */
export const EventSchema: Schema<types.Event> = schema('Event', 'UEvent', checks.checkEvent);


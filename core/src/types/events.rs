//! The 31 events, and the members that they share.

use super::content::Content;
use super::enums::{
    ReasoningEncryptedValueSubtype, ReasoningMessageRole, TextMessageRole, ToolCallResultRole,
};
use super::messages::Message;
use super::patch::JsonPatchOperation;
use super::run::{RunAgentInput, RunFinishedOutcome, SubagentFinishedOutcome, TokenUsage};

string_enum! { Events;
    /// The types of events.
    EventType {
        /// Opens a text message.
        TextMessageStart = "TEXT_MESSAGE_START",
        /// Appends to a text message.
        TextMessageContent = "TEXT_MESSAGE_CONTENT",
        /// Closes a text message.
        TextMessageEnd = "TEXT_MESSAGE_END",
        /// Opens, appends to and closes a text message by itself.
        TextMessageChunk = "TEXT_MESSAGE_CHUNK",
        /// A tool call begins.
        ToolCallStart = "TOOL_CALL_START",
        /// Appends to a tool call's arguments.
        ToolCallArgs = "TOOL_CALL_ARGS",
        /// Closes a tool call.
        ToolCallEnd = "TOOL_CALL_END",
        /// Opens, appends to and closes a tool call by itself.
        ToolCallChunk = "TOOL_CALL_CHUNK",
        /// Answers a tool call.
        ToolCallResult = "TOOL_CALL_RESULT",
        /// Replaces the state.
        StateSnapshot = "STATE_SNAPSHOT",
        /// Patches the state.
        StateDelta = "STATE_DELTA",
        /// Replaces the messages.
        MessagesSnapshot = "MESSAGES_SNAPSHOT",
        /// Sets an activity.
        ActivitySnapshot = "ACTIVITY_SNAPSHOT",
        /// Patches an activity.
        ActivityDelta = "ACTIVITY_DELTA",
        /// Carries a foreign event.
        Raw = "RAW",
        /// Carries data on which the application and the agent agree.
        Custom = "CUSTOM",
        /// A run begins.
        RunStarted = "RUN_STARTED",
        /// Closes a run.
        RunFinished = "RUN_FINISHED",
        /// The run has failed and is over.
        RunError = "RUN_ERROR",
        /// Opens a step.
        StepStarted = "STEP_STARTED",
        /// Closes a step.
        StepFinished = "STEP_FINISHED",
        /// A span of reasoning begins.
        ReasoningStart = "REASONING_START",
        /// Opens a reasoning message.
        ReasoningMessageStart = "REASONING_MESSAGE_START",
        /// Appends to a reasoning message.
        ReasoningMessageContent = "REASONING_MESSAGE_CONTENT",
        /// Closes a reasoning message.
        ReasoningMessageEnd = "REASONING_MESSAGE_END",
        /// Opens, appends to and closes a reasoning message by itself.
        ReasoningMessageChunk = "REASONING_MESSAGE_CHUNK",
        /// The span of reasoning is over.
        ReasoningEnd = "REASONING_END",
        /// Attaches a provider's encrypted value to a message or call.
        ReasoningEncryptedValue = "REASONING_ENCRYPTED_VALUE",
        /// Opens a subagent's work.
        SubagentStarted = "SUBAGENT_STARTED",
        /// Closes a subagent's work.
        SubagentFinished = "SUBAGENT_FINISHED",
        /// Ends a subagent's work that failed.
        SubagentError = "SUBAGENT_ERROR",
    }
}

shared! { Events;
    /// The members that every event has.
    BaseEvent;
    /// The type of the event.
    r#type: EventType = "type", 1;
    /// The time of creation, in milliseconds since the Unix epoch by convention.
    timestamp: Option<i64> = "timestamp", 2;
    /// The provider's own event from which this event was made, unchanged.
    raw_event: Option<crate::Value> = "rawEvent", 3;
    /// Any key-value data about the event; the key `ag-ui` is reserved.
    metadata: Option<crate::Object> = "metadata", 4;
}

event! {
    /// Begins a text message that arrives in pieces.
    TextMessageStartEvent = "TEXT_MESSAGE_START", arm 1, slot 0, attributed 5;
    /// The id of the message.
    message_id: String = "messageId", 2;
    /// The role of the author; absent means the assistant.
    role: Option<TextMessageRole> = "role", 3;
    /// The display name of the author.
    name: Option<String> = "name", 4;
}

event! {
    /// Appends to a streamed text message.
    TextMessageContentEvent = "TEXT_MESSAGE_CONTENT", arm 2, slot 1, attributed 4;
    /// The id of the message.
    message_id: String = "messageId", 2;
    /// The text to append; may be empty.
    delta: String = "delta", 3;
}

event! {
    /// The text message is complete.
    TextMessageEndEvent = "TEXT_MESSAGE_END", arm 3, slot 2, attributed 3;
    /// The id of the message.
    message_id: String = "messageId", 2;
}

event! {
    /// Streams a text message without explicit start and end.
    TextMessageChunkEvent = "TEXT_MESSAGE_CHUNK", arm 17, slot 19, attributed 6;
    /// The id of the message; the first chunk must have it.
    message_id: Option<String> = "messageId", 2;
    /// The role of the author; absent means the assistant.
    role: Option<TextMessageRole> = "role", 3;
    /// The text to append; may be empty.
    delta: Option<String> = "delta", 4;
    /// The display name of the author.
    name: Option<String> = "name", 5;
}

event! {
    /// Opens a streamed tool call.
    ToolCallStartEvent = "TOOL_CALL_START", arm 4, slot 3, attributed 5;
    /// The id of the call.
    tool_call_id: String = "toolCallId", 2;
    /// The name of the called tool.
    tool_call_name: String = "toolCallName", 3;
    /// The id of the assistant message that holds the call.
    parent_message_id: Option<String> = "parentMessageId", 4;
}

event! {
    /// Appends to the arguments of a streamed tool call.
    ToolCallArgsEvent = "TOOL_CALL_ARGS", arm 5, slot 4, attributed 4;
    /// The id of the call.
    tool_call_id: String = "toolCallId", 2;
    /// The text to append: a piece of JSON text, not JSON.
    delta: String = "delta", 3;
}

event! {
    /// Closes a streamed tool call.
    ToolCallEndEvent = "TOOL_CALL_END", arm 6, slot 5, attributed 3;
    /// The id of the call.
    tool_call_id: String = "toolCallId", 2;
}

event! {
    /// Streams a tool call without explicit start and end.
    ToolCallChunkEvent = "TOOL_CALL_CHUNK", arm 18, slot 20, attributed 6;
    /// The id of the call; the first chunk must have it.
    tool_call_id: Option<String> = "toolCallId", 2;
    /// The name of the called tool; the first chunk must have it.
    tool_call_name: Option<String> = "toolCallName", 3;
    /// The id of the assistant message that holds the call.
    parent_message_id: Option<String> = "parentMessageId", 4;
    /// The text to append: a piece of JSON text, not JSON.
    delta: Option<String> = "delta", 5;
}

event! {
    /// Answers a tool call; makes a tool message.
    ToolCallResultEvent = "TOOL_CALL_RESULT", arm 22, slot 21, attributed 2;
    /// The id of the tool message.
    message_id: String = "messageId", 3;
    /// The id of the answered call.
    tool_call_id: String = "toolCallId", 4;
    /// Text, or parts of text and media.
    content: Content = "content", 5 or 7;
    /// Always `tool`.
    role: Option<ToolCallResultRole> = "role", 6;
}

event! {
    /// Replaces the shared state.
    StateSnapshotEvent = "STATE_SNAPSHOT", arm 7, slot 6, attributed 3;
    /// The state; any JSON, `null` included.
    snapshot: crate::Value = "snapshot", 2;
}

event! {
    /// Patches the shared state.
    StateDeltaEvent = "STATE_DELTA", arm 8, slot 7, attributed 3;
    /// The JSON Patch.
    delta: Vec<JsonPatchOperation> = "delta", 2;
}

event! {
    /// Replaces the conversation.
    MessagesSnapshotEvent = "MESSAGES_SNAPSHOT", arm 9, slot 8;
    /// The messages.
    messages: Vec<Message> = "messages", 2;
}

event! {
    /// Sets the content of an activity.
    ActivitySnapshotEvent = "ACTIVITY_SNAPSHOT", arm 23, slot 22, attributed 2;
    /// The id of the activity message.
    message_id: String = "messageId", 3;
    /// The kind of activity.
    activity_type: String = "activityType", 4;
    /// The activity's data.
    content: crate::Object = "content", 5;
    /// True or absent: an activity with that id is replaced. False: it stays.
    replace: Option<bool> = "replace", 6;
}

event! {
    /// Patches the content of an activity.
    ActivityDeltaEvent = "ACTIVITY_DELTA", arm 24, slot 23, attributed 2;
    /// The id of the activity message.
    message_id: String = "messageId", 3;
    /// The kind of activity.
    activity_type: String = "activityType", 4;
    /// The JSON Patch on its data.
    patch: Vec<JsonPatchOperation> = "patch", 5;
}

event! {
    /// Carries an event of another system.
    RawEvent = "RAW", arm 10, slot 9, attributed 4;
    /// The event; any JSON, `null` included.
    event: crate::Value = "event", 2;
    /// The system that the event comes from.
    source: Option<String> = "source", 3;
}

event! {
    /// Carries data on which the application and the agent agree.
    CustomEvent = "CUSTOM", arm 11, slot 10, attributed 4;
    /// The name of the event.
    name: String = "name", 2;
    /// Its data; any JSON, `null` included.
    value: crate::Value = "value", 3;
}

event! {
    /// A run begins.
    RunStartedEvent = "RUN_STARTED", arm 12, slot 11;
    /// The id of the conversation.
    thread_id: String = "threadId", 2;
    /// The id of the run.
    run_id: String = "runId", 3;
    /// The protocol version of the agent, `MAJOR.MINOR`.
    protocol_version: Option<String> = "protocolVersion", 6;
    /// The id of an earlier run from which this one branches.
    parent_run_id: Option<String> = "parentRunId", 4;
    /// The input that started the run.
    input: Option<Box<RunAgentInput>> = "input", 5;
}

event! {
    /// Closes a run.
    RunFinishedEvent = "RUN_FINISHED", arm 13, slot 12;
    /// The id of the conversation.
    thread_id: String = "threadId", 2;
    /// The id of the run.
    run_id: String = "runId", 3;
    /// The result of the run.
    result: Option<crate::Value> = "result", 4;
    /// The ending; a success if absent.
    outcome: Option<RunFinishedOutcome> = "outcome", 5;
    /// The used tokens, with one entry for each provider and model.
    usage: Option<Vec<TokenUsage>> = "usage", 7;
}

event! {
    /// The run has failed and is over.
    RunErrorEvent = "RUN_ERROR", arm 14, slot 13;
    /// The description of the failure.
    message: String = "message", 3;
    /// A short code for the failure, from an open set.
    code: Option<String> = "code", 2;
    /// The used tokens, with one entry for each provider and model.
    usage: Option<Vec<TokenUsage>> = "usage", 4;
}

event! {
    /// Opens a step of the run.
    StepStartedEvent = "STEP_STARTED", arm 15, slot 14, attributed 3;
    /// The name of the step.
    step_name: String = "stepName", 2;
}

event! {
    /// Closes a step of the run.
    StepFinishedEvent = "STEP_FINISHED", arm 16, slot 15, attributed 3;
    /// The name of the step.
    step_name: String = "stepName", 2;
}

event! {
    /// A span of reasoning begins.
    ReasoningStartEvent = "REASONING_START", arm 25, slot 24, attributed 2;
    /// The id of the span.
    message_id: String = "messageId", 3;
}

event! {
    /// Begins a reasoning message that arrives in pieces.
    ReasoningMessageStartEvent = "REASONING_MESSAGE_START", arm 26, slot 25, attributed 2;
    /// The id of the message.
    message_id: String = "messageId", 3;
    /// Always `reasoning`.
    role: ReasoningMessageRole = "role", 4;
}

event! {
    /// Appends to a streamed reasoning message.
    ReasoningMessageContentEvent = "REASONING_MESSAGE_CONTENT", arm 27, slot 26, attributed 2;
    /// The id of the message.
    message_id: String = "messageId", 3;
    /// The text to append; may be empty.
    delta: String = "delta", 4;
}

event! {
    /// The reasoning message is complete.
    ReasoningMessageEndEvent = "REASONING_MESSAGE_END", arm 28, slot 27, attributed 2;
    /// The id of the message.
    message_id: String = "messageId", 3;
}

event! {
    /// Streams a reasoning message without explicit start and end.
    ReasoningMessageChunkEvent = "REASONING_MESSAGE_CHUNK", arm 29, slot 28, attributed 2;
    /// The id of the message; the first chunk must have it.
    message_id: Option<String> = "messageId", 3;
    /// The text to append; may be empty.
    delta: Option<String> = "delta", 4;
}

event! {
    /// The span of reasoning is over.
    ReasoningEndEvent = "REASONING_END", arm 30, slot 29, attributed 2;
    /// The id of the span.
    message_id: String = "messageId", 3;
}

event! {
    /// Attaches a provider's encrypted value to a message or a tool call.
    ReasoningEncryptedValueEvent = "REASONING_ENCRYPTED_VALUE", arm 31, slot 30, attributed 2;
    /// The kind of the entity to which the value belongs.
    subtype: ReasoningEncryptedValueSubtype = "subtype", 3;
    /// The id of the message or tool call.
    entity_id: String = "entityId", 4;
    /// The opaque value.
    encrypted_value: String = "encryptedValue", 5;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 6 since 1.1;
}

event! {
    /// Opens a subagent's work.
    SubagentStartedEvent = "SUBAGENT_STARTED", arm 19, slot 16;
    /// The id of the invocation.
    subagent_run_id: String = "subagentRunId", 2;
    /// The name of the subagent.
    name: String = "name", 3;
    /// The subagent's task.
    description: Option<String> = "description", 4;
    /// The id of the invocation that invokes it, if that is a subagent, too.
    parent_subagent_run_id: Option<String> = "parentSubagentRunId", 5;
    /// The id of the tool call that invokes it.
    parent_tool_call_id: Option<String> = "parentToolCallId", 6;
    /// The id of the message that invokes it.
    parent_message_id: Option<String> = "parentMessageId", 7;
}

event! {
    /// Closes a subagent's work.
    SubagentFinishedEvent = "SUBAGENT_FINISHED", arm 20, slot 17;
    /// The id of the invocation.
    subagent_run_id: String = "subagentRunId", 2;
    /// The result of the invocation.
    result: Option<crate::Value> = "result", 3;
    /// The ending; a success if absent.
    outcome: Option<SubagentFinishedOutcome> = "outcome", 4;
}

event! {
    /// Ends a subagent's work that failed.
    SubagentErrorEvent = "SUBAGENT_ERROR", arm 21, slot 18;
    /// The id of the invocation.
    subagent_run_id: String = "subagentRunId", 2;
    /// The description of the failure.
    message: String = "message", 3;
    /// A short code for the failure, from an open set.
    code: Option<String> = "code", 4;
}

//! Any event: one of the 31.

#[allow(clippy::wildcard_imports)] // All of them.
use super::events::*;

union! { Events;
    /// Any event.
    Event by "type" as Arms {
        TextMessageStart(TextMessageStartEvent) = "TEXT_MESSAGE_START",
        TextMessageContent(TextMessageContentEvent) = "TEXT_MESSAGE_CONTENT",
        TextMessageEnd(TextMessageEndEvent) = "TEXT_MESSAGE_END",
        TextMessageChunk(TextMessageChunkEvent) = "TEXT_MESSAGE_CHUNK",
        ToolCallStart(ToolCallStartEvent) = "TOOL_CALL_START",
        ToolCallArgs(ToolCallArgsEvent) = "TOOL_CALL_ARGS",
        ToolCallEnd(ToolCallEndEvent) = "TOOL_CALL_END",
        ToolCallChunk(ToolCallChunkEvent) = "TOOL_CALL_CHUNK",
        ToolCallResult(ToolCallResultEvent) = "TOOL_CALL_RESULT",
        StateSnapshot(StateSnapshotEvent) = "STATE_SNAPSHOT",
        StateDelta(StateDeltaEvent) = "STATE_DELTA",
        MessagesSnapshot(MessagesSnapshotEvent) = "MESSAGES_SNAPSHOT",
        ActivitySnapshot(ActivitySnapshotEvent) = "ACTIVITY_SNAPSHOT",
        ActivityDelta(ActivityDeltaEvent) = "ACTIVITY_DELTA",
        Raw(RawEvent) = "RAW",
        Custom(CustomEvent) = "CUSTOM",
        RunStarted(RunStartedEvent) = "RUN_STARTED",
        RunFinished(RunFinishedEvent) = "RUN_FINISHED",
        RunError(RunErrorEvent) = "RUN_ERROR",
        StepStarted(StepStartedEvent) = "STEP_STARTED",
        StepFinished(StepFinishedEvent) = "STEP_FINISHED",
        ReasoningStart(ReasoningStartEvent) = "REASONING_START",
        ReasoningMessageStart(ReasoningMessageStartEvent) = "REASONING_MESSAGE_START",
        ReasoningMessageContent(ReasoningMessageContentEvent) = "REASONING_MESSAGE_CONTENT",
        ReasoningMessageEnd(ReasoningMessageEndEvent) = "REASONING_MESSAGE_END",
        ReasoningMessageChunk(ReasoningMessageChunkEvent) = "REASONING_MESSAGE_CHUNK",
        ReasoningEnd(ReasoningEndEvent) = "REASONING_END",
        ReasoningEncryptedValue(ReasoningEncryptedValueEvent) = "REASONING_ENCRYPTED_VALUE",
        SubagentStarted(SubagentStartedEvent) = "SUBAGENT_STARTED",
        SubagentFinished(SubagentFinishedEvent) = "SUBAGENT_FINISHED",
        SubagentError(SubagentErrorEvent) = "SUBAGENT_ERROR",
    }
}

/// Evaluates `$body` for the event inside any variant.
macro_rules! for_event {
    ($self:expr, $event:ident => $body:expr, unknown => $other:expr) => {
        match $self {
            Event::TextMessageStart($event) => $body,
            Event::TextMessageContent($event) => $body,
            Event::TextMessageEnd($event) => $body,
            Event::TextMessageChunk($event) => $body,
            Event::ToolCallStart($event) => $body,
            Event::ToolCallArgs($event) => $body,
            Event::ToolCallEnd($event) => $body,
            Event::ToolCallChunk($event) => $body,
            Event::ToolCallResult($event) => $body,
            Event::StateSnapshot($event) => $body,
            Event::StateDelta($event) => $body,
            Event::MessagesSnapshot($event) => $body,
            Event::ActivitySnapshot($event) => $body,
            Event::ActivityDelta($event) => $body,
            Event::Raw($event) => $body,
            Event::Custom($event) => $body,
            Event::RunStarted($event) => $body,
            Event::RunFinished($event) => $body,
            Event::RunError($event) => $body,
            Event::StepStarted($event) => $body,
            Event::StepFinished($event) => $body,
            Event::ReasoningStart($event) => $body,
            Event::ReasoningMessageStart($event) => $body,
            Event::ReasoningMessageContent($event) => $body,
            Event::ReasoningMessageEnd($event) => $body,
            Event::ReasoningMessageChunk($event) => $body,
            Event::ReasoningEnd($event) => $body,
            Event::ReasoningEncryptedValue($event) => $body,
            Event::SubagentStarted($event) => $body,
            Event::SubagentFinished($event) => $body,
            Event::SubagentError($event) => $body,
            Event::Unknown(_) => $other,
        }
    };
}

/// Evaluates `$body` for the member `subagentRunId` of an event that may belong to a subagent.
macro_rules! for_attributed {
    ($self:expr, $tag:ident => $body:expr, other => $other:expr) => {
        match $self {
            Event::TextMessageStart(TextMessageStartEvent { subagent_run_id: $tag, .. })
            | Event::TextMessageContent(TextMessageContentEvent { subagent_run_id: $tag, .. })
            | Event::TextMessageEnd(TextMessageEndEvent { subagent_run_id: $tag, .. })
            | Event::TextMessageChunk(TextMessageChunkEvent { subagent_run_id: $tag, .. })
            | Event::ToolCallStart(ToolCallStartEvent { subagent_run_id: $tag, .. })
            | Event::ToolCallArgs(ToolCallArgsEvent { subagent_run_id: $tag, .. })
            | Event::ToolCallEnd(ToolCallEndEvent { subagent_run_id: $tag, .. })
            | Event::ToolCallChunk(ToolCallChunkEvent { subagent_run_id: $tag, .. })
            | Event::ToolCallResult(ToolCallResultEvent { subagent_run_id: $tag, .. })
            | Event::StateSnapshot(StateSnapshotEvent { subagent_run_id: $tag, .. })
            | Event::StateDelta(StateDeltaEvent { subagent_run_id: $tag, .. })
            | Event::ActivitySnapshot(ActivitySnapshotEvent { subagent_run_id: $tag, .. })
            | Event::ActivityDelta(ActivityDeltaEvent { subagent_run_id: $tag, .. })
            | Event::Raw(RawEvent { subagent_run_id: $tag, .. })
            | Event::Custom(CustomEvent { subagent_run_id: $tag, .. })
            | Event::StepStarted(StepStartedEvent { subagent_run_id: $tag, .. })
            | Event::StepFinished(StepFinishedEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningStart(ReasoningStartEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningMessageStart(ReasoningMessageStartEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningMessageContent(ReasoningMessageContentEvent {
                subagent_run_id: $tag, ..
            })
            | Event::ReasoningMessageEnd(ReasoningMessageEndEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningMessageChunk(ReasoningMessageChunkEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningEnd(ReasoningEndEvent { subagent_run_id: $tag, .. })
            | Event::ReasoningEncryptedValue(ReasoningEncryptedValueEvent {
                subagent_run_id: $tag, ..
            }) => $body,
            Event::MessagesSnapshot(_)
            | Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::Unknown(_) => $other,
        }
    };
}

impl Event {
    /// The type of the event; `None` for an event that the protocol does not declare.
    pub fn event_type(&self) -> Option<EventType> {
        EventType::parse(self.tag())
    }

    /// Time of creation.
    pub fn timestamp(&self) -> Option<i64> {
        for_event!(self, event => event.timestamp, unknown => None)
    }

    /// Sets the time of creation, in milliseconds since the Unix epoch, unless the event has one.
    pub fn stamp(&mut self, now: i64) {
        for_event!(self, event => { event.timestamp.get_or_insert(now); }, unknown => {});
    }

    /// Sets the time of creation, in milliseconds since the Unix epoch, and replaces an earlier one.
    pub fn set_timestamp(&mut self, now: i64) {
        for_event!(self, event => { event.timestamp = Some(now); }, unknown => {});
    }

    /// Any key-value data about the event.
    pub fn metadata(&self) -> Option<&crate::Object> {
        for_event!(self, event => event.metadata.as_ref(), unknown => None)
    }

    /// The subagent invocation that the event belongs to; nothing for the agent itself. The id that a SUBAGENT event
    /// names is its subject and not meant here.
    pub fn subagent_run_id(&self) -> Option<&str> {
        for_attributed!(self, tag => tag.as_deref(), other => None)
    }

    /// The member `subagentRunId`, mutable; `None` for an event that cannot have one.
    pub(crate) fn subagent_run_id_mut(&mut self) -> Option<&mut Option<String>> {
        for_attributed!(self, tag => Some(tag), other => None)
    }

    /// The conversation that the event names: only the first and the last of a run do.
    pub fn thread_id(&self) -> Option<&str> {
        match self {
            Self::RunStarted(event) => Some(&event.thread_id),
            Self::RunFinished(event) => Some(&event.thread_id),
            _ => None,
        }
    }

    /// The run that the event names: only the first and the last of a run do.
    pub fn run_id(&self) -> Option<&str> {
        match self {
            Self::RunStarted(event) => Some(&event.run_id),
            Self::RunFinished(event) => Some(&event.run_id),
            _ => None,
        }
    }
}

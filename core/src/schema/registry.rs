//! All declarations, in the order in which they are documented and generated.

use super::{EnumDef, TypeDef, UnionDef};
#[allow(clippy::wildcard_imports)] // All of them, by design.
use crate::types::*;

/// Hands every declared type to a macro. An object type comes after the types that it contains.
macro_rules! declared {
    ($taker:ident) => {
        $taker! {
            types:
                Attributable
                BaseEvent
                BaseMessage
                TextPart
                DataSource
                UrlSource
                FileSource
                ImagePart
                AudioPart
                VideoPart
                DocumentPart
                AddOperation
                RemoveOperation
                ReplaceOperation
                MoveOperation
                CopyOperation
                TestOperation
                FunctionCall
                ToolCall
                DeveloperMessage
                SystemMessage
                AssistantMessage
                UserMessage
                ToolMessage
                ActivityMessage
                ReasoningMessage
                Tool
                Context
                ResumeEntry
                RunAgentInput
                Interrupt
                RunFinishedSuccessOutcome
                RunFinishedInterruptOutcome
                RunFinishedCancelledOutcome
                SubagentFinishedSuccessOutcome
                SubagentFinishedSuspendedOutcome
                TokenUsage
                TextMessageStartEvent
                TextMessageContentEvent
                TextMessageEndEvent
                TextMessageChunkEvent
                ToolCallStartEvent
                ToolCallArgsEvent
                ToolCallEndEvent
                ToolCallChunkEvent
                ToolCallResultEvent
                StateSnapshotEvent
                StateDeltaEvent
                MessagesSnapshotEvent
                ActivitySnapshotEvent
                ActivityDeltaEvent
                RawEvent
                CustomEvent
                RunStartedEvent
                RunFinishedEvent
                RunErrorEvent
                StepStartedEvent
                StepFinishedEvent
                ReasoningStartEvent
                ReasoningMessageStartEvent
                ReasoningMessageContentEvent
                ReasoningMessageEndEvent
                ReasoningMessageChunkEvent
                ReasoningEndEvent
                ReasoningEncryptedValueEvent
                SubagentStartedEvent
                SubagentFinishedEvent
                SubagentErrorEvent
                SubagentInfo
                IdentityCapabilities
                TransportCapabilities
                ToolsCapabilities
                OutputCapabilities
                StateCapabilities
                MultiAgentCapabilities
                ReasoningCapabilities
                MultimodalInputCapabilities
                MultimodalOutputCapabilities
                MultimodalCapabilities
                ExecutionCapabilities
                HumanInTheLoopCapabilities
                AgentCapabilities
                BinaryInputContent;
            enums:
                EventType
                Role
                TextMessageRole
                ToolCallResultRole
                ReasoningMessageRole
                ReasoningEncryptedValueSubtype
                ResumeStatus;
            unions:
                PartSource
                ContentPart
                JsonPatchOperation
                Message
                RunFinishedOutcome
                SubagentFinishedOutcome
                Event;
        }
    };
}

macro_rules! registry {
    (types: $($ty:ident)+; enums: $($set:ident)+; unions: $($union:ident)+;) => {
        /// Every object type. A type comes after the types that it contains.
        pub static TYPES: &[&TypeDef] = &[$($ty::TYPE),+];

        /// Every closed set of strings.
        pub static ENUMS: &[&EnumDef] = &[$($set::ENUM),+];

        /// Every union.
        pub static UNIONS: &[&UnionDef] = &[$($union::UNION),+];
    };
}

declared!(registry);

/// Returns the object type called `name`.
pub fn type_named(name: &str) -> Option<&'static TypeDef> {
    TYPES.iter().find(|ty| ty.name == name).copied()
}

/// Returns the union called `name`.
pub fn union_named(name: &str) -> Option<&'static UnionDef> {
    UNIONS.iter().find(|union| union.name == name).copied()
}

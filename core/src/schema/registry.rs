//! All declarations, in the order in which they are documented and generated.

use super::{EnumDef, TypeDef, UnionDef};
#[allow(clippy::wildcard_imports)] // All of them, by design.
use crate::types::*;

/// Every object type. A type stands behind the types it contains.
pub static TYPES: &[&TypeDef] = &[
    Attributable::TYPE,
    BaseEvent::TYPE,
    BaseMessage::TYPE,
    TextPart::TYPE,
    DataSource::TYPE,
    UrlSource::TYPE,
    FileSource::TYPE,
    ImagePart::TYPE,
    AudioPart::TYPE,
    VideoPart::TYPE,
    DocumentPart::TYPE,
    AddOperation::TYPE,
    RemoveOperation::TYPE,
    ReplaceOperation::TYPE,
    MoveOperation::TYPE,
    CopyOperation::TYPE,
    TestOperation::TYPE,
    FunctionCall::TYPE,
    ToolCall::TYPE,
    DeveloperMessage::TYPE,
    SystemMessage::TYPE,
    AssistantMessage::TYPE,
    UserMessage::TYPE,
    ToolMessage::TYPE,
    ActivityMessage::TYPE,
    ReasoningMessage::TYPE,
    Tool::TYPE,
    Context::TYPE,
    ResumeEntry::TYPE,
    RunAgentInput::TYPE,
    Interrupt::TYPE,
    RunFinishedSuccessOutcome::TYPE,
    RunFinishedInterruptOutcome::TYPE,
    RunFinishedCancelledOutcome::TYPE,
    SubagentFinishedSuccessOutcome::TYPE,
    SubagentFinishedSuspendedOutcome::TYPE,
    TokenUsage::TYPE,
    TextMessageStartEvent::TYPE,
    TextMessageContentEvent::TYPE,
    TextMessageEndEvent::TYPE,
    TextMessageChunkEvent::TYPE,
    ToolCallStartEvent::TYPE,
    ToolCallArgsEvent::TYPE,
    ToolCallEndEvent::TYPE,
    ToolCallChunkEvent::TYPE,
    ToolCallResultEvent::TYPE,
    StateSnapshotEvent::TYPE,
    StateDeltaEvent::TYPE,
    MessagesSnapshotEvent::TYPE,
    ActivitySnapshotEvent::TYPE,
    ActivityDeltaEvent::TYPE,
    RawEvent::TYPE,
    CustomEvent::TYPE,
    RunStartedEvent::TYPE,
    RunFinishedEvent::TYPE,
    RunErrorEvent::TYPE,
    StepStartedEvent::TYPE,
    StepFinishedEvent::TYPE,
    ReasoningStartEvent::TYPE,
    ReasoningMessageStartEvent::TYPE,
    ReasoningMessageContentEvent::TYPE,
    ReasoningMessageEndEvent::TYPE,
    ReasoningMessageChunkEvent::TYPE,
    ReasoningEndEvent::TYPE,
    ReasoningEncryptedValueEvent::TYPE,
    SubagentStartedEvent::TYPE,
    SubagentFinishedEvent::TYPE,
    SubagentErrorEvent::TYPE,
    SubagentInfo::TYPE,
    IdentityCapabilities::TYPE,
    TransportCapabilities::TYPE,
    ToolsCapabilities::TYPE,
    OutputCapabilities::TYPE,
    StateCapabilities::TYPE,
    MultiAgentCapabilities::TYPE,
    ReasoningCapabilities::TYPE,
    MultimodalInputCapabilities::TYPE,
    MultimodalOutputCapabilities::TYPE,
    MultimodalCapabilities::TYPE,
    ExecutionCapabilities::TYPE,
    HumanInTheLoopCapabilities::TYPE,
    AgentCapabilities::TYPE,
    BinaryInputContent::TYPE,
];

/// Every closed set of strings.
pub static ENUMS: &[&EnumDef] = &[
    EventType::ENUM,
    Role::ENUM,
    TextMessageRole::ENUM,
    ToolCallResultRole::ENUM,
    ReasoningMessageRole::ENUM,
    ReasoningEncryptedValueSubtype::ENUM,
    ResumeStatus::ENUM,
];

/// Every union.
pub static UNIONS: &[&UnionDef] = &[
    PartSource::UNION,
    ContentPart::UNION,
    JsonPatchOperation::UNION,
    Message::UNION,
    RunFinishedOutcome::UNION,
    SubagentFinishedOutcome::UNION,
    Event::UNION,
];

/// The object type called `name`.
pub fn type_named(name: &str) -> Option<&'static TypeDef> {
    TYPES.iter().find(|ty| ty.name == name).copied()
}

/// The union called `name`.
pub fn union_named(name: &str) -> Option<&'static UnionDef> {
    UNIONS.iter().find(|union| union.name == name).copied()
}

/// The type of event that `ty` describes.
pub fn event_type_of(ty: &TypeDef) -> Option<EventType> {
    match ty.role {
        super::Role::Event { .. } => ty.tag().and_then(|(_, tag)| EventType::parse(tag)),
        _ => None,
    }
}

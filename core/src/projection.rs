//! The projection of events for the stages: the members that each stage reads. Other members do not matter, so a host
//! with its own events need not pass them.

use crate::schema::{FieldDef, Role, TypeDef};
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;

/// The part of a member that a stage reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection {
    /// The value.
    Value,
    /// Its presence.
    Presence,
    /// Nothing.
    Omitted,
}

/// A stage, with its projection of a type's members.
pub type StageProjection = (&'static str, fn(&TypeDef, &FieldDef) -> Projection);

/// The stages that read only parts of events.
pub const PROJECTIONS: [StageProjection; 4] =
    [("verify", verify), ("expand", expand), ("compact", compact), ("reduce", reduce)];

const CHUNKS: [&TypeDef; 3] =
    [TextMessageChunkEvent::TYPE, ToolCallChunkEvent::TYPE, ReasoningMessageChunkEvent::TYPE];
const SUBAGENTS: [&TypeDef; 3] =
    [SubagentStartedEvent::TYPE, SubagentFinishedEvent::TYPE, SubagentErrorEvent::TYPE];
const STATES: [&TypeDef; 2] = [StateSnapshotEvent::TYPE, StateDeltaEvent::TYPE];

/// The members that stages pass on without reading them.
const CARRIED: [&str; 4] = ["timestamp", "rawEvent", "metadata", "delta"];
/// The members of events that change a conversation without affecting the change.
const UNREDUCED: [&str; 7] =
    ["timestamp", "rawEvent", "threadId", "runId", "protocolVersion", "parentRunId", "usage"];
/// Events that change no conversation, besides those of subagents. Chunks never reach the reducer.
const UNCHANGING: [&TypeDef; 7] = [
    RunErrorEvent::TYPE,
    StepStartedEvent::TYPE,
    StepFinishedEvent::TYPE,
    RawEvent::TYPE,
    CustomEvent::TYPE,
    ReasoningStartEvent::TYPE,
    ReasoningEndEvent::TYPE,
];

fn verify(ty: &TypeDef, field: &FieldDef) -> Projection {
    let tag = "subagentRunId";
    let ids = ["messageId", "toolCallId", "toolCallName", "parentMessageId", "stepName", "entityId"];
    let is_read = match field.wire {
        _ if is_inside(ty) => return inside(ty, field),
        wire if is_one_of(&CHUNKS, ty) => wire == tag,
        wire if is_one_of(&SUBAGENTS, ty) => !CARRIED.contains(&wire) && wire != "result",
        "outcome" | "messages" | "input" | "subtype" | "replace" => true,
        wire => wire == tag || ids.contains(&wire),
    };
    if is_read { Projection::Value } else { Projection::Omitted }
}

fn expand(ty: &TypeDef, field: &FieldDef) -> Projection {
    let is_chunk = is_one_of(&CHUNKS, ty);
    match field.wire {
        wire if is_chunk && CARRIED.contains(&wire) => Projection::Presence,
        wire if is_chunk || wire == "subagentRunId" => Projection::Value,
        _ => Projection::Omitted,
    }
}

/// The expansion of chunks is verified, too.
fn compact(ty: &TypeDef, field: &FieldDef) -> Projection {
    match field.wire {
        _ if is_one_of(&STATES, ty) => Projection::Value,
        wire if CARRIED.contains(&wire) => Projection::Presence,
        _ if is_one_of(&CHUNKS, ty) => Projection::Value,
        _ => verify(ty, field),
    }
}

fn reduce(ty: &TypeDef, field: &FieldDef) -> Projection {
    let is_unchanging = [&UNCHANGING[..], &SUBAGENTS, &CHUNKS].into_iter().any(|types| is_one_of(types, ty));
    // Other types with a role have a fixed one.
    let is_fixed = field.wire == "role" && !std::ptr::eq(ty, TextMessageStartEvent::TYPE);
    if is_unchanging || is_fixed || UNREDUCED.contains(&field.wire) {
        Projection::Omitted
    } else {
        Projection::Value
    }
}

fn is_one_of(types: &[&TypeDef], ty: &TypeDef) -> bool {
    types.iter().any(|other| std::ptr::eq(*other, ty))
}

/// True if a stage reads the type inside of events.
fn is_inside(ty: &TypeDef) -> bool {
    let parts = [ToolCall::TYPE, RunAgentInput::TYPE, RunFinishedInterruptOutcome::TYPE, Interrupt::TYPE];
    ty.role == Role::Message || is_one_of(&parts, ty)
}

/// The projection of messages, their calls and interrupts: their ids and owners.
fn inside(ty: &TypeDef, field: &FieldDef) -> Projection {
    let is_read = match field.wire {
        "messages" => std::ptr::eq(ty, RunAgentInput::TYPE),
        "interrupts" => true,
        wire => ["id", "role", "subagentRunId", "toolCalls"].contains(&wire),
    };
    if is_read { Projection::Value } else { Projection::Omitted }
}

/// Makes an event from the strings of its required members, and from its tag. `place` is the place of its type among
/// all types. `None` for types whose required members are not just ids and deltas.
pub fn event_of_strings(place: usize, strings: &[&str], tag: Option<&str>) -> Option<Event> {
    /// Makes the event from its required members.
    macro_rules! made {
        ($($type:ident { $($member:ident),+ })+) => {{
            let ty = Event::UNION.variants.get(place)?.ty;
            let subagent_run_id = tag.map(str::to_owned);
            $(if std::ptr::eq(ty, $type::TYPE) {
                let mut strings = strings.iter().map(|text| (*text).to_owned());
                $(let $member = strings.next()?;)+
                return Some($type { subagent_run_id, $($member,)+ ..Default::default() }.into());
            })+
            None
        }};
    }
    made! {
        TextMessageStartEvent { message_id }
        TextMessageContentEvent { message_id, delta }
        TextMessageEndEvent { message_id }
        ToolCallStartEvent { tool_call_id, tool_call_name }
        ToolCallArgsEvent { tool_call_id, delta }
        ToolCallEndEvent { tool_call_id }
        ReasoningStartEvent { message_id }
        ReasoningMessageContentEvent { message_id, delta }
        ReasoningMessageEndEvent { message_id }
        ReasoningEndEvent { message_id }
        StepStartedEvent { step_name }
        StepFinishedEvent { step_name }
    }
}

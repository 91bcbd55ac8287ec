//! What the stages look at of an event. What a stage does not look at may be anything, so a host that has events of its own need not
//! hand it over.

use crate::schema::{FieldDef, Role, TypeDef};
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;

/// What a stage looks at of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Its value.
    Value,
    /// Whether it is there.
    Presence,
    /// Nothing.
    Nothing,
}

/// A stage, and how it looks at the members of a type.
pub type StageLooks = (&'static str, fn(&TypeDef, &FieldDef) -> Look);

/// The stages that look at parts of events.
pub const LOOKS: [StageLooks; 4] =
    [("verify", verify), ("expand", expand), ("compact", compact), ("reduce", reduce)];

const CHUNKS: [&TypeDef; 3] =
    [TextMessageChunkEvent::TYPE, ToolCallChunkEvent::TYPE, ReasoningMessageChunkEvent::TYPE];
const SUBAGENTS: [&TypeDef; 3] =
    [SubagentStartedEvent::TYPE, SubagentFinishedEvent::TYPE, SubagentErrorEvent::TYPE];
const STATES: [&TypeDef; 2] = [StateSnapshotEvent::TYPE, StateDeltaEvent::TYPE];

/// What stages hand on without reading it.
const CARRIED: [&str; 4] = ["timestamp", "rawEvent", "metadata", "delta"];
/// Of events that change a conversation, what it does not depend on.
const UNREDUCED: [&str; 7] =
    ["timestamp", "rawEvent", "threadId", "runId", "protocolVersion", "parentRunId", "usage"];
/// Events that change no conversation, besides those of subagents; and chunks must not come.
const UNCHANGING: [&TypeDef; 7] = [
    RunErrorEvent::TYPE,
    StepStartedEvent::TYPE,
    StepFinishedEvent::TYPE,
    RawEvent::TYPE,
    CustomEvent::TYPE,
    ReasoningStartEvent::TYPE,
    ReasoningEndEvent::TYPE,
];

fn verify(ty: &TypeDef, field: &FieldDef) -> Look {
    let tag = "subagentRunId";
    let ids = ["messageId", "toolCallId", "toolCallName", "parentMessageId", "stepName", "entityId"];
    let is_read = match field.wire {
        _ if is_inside(ty) => return inside(ty, field),
        wire if is_one_of(&CHUNKS, ty) => wire == tag,
        wire if is_one_of(&SUBAGENTS, ty) => !CARRIED.contains(&wire) && wire != "result",
        "outcome" | "messages" | "input" | "subtype" | "replace" => true,
        wire => wire == tag || ids.contains(&wire),
    };
    if is_read { Look::Value } else { Look::Nothing }
}

fn expand(ty: &TypeDef, field: &FieldDef) -> Look {
    let is_chunk = is_one_of(&CHUNKS, ty);
    match field.wire {
        wire if is_chunk && CARRIED.contains(&wire) => Look::Presence,
        wire if is_chunk || wire == "subagentRunId" => Look::Value,
        _ => Look::Nothing,
    }
}

/// What comes of chunks is verified.
fn compact(ty: &TypeDef, field: &FieldDef) -> Look {
    match field.wire {
        _ if is_one_of(&STATES, ty) => Look::Value,
        wire if CARRIED.contains(&wire) => Look::Presence,
        _ if is_one_of(&CHUNKS, ty) => Look::Value,
        _ => verify(ty, field),
    }
}

fn reduce(ty: &TypeDef, field: &FieldDef) -> Look {
    let is_unchanging = [&UNCHANGING[..], &SUBAGENTS, &CHUNKS].into_iter().any(|types| is_one_of(types, ty));
    // Of what else has a role it is fixed.
    let is_fixed = field.wire == "role" && !std::ptr::eq(ty, TextMessageStartEvent::TYPE);
    if is_unchanging || is_fixed || UNREDUCED.contains(&field.wire) { Look::Nothing } else { Look::Value }
}

fn is_one_of(types: &[&TypeDef], ty: &TypeDef) -> bool {
    types.iter().any(|other| std::ptr::eq(*other, ty))
}

/// True if a type is looked at as a part of an event.
fn is_inside(ty: &TypeDef) -> bool {
    let parts = [ToolCall::TYPE, RunAgentInput::TYPE, RunFinishedInterruptOutcome::TYPE, Interrupt::TYPE];
    ty.role == Role::Message || is_one_of(&parts, ty)
}

/// Of messages, their calls and interrupts: who they are, and whose.
fn inside(ty: &TypeDef, field: &FieldDef) -> Look {
    let is_read = match field.wire {
        "messages" => std::ptr::eq(ty, RunAgentInput::TYPE),
        "interrupts" => true,
        wire => ["id", "role", "subagentRunId", "toolCalls"].contains(&wire),
    };
    if is_read { Look::Value } else { Look::Nothing }
}

/// The event whose type stands at `place` among all, of those whose required members are ids and deltas: with these members, and a
/// tag perhaps. Nothing for all others.
pub fn brief_event(place: usize, strings: &[&str], tag: Option<&str>) -> Option<Event> {
    /// Takes the event's required members apart, and makes it.
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

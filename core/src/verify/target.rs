//! The targets of events that only add to an entity.

use super::kind::EntityKind;
use crate::schema::TypeDef;
use crate::types::{
    CustomEvent, RawEvent, ReasoningMessageContentEvent, StateDeltaEvent, StateSnapshotEvent,
    TextMessageContentEvent, ToolCallArgsEvent,
};

/// An open entity that an event adds to: its kind and its id.
pub type Target<'e> = (EntityKind, &'e str);

/// The kind of a type's target, and the key of the target's id. Only types that open and close nothing have one.
pub fn target_key(ty: &'static TypeDef) -> Option<(EntityKind, &'static str)> {
    let is = |other| std::ptr::eq(ty, other);
    if is(TextMessageContentEvent::TYPE) {
        Some((EntityKind::TextMessage, "messageId"))
    } else if is(ToolCallArgsEvent::TYPE) {
        Some((EntityKind::ToolCall, "toolCallId"))
    } else if is(ReasoningMessageContentEvent::TYPE) {
        Some((EntityKind::ReasoningMessage, "messageId"))
    } else {
        None
    }
}

/// True if events of a type have no target and may stand anywhere in a run.
pub fn is_free(ty: &'static TypeDef) -> bool {
    [StateSnapshotEvent::TYPE, StateDeltaEvent::TYPE, RawEvent::TYPE, CustomEvent::TYPE]
        .into_iter()
        .any(|other| std::ptr::eq(ty, other))
}

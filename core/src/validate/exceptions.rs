//! Rules about single members instead of kinds.

use crate::json::{Input, View};
use crate::schema::{FieldDef, Kind, TypeDef};

/// The index of a member that the Go document of the protocol calls `key`.
pub fn go_name(ty: &TypeDef, key: &str) -> Option<usize> {
    let wire = match (ty.name, key) {
        ("ToolCallStartEvent", "toolName") => "toolCallName",
        ("ToolCallArgsEvent", "args") => "delta",
        ("StateSnapshotEvent", "state") => "snapshot",
        ("ToolCallResultEvent", "result") => "content",
        _ => return None,
    };
    ty.field_index(wire, 0)
}

/// True if a value is empty under the rules that require non-empty values: an event's required text, its patch,
/// its state or foreign event, and the root pointer or `null` of a patch operation.
pub fn is_empty<'a, I: Input<'a>>(value: I, ty: &TypeDef, field: &FieldDef) -> bool {
    match (field.kind, value.view()) {
        (Kind::Text | Kind::Content, View::Text(text)) => {
            !field.is_optional() && ty.is_event() && text.is_empty()
        }
        (Kind::Pointer, View::Text(text)) => text.is_empty(),
        (Kind::Any, View::Null) => ty.open || matches!(field.wire, "snapshot" | "event"),
        (Kind::List(Kind::Union(union)), View::List(mut items)) => {
            union.tag == "op" && items.next().is_none()
        }
        _ => false,
    }
}

/// True if a member for the bytes of a binary part is not empty.
pub fn has_payload<'a, I: Input<'a>>(part: I) -> bool {
    ["id", "url", "data"]
        .into_iter()
        .any(|key| matches!(part.member(key).map(I::view), Some(View::Text(text)) if !text.is_empty()))
}

pub fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

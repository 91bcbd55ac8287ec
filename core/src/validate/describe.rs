//! The descriptions of kinds and values in messages. They quote at most a name of the payload.

use crate::json::{Input, View};
use crate::schema::{Kind, UnionDef};

/// The advice about `null` in a required member.
pub const REQUIRED: &str = "send a value, the member is required";

pub fn tags(union: &UnionDef) -> String {
    union.variants.iter().map(|variant| variant.tag).collect::<Vec<_>>().join(", ")
}

/// Returns the start of a text, for an error message.
pub fn excerpt(text: &str) -> String {
    text.chars().take(64).collect()
}

/// The description of a kind of value.
pub fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Text => "a string".into(),
        Kind::Pointer => "a JSON Pointer".into(),
        Kind::Bool => "a boolean".into(),
        Kind::Int53 | Kind::UInt53 => "an integer".into(),
        Kind::Any => "a value".into(),
        Kind::Dict => "an object".into(),
        Kind::Literal(literal) => (*literal).into(),
        Kind::Enum(set) => set.values.join(", "),
        Kind::Object(ty) => format!("an object ({})", ty.name),
        Kind::Union(union) => format!("an object with {} {}", union.tag, tags(union)),
        Kind::List(_) => "a list".into(),
        Kind::Content => "a string or a list of parts".into(),
    }
}

/// The advice about a value of the wrong kind.
pub fn how_to_send<'a, I: Input<'a>>(kind: &Kind, view: &View<'a, I>) -> &'static str {
    match (kind, view) {
        (Kind::Content | Kind::List(_), View::Object(_)) => "put it into a list",
        (Kind::List(_), View::Text(_)) => "send the list itself, not its text",
        (Kind::List(_), _) => "send a list, an empty one if there is nothing",
        (Kind::Object(_) | Kind::Union(_) | Kind::Dict, View::Text(_)) => {
            "send the object itself, not its text"
        }
        (Kind::Object(_) | Kind::Union(_) | Kind::Dict, _) => "send one object",
        (Kind::Int53 | Kind::UInt53 | Kind::Bool, View::Text(_)) => "send it without quotes",
        (Kind::Int53 | Kind::UInt53, _) => "send a whole number",
        (Kind::Bool, _) => "send true or false",
        (_, View::Object(_) | View::List(_)) => "send a string; write data as JSON text",
        _ => "send it as a string, in quotes",
    }
}

pub fn kind_name<'a, I: Input<'a>>(view: &View<'a, I>) -> &'static str {
    match view {
        View::Null => "null",
        View::Bool(_) => "a boolean",
        View::Number => "a number",
        View::Text(_) => "a string",
        View::List(_) => "a list",
        View::Object(_) => "an object",
    }
}

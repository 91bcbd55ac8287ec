//! The parts that requests of several APIs have in common.

use crate::json::{Object, Value};
use crate::types::Tool;

/// A message.
pub(super) fn message(role: &str, content: impl Into<Value>) -> Value {
    Object::from([("role", Value::from(role)), ("content", content.into())]).into()
}

/// An object with its type: an item, a block or a part.
pub(super) fn typed<const N: usize>(kind: &str, members: [(&str, Value); N]) -> Value {
    std::iter::once(("type", Value::from(kind))).chain(members).collect::<Object>().into()
}

/// The schema of a tool's arguments. Providers need one: that of a tool without parameters allows an empty object.
pub(super) fn schema(tool: &Tool) -> Value {
    let nothing = || typed("object", [("properties", Object::default().into())]);
    tool.parameters.clone().filter(|schema| !schema.is_null()).unwrap_or_else(nothing)
}

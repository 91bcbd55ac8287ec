//! Reads the members of chunks.

use crate::error::{Code, Error, quoted};
use crate::json::Value;

/// The member, unless it is null.
pub(super) fn member<'c>(value: &'c Value, key: &str) -> Option<&'c Value> {
    value.get(key).filter(|value| !value.is_null())
}

/// The member, if it is text that is not empty.
pub(super) fn text<'c>(value: &'c Value, key: &str) -> Option<&'c str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The items of the member, if it is a list.
pub(super) fn items<'c>(value: &'c Value, key: &str) -> &'c [Value] {
    value.get(key).and_then(Value::as_array).unwrap_or_default()
}

/// The error for a provider's error. It has the provider's word for the kind of failure, and not its message, which may quote the
/// conversation.
pub(super) fn failure(error: &Value) -> Error {
    let word = text(error, "code").or_else(|| text(error, "type"));
    Error::new(Code::ModelFailed, word.map(|word| format!("it says {}", quoted(word))).unwrap_or_default())
}

//! Converts values of agents to the text that events carry.

use ag_ui_native::bindings::server;
use ag_ui_native::{Error, Value};

use crate::error::text;

/// The text of a call's arguments, as a JSON string.
pub fn arguments_text(json: String) -> Result<String, Error> {
    server::arguments_text(json).map(|arguments| text(&Value::String(arguments)))
}

/// Returns the result of a tool as text in a JSON string; `null` for content parts.
pub fn result_text(json: String) -> Result<String, Error> {
    let result = server::result_text(json).map_err(|error| server::within("/content", error))?;
    Ok(text(&result.map_or(Value::Null, Value::String)))
}

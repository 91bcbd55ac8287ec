//! Arguments of tool calls: reads and checks them, and writes the error texts for the agent.

use super::schema::misfits;
use crate::decode::DocumentReader;
use crate::json::Value;
use crate::limits::Limits;
use crate::profile::Profile;

/// The error text for the agent if JSON cannot express a result.
pub const NO_JSON_RESULT: &str = "The result is not valid JSON.";

/// Reads the arguments of a call, an object in JSON. An empty text stands for an empty object.
///
/// # Errors
/// The error text for the agent, which may try again.
pub fn read_arguments(text: &str, limits: Limits) -> Result<Value, String> {
    let mut reader = DocumentReader::new(Profile::Strict, limits);
    let read = reader.typed(arguments_json(text));
    match read.map_err(|_| "The arguments are not valid JSON.")? {
        (arguments @ Value::Object(_), _) => Ok(arguments),
        _ => Err("The arguments are not a JSON object.".to_owned()),
    }
}

/// Reads the JSON Schema of a tool.
///
/// # Errors
/// The error text for the agent if the schema cannot be read; the function is not called.
pub fn read_schema(json: &str, limits: Limits) -> Result<Value, String> {
    let mut reader = DocumentReader::new(Profile::Strict, limits);
    reader
        .typed(json)
        .map(|(schema, _)| schema)
        .map_err(|_| "The schema of the tool cannot be read.".to_owned())
}

/// The arguments' text as JSON: `{}` for an empty text.
pub fn arguments_json(text: &str) -> &str {
    if text.trim().is_empty() { "{}" } else { text }
}

/// Checks arguments by the JSON Schema of their tool.
///
/// # Errors
/// The error text for the agent: the places of the arguments, and the keywords that do not allow them.
pub fn check_arguments(schema: &Value, arguments: &Value) -> Result<(), String> {
    let misfits = misfits(schema, arguments);
    if misfits.is_empty() { Ok(()) } else { Err(misfit(misfits)) }
}

/// The error text for the agent about arguments that a tool's schema does not allow: places and reasons. An empty place means all arguments.
pub fn misfit<P: AsRef<str>, M: AsRef<str>>(issues: impl IntoIterator<Item = (P, M)>) -> String {
    let said = issues.into_iter().map(|(place, message)| {
        let place = Some(place.as_ref()).filter(|place| !place.is_empty()).unwrap_or("arguments");
        format!("{place}: {}", message.as_ref())
    });
    format!("The arguments do not match the schema of the tool. {}", said.collect::<Vec<_>>().join("; "))
}

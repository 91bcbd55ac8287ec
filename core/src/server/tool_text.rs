//! Converts arguments and results of tool calls: agents have values, events have text.

use std::convert::Infallible;

use crate::encode::try_to_json;
use crate::error::{Code, Error};
use crate::json::Value;
use crate::profile::Profile;
use crate::typed::from_json;
use crate::types::{Content, ContentPart};

/// Returns the text of a call's arguments, which are given as JSON text. A string must be the JSON text of an object,
/// as models write it; it is not encoded again.
///
/// # Errors
/// `wrong_type` for another string, with advice.
pub fn arguments_text(json: String) -> Result<String, Error> {
    if !json.starts_with('"') {
        return Ok(json);
    }
    let text = string(&json)?;
    if from_json::<Value>(&*text, Profile::Strict).is_ok_and(|(value, _)| value.as_object().is_some()) {
        return Ok(text);
    }
    let detail = "the arguments are a string that is not a JSON object";
    let advice = "give them as an object, or as the text of one";
    Err(Error::at(Code::WrongType, "/arguments".to_owned(), detail).advise(advice))
}

/// Returns the text of a tool's result, which is given as JSON text: a string as it is, other values as JSON. `None`
/// for a list of content parts, which is sent unchanged.
///
/// # Errors
/// Those of reading JSON.
pub fn result_text(json: String) -> Result<Option<String>, Error> {
    match json.as_bytes().first() {
        Some(b'"') => string(&json).map(Some),
        Some(b'[') => {
            let (value, _) = from_json::<Value>(&*json, Profile::Strict)?;
            Ok((!are_parts(&value)).then_some(json))
        }
        _ => Ok(Some(json)),
    }
}

impl TryFrom<Value> for Content {
    type Error = Error;

    /// Converts a string to text, and any other value to its JSON. A number that is not finite is an error.
    fn try_from(value: Value) -> Result<Self, Error> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            other => try_to_json(&other).map(Self::Text),
        }
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

fn string(json: &str) -> Result<String, Error> {
    from_json::<String>(json, Profile::Strict).map(|(text, _)| text)
}

/// True if the value is a list of objects with the type of a content part.
fn are_parts(value: &Value) -> bool {
    let is_part = |item: &Value| {
        let tag = item.as_object().and_then(|part| part.get(ContentPart::UNION.tag)).and_then(Value::as_str);
        tag.is_some_and(|tag| ContentPart::UNION.variant(tag).is_some())
    };
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_part))
}

//! Reads chunks and their members. What an adapter does not read cannot end a run.

use crate::decode::DocumentReader;
use crate::encode::to_json;
use crate::error::{Code, Error, quoted};
use crate::json::Value;
use crate::limits::Limits;
use crate::profile::Profile;
use crate::types::Event;

/// A chunk that has been read.
#[derive(Debug)]
pub(super) struct Chunk {
    pub value: Value,
    /// The error for half of a surrogate pair. U+FFFD stands in its place.
    replaced: Option<Error>,
}

impl Chunk {
    /// Reads an object.
    pub fn read(json: &str) -> Result<Self, Error> {
        let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
        let (value, replaced) = match reader.typed::<Value>(json) {
            Err(error) if error.code() == Code::LoneSurrogate => {
                reader.rules.replace_invalid_text = true;
                let broken = Error::at(Code::LoneSurrogate, error.path().to_owned(), "");
                let broken = broken.advise("ask the model again, or join the halves before the adapter");
                (reader.typed(json)?.0, Some(broken))
            }
            read => (read?.0, None),
        };
        if value.as_object().is_none() {
            return Err(Error::new(
                Code::WrongType,
                "expected a chunk of a model's stream, which is an object",
            ));
        }
        Ok(Self { value, replaced })
    }

    /// Refuses events with text that was replaced.
    pub fn check(self, events: &[Event]) -> Result<(), Error> {
        let is_shown = |event: &Event| to_json(event).contains(char::REPLACEMENT_CHARACTER);
        match self.replaced {
            Some(error) if events.iter().any(is_shown) => Err(error),
            _ => Ok(()),
        }
    }
}

/// The member, unless it is null.
pub(super) fn member<'c>(value: &'c Value, key: &str) -> Option<&'c Value> {
    value.get(key).filter(|value| !value.is_null())
}

/// The member, if it is text that is not empty.
pub(super) fn text<'c>(value: &'c Value, key: &str) -> Option<&'c str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// What the model has written, of which nothing may be lost: the text of the member, which is empty if it is absent.
pub(super) fn written<'c>(value: &'c Value, key: &str) -> Result<&'c str, Error> {
    let wrong = || Error::new(Code::WrongType, format!("`{key}` of a chunk is not text"));
    member(value, key).map_or(Ok(""), |member| member.as_str().ok_or_else(wrong))
}

/// The items of the member, if it is a list.
pub(super) fn items<'c>(value: &'c Value, key: &str) -> &'c [Value] {
    value.get(key).and_then(Value::as_array).unwrap_or_default()
}

/// The error for a part of a reply that is not translated, and that nobody would answer.
pub(super) fn unsupported(kind: &str, path: &str) -> Error {
    Error::at(Code::UnsupportedOutput, path.to_owned(), quoted(kind))
}

/// The error for a provider's error. It has the provider's word for the kind of failure, and not its message, which may quote the
/// conversation.
pub(super) fn failure(error: &Value) -> Error {
    let word = text(error, "code").or_else(|| text(error, "type"));
    Error::new(Code::ModelFailed, word.map(|word| format!("it says {}", quoted(word))).unwrap_or_default())
}

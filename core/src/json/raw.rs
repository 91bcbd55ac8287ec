//! Free values that are still text.

use std::borrow::Cow;

use super::{Input, Object, ParseOptions, Tape, Value};
use crate::limits::Limits;

/// Any JSON value as the text of a document, which is checked and not parsed. Equality is that of the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawValue<'a>(Cow<'a, str>);

impl<'a> RawValue<'a> {
    /// A value whose text is known to be JSON.
    pub(crate) fn checked(json: impl Into<Cow<'a, str>>) -> Self {
        Self(json.into())
    }

    /// Returns the JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses the text.
    pub fn to_value(&self) -> Value {
        let options = ParseOptions { depth: Limits::MAX_DEPTH, replace_invalid_text: false };
        Tape::default().parse(&self.0, options).map(Input::to_value).unwrap_or_default()
    }
}

/// A JSON object as the text of a document, which is checked and not parsed. Equality is that of the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawObject<'a>(RawValue<'a>);

impl<'a> RawObject<'a> {
    /// An object whose text is known to be JSON.
    pub(crate) fn checked(json: RawValue<'a>) -> Self {
        Self(json)
    }

    /// Returns the JSON text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Parses the text.
    pub fn to_object(&self) -> Object {
        match self.0.to_value() {
            Value::Object(object) => object,
            _ => Object::default(),
        }
    }
}

//! Free values that are still text.

use std::borrow::Cow;

use super::{Input, Object, ParseOptions, Tape, Value};
use crate::limits::Limits;

/// Any JSON value as the text of a document, which is checked and not parsed. Equality is that of the texts.
///
/// ```
/// use ag_ui_native::types::CustomEvent;
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"type":"CUSTOM","name":"height","value":1.50}"#;
/// let (event, _) = borrow_json::<CustomEvent>(json, Profile::Strict)?;
/// assert_eq!(event.value.as_str(), "1.50");
/// assert_eq!(event.value.to_value().as_f64(), Some(1.5));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
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
///
/// ```
/// use ag_ui_native::types::ActivityMessage;
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"id":"m4","role":"activity","activityType":"search","content":{"found":3}}"#;
/// let (message, _) = borrow_json::<ActivityMessage>(json, Profile::Strict)?;
/// assert_eq!(message.content.as_str(), r#"{"found":3}"#);
/// assert_eq!(message.content.to_object().len(), 1);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
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

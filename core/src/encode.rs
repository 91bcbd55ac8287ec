//! From Rust values to JSON text.

use crate::Value;
use crate::error::{Code, Error};
use crate::json::{Input, NO_NUMBER, NumberStyle, ParseOptions, Tape, Writer};
use crate::schema::DeclaredType;
use crate::sse;
use crate::types::Event;

/// The value as compact JSON: members in declaration order, absent ones left out, undeclared ones behind. A number that JSON does not have,
/// as `NaN` is, becomes `null`; [`try_to_json`] refuses it.
pub fn to_json<T: DeclaredType>(value: &T) -> String {
    to_json_with(value, NumberStyle::default())
}

/// The same of a value all of which JSON has.
///
/// ```
/// use ag_ui_native::{Code, try_to_json};
/// use ag_ui_native::types::CustomEvent;
///
/// assert!(try_to_json(&CustomEvent::new("height", 1.5)).is_ok());
/// let error = try_to_json(&CustomEvent::new("height", f64::NAN)).unwrap_err();
/// assert_eq!((error.code(), error.path()), (Code::WrongType, "/value"));
/// ```
///
/// # Errors
/// `wrong_type` with the path for a number that JSON does not have.
pub fn try_to_json<T: DeclaredType>(value: &T) -> Result<String, Error> {
    let mut writer = Writer::default();
    value.write(&mut writer);
    if !writer.has_not_finite() {
        return Ok(writer.out);
    }
    // Where the parser stumbles there it is.
    let mut marked = Writer::marking();
    value.write(&mut marked);
    let options = ParseOptions { depth: usize::MAX, lossy: false };
    let path = Tape::default().parse(&marked.out, options).map_or_else(|found| found.path, |_| String::new());
    Err(Error::at(Code::WrongType, path, NO_NUMBER))
}

/// The value as compact JSON, doubles spelled as `style` does.
pub fn to_json_with<T: DeclaredType>(value: &T, style: NumberStyle) -> String {
    let mut writer = Writer::new(style);
    value.write(&mut writer);
    writer.out
}

/// The value as a free JSON value.
pub fn to_value<T: DeclaredType>(value: &T) -> Value {
    let options = ParseOptions { depth: usize::MAX, lossy: false };
    // What the writer writes is JSON.
    Tape::default().parse(&to_json(value), options).map(Input::to_value).unwrap_or_default()
}

/// The frame that carries `event` over the text transport.
pub fn to_sse(event: &Event) -> String {
    sse::frame(&to_json(event))
}

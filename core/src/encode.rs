//! Writes Rust values as JSON text.

use crate::Value;
use crate::error::{Code, Error};
use crate::json::{Input, NO_NUMBER, NotFinite, NumberStyle, ParseOptions, Tape, Writer};
use crate::schema::{DeclaredType, FieldType as _};
use crate::sse;
use crate::types::Event;

/// The value as compact JSON: members in declaration order, absent ones left out, undeclared ones last. A number that JSON cannot
/// express, such as `NaN`, becomes `null`; [`try_to_json`] refuses it.
///
/// ```
/// use ag_ui_native::to_json;
/// use ag_ui_native::types::TextMessageEndEvent;
///
/// assert_eq!(to_json(&TextMessageEndEvent::new("m1")), r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#);
/// ```
pub fn to_json<T: DeclaredType>(value: &T) -> String {
    to_json_with(value, NumberStyle::default())
}

/// The value as compact JSON; numbers that JSON cannot express are refused.
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
    // The parser fails at the place of the first such number.
    let mut marked = Writer::marking(NotFinite::Word);
    value.write(&mut marked);
    let options = ParseOptions { depth: usize::MAX, replace_invalid_text: false };
    let path = Tape::default().parse(&marked.out, options).map_or_else(|found| found.path, |_| String::new());
    Err(Error::at(Code::WrongType, path, NO_NUMBER))
}

/// The value as compact JSON, with doubles in the form of `style`.
pub fn to_json_with<T: DeclaredType>(value: &T, style: NumberStyle) -> String {
    let mut writer = Writer::new(style);
    value.write(&mut writer);
    writer.out
}

/// The value as a free JSON value. A number that JSON cannot express is NaN there, and is refused when it is sent.
pub fn to_value<T: DeclaredType>(value: &T) -> Value {
    let mut writer = Writer::default();
    value.write(&mut writer);
    if !writer.has_not_finite() {
        return parsed(&writer.out);
    }
    // A marker string that occurs nowhere in the text.
    let mut mark = NotFinite::Text(0);
    for more in 1.. {
        if !writer.out.contains(&mark.text()) {
            break;
        }
        mark = NotFinite::Text(more);
    }
    let mut marked = Writer::marking(mark);
    let mark = mark.text().trim_matches('"').to_owned();
    value.write(&mut marked);
    let mut made = parsed(&marked.out);
    let mut left = vec![&mut made];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) if *text == mark => *value = f64::NAN.into(),
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values_mut()),
            _ => {}
        }
    }
    made
}

/// Parses text of the writer.
fn parsed(json: &str) -> Value {
    let options = ParseOptions { depth: usize::MAX, replace_invalid_text: false };
    Tape::default().parse(json, options).map(Input::to_value).unwrap_or_default()
}

/// The frame that carries `event` over the text transport.
///
/// ```
/// use ag_ui_native::types::{Event, TextMessageEndEvent};
/// use ag_ui_native::to_sse;
///
/// let frame = to_sse(&Event::from(TextMessageEndEvent::new("m1")));
/// assert_eq!(frame, "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}\n\n");
/// ```
pub fn to_sse(event: &Event) -> String {
    let mut writer = Writer::default();
    writer.out.push_str(sse::BEFORE);
    event.write(&mut writer);
    writer.out.push_str(sse::AFTER);
    writer.out
}

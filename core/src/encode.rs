//! From Rust values to JSON text.

use crate::Value;
use crate::json::{Input, NumberStyle, ParseOptions, Tape, Writer};
use crate::schema::DeclaredType;
use crate::sse;
use crate::types::Event;

/// The value as compact JSON: members in declaration order, absent ones left out, undeclared ones behind.
pub fn to_json<T: DeclaredType>(value: &T) -> String {
    to_json_with(value, NumberStyle::default())
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

//! From Rust values to JSON text, and checks on values made in Rust.

use crate::Value;
use crate::decode::{DeclaredType, DocumentReader};
use crate::error::Error;
use crate::json::{Input, NumberStyle, ParseOptions, Tape, Writer};
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::sse;
use crate::typed::TypedBuild;
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

/// How much [`validate`] asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// What the protocol says.
    #[default]
    Protocol,
    /// Also that ids, names, texts, patches and states say something.
    NonEmpty,
}

/// Checks a value made in Rust by the strict profile: ranges, lists that must not be empty, undeclared members.
pub fn validate<T: DeclaredType>(value: &T, level: Level) -> Result<(), Error> {
    let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
    reader.rules = Rules { non_empty: level == Level::NonEmpty, ..reader.rules };
    reader.value(&*to_json(value), T::DECLARED_KIND, &mut TypedBuild).map(|_| ())
}

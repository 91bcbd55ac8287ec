//! Fast paths through documents, compared with the general one: for every text the result is the same.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::decode::{Decoded, DocumentReader};
use ag_ui_native::bindings::json::{Input, Tree, Writer};
use ag_ui_native::bindings::schema::{EnumDef, FieldType, Kind, TypeDef, type_named, union_named};
use ag_ui_native::bindings::validate::{Build, FreeText};
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Issue, Limits, Profile};

pub const PROFILES: [Profile; 3] = [Profile::Strict, Profile::Tolerant, Profile::Relay];

/// Records the built values in order.
pub struct Log;

fn text<'a, I: Input<'a>>(input: I) -> String {
    let mut writer = Writer::new(NumberStyle::Python);
    writer.value(&input.to_value());
    writer.out
}

impl Build for Log {
    type Value = String;
    type Object = String;

    fn text(&mut self, text: &str) -> String {
        format!("{text:?}")
    }
    fn bool(&mut self, value: bool) -> String {
        value.to_string()
    }
    fn int(&mut self, value: i64) -> String {
        value.to_string()
    }
    fn choice(&mut self, set: &'static EnumDef, index: usize) -> String {
        format!("{}#{index}", set.name)
    }
    fn json<'a, I: Input<'a>>(&mut self, input: I) -> String {
        text(input)
    }
    fn json_text(&mut self, free: FreeText<'_, '_>) -> Option<String> {
        free.assemble(&mut Tree::default()).map(|value| text(&value))
    }
    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> String {
        format!("unknown {}", text(input))
    }
    fn list(&mut self, items: Vec<String>) -> String {
        format!("[{}]", items.join(", "))
    }
    fn object(&mut self, ty: &'static TypeDef) -> String {
        ty.name.to_owned()
    }
    fn member(&mut self, object: &mut String, index: usize, value: String) {
        object.push_str(&[" ", &index.to_string(), "=", &value].concat());
    }
    fn extra<'a, I: Input<'a>>(&mut self, object: &mut String, key: &str, input: I) {
        object.push_str(&[" ", key, "=", &text(input)].concat());
    }
    fn end(&mut self, object: String) -> String {
        format!("({object})")
    }
}

/// The result of reading a document, for comparison.
pub type Came = Result<(Option<String>, Vec<Issue>, bool, bool), Error>;

fn came(decoded: Result<Decoded<String>, Error>) -> Came {
    decoded.map(|decoded| (decoded.value, decoded.warnings, decoded.repaired, decoded.ends_run))
}

/// The results of reading a document with the fast path and without it.
pub fn both_ways(json: &[u8], kind: Option<&'static Kind>, profile: Profile, limits: Limits) -> [Came; 2] {
    [true, false].map(|fast_path| {
        let mut reader = DocumentReader::new(profile, limits);
        reader.fast_path = fast_path;
        came(match kind {
            Some(kind) => reader.value(json, kind, &mut Log),
            None => reader.event(json, &mut Log),
        })
    })
}

/// The results of reading a protobuf message with the fast path and without it.
pub fn both_ways_of_message(message: &[u8], profile: Profile) -> [Came; 2] {
    [true, false].map(|fast_path| {
        let mut reader = DocumentReader::new(profile, Limits::default());
        reader.fast_path = fast_path;
        came(reader.protobuf(message, &mut Log))
    })
}

/// The kind of a declared type or union.
pub fn kind_named(name: &str) -> &'static Kind {
    if name == "Event" {
        return &Event::KIND;
    }
    let kind = match type_named(name) {
        Some(ty) => Kind::Object(ty),
        None => Kind::Union(union_named(name).unwrap_or_else(|| panic!("no type is called {name}"))),
    };
    Box::leak(Box::new(kind))
}

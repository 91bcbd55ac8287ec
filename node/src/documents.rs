//! Single documents: reads events, and validates values of a named type.

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::profile::Undeclared;
use ag_ui_native::bindings::schema::{ENUMS, Kind, type_named, union_named};
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Limits, Profile};

use crate::build::EventBuild;
use crate::error;
use crate::options::ReaderOptions;

/// Reads one event. Returns the JSON text of the event, unless it is dropped, and of the warnings.
pub fn decode_event(json: &str, options: &str) -> Result<String, Error> {
    let options = ReaderOptions::parse(options)?;
    let mut reader = DocumentReader::new(options.profile, options.limits);
    reader.rules = options.rules;
    let mut build = EventBuild::new(options.rules.replace_invalid_text);
    let decoded = reader.event(json, &mut build)?;
    let warnings: Vec<Warning> =
        decoded.warnings.into_iter().map(|issue| Warning { event_index: 0, issue }).collect();
    let event = decoded.value.map(|event| build.json_of(event)).map(|event| format!("\"event\":{event},"));
    Ok(format!("{{{}\"warnings\":{}}}", event.unwrap_or_default(), error::warnings(&warnings)))
}

/// Validates that the JSON text is a value of the named type. The profile `schema` is strict but for undeclared members,
/// which schemas keep; text is read as JavaScript holds it.
pub fn check(name: &str, json: &str, profile: &str, non_empty: bool) -> Result<(), Error> {
    let strict = Rules::of(Profile::Strict);
    let rules = match profile {
        "schema" => {
            Rules { members: Undeclared::Keep, null_state: true, replace_invalid_text: true, ..strict }
        }
        "sending" => Rules::sending(),
        _ => strict,
    };
    let mut reader = DocumentReader::new(Profile::Strict, Limits::default().with_event_bytes(usize::MAX));
    reader.rules = Rules { non_empty, ..rules };
    // The names are few, so the memory that is kept for the life of the process is bounded.
    let kind = kind_named(name).ok_or_else(|| Error::new(Code::Internal, format!("no type {name}")))?;
    if name == "Event" && profile != "schema" {
        return reader.event(json, &mut Nothing).map(|_| ());
    }
    reader.value(json, kind, &mut Nothing).map(|_| ())
}

static PATCH: Kind = Kind::List(&Kind::Union(JsonPatchOperation::UNION));

fn kind_named(name: &str) -> Option<&'static Kind> {
    match name {
        "JsonPatch" => Some(&PATCH),
        "JsonPointer" => Some(&Kind::Pointer),
        "Metadata" => Some(&Kind::Dict),
        "State" => Some(&Kind::Any),
        "SubagentRunId" => Some(&Kind::Text),
        _ => declared(name),
    }
}

fn declared(name: &str) -> Option<&'static Kind> {
    use std::collections::HashMap;
    use std::sync::{LazyLock, Mutex};
    static KINDS: LazyLock<Mutex<HashMap<String, &'static Kind>>> = LazyLock::new(Mutex::default);
    let mut kinds = KINDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(kind) = kinds.get(name) {
        return Some(kind);
    }
    let kind = type_named(name)
        .map(Kind::Object)
        .or_else(|| union_named(name).map(Kind::Union))
        .or_else(|| ENUMS.iter().find(|set| set.name == name).map(|set| Kind::Enum(set)))?;
    let kind: &'static Kind = Box::leak(Box::new(kind));
    kinds.insert(name.to_owned(), kind);
    Some(kind)
}

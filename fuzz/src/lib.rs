//! The parts that fuzz targets and tests share: spelling and damaging documents, and comparing the paths through them.

#[path = "../../core/tests/support/mod.rs"]
pub mod support;

#[path = "../../core/tests/support/spelling.rs"]
pub mod spelling;

#[path = "../../core/tests/support/ways.rs"]
pub mod ways;

use std::sync::LazyLock;

use ag_ui_native::Profile;
use ag_ui_native::bindings::schema::Kind;
use serde_json::Value;
use spelling::Dice;
use ways::{PROFILES, kind_named};

#[derive(serde::Deserialize)]
struct Case {
    r#type: String,
    json: String,
}

/// The documents of the fixtures that are JSON, each with its type.
pub static DOCUMENTS: LazyLock<Vec<(&'static Kind, Value)>> = LazyLock::new(|| {
    let cases: Vec<Case> = support::fixture("documents");
    let parsed = |case: &Case| Some((kind_named(&case.r#type), serde_json::from_str(&case.json).ok()?));
    cases.iter().filter_map(parsed).collect()
});

/// The documents that are events.
pub static EVENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let is_event = |value: &&Value| value.get("type").is_some_and(Value::is_string);
    DOCUMENTS.iter().map(|(_, value)| value).filter(is_event).cloned().collect()
});

/// Returns one item of many, chosen by two random numbers.
pub fn one_of<'a, T>(all: &'a [T], dice: &mut Dice<'_>) -> &'a T {
    &all[(dice.below(256) * 256 + dice.below(256)) % all.len()]
}

/// Returns a random profile.
pub fn profile(dice: &mut Dice<'_>) -> Profile {
    PROFILES[dice.below(PROFILES.len())]
}

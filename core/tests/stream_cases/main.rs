//! `tests/fixtures/stream/stream-cases.json`: every stage has the same results as the reference, except for the
//! exceptions listed beside it.

mod apply;
mod chunks;
#[cfg(feature = "client")]
mod client;
mod compact;
mod enforce;
mod patch;
mod pipeline;
mod verify;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ag_ui_native::types::Event;
use ag_ui_native::{Error, Profile, from_json, to_json};
use serde::Deserialize;
use serde_json::{Value, json};

/// A recorded case.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// Unique within its section.
    pub name: String,
    section: String,
    /// `invalid` or `extra`: typed events cannot hold the input of a single stage.
    schema: Option<String>,
    /// The input of the stage.
    pub input: Value,
    expected: Value,
}

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Exception {
    section: String,
    name: String,
}

fn fixture<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../tests/fixtures/stream/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

impl Case {
    /// The events of the input, typed.
    pub fn events(&self) -> Vec<Event> {
        self.input["events"].as_array().unwrap().iter().map(|event| read(event).unwrap()).collect()
    }

    /// Returns true if the input has values that typed events cannot hold; the strict profile must then refuse it.
    fn is_untypable(&self) -> bool {
        let refused = |events: &Vec<Value>| events.iter().any(|event| read(event).is_err());
        let untypable = self.input["events"].as_array().is_some_and(refused);
        assert_eq!(untypable, self.schema.is_some(), "{}: whether the schema refuses it", self.name);
        untypable
    }
}

fn read(event: &Value) -> Result<Event, Error> {
    from_json::<Event>(event.to_string(), Profile::Strict).map(|(event, _)| event)
}

/// Events as the cases record them.
pub fn recorded<'a>(events: impl IntoIterator<Item = &'a Event>) -> Value {
    events.into_iter().map(|event| serde_json::from_str::<Value>(&to_json(event)).unwrap()).collect()
}

/// Returns a failure as the cases record it, with the other members that they record.
pub fn failure(at: Value, rule: &str, mut rest: Value) -> Value {
    for (key, value) in [("error", json!(true)), ("atIndex", at), ("rule", json!(rule))] {
        rest[key] = value;
    }
    rest
}

/// Runs the cases of a section. Those that come out differently must be the exceptions, and all of them.
pub fn judge(section: &str, typed: bool, outcome: impl Fn(&Case) -> Value) {
    let cases = fixture::<Cases>("stream-cases").cases.into_iter().filter(|case| case.section == section);
    let exceptions: BTreeSet<String> = fixture::<Vec<Exception>>("stream-exceptions")
        .into_iter()
        .filter(|exception| exception.section == section)
        .map(|exception| exception.name)
        .collect();
    let mut different = BTreeSet::new();
    let mut report = String::new();
    for case in cases.filter(|case| !(typed && case.is_untypable())) {
        let found = outcome(&case);
        if found != case.expected {
            if !exceptions.contains(&case.name) {
                let _ = write!(report, "\n{}\n  expected {}\n  found    {found}", case.name, case.expected);
            }
            different.insert(case.name);
        }
    }
    assert!(report.is_empty(), "{section}:{report}");
    assert_eq!(different, exceptions, "{section}: exceptions that are none any more");
}

//! Measures the parts that core implements itself against libraries for them:
//! `cargo run --release -- DATA RESULT [--quick]`. The documents come from `bench/scenarios.py`; `bench/run.sh` does
//! both.

#[path = "../../../core/benches/codec/measure.rs"]
mod measure;
#[path = "../../../core/benches/codec/models.rs"]
#[allow(dead_code)] // The codec benchmark uses the rest.
mod models;
mod partial;
mod protobuf;

use std::collections::BTreeMap;

use ag_ui_native::Limits;
use ag_ui_native::Profile;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{Event, RunAgentInput};
use measure::{Operation, run};
use models::{FlatEvent, RunAgentInput as PlainInput};
use serde_json::json;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, result, ..] = &arguments[..] else { panic!("usage: libraries DATA RESULT [--quick]") };
    let rounds = if arguments.iter().any(|argument| argument == "--quick") { 5 } else { 31 };
    let text = std::fs::read_to_string(format!("{data}/documents.json")).expect("scenarios.py has run");
    let documents: BTreeMap<String, String> = serde_json::from_str(&text).expect("a map of texts");
    let mut operations = Vec::new();
    for (name, json) in &documents {
        operations.push(tree(name, json));
        operations.push(if name == "input" { typed_input(json) } else { typed_event(name, json) });
    }
    operations.push(partial::arguments());
    operations.extend(protobuf::text(&documents["text"]));
    let rows = run(&mut operations, rounds);
    let report = json!({"rounds": rounds, "rows": rows});
    let text = serde_json::to_string_pretty(&report).expect("values can be written");
    std::fs::write(result, text + "\n").expect("the result can be written");
}

/// Parses text to a tree of values.
fn tree<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let options = ParseOptions { depth: 200, replace_invalid_text: false };
    let mut tape = Tape::default();
    let mut bare = Tape::default();
    Operation::new(format!("parse {name}"), 1)
        .with("ours", move || tape.parse(json, options).map(Input::to_value).ok())
        .with("ours, not yet a tree", move || bare.parse(json, options).map(drop).ok())
        .with("serde_json", || serde_json::from_str::<serde_json::Value>(json).expect("JSON"))
        .with("jiter", || jiter::JsonValue::parse(json.as_bytes(), false).expect("JSON"))
        .with("sonic-rs", || sonic_rs::from_str::<sonic_rs::Value>(json).expect("JSON"))
        .with("simd-json", || {
            // simd-json writes into the text.
            let mut text = json.as_bytes().to_vec();
            simd_json::to_owned_value(&mut text).expect("JSON")
        })
}

fn reader() -> DocumentReader {
    DocumentReader::new(Profile::Tolerant, Limits::default())
}

/// Parses text to structs: ours validates, the others do not.
fn typed_event<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let mut reader = reader();
    Operation::new(format!("decode {name}"), 1)
        .with("ours", move || {
            Event::from_validated(reader.event(json.as_bytes(), &mut TypedBuild).expect("an event").value)
        })
        .with("serde_json", || serde_json::from_str::<FlatEvent<'_>>(json).expect("an event"))
        .with("sonic-rs", || sonic_rs::from_str::<FlatEvent<'_>>(json).expect("an event"))
}

fn typed_input(json: &str) -> Operation<'_> {
    let mut reader = reader();
    Operation::new("decode input", 1)
        .with("ours", move || {
            let decoded = reader.value(json.as_bytes(), RunAgentInput::DECLARED_KIND, &mut TypedBuild);
            RunAgentInput::from_validated(decoded.expect("a valid input").value)
        })
        .with("serde_json", || serde_json::from_str::<PlainInput>(json).expect("an input"))
        .with("sonic-rs", || sonic_rs::from_str::<PlainInput>(json).expect("an input"))
}

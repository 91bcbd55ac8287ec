//! Measures JSON Patch against the crate `json-patch`, both atomic, and `diff`:
//! `cargo bench --bench patch [-- --quick]`.
#![allow(clippy::print_stdout, missing_docs)] // It is a command.

#[path = "codec/measure.rs"]
mod measure;

use ag_ui_native::bindings::patch::{apply, diff};
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Limits, Profile, Value, from_json};
use measure::{Operation, run};
use serde_json::json;

/// Makes a state of about `kilobytes` KB: tasks with texts and numbers.
fn state(kilobytes: usize) -> serde_json::Value {
    let task = |index: usize| {
        json!({
            "id": format!("task-{index}"), "title": "look at what was found and write it down", "done": false,
            "weights": [1.5, 2, index], "owner": {"name": "somebody", "since": 1_700_000_000 + index},
        })
    };
    json!({"tasks": (0..kilobytes * 6).map(task).collect::<Vec<_>>(), "counter": 0, "deep": {"er": {"value": 1}}})
}

fn one() -> serde_json::Value {
    json!([{"op": "replace", "path": "/deep/er/value", "value": 2}])
}

/// Makes pairs of operations, each of which leaves the state unchanged.
fn hundred() -> serde_json::Value {
    let pairs = (0..50).flat_map(|index| {
        let path = format!("/tasks/{index}/owner/note");
        [
            json!({"op": "add", "path": path, "value": {"text": "noted"}}),
            json!({"op": "remove", "path": path}),
        ]
    });
    pairs.collect()
}

fn value(json: &serde_json::Value) -> Value {
    serde_json::from_value(json.clone()).expect("it is JSON")
}

fn operations(json: &serde_json::Value) -> Vec<JsonPatchOperation> {
    let read = |operation: &serde_json::Value| {
        from_json(operation.to_string(), Profile::Strict).expect("it is one").0
    };
    json.as_array().expect("a list").iter().map(read).collect()
}

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--quick") { 5 } else { 31 };
    let limits = Limits::default();
    let mut rows = Vec::new();
    for kilobytes in [10, 1000] {
        for (name, json) in [("1 operation", one()), ("100 operations", hundred())] {
            let patch = operations(&json);
            let mut ours = value(&state(kilobytes));
            let mut theirs = state(kilobytes);
            let their_patch: json_patch::Patch = serde_json::from_value(json).expect("it is one");
            rows.push(
                Operation::new(format!("patch, {name}, {kilobytes} KB"), 1)
                    .with("ag-ui-native", move || apply(&mut ours, &patch, &limits))
                    .with("json-patch", move || json_patch::patch(&mut theirs, &their_patch)),
            );
        }
        let (old, mut new) = (state(kilobytes), state(kilobytes));
        new["tasks"][kilobytes * 3]["done"] = json!(true);
        let (one, other, same) = (value(&old), value(&new), value(&old));
        let for_equality = one.clone();
        rows.push(
            Operation::new(format!("diff, 1 edit, {kilobytes} KB"), 1)
                .with("ag-ui-native", move || diff(&one, &other))
                .with("json-patch", move || json_patch::diff(&old, &new))
                .with("==", move || for_equality == same),
        );
    }
    for row in run(&mut rows, rounds) {
        println!("{row}");
    }
}

//! The size of the patches that `diff` finds, and the cost of finding them.

use std::time::Duration;

use ag_ui_native::bindings::patch::{apply, diff};
use ag_ui_native::{Limits, Value, to_json};
use cpu_time::ThreadTime;
use serde_json::json;

/// Returns the patch as JSON, after a check that it turns the old value into the new one.
fn found(old: &serde_json::Value, new: &serde_json::Value) -> serde_json::Value {
    let value = |json: &serde_json::Value| serde_json::from_value::<Value>(json.clone()).unwrap();
    let (old, new) = (value(old), value(new));
    let operations = diff(&old, &new);
    let mut patched = old;
    apply(&mut patched, &operations, &Limits::default()).unwrap();
    assert_eq!(patched, new);
    operations
        .iter()
        .map(|operation| serde_json::from_str::<serde_json::Value>(&to_json(operation)).unwrap())
        .collect()
}

/// A plan as agents keep it in their state.
fn steps(numbers: impl IntoIterator<Item = u32>) -> Vec<serde_json::Value> {
    let step = |number| {
        json!({
            "description": format!("what is to be done as step {number}"),
            "status": "pending",
            "notes": [format!("a note on {number}"), "one that all of them have"],
        })
    };
    numbers.into_iter().map(step).collect()
}

#[test]
fn equal_documents_need_no_patch() {
    let document = json!({"steps": steps(0..5), "n": 1});
    let reordered = json!({"n": 1, "steps": steps(0..5)});
    assert_eq!(found(&document, &reordered), json!([]));
}

#[test]
fn one_edit_is_one_operation() {
    let before = json!({"title": "plan", "steps": steps(0..20)});
    let with = |steps: Vec<serde_json::Value>| json!({"title": "plan", "steps": steps});

    let mut changed = steps(0..20);
    changed[7]["status"] = json!("done");
    let expected = json!([{"op": "replace", "path": "/steps/7/status", "value": "done"}]);
    assert_eq!(found(&before, &with(changed)), expected);

    let mut changed = steps(0..20);
    changed[7]["notes"].as_array_mut().unwrap().insert(1, json!("new"));
    let expected = json!([{"op": "add", "path": "/steps/7/notes/1", "value": "new"}]);
    assert_eq!(found(&before, &with(changed)), expected);

    let mut changed = steps(0..20);
    changed.insert(3, steps([77]).remove(0));
    let expected = json!([{"op": "add", "path": "/steps/3", "value": steps([77])[0]}]);
    assert_eq!(found(&before, &with(changed)), expected);

    let mut changed = steps(0..20);
    changed.remove(0);
    assert_eq!(found(&before, &with(changed)), json!([{"op": "remove", "path": "/steps/0"}]));

    for (from, to) in [(2, 11), (11, 2), (0, 19), (19, 0)] {
        let mut changed = steps(0..20);
        let step = changed.remove(from);
        changed.insert(to, step);
        let paths = (format!("/steps/{from}"), format!("/steps/{to}"));
        let expected = json!([{"op": "move", "from": paths.0, "path": paths.1}]);
        assert_eq!(found(&before, &with(changed)), expected);
    }
}

#[test]
fn edits_far_apart_do_not_disturb_each_other() {
    let mut changed = steps(0..40);
    changed[30]["status"] = json!("done");
    changed.remove(20);
    changed.insert(10, steps([99]).remove(0));
    changed[2]["status"] = json!("done");
    let patch = found(&json!(steps(0..40)), &json!(changed));
    let kinds: Vec<_> = patch.as_array().unwrap().iter().map(|operation| &operation["op"]).collect();
    assert_eq!(kinds, ["remove", "add", "replace", "replace"], "{patch}");
}

#[test]
fn the_neighbour_of_a_removed_item_is_changed_inside() {
    let mut changed = steps(0..6);
    changed[3]["status"] = json!("done");
    changed.remove(2);
    let expected = json!([
        {"op": "remove", "path": "/2"},
        {"op": "replace", "path": "/2/status", "value": "done"},
    ]);
    assert_eq!(found(&json!(steps(0..6)), &json!(changed)), expected);
}

#[test]
fn a_list_of_often_repeated_items_is_not_replaced() {
    let before: Vec<u32> = (0..2000).map(|index| index * 7919 % 5).collect();
    let mut after = before.clone();
    after.remove(1800);
    after.insert(900, 4);
    after[100] = 9;
    let patch = found(&json!(before), &json!(after));
    assert!(patch.as_array().unwrap().len() <= 8, "{patch}");
}

#[test]
fn pointers_are_escaped() {
    let patch = found(
        &json!({"a/b": {"~": 1, "long enough": "to be kept"}}),
        &json!({"a/b": {"~": 2, "long enough": "to be kept"}}),
    );
    assert_eq!(patch, json!([{"op": "replace", "path": "/a~1b/~0", "value": 2}]));
    // A name that is cut off in error messages is not cut off here.
    let name = "~".repeat(1000);
    let member = |value: &str| json!({&name: {"text": value, "more": "x".repeat(3000)}});
    let patch = found(&member("a"), &member("b"));
    assert_eq!(patch[0]["path"], format!("/{}/text", "~0".repeat(1000)));
}

#[test]
fn the_kind_of_a_number_survives() {
    assert_eq!(
        found(&json!({"a": 1}), &json!({"a": 1.0})),
        json!([{"op": "replace", "path": "/a", "value": 1.0}])
    );
    assert_eq!(
        found(&json!({"a": 0.0}), &json!({"a": -0.0})),
        json!([{"op": "replace", "path": "/a", "value": -0.0}])
    );
}

#[test]
fn a_document_that_is_another_is_replaced() {
    let expected = json!([{"op": "replace", "path": "", "value": {"x": 1, "y": 2}}]);
    assert_eq!(found(&json!({"a": 1, "b": 2, "c": 3}), &json!({"x": 1, "y": 2})), expected);
}

/// Returns true if the work took less CPU time than a quadratic algorithm would take, also in an unoptimized build.
fn is_quick(work: impl FnOnce()) -> bool {
    let start = ThreadTime::now();
    work();
    start.elapsed() < Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 1 })
}

#[test]
fn lists_with_nothing_in_common_cost_no_square() {
    let list = |from: i64| Value::Array((from..from + 20_000).map(|item| Value::from(vec![item])).collect());
    let (one, other) = (list(0), list(1_000_000));
    assert_eq!(diff(&one, &other).len(), 1);
    assert!(is_quick(|| drop(diff(&one, &other))));
    let same = Value::Array(vec![Value::Null; 20_000]);
    assert!(is_quick(|| drop(diff(&same, &one))));
    let reversed = Value::Array(one.as_array().unwrap().iter().rev().cloned().collect());
    assert!(is_quick(|| drop(diff(&one, &reversed))));
}

#[test]
fn deep_lists_are_not_searched_at_every_level() {
    // Each level would visit everything below it in search of an alignment.
    let nested = |inner: i64| {
        let mut value = Value::from(vec![inner; 20_000]);
        for level in 0..900 {
            value = Value::Array(vec![Value::from(level), value, Value::from(level + inner)]);
        }
        value
    };
    let (one, other) = (nested(1), nested(2));
    assert!(is_quick(|| drop(diff(&one, &other))));
}

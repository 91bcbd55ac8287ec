//! Random documents and patches: the inverse of `diff`, all or nothing, and the crate `json-patch` as second opinion.

use crate::random_documents;

use ag_ui_native::bindings::patch::{InPlace, Operation, apply, apply_to, diff};
use ag_ui_native::{Limits, Value, to_json};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use random_documents::{around, document, edit, edited};
use serde_json::json;

/// Members in their order.
fn text(value: &Value) -> String {
    serde_json::to_string(value).unwrap()
}

fn sorted(value: &Value) -> String {
    let mut value = serde_json::to_value(value).unwrap();
    value.sort_all_objects();
    value.to_string()
}

/// Checks everything that is promised of a diff, and returns its size.
fn check_diff(old: &Value, new: &Value) -> usize {
    let operations = diff(old, new);
    let mut patched = old.clone();
    apply(&mut patched, &operations, &Limits::default()).unwrap();
    assert_eq!(sorted(&patched), sorted(new), "{old:?} {operations:?}");
    let size = |json: &[String]| json.join(",").len() + 2;
    let size_of_all = size(&operations.iter().map(to_json).collect::<Vec<_>>());
    let whole = size(&[format!(r#"{{"op":"replace","path":"","value":{}}}"#, text(new))]);
    assert!(size_of_all <= whole, "{old:?} {new:?} {operations:?}");
    assert_eq!(operations.is_empty(), sorted(old) == sorted(new), "{operations:?}");
    size_of_all
}

fn pointer() -> impl Strategy<Value = String> {
    let token = select(vec!["a", "b", "c", "0", "1", "2", "-", "01", "", "a~1b", "~01"]);
    let join = |tokens: Vec<&str>| tokens.iter().flat_map(|token| ["/", token]).collect::<String>();
    vec(token, 0..4).prop_map(join)
}

/// An operation; numbers are integers, because the other crate distinguishes `1` from `1.0` in tests.
fn operation() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![Just(Value::Null), (0i64..3).prop_map(Value::from), Just(Value::from("x"))];
    let op = select(vec!["add", "add", "add", "remove", "replace", "move", "copy", "test"]);
    (op, pointer(), pointer(), around(leaf))
        .prop_map(|(op, path, from, value)| json!({"op": op, "path": path, "from": from, "value": value}))
}

/// Removing the document leaves `null`, and moving it onto itself changes nothing; the other crate refuses both.
fn is_disputed(operation: &serde_json::Value) -> bool {
    let moves_it = operation["op"] == "move" && operation["from"] == "";
    operation["path"] == "" && (operation["op"] == "remove" || moves_it)
}

fn whole_document() -> impl Strategy<Value = Value> {
    around(prop_oneof![Just(Value::Null), (0i64..3).prop_map(Value::from), Just(Value::from("x"))])
}

fn run(document: &mut Value, operations: &[serde_json::Value]) -> Result<(), ag_ui_native::Error> {
    let operations: Vec<Value> =
        operations.iter().map(|operation| serde_json::from_value(operation.clone()).unwrap()).collect();
    apply_to(&mut InPlace, document, operations.iter().map(Operation::try_from), &Limits::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_is_the_inverse_of_applying(old in document(), new in document()) {
        check_diff(&old, &new);
    }

    #[test]
    fn a_diff_of_edits_is_the_inverse_of_applying(old in document(), edits in vec(edit(), 0..5)) {
        let new = edits.iter().fold(old.clone(), |value, edit| edited(&value, edit, 0));
        check_diff(&old, &new);
        check_diff(&new, &old);
    }

    #[test]
    fn a_diff_of_lists_is_the_inverse_of_applying(old in vec(0i64..12, 0..40), new in vec(0i64..12, 0..40)) {
        let list = |items: Vec<i64>| Value::from(items.into_iter().map(|item| vec![item]).collect::<Vec<_>>());
        check_diff(&list(old), &list(new));
    }

    #[test]
    fn a_shuffled_list_is_put_in_order(items in Just((0i64..30).collect::<Vec<_>>()).prop_shuffle()) {
        let named = |item: i64| Value::from(format!("an item that is too long to be sent again: {item}"));
        let old = Value::Array((0..30).map(named).collect());
        let new = Value::Array(items.into_iter().map(named).collect());
        let operations = diff(&old, &new);
        let are_moves = operations.iter().all(|operation| matches!(
            operation,
            ag_ui_native::types::JsonPatchOperation::Move(_)
        ));
        prop_assert!(are_moves);
        check_diff(&old, &new);
    }

    #[test]
    fn the_other_crate_comes_to_the_same(document in whole_document(), operations in vec(operation(), 0..4)) {
        let operations: Vec<_> = operations.into_iter().filter(|operation| !is_disputed(operation)).collect();
        let mut theirs = serde_json::to_value(&document).unwrap();
        let patch: json_patch::Patch = serde_json::from_value(json!(operations)).unwrap();
        // Its way of taking changes back panics on some of these.
        let their_verdict = json_patch::patch_unsafe(&mut theirs, &patch);
        let mut ours = document.clone();
        let our_verdict = run(&mut ours, &operations);
        match (our_verdict, their_verdict) {
            (Ok(()), Ok(())) => prop_assert_eq!(serde_json::to_value(&ours).unwrap(), theirs),
            (Err(ours), Err(theirs)) => prop_assert_eq!(ours.operation, Some(theirs.operation)),
            (ours, theirs) => prop_assert!(false, "ours {:?}, theirs {:?}", ours, theirs),
        }
    }

    #[test]
    fn a_failure_changes_nothing(document in whole_document(), operations in vec(operation(), 0..6)) {
        let mut patched = document.clone();
        let mut all = Vec::new();
        for operation in operations {
            // Only what applies, so that there is much to undo.
            if run(&mut patched, std::slice::from_ref(&operation)).is_ok() {
                all.push(operation);
            }
        }
        let mut at_once = document.clone();
        run(&mut at_once, &all).unwrap();
        prop_assert_eq!(text(&at_once), text(&patched));
        all.push(json!({"op": "test", "path": "", "value": "another"}));
        let mut untouched = document.clone();
        prop_assert_eq!(run(&mut untouched, &all).unwrap_err().operation, Some(all.len() - 1));
        prop_assert_eq!(text(&untouched), text(&document));
    }
}

//! JSON Patch on core's own tree: the suite of others, errors, budgets.

use crate::support;

use std::time::Duration;

use ag_ui_native::bindings::Category;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::patch::{
    InPlace, MAX_SCALAR_PARTS, Operation, Token, apply, apply_to, scalar_edits,
};
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Limits, Number, Profile, Value, from_json};
use cpu_time::ThreadTime;
use serde::Deserialize;
use serde_json::json;

/// A record of `json-patch-test-suite`.
#[derive(Deserialize)]
struct Record {
    comment: Option<String>,
    doc: Option<serde_json::Value>,
    #[serde(default)]
    patch: Vec<serde_json::Value>,
    expected: Option<serde_json::Value>,
    error: Option<String>,
}

#[test]
fn integers_and_doubles_are_compared_by_their_exact_values() {
    let cases = [
        ("-9223372036854775808", "-9223372036854775808.0", true),
        ("9223372036854775807", "9223372036854775808.0", false),
        ("9223372036854775808", "9223372036854775808.0", true),
        ("9223372036854774784", "9223372036854774784.0", true),
    ];
    for (one, other, same) in cases {
        assert_eq!(Number::parse(one).same_value(&Number::parse(other)), same, "{one} {other}");
        assert_eq!(Number::parse(other).same_value(&Number::parse(one)), same, "{other} {one}");
    }
}

fn value(json: &serde_json::Value) -> Value {
    serde_json::from_value(json.clone()).unwrap()
}

/// Applies operations that have not been validated.
fn patch(
    document: &serde_json::Value,
    operations: &serde_json::Value,
    limits: &Limits,
) -> Result<Value, Error> {
    let Value::Array(operations) = value(operations) else { panic!("a list") };
    let mut patched = value(document);
    let before = patched.clone();
    let done = apply_to(&mut InPlace, &mut patched, operations.iter().map(Operation::try_from), limits);
    if done.is_err() {
        assert_eq!(text(&patched), text(&before), "a failure changes nothing");
    }
    done.map(|()| patched)
}

/// Writes a value as text, with its members in their order.
fn text(value: &Value) -> String {
    serde_json::to_string(value).unwrap()
}

fn failure(document: &serde_json::Value, operations: &serde_json::Value) -> (Code, Option<usize>, String) {
    let error = patch(document, operations, &Limits::default()).unwrap_err();
    (error.code(), error.operation, error.path().to_owned())
}

#[test]
fn the_test_suite_of_others_passes() {
    let mut run = 0;
    for name in ["json-patch-test-suite/tests", "json-patch-test-suite/spec_tests"] {
        for record in support::fixture::<Vec<Record>>(name) {
            // Two members `op` in one operation: of an object in memory, one is left.
            let Some(document) = record.doc.filter(|_| record.comment.as_deref() != Some("duplicate ops"))
            else {
                continue;
            };
            let what = format!("{:?} {:?}", record.comment, record.patch);
            let outcome = patch(&document, &json!(record.patch), &Limits::default());
            match (record.expected, record.error) {
                (Some(expected), _) => assert_eq!(outcome.expect(&what), value(&expected), "{what}"),
                (None, Some(_)) => assert!(outcome.is_err(), "{what}"),
                (None, None) => drop(outcome.expect(&what)),
            }
            run += 1;
        }
    }
    assert_eq!(run, 94);
}

#[test]
fn an_error_names_code_operation_and_place() {
    let document = json!({"a": 1, "list": [1, 2], "o": {"in": {}}});
    let first = json!({"op": "add", "path": "/b", "value": {}});
    let cases = [
        (json!(3), Code::PatchInvalid, "/1"),
        (json!({"path": "/a"}), Code::PatchInvalid, "/1/op"),
        (json!({"op": "merge", "path": "/a"}), Code::PatchInvalid, "/1/op"),
        (json!({"op": "remove"}), Code::PatchInvalid, "/1/path"),
        (json!({"op": "remove", "path": "a"}), Code::PatchInvalid, "/1/path"),
        (json!({"op": "remove", "path": "/~2"}), Code::PatchInvalid, "/1/path"),
        (json!({"op": "add", "path": "/a"}), Code::PatchInvalid, "/1/value"),
        (json!({"op": "move", "path": "/a"}), Code::PatchInvalid, "/1/from"),
        (json!({"op": "copy", "path": "/a", "from": 1}), Code::PatchInvalid, "/1/from"),
        (json!({"op": "remove", "path": "/c"}), Code::PatchTargetMissing, "/1/path"),
        (json!({"op": "add", "path": "/a/b", "value": 1}), Code::PatchTargetMissing, "/1/path"),
        (json!({"op": "move", "from": "/c", "path": "/d"}), Code::PatchTargetMissing, "/1/from"),
        (json!({"op": "move", "from": "/a", "path": "/c/d"}), Code::PatchTargetMissing, "/1/path"),
        (json!({"op": "add", "path": "/list/3", "value": 1}), Code::PatchIndexInvalid, "/1/path"),
        (json!({"op": "replace", "path": "/list/-", "value": 1}), Code::PatchIndexInvalid, "/1/path"),
        (json!({"op": "remove", "path": "/list/00"}), Code::PatchIndexInvalid, "/1/path"),
        (json!({"op": "copy", "from": "/list/2", "path": "/c"}), Code::PatchIndexInvalid, "/1/from"),
        (json!({"op": "test", "path": "/a", "value": "1"}), Code::PatchTestFailed, "/1/path"),
        (json!({"op": "move", "from": "", "path": "/c"}), Code::PatchIntoItself, "/1/path"),
        (json!({"op": "move", "from": "/o", "path": "/o/in/x"}), Code::PatchIntoItself, "/1/path"),
    ];
    for (operation, code, path) in cases {
        let found = failure(&document, &json!([first, operation]));
        assert_eq!(found, (code, Some(1), path.to_owned()), "{operation}");
        assert_eq!(code.category(), Category::Patch);
    }
}

#[test]
fn numbers_are_compared_by_their_value() {
    let equal = [
        ("1", "1.0"),
        ("0", "-0.0"),
        ("100", "1e2"),
        ("18446744073709551616", "18446744073709551616.0"),
        ("18446744073709551617", "18446744073709551617"),
        ("1e400", "10e399"),
        ("1e400", "0.1E+401"),
    ];
    let unequal = [
        ("1", "2"),
        ("9007199254740993", "9007199254740992.0"),
        ("18446744073709551617", "18446744073709551616"),
        ("18446744073709551617", "18446744073709551616.0"),
        ("1e400", "1e401"),
        ("1e400", "-1e400"),
        ("1", "true"),
    ];
    let test = |one: &str, other: &str| {
        let options = ParseOptions { depth: 9, replace_invalid_text: false };
        let mut document = Tape::default().parse(one, options).unwrap().to_value();
        let json = format!(r#"{{"op":"test","path":"","value":{other}}}"#);
        let operation = from_json::<JsonPatchOperation>(json, Profile::Strict).unwrap().0;
        apply(&mut document, &[operation], &Limits::default()).is_ok()
    };
    for (one, other) in equal {
        assert!(test(one, other) && test(other, one), "{one} and {other}");
    }
    for (one, other) in unequal {
        assert!(!test(one, other) && !test(other, one), "{one} and {other}");
    }
}

#[test]
fn a_copy_bomb_is_cheap() {
    let mut operations = vec![json!({"op": "add", "path": "", "value": [0]})];
    operations.extend((0..30).map(|_| json!({"op": "copy", "from": "", "path": "/-"})));
    let start = ThreadTime::now();
    let error = patch(&json!({}), &json!(operations), &Limits::default()).unwrap_err();
    // All of the copies would take hours.
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("patch_copies")));
    assert_eq!((error.operation, error.path()), (Some(16), "/16"));
}

#[test]
fn budgets_have_exact_edges() {
    let four = json!({"a": [{"b": 1}]});
    let copy = json!([{"op": "copy", "from": "/a", "path": "/c"}]);
    let with = |patch_copies| Limits::default().with_patch_copies(patch_copies);
    assert!(patch(&four, &copy, &with(3)).is_ok());
    assert_eq!(patch(&four, &copy, &with(2)).unwrap_err().limit, Some("patch_copies"));

    let two = json!([{"op": "test", "path": "", "value": four}, {"op": "remove", "path": "/a"}]);
    let with = |patch_operations| Limits::default().with_patch_operations(patch_operations);
    assert!(patch(&four, &two, &with(2)).is_ok());
    let error = patch(&four, &two, &with(1)).unwrap_err();
    assert_eq!((error.limit, error.operation), (Some("patch_operations"), None));
}

#[test]
fn no_operation_builds_a_document_that_is_too_deep() {
    let document = json!({"deep": {"er": {}}, "value": [[1]]});
    let with = |depth| Limits::default().with_depth(depth);
    for operation in [
        json!({"op": "add", "path": "/deep/er/x", "value": [[1]]}),
        json!({"op": "copy", "from": "/value", "path": "/deep/er/x"}),
        json!({"op": "move", "from": "/value", "path": "/deep/er/x"}),
    ] {
        assert!(patch(&document, &json!([operation]), &with(5)).is_ok(), "{operation}");
        let error = patch(&document, &json!([operation]), &with(4)).unwrap_err();
        assert_eq!(
            (error.limit, error.operation, error.path()),
            (Some("depth"), Some(0), "/0"),
            "{operation}"
        );
    }
    // A scalar adds no level, and neither does what stays as deep as it was.
    let operations = json!([
        {"op": "add", "path": "/deep/er/x", "value": 1},
        {"op": "move", "from": "/deep/er", "path": "/deep/here"},
        {"op": "move", "from": "/deep/here", "path": "/here"},
    ]);
    assert!(patch(&document, &operations, &with(3)).is_ok());
    // Token by step, with nothing deep in the patch itself.
    let mut wrap = vec![json!({"op": "add", "path": "/x", "value": {}})];
    for _ in 0..300 {
        wrap.push(json!({"op": "add", "path": "/t", "value": {}}));
        wrap.push(json!({"op": "move", "from": "/x", "path": "/t/x"}));
        wrap.push(json!({"op": "move", "from": "/t", "path": "/x"}));
    }
    let error = patch(&json!({}), &json!(wrap), &Limits::default()).unwrap_err();
    assert_eq!((error.limit, error.operation), (Some("depth"), Some(3 * 198 + 2)));
}

#[test]
fn a_failure_restores_the_order_of_members() {
    let document = json!({"a": {"x": 1, "y": 2, "z": 3}, "b": [1, 2, 3], "c": {}});
    let operations = json!([
        {"op": "remove", "path": "/a/y"},
        {"op": "move", "from": "/a", "path": "/c/a"},
        {"op": "move", "from": "/b/0", "path": "/b/2"},
        {"op": "replace", "path": "/c/a/x", "value": {}},
        {"op": "remove", "path": "/c/a/x"},
        {"op": "add", "path": "/c/a/y", "value": 9},
        {"op": "copy", "from": "/c", "path": ""},
        {"op": "move", "from": "/a", "path": ""},
        {"op": "remove", "path": ""},
        {"op": "test", "path": "", "value": 0},
    ]);
    // `patch` compares the texts.
    assert_eq!(failure(&document, &operations).1, Some(9));
}

#[test]
fn an_ordinary_remove_keeps_the_order() {
    let removed = patch(
        &json!({"a": 1, "b": 2, "c": 3, "d": 4}),
        &json!([{"op": "remove", "path": "/b"}]),
        &Limits::default(),
    );
    assert_eq!(text(&removed.unwrap()), r#"{"a":1,"c":3,"d":4}"#);
}

fn operations(json: &serde_json::Value) -> Vec<JsonPatchOperation> {
    from_json::<Vec<JsonPatchOperation>>(json.to_string(), Profile::Relay).unwrap().0
}

#[test]
fn patches_of_few_scalars_are_direct() {
    let limits = Limits::default();
    let patch = operations(&json!([
        { "op": "add", "path": "/a~1b/-", "value": null },
        { "op": "replace", "path": "/07/7//~0", "value": "x" },
    ]));
    let found: Vec<_> = scalar_edits(&patch, &limits)
        .unwrap()
        .map(|it| (it.replaces, it.path, it.value.clone(), it.steps().collect::<Vec<_>>()))
        .collect();
    let name = |text: &'static str| Token::Name(text.into());
    assert_eq!(
        found,
        [
            (false, "/a~1b/-", Value::Null, vec![name("a/b"), Token::End]),
            (true, "/07/7//~0", Value::from("x"), vec![name("07"), Token::Index(7), name(""), name("~")]),
        ]
    );

    let set = |path: &str| json!({ "op": "add", "path": path, "value": 1 });
    for other in [
        json!([]),
        json!([set("")]),
        json!([set("/a"), { "op": "remove", "path": "/a" }]),
        json!([{ "op": "add", "path": "/a", "value": [] }]),
        json!([{ "op": "add", "path": "/a", "value": {} }]),
        json!([{ "op": "add", "path": "/a", "value": 1, "why": 2 }]),
        json!(vec![set("/a"); 100]),
        json!([set(&"/a".repeat(100))]),
    ] {
        assert!(scalar_edits(&operations(&other), &limits).is_none(), "{other}");
    }
    let few = limits.with_patch_operations(1);
    assert!(scalar_edits(&patch, &few).is_none());
    let most = operations(&json!(vec![set("/a/b/c/d"); 8]));
    let parts = scalar_edits(&most, &limits).unwrap().map(|it| 2 + it.steps().count()).sum::<usize>();
    assert_eq!(parts, MAX_SCALAR_PARTS);
}

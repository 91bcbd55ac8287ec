//! Section `patch`.

use ag_ui_native::bindings::patch::{InPlace, Operation, apply_to};
use ag_ui_native::{Limits, Value};
use serde_json::json;

use crate::{Case, failure, judge};

#[test]
fn patch() {
    judge("patch", false, |case| {
        let of_input = |name: &str| serde_json::from_value::<Value>(case.input[name].clone()).unwrap();
        let before = of_input("document");
        let mut document = before.clone();
        let patch = of_input("operations");
        // Without a list there are no operations to apply: the bindings refuse such a patch.
        let Value::Array(operations) = &patch else { return fail(case, json!(null)) };
        let operations = operations.iter().map(Operation::try_from);
        match apply_to(&mut InPlace, &mut document, operations, &Limits::default()) {
            Ok(()) => json!({"document": document}),
            Err(error) => {
                assert_eq!(document, before, "{}: the document is unchanged", case.name);
                fail(case, json!(error.operation))
            }
        }
    });
}

/// The names of the rules are those of another library: only where it failed is comparable.
fn fail(case: &Case, at: serde_json::Value) -> serde_json::Value {
    failure(at, case.expected["rule"].as_str().unwrap_or_default(), json!({}))
}

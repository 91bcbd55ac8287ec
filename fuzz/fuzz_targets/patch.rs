//! Tests JSON Patch. A refused patch leaves the document unchanged. An applied patch gives the same result as the crate
//! json-patch, if both apply it. A diff turns one document into the other.
#![no_main]

use ag_ui_native::bindings::patch;
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Limits, Profile, Value, from_json};
use ag_ui_native_fuzz::spelling::Dice;
use libfuzzer_sys::fuzz_target;

const KEYS: &[&str] = &["a", "b", "", "0", "1", "-", "a/b", "~", "__proto__", "01", "18446744073709551615"];

fn value(dice: &mut Dice<'_>, depth: usize) -> serde_json::Value {
    match dice.below(if depth == 0 { 5 } else { 8 }) {
        0 => serde_json::Value::Null,
        1 => dice.once_in(2).into(),
        2 => dice.below(4).into(),
        3 => (dice.below(8) as f64 / 2.0).into(),
        4 => dice.of(KEYS).into(),
        5 => (0..dice.below(5)).map(|_| value(dice, depth - 1)).collect(),
        _ => (0..dice.below(5)).map(|_| (dice.of(KEYS).to_owned(), value(dice, depth - 1))).collect(),
    }
}

fn pointer(dice: &mut Dice<'_>) -> String {
    let escaped = |key: &str| format!("/{}", key.replace('~', "~0").replace('/', "~1"));
    (0..dice.below(4)).map(|_| escaped(dice.of(KEYS))).collect()
}

fn operation(dice: &mut Dice<'_>) -> serde_json::Value {
    let (path, from) = (pointer(dice), pointer(dice));
    match dice.below(6) {
        0 => serde_json::json!({"op": "add", "path": path, "value": value(dice, 2)}),
        1 => serde_json::json!({"op": "replace", "path": path, "value": value(dice, 2)}),
        2 => serde_json::json!({"op": "remove", "path": path}),
        3 => serde_json::json!({"op": "move", "from": from, "path": path}),
        4 => serde_json::json!({"op": "copy", "from": from, "path": path}),
        _ => serde_json::json!({"op": "test", "path": path, "value": value(dice, 2)}),
    }
}

fn ours(value: &serde_json::Value) -> Value {
    from_json::<Value>(value.to_string(), Profile::Strict).expect("it is JSON").0
}

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Dice(bytes);
    let document = ours(&value(&mut dice, 4));
    let operations: Vec<JsonPatchOperation> = (0..dice.below(6))
        .filter_map(|_| from_json(operation(&mut dice).to_string(), Profile::Strict).ok())
        .map(|(operation, _)| operation)
        .collect();
    let small = Limits::default().with_patch_copies(20).with_patch_shifts(20).with_depth(8);
    for limits in [Limits::default(), small] {
        let mut patched = document.clone();
        if patch::apply(&mut patched, &operations, &limits).is_err() {
            // This includes the order of members.
            assert_eq!(ag_ui_native::to_json(&patched), ag_ui_native::to_json(&document));
        }
    }
    let other = ours(&value(&mut dice, 4));
    let mut changed = document.clone();
    patch::apply(&mut changed, &patch::diff(&document, &other), &Limits::default()).expect("a diff applies");
    assert_eq!(changed, other);
});

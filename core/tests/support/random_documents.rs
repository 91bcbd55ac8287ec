//! Random documents, and the edits of programs.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use ag_ui_native::{Object, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const KEYS: [&str; 9] = ["a", "b", "c", "0", "1", "-", "", "a/b", "~1"];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0i64..4).prop_map(Value::from),
        select(vec![0.0, -0.0, 1.0, 2.5]).prop_map(Value::from),
        select(vec!["", "x", "long enough to matter in a patch", "\u{1f600}"]).prop_map(Value::from),
    ]
}

/// Lists and objects of such leaves.
pub fn around(leaf: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    leaf.prop_recursive(4, 60, 7, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::Array),
            vec((select(KEYS.to_vec()), inner), 0..7)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Object>())),
        ]
    })
}

/// A document.
pub fn document() -> impl Strategy<Value = Value> {
    around(scalar())
}

/// A change of a list or object somewhere in a document.
#[derive(Clone, Debug)]
pub struct Edit {
    way: Vec<usize>,
    what: usize,
    at: usize,
    to: usize,
    value: Value,
}

/// Such an edit.
pub fn edit() -> impl Strategy<Value = Edit> {
    (vec(any::<usize>(), 0..4), 0usize..5, any::<usize>(), any::<usize>(), document())
        .prop_map(|(way, what, at, to, value)| Edit { way, what, at, to, value })
}

/// Edits a document as a program would: somewhere inside, an item is inserted, removed, moved, doubled or replaced.
pub fn edited(value: &Value, edit: &Edit, level: usize) -> Value {
    let inner = edit.way.get(level);
    match (value, inner) {
        (Value::Array(items), Some(step)) if !items.is_empty() => {
            let mut items = items.clone();
            let at = step % items.len();
            items[at] = edited(&items[at], edit, level + 1);
            Value::Array(items)
        }
        (Value::Object(object), Some(step)) if !object.is_empty() => {
            let at = step % object.len();
            let members = object.iter().enumerate();
            let change = |(index, (key, member))| {
                if index == at { (key, edited(member, edit, level + 1)) } else { (key, Value::clone(member)) }
            };
            Value::Object(members.map(change).collect())
        }
        (Value::Array(items), _) => {
            let mut items = items.clone();
            let at = edit.at % (items.len() + 1);
            match edit.what {
                0 => items.insert(at, edit.value.clone()),
                _ if at == items.len() => items.reverse(),
                1 => drop(items.remove(at)),
                2 => items[at] = edit.value.clone(),
                3 => items.insert(at, items[at].clone()),
                _ => {
                    let item = items.remove(at);
                    items.insert(edit.to % (items.len() + 1), item);
                }
            }
            Value::Array(items)
        }
        (Value::Object(object), _) => {
            let mut object = object.clone();
            let key = KEYS[edit.at % KEYS.len()];
            match edit.what {
                0 => drop(object.remove(key)),
                _ => drop(object.insert(key, edit.value.clone())),
            }
            Value::Object(object)
        }
        _ => edit.value.clone(),
    }
}

//! Free values: `google.protobuf.Value` and `Struct`.

use super::wire::{Backward, FIXED64, VARINT};
use crate::collections::HashMap;
use crate::json::{Input, MAX_SAFE_INTEGER, View};
use crate::path::{Path, PathStep};

/// Fields of `google.protobuf.Value`.
pub const NULL: u32 = 1;
pub const NUMBER: u32 = 2;
pub const TEXT: u32 = 3;
pub const BOOL: u32 = 4;
pub const STRUCT: u32 = 5;
pub const LIST: u32 = 6;

/// The only field of `Struct` and `ListValue`, and the fields of a map entry.
pub const ITEMS: u32 = 1;
pub const KEY: u32 = 1;
pub const MEMBER: u32 = 2;

/// Receives the path of each number that a double does not hold.
pub type Lost<'l> = dyn FnMut(&Path<'_>) + 'l;

/// Writes the content of a `Value`.
pub fn write_value<'a, I: Input<'a>>(out: &mut Backward, value: &I, path: &Path<'_>, lost: &mut Lost<'_>) {
    let end = out.len();
    match value.view() {
        View::Null => {
            out.varint(0);
            out.tag(NULL, VARINT);
        }
        View::Bool(value) => {
            out.varint(u64::from(value));
            out.tag(BOOL, VARINT);
        }
        View::Number => {
            let number = value.number();
            if number.exceeds_double() {
                lost(path);
            }
            out.bytes(&number.as_f64().to_le_bytes());
            out.tag(NUMBER, FIXED64);
        }
        View::Text(text) => out.text(TEXT, text),
        View::List(items) => {
            let items: Vec<I> = items.collect();
            for (index, item) in items.iter().enumerate().rev() {
                let end = out.len();
                write_value(out, item, &path.then(PathStep::Index(index)), lost);
                out.close(ITEMS, end);
            }
            out.close(LIST, end);
        }
        View::Object(members) => {
            write_struct(out, members, path, lost);
            out.close(STRUCT, end);
        }
    }
}

/// Writes the content of a `Struct`, in the order in which JavaScript keeps the members of an object, as the reference
/// implementation does.
pub fn write_struct<'a, I: Input<'a>>(
    out: &mut Backward,
    members: impl Iterator<Item = (&'a str, I)>,
    path: &Path<'_>,
    lost: &mut Lost<'_>,
) {
    for (key, value) in in_order(members).iter().rev() {
        let entry = out.len();
        write_value(out, value, &path.then(PathStep::Key(key)), lost);
        out.close(MEMBER, entry);
        if !key.is_empty() {
            out.text(KEY, key);
        }
        out.close(ITEMS, entry);
    }
}

/// Members in JavaScript's order: keys that are indexes come first, in ascending order. If a key occurs twice, its last value
/// counts, at the place of the first.
fn in_order<'a, I>(members: impl Iterator<Item = (&'a str, I)>) -> Vec<(&'a str, I)> {
    let mut ordered: Vec<(&str, I)> = Vec::with_capacity(FEW / 2);
    let mut places = HashMap::default();
    let mut has_index = false;
    for (key, value) in members {
        let known = if ordered.len() < FEW {
            ordered.iter().position(|(known, _)| *known == key)
        } else {
            if places.is_empty() {
                places.extend(ordered.iter().enumerate().map(|(place, (known, _))| (*known, place)));
            }
            places.insert(key, ordered.len())
        };
        if let Some(place) = known {
            places.entry(key).and_modify(|known| *known = place);
            ordered[place].1 = value;
        } else {
            has_index |= array_index(key).is_some();
            ordered.push((key, value));
        }
    }
    if has_index {
        ordered.sort_by_key(|(key, _)| array_index(key).map_or((1, 0), |index| (0, index)));
    }
    ordered
}

/// Maximum number of keys that are compared one by one; more keys are looked up in a map.
const FEW: usize = 16;

/// Returns the array index that a key is in JavaScript.
fn array_index(key: &str) -> Option<u32> {
    let first = *key.as_bytes().first()?;
    let is_canonical = first.is_ascii_digit() && (first != b'0' || key.len() == 1);
    if is_canonical { key.parse().ok().filter(|index| *index < u32::MAX) } else { None }
}

/// Converts a double to an integer, if JSON writes it without a fraction.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // The range is checked.
pub fn whole(double: f64) -> Option<i64> {
    let is_whole = double.fract() == 0.0 && double.abs() <= MAX_SAFE_INTEGER as f64;
    (is_whole && !(double == 0.0 && double.is_sign_negative())).then_some(double as i64)
}

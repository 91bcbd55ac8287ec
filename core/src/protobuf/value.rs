//! Free values: `google.protobuf.Value` and `Struct`.

use super::wire::{Backward, FIXED64, VARINT};
use crate::json::{MAX_SAFE_INTEGER, Number, Object, Value};
use crate::place::{Place, Step};

/// Fields of `google.protobuf.Value`.
pub const NULL: u32 = 1;
pub const NUMBER: u32 = 2;
pub const TEXT: u32 = 3;
pub const BOOL: u32 = 4;
pub const STRUCT: u32 = 5;
pub const LIST: u32 = 6;

/// The one field of `Struct` and `ListValue`, and the fields of a map's entry.
pub const ITEMS: u32 = 1;
pub const KEY: u32 = 1;
pub const MEMBER: u32 = 2;

/// Writes the content of a `Value`. `lost` is told of numbers that a double does not hold.
pub fn write_value(out: &mut Backward, value: &Value, place: &Place<'_>, lost: &mut dyn FnMut(&Place<'_>)) {
    let end = out.len();
    match value {
        Value::Null => {
            out.varint(0);
            out.tag(NULL, VARINT);
        }
        Value::Bool(value) => {
            out.varint(u64::from(*value));
            out.tag(BOOL, VARINT);
        }
        Value::Number(number) => {
            if !is_held(number) {
                lost(place);
            }
            out.bytes(&number.as_f64().to_le_bytes());
            out.tag(NUMBER, FIXED64);
        }
        Value::String(text) => out.text(TEXT, text),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().rev() {
                let end = out.len();
                write_value(out, item, &place.then(Step::Index(index)), lost);
                out.close(ITEMS, end);
            }
            out.close(LIST, end);
        }
        Value::Object(object) => {
            write_struct(out, object, place, lost);
            out.close(STRUCT, end);
        }
    }
}

/// Writes the content of a `Struct`, in the order in which JavaScript has the members of an object: those of the reference
/// are JavaScript's.
pub fn write_struct(
    out: &mut Backward,
    object: &Object,
    place: &Place<'_>,
    lost: &mut dyn FnMut(&Place<'_>),
) {
    let mut members: Vec<_> = object.iter().collect();
    if members.iter().any(|(key, _)| array_index(key).is_some()) {
        members.sort_by_key(|(key, _)| array_index(key).map_or((1, 0), |index| (0, index)));
    }
    for (key, value) in members.into_iter().rev() {
        let entry = out.len();
        write_value(out, value, &place.then(Step::Key(key)), lost);
        out.close(MEMBER, entry);
        if !key.is_empty() {
            out.text(KEY, key);
        }
        out.close(ITEMS, entry);
    }
}

/// Whether a double holds the number exactly.
fn is_held(number: &Number) -> bool {
    !number.exceeds_double()
}

/// The index that JavaScript takes a key for.
fn array_index(key: &str) -> Option<u32> {
    let is_canonical = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|index| is_canonical && *index < u32::MAX)
}

/// A double as the number that JSON spells without a fraction, if that is the same.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // The range is checked.
pub fn whole(double: f64) -> Option<i64> {
    let is_whole = double.fract() == 0.0 && double.abs() <= MAX_SAFE_INTEGER as f64;
    (is_whole && !(double == 0.0 && double.is_sign_negative())).then_some(double as i64)
}

//! Rust structs, made of what validation finds.

use super::build::Build;
use super::cursor::FreeText;
use crate::json::{Input, Tree};
use crate::schema::{EnumDef, Record, Slot, TypeDef};
use crate::{Object, Value};

/// Makes Rust structs.
#[derive(Debug, Default)]
pub struct TypedBuild;

impl Build for TypedBuild {
    type Value = Slot;
    type Object = Record;

    fn text(&mut self, text: &str) -> Slot {
        Slot::Text(text.to_owned())
    }

    /// The struct's type says it already.
    fn literal(&mut self, _text: &'static str) -> Slot {
        Slot::Choice(0)
    }

    fn bool(&mut self, value: bool) -> Slot {
        Slot::Bool(value)
    }

    fn int(&mut self, value: i64) -> Slot {
        Slot::Int(value)
    }

    fn choice(&mut self, _set: &'static EnumDef, index: usize) -> Slot {
        Slot::Choice(index)
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Slot {
        Slot::Json(input.to_value())
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Slot> {
        text.assemble(&mut Tree).map(Slot::Json)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Slot {
        match input.to_value() {
            Value::Object(object) => Slot::Unknown(object),
            _ => Slot::Unknown(Object::default()),
        }
    }

    fn list(&mut self, items: Vec<Slot>) -> Slot {
        Slot::List(items)
    }

    fn object(&mut self, ty: &'static TypeDef) -> Record {
        let slots = std::iter::repeat_with(|| None).take(ty.fields.len()).collect();
        Record { ty, slots, extra: Object::default() }
    }

    fn member(&mut self, object: &mut Record, index: usize, value: Slot) {
        object.slots[index] = Some(value);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        object.extra.insert(key, input.to_value());
    }

    fn end(&mut self, object: Record) -> Slot {
        Slot::Record(object)
    }
}

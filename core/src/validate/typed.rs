//! Rust structs, made of what validation finds.

use super::build::Build;
use super::cursor::FreeText;
use crate::json::{Input, Tree};
use crate::schema::{EnumDef, Record, TypeDef, Validated};
use crate::{Object, Value};

/// Makes Rust structs.
#[derive(Debug, Default)]
pub struct TypedBuild;

impl Build for TypedBuild {
    type Value = Validated;
    type Object = Record;

    fn text(&mut self, text: &str) -> Validated {
        Validated::Text(text.to_owned())
    }

    /// The struct's type says it already.
    fn literal(&mut self, _text: &'static str) -> Validated {
        Validated::Choice(0)
    }

    fn bool(&mut self, value: bool) -> Validated {
        Validated::Bool(value)
    }

    fn int(&mut self, value: i64) -> Validated {
        Validated::Int(value)
    }

    fn choice(&mut self, _set: &'static EnumDef, index: usize) -> Validated {
        Validated::Choice(index)
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        Validated::Json(input.to_value())
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Validated> {
        text.assemble(&mut Tree).map(Validated::Json)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        match input.to_value() {
            Value::Object(object) => Validated::Unknown(object),
            _ => Validated::Unknown(Object::default()),
        }
    }

    fn list(&mut self, items: Vec<Validated>) -> Validated {
        Validated::List(items)
    }

    fn object(&mut self, ty: &'static TypeDef) -> Record {
        let members = std::iter::repeat_with(|| None).take(ty.fields.len()).collect();
        Record { ty, members, extra: Object::default() }
    }

    fn member(&mut self, object: &mut Record, index: usize, value: Validated) {
        object.members[index] = Some(value);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        object.extra.insert(key, input.to_value());
    }

    fn end(&mut self, object: Record) -> Validated {
        Validated::Record(object)
    }
}

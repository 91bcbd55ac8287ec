//! Builds Rust structs.

use super::build::Build;
use super::cursor::FreeText;
use crate::json::{Input, Tree};
use crate::schema::{Record, Validated};
use crate::{Object, Value};

/// The common part of all builders of Rust structs. Each `impl Build` adds its own treatment of free values.
macro_rules! records {
    () => {
        type Value = $crate::schema::Validated;
        type Object = $crate::schema::Record;

        fn text(&mut self, text: &str) -> Self::Value {
            $crate::schema::Validated::Text(text.to_owned())
        }

        /// The struct's type implies the value.
        fn literal(&mut self, _text: &'static str) -> Self::Value {
            $crate::schema::Validated::Choice(0)
        }

        fn bool(&mut self, value: bool) -> Self::Value {
            $crate::schema::Validated::Bool(value)
        }

        fn int(&mut self, value: i64) -> Self::Value {
            $crate::schema::Validated::Int(value)
        }

        fn choice(&mut self, _set: &'static $crate::schema::EnumDef, index: usize) -> Self::Value {
            $crate::schema::Validated::Choice(index)
        }

        fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
            $crate::schema::Validated::List(items)
        }

        fn object(&mut self, ty: &'static $crate::schema::TypeDef) -> Self::Object {
            let members = std::iter::repeat_with(|| None).take(ty.fields.len()).collect();
            $crate::schema::Record { ty, members, extra: $crate::Object::default() }
        }

        fn member(&mut self, object: &mut Self::Object, index: usize, value: Self::Value) {
            object.members[index] = Some(value);
        }

        fn end(&mut self, object: Self::Object) -> Self::Value {
            $crate::schema::Validated::Record(object)
        }
    };
}

pub(crate) use records;

/// Builds Rust structs.
#[derive(Debug, Default)]
pub struct TypedBuild;

impl Build for TypedBuild {
    records!();

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        Validated::Json(input.to_value())
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Validated> {
        text.assemble(&mut Tree::default()).map(Validated::Json)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        match input.to_value() {
            Value::Object(object) => Validated::Unknown(object),
            _ => Validated::Unknown(Object::default()),
        }
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        object.extra.insert(key, input.to_value());
    }
}

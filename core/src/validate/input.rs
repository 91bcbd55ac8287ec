//! Rust structs of a run's input: what a stranger has sent.

use super::build::Build;
use super::cursor::FreeText;
use super::typed::records;
use crate::json::{Assemble, Input, Number, Tree};
use crate::schema::{Record, Validated};
use crate::{Object, Value};

/// Makes Rust structs as [`TypedBuild`](super::TypedBuild) does, and notes numbers that no language can compute with.
#[derive(Debug, Default)]
pub struct InputBuild {
    tree: FiniteTree,
}

impl Build for InputBuild {
    records!();

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        Validated::Json(input.assemble(&mut self.tree))
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Validated> {
        text.assemble(&mut self.tree).map(Validated::Json)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        match input.assemble(&mut self.tree) {
            Value::Object(object) => Validated::Unknown(object),
            _ => Validated::Unknown(Object::default()),
        }
    }

    fn lost_number(&mut self) -> bool {
        std::mem::take(&mut self.tree.is_infinite)
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        object.extra.insert(key, input.assemble(&mut self.tree));
    }
}

/// Makes core's own tree.
#[derive(Debug, Default)]
struct FiniteTree {
    /// A number was beyond the range of a double.
    is_infinite: bool,
}

impl Assemble for FiniteTree {
    type Value = Value;
    type Object = Object;

    fn null(&mut self) -> Value {
        Tree.null()
    }

    fn bool(&mut self, value: bool) -> Value {
        Tree.bool(value)
    }

    fn number(&mut self, number: Number) -> Value {
        self.is_infinite |= number.is_infinite();
        Tree.number(number)
    }

    fn text(&mut self, text: &str) -> Value {
        Tree.text(text)
    }

    fn list(&mut self, items: Vec<Value>) -> Value {
        Tree.list(items)
    }

    fn object(&mut self) -> Object {
        Tree.object()
    }

    fn member(&mut self, object: &mut Object, key: &str, value: Value) {
        Tree.member(object, key, value);
    }

    fn end(&mut self, object: Object) -> Value {
        Tree.end(object)
    }
}

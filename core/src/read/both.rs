//! Builders made of builders: two things of one document, or nothing at all.

use super::{Build, FreeText};
use crate::json::{Assemble, Input, Number};
use crate::schema::{EnumDef, FieldDef, TypeDef};

/// Makes two things of a document in one walk.
#[derive(Debug)]
pub struct Both<'b, A, B>(pub &'b mut A, pub &'b mut B);

impl<A: Build, B: Build> Build for Both<'_, A, B> {
    type Value = (A::Value, B::Value);
    type Object = (A::Object, B::Object);

    fn text(&mut self, text: &str) -> Self::Value {
        (self.0.text(text), self.1.text(text))
    }

    fn literal(&mut self, text: &'static str) -> Self::Value {
        (self.0.literal(text), self.1.literal(text))
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        (self.0.bool(value), self.1.bool(value))
    }

    fn int(&mut self, value: i64) -> Self::Value {
        (self.0.int(value), self.1.int(value))
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value {
        (self.0.choice(set, index), self.1.choice(set, index))
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (self.0.json(input), self.1.json(input))
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (self.0.unknown(input), self.1.unknown(input))
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        let (first, second) = items.into_iter().unzip();
        (self.0.list(first), self.1.list(second))
    }

    fn object(&mut self, ty: &'static TypeDef) -> Self::Object {
        (self.0.object(ty), self.1.object(ty))
    }

    fn member(&mut self, object: &mut Self::Object, index: usize, value: Self::Value) {
        self.0.member(&mut object.0, index, value.0);
        self.1.member(&mut object.1, index, value.1);
    }

    fn null(&mut self, object: &mut Self::Object, field: &'static FieldDef) {
        self.0.null(&mut object.0, field);
        self.1.null(&mut object.1, field);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Self::Object, key: &str, input: I) {
        self.0.extra(&mut object.0, key, input);
        self.1.extra(&mut object.1, key, input);
    }

    fn end(&mut self, object: Self::Object) -> Self::Value {
        (self.0.end(object.0), self.1.end(object.1))
    }
}

/// Makes nothing: for verdicts.
#[derive(Debug)]
pub struct Nothing;

impl Build for Nothing {
    type Value = ();
    type Object = ();

    fn text(&mut self, _: &str) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: i64) {}
    fn choice(&mut self, _: &'static EnumDef, _: usize) {}
    fn json<'a, I: Input<'a>>(&mut self, _: I) {}
    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<()> {
        text.source().map(drop)
    }
    fn unknown<'a, I: Input<'a>>(&mut self, _: I) {}
    fn list(&mut self, _: Vec<()>) {}
    fn object(&mut self, _: &'static TypeDef) {}
    fn member(&mut self, (): &mut (), _: usize, (): ()) {}
    fn extra<'a, I: Input<'a>>(&mut self, (): &mut (), _: &str, _: I) {}
    fn end(&mut self, (): ()) {}
}

/// Free values that are only looked at.
pub struct Checked;

impl Assemble for Checked {
    type Value = ();
    type Object = ();

    fn null(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn number(&mut self, _: Number) {}
    fn text(&mut self, _: &str) {}
    fn list(&mut self, _: Vec<()>) {}
    fn object(&mut self) {}
    fn member(&mut self, (): &mut (), _: &str, (): ()) {}
    fn end(&mut self, (): ()) {}
}

//! The builders, which make the result of a validation.

use super::cursor::FreeText;
use crate::json::Input;
use crate::schema::{EnumDef, FieldDef, TypeDef};

/// Makes the result while a document is validated: Rust structs, host objects, text, or nothing.
pub trait Build {
    /// A finished value.
    type Value;
    /// An object being made.
    type Object;

    /// A string.
    fn text(&mut self, text: &str) -> Self::Value;
    /// A string that the declaration fixes.
    fn literal(&mut self, text: &'static str) -> Self::Value {
        self.text(text)
    }
    /// A boolean.
    fn bool(&mut self, value: bool) -> Self::Value;
    /// An integer.
    fn int(&mut self, value: i64) -> Self::Value;
    /// One of a closed set of strings.
    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value;
    /// A free value: `Any` or `Dict`.
    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value;
    /// A free value, straight from the text. `None` if the builder cannot do that; then the value comes again through
    /// [`json`](Self::json).
    fn json_text(&mut self, _text: FreeText<'_, '_>) -> Option<Self::Value> {
        None
    }
    /// True if the builder wants the text of a valid event of this type instead of its members.
    fn wants_text_of(&self, _ty: &'static TypeDef) -> bool {
        false
    }
    /// Takes the text of such an event.
    fn event_text(&mut self, text: &str) -> Self::Value {
        self.text(text)
    }
    /// An object of an undeclared variant.
    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value;
    /// An event of an undeclared type.
    fn unknown_event<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        self.unknown(input)
    }
    /// A list.
    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value;
    /// Starts an object.
    fn object(&mut self, ty: &'static TypeDef) -> Self::Object;
    /// Sets a declared member.
    fn member(&mut self, object: &mut Self::Object, index: usize, value: Self::Value);
    /// Notes that an optional member was `null`, which is read as absent.
    fn null(&mut self, _object: &mut Self::Object, _field: &'static FieldDef) {}
    /// Sets an undeclared member.
    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Self::Object, key: &str, input: I);
    /// Finishes an object.
    fn end(&mut self, object: Self::Object) -> Self::Value;
}
